package site

import (
	"slices"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
)

// operationView is an operation of a store.
type operationView struct {
	Name  string
	Cost  string
	Lines []lineView
}

// lineView is a line of an explanation.
type lineView struct {
	Depth int
	CQL   string
	Text  string
}

func newOperation(o *explain.Operation) operationView {
	v := operationView{Name: o.Name, Cost: text(outline.Cost(o))}
	v.Lines = newLines(outline.Operation(o), 1) // the first line has the name and the cost
	return v
}

// reads reports whether an operation writes nothing.
func reads(o *explain.Operation) bool {
	return !o.ByField && !slices.ContainsFunc(o.Requests, func(r *explain.Request) bool { return !r.Read })
}

// newLines returns the lines of an outline after the first ones, without empty lines, from depth 0 on.
func newLines(o *outline.Outline, after int) (out []lineView) {
	least := 1 << 10
	for _, l := range o.Lines {
		switch {
		case l.String() == "":
		case after > 0:
			after--
		default:
			least = min(least, l.Depth)
			out = append(out, lineView{l.Depth, text(l.CQL), text(l.Text)})
		}
	}
	for i := range out {
		out[i].Depth -= least
	}
	return out
}
