package advise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/alternatives"
)

// resolveWrites finds the relationship of each write, also one that another design declares with another field: a workload is used again after its advice
// has been applied. It returns faults for writes of relationships and roots that the model does not have.
func (a *adviser) resolveWrites() (faults []Fault) {
	a.names = alternatives.Names(a.model)
	for _, w := range a.Writes {
		method := a.method(w.Name)
		name, omitted := alternatives.Resolve(a.model, w.Name)
		switch {
		case name != "":
			if w.Name = name; !slices.Contains(a.names, name) {
				a.names = append(a.names, name)
			}
		case omitted != "":
			if omitted = w.Name + ": " + omitted; !slices.Contains(a.omitted, omitted) {
				a.omitted = append(a.omitted, omitted)
			}
			continue
		case method == "":
			faults = append(faults, Fault{w.Pos, fmt.Sprintf("the model has no relationship and no root with the method %s: its relationships are %s", w.Name, a.relationships())})
		case methods[method] != w.Operation:
			faults = append(faults, Fault{w.Pos, fmt.Sprintf("%s is a method, which has no operation %q: delete the operation, or name a relationship", w.Name, w.Operation)})
		}
		a.writes = append(a.writes, w)
	}
	return faults
}

// method returns the method of a root with a name such as Customer.Update; "" for none.
func (a *adviser) method(name string) string {
	root, method, _ := strings.Cut(name, ".")
	if methods[method] == "" || !slices.ContainsFunc(a.model.Aggregates, func(x *model.Aggregate) bool { return x.IsSource() && x.Struct.Name == root }) {
		return ""
	}
	return method
}

// relationships describes the relationships of the model, those with parts at the end.
func (a *adviser) relationships() string {
	all := alternatives.Names(a.model)
	for _, x := range a.model.Aggregates {
		if x.Root != nil {
			all = append(all, alternatives.PartName(x))
		}
	}
	return cmp.Or(strings.Join(all, ", "), "none")
}
