package node

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
)

// variant has each work as an operation of one worker, on the worker's own order. Reads read the row of the sample, or its
// partition.
type variant interface {
	insert(o *order.Order) measure.Op
	update(o *order.Order) measure.Op
	write4(o *order.Order) measure.Op
	get(o *order.Order) measure.Op
	page(o *order.Order) measure.Op
	first(o *order.Order) measure.Op
	many(o *order.Order) measure.Op
	merge(o *order.Order) measure.Op
}

var works = []struct {
	name string
	read bool
	op   func(variant, *order.Order) measure.Op
}{
	{"insert", false, variant.insert}, {"update", false, variant.update}, {"write4", false, variant.write4},
	{"get", true, variant.get}, {"page", true, variant.page},
	{"first", true, variant.first}, {"many", true, variant.many}, {"merge", true, variant.merge},
}

// onlyOf contains the works of each variant that is not measured for all works.
var onlyOf = map[string][]string{"gets": {"many"}, "together": {"merge"}, "floor, each": {"merge"}, "floor, limited": {"insert", "update", "get", "first"}}

// Loads returns every work of every variant, with the given numbers of operations in flight.
func (c *Client) Loads(inFlight ...int) (loads []measure.Load) {
	variants := []struct {
		name string
		variant
	}{
		{"cassaml", cassaml{c}}, {"cassaml-again", cassaml{c}}, {"gocqlx", newGocqlx(c)}, {"gocql", byHand{c}}, {"floor", floor{Client: c}},
		{"floor, limited", floor{c, true}}, {"floor, each", eachFloor{floor{Client: c}}}, {"gets", gets{cassaml{c}}}, {"together", together{cassaml{c}}},
		{"cassaml-apache", cassamlOverApache(c)}, {"apache", byApache{c.apache.session}},
	}
	for _, work := range works {
		for _, n := range inFlight {
			for _, v := range variants {
				if only := onlyOf[v.name]; only != nil && !slices.Contains(only, work.name) {
					continue
				}
				worker := func(i int) (measure.Op, error) {
					o := own(i)
					if work.read {
						o = order.Sample()
						o.Number = 7
					}
					return work.op(v.variant, o), nil
				}
				loads = append(loads, measure.Load{Work: work.name, Variant: v.name, InFlight: n, Worker: worker, Counter: c.frames.n.Load})
			}
		}
	}
	return loads
}

// MergeLoads returns the loads of Loads that read several partitions.
func (c *Client) MergeLoads(inFlight ...int) []measure.Load {
	return slices.DeleteFunc(c.Loads(inFlight...), func(l measure.Load) bool { return l.Work != "merge" })
}

// complete returns an error if a read lacks rows.
func complete(rows, want int) error {
	if rows != want {
		return fmt.Errorf("node: %d rows are read, want %d", rows, want)
	}
	return nil
}
