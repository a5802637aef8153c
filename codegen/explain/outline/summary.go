package outline

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/explain"
)

// summary lists the operations of each table and view by their requests and partitions. Operations with the same cost share a line.
func (p *Outline) summary(e *explain.Explanation) {
	if !slices.ContainsFunc(e.Tables, func(t *explain.Table) bool { return t.Operations != nil }) {
		return
	}
	p.Add(0, "")
	p.Add(0, "Operations by requests and partitions:")
	for _, t := range e.Tables {
		p.byCost(t.Name+": "+Kind(t.Aggregate), t.All())
	}
	for _, v := range e.Views {
		p.byCost("view "+v.Model.Struct.Name+" of "+v.Name, v.Operations)
	}
}

// byCost adds a title, and a line for each different cost of some operations.
func (p *Outline) byCost(title string, operations []*explain.Operation) {
	if operations == nil {
		return
	}
	p.Add(1, "%s", title)
	var costs []string
	names := map[string][]string{}
	for _, o := range operations {
		cost := requests(o) + touched(o)
		if names[cost] == nil {
			costs = append(costs, cost)
		}
		names[cost] = append(names[cost], o.Name)
	}
	for _, c := range costs {
		p.Add(2, "%s: %s", c, strings.Join(names[c], ", "))
	}
}

// touched returns which partitions an operation reads or writes; "" if its fields determine them.
func touched(o *explain.Operation) string {
	switch {
	case o.AllNodes:
		return "; all nodes"
	case o.ByField:
		return ""
	}
	var most string // the partitions of a request that touches more than the partition of the root
	for _, all := range [][]*explain.Request{o.Requests, o.After} {
		for _, r := range all {
			if !r.Read && !r.Conditional && Partitions(r) != "1" {
				most = Partitions(r)
			}
		}
	}
	if most == "" {
		return ""
	}
	return "; partitions: " + most
}
