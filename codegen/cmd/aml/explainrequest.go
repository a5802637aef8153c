package main

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

func (p *page) operation(depth int, o *explain.Operation) {
	if depth == 1 {
		p.line(0, "")
	}
	p.line(depth, "%s: %s", o.Name, cost(o))
	for i, r := range o.Requests {
		if i > 0 {
			p.checks(depth+1, o)
		}
		p.request(depth+1, r)
	}
	if len(o.Requests) < 2 {
		p.checks(depth+1, o)
	}
	if o.ByField {
		p.line(depth+1, "%s", differences(o))
	}
}

// checks writes the reads of rows to remove.
func (p *page) checks(depth int, o *explain.Operation) {
	for _, r := range o.Checks {
		p.line(depth, "%s  -- for each row to remove from %s, in parallel", r.Writes[0].Statements[0].CQL, r.Writes[0].Table.Name)
	}
}

// cost returns the number of requests that an operation waits for, and how the last of them is sent.
func cost(o *explain.Operation) string {
	text := "1 request"
	switch {
	case o.Paged:
		text = "1 request per page"
	case o.RoundTrips > 1:
		text = fmt.Sprintf("%d requests, a read and a write", o.RoundTrips)
	case o.LocalOne:
		text = "1 request at LOCAL_ONE"
	}
	if len(o.Checks) > 0 {
		text += ", and 1 more if rows are removed from " + checked(o)
	}
	if o.ByField {
		return text
	}
	text += "; " + sending(o.Requests[len(o.Requests)-1])
	if o.AllNodes {
		text += "; queries all nodes, because there is no partition key"
	}
	return text
}

// checked lists the tables that the checks of an operation read.
func checked(o *explain.Operation) string {
	var names []string
	for _, r := range o.Checks {
		names = append(names, r.Writes[0].Table.Name)
	}
	return strings.Join(names, " or ")
}

func differences(o *explain.Operation) string {
	text := "writes the differences, as described for the fields below; nothing if there are none"
	if o.OrInsert {
		text += "; if there is no row, the same as Insert"
	}
	return text
}

// sending returns how the statements of a request are sent.
func sending(r *explain.Request) string {
	through := "through the batchlog (server: +1)"
	switch {
	case r.Read || r.Batch == explain.Never:
		return "one statement, no batch"
	case r.Batch == explain.Always && r.Batchlog == explain.Never:
		return "a logged batch of one partition, no batchlog"
	case r.Batch == explain.Always && r.Batchlog == explain.Always:
		return "a logged batch, " + through
	case r.Batch == explain.Always:
		return "a logged batch, " + through + " if it writes to " + elsewhere(r)
	case r.Batchlog == explain.Never:
		return "one statement, or a logged batch of one partition if there are more; no batchlog"
	}
	return "one statement, or a logged batch if there are more; " + through + " if it writes to " + elsewhere(r)
}

// elsewhere lists the tables of a request that are in other partitions.
func elsewhere(r *explain.Request) string {
	var names []string
	for _, w := range r.Writes {
		if w.Elsewhere {
			names = append(names, w.Table.Name)
		}
	}
	return strings.Join(names, " or ")
}

func (p *page) request(depth int, r *explain.Request) {
	if r.Read {
		p.read(depth, r)
		return
	}
	p.line(depth, "partitions: %s", partitions(r))
	for _, w := range r.Writes {
		p.line(depth, "%s: %s", w.Table.Name, describe(w))
		for _, s := range w.Statements {
			p.statement(depth+1, s)
		}
	}
}

// read writes the only statement of a read.
func (p *page) read(depth int, r *explain.Request) { p.statement(depth, r.Writes[0].Statements[0]) }

func (p *page) statement(depth int, s explain.Statement) {
	if s.If == "" {
		p.line(depth, "%s", s.CQL)
		return
	}
	p.line(depth, "%s  -- %s", s.CQL, s.If)
}

// partitions returns the number of partitions that a request touches.
func partitions(r *explain.Request) string {
	list := []string{"1"}
	for _, w := range r.Writes {
		var text string
		switch {
		case !w.Elsewhere:
			continue
		case w.Each && w.RowEffect == explain.Stays:
			text = "1" + elements(w.Rows) + " in " + w.Table.Name
		case w.Each:
			text = "1" + elements(w.Rows) + ", old and new, in " + w.Table.Name
		case w.Spreads:
			text = "2, the old and the new one, in " + w.Table.Name
		default:
			text = "1 in " + w.Table.Name
		}
		list = append(list, text)
	}
	return strings.Join(list, " + ")
}

// describe returns the effect of a request on one table.
func describe(w *explain.Write) string {
	text := rowsOf(w.Rows)
	switch {
	case w.Range:
		text = "all rows of the root"
	case w.Keeps:
		text += ", inserted and never deleted"
	case w.RowEffect == explain.Moves:
		text = "moves " + text + ", by an insert and a delete"
	case w.RowEffect != explain.Stays && w.Rows.Per != "":
		text = "rewrites " + text + ", deletes removed rows"
	case w.RowEffect != explain.Stays:
		text += ", which is inserted, deleted or rewritten"
	case len(w.Cells) > 0 && !w.Whole:
		text += ", cells only: " + strings.Join(schema.Names(w.Cells), ", ")
	}
	if w.When != "" {
		text += "; only while " + w.When + " holds"
	}
	if w.Whole {
		text += fmt.Sprintf("; whole rows, %d seconds", w.Table.TTL)
	}
	return text
}
