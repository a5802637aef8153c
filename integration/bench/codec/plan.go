package codec

import (
	"fmt"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
)

// wideCases are cases that no peer has: rows of a copy that derive from the elements of a list.
func wideCases(d *driver) (cases []measure.Case) {
	for _, name := range []string{"cassaml", Again} {
		c := newCassaml()
		cases = append(cases, measure.Case{Work: "wide", Variant: name, Items: 1, Run: func() error { d.frame.reset(); return c.wide(d) }})
	}
	return cases
}

// planCases are cases that no peer has: the planner computes the rows that a change of an order affects.
func planCases() ([]measure.Case, error) {
	var cases []measure.Case
	for _, p := range []struct {
		work   string
		want   int // statements
		change func(*order.Order)
	}{
		{"plan-update", 4, func(o *order.Order) { o.Total++ }},
		{"plan-move", 5, func(o *order.Order) { o.Email = "other@example.com" }},
	} {
		changed := order.Sample()
		p.change(changed)
		old, err := order.Row(order.Sample())
		if err != nil {
			return nil, err
		}
		new, err := order.Row(changed)
		if err != nil {
			return nil, err
		}
		run := func() error {
			mutations, err := order.Plan(old, new)
			if err == nil && len(mutations) != p.want {
				err = fmt.Errorf("codec: %d statements are planned, want %d", len(mutations), p.want)
			}
			return err
		}
		cases = append(cases, measure.Case{Work: p.work, Variant: "cassaml", Run: run}, measure.Case{Work: p.work, Variant: Again, Run: run})
	}
	return cases, nil
}
