package diagram

import (
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/aml/model"
)

// Focus selects an aggregate with those that it refers to or that refer to it.
type Focus struct {
	Root  string // the Go name of its root
	Depth int    // the number of references between it and the farthest aggregate
}

// Select returns the roots that options select.
func Select(models []Model, o Options) ([]*model.Aggregate, error) {
	if o.Focus == nil {
		return Roots(models, o.Roots)
	}
	if o.Roots != nil {
		return nil, errors.New("-focus and -roots exclude each other: -focus draws an aggregate with its neighbours, -roots those that it names")
	}
	if o.Focus.Depth < 0 {
		return nil, fmt.Errorf("-depth %d: use 0 for the aggregate alone, or the number of references to the farthest aggregate", o.Focus.Depth)
	}
	chosen, err := chosenRoots(models, "-focus", []string{o.Focus.Root})
	if err != nil {
		return nil, err
	}
	return neighbours(models, chosen, o.Focus.Depth), nil
}

// neighbours returns roots, and those that at most depth references connect with them, in either direction and in the order of the models.
func neighbours(models []Model, roots []*model.Aggregate, depth int) (out []*model.Aggregate) {
	all, _ := Roots(models, nil)
	linked := map[string][]string{}
	for _, r := range all {
		for _, to := range targets(r) {
			from := AggregateKey(r)
			linked[from], linked[to] = append(linked[from], to), append(linked[to], from)
		}
	}
	near := map[string]bool{}
	var edge []string
	for _, r := range roots {
		edge = append(edge, AggregateKey(r))
	}
	for ; depth >= 0; depth-- {
		var next []string
		for _, key := range edge {
			if !near[key] {
				near[key] = true
				next = append(next, linked[key]...)
			}
		}
		edge = next
	}
	for _, r := range all {
		if near[AggregateKey(r)] {
			out = append(out, r)
		}
	}
	return out
}
