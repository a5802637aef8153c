package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// ticketOrders is a versioned root with a list of tickets, each of which is unique.
func ticketOrders() *plan.Aggregate {
	root := &descriptor.Table{
		Name: "orders", Aggregate: "Order", Partition: 1, Key: 1, Hidden: 2, Deleted: 4,
		Columns: []descriptor.Column{
			{Name: "id", CQL: "id", Field: "ID", Kind: projection.PartitionKey, Type: "int"},
			{Name: "tickets", CQL: "tickets", Field: "Tickets", Kind: projection.Regular, Type: "frozen<list<text>>"},
			{Name: "version", CQL: "version", Field: "Version", Kind: projection.Regular, Type: "bigint"},
			{Name: "aml_attempts", CQL: "aml_attempts", Kind: projection.Regular, Type: "frozen<list<uuid>>"},
			{Name: "aml_deleted", CQL: "aml_deleted", Kind: projection.Regular, Type: "boolean"},
		},
	}
	tickets := &descriptor.Table{
		Name: "orders__tickets_unique", Aggregate: "Order", Partition: 1, Key: 1,
		Columns: []descriptor.Column{
			{Name: "ticket", CQL: "ticket", Field: "Tickets", Kind: projection.PartitionKey, Type: "text"},
			{Name: "aml_owner_id", CQL: "aml_owner_id", Kind: projection.Regular, Type: "int"},
			{Name: "aml_at", CQL: "aml_at", Kind: projection.Regular, Type: "bigint"},
			{Name: "aml_floor", CQL: "aml_floor", Kind: projection.Regular, Type: "bigint"},
		},
	}
	return plan.Link(descriptor.Aggregate{Root: root, Versioning: &descriptor.Versioning{
		Version: 2, Attempts: 3, Deleted: 4,
		Uniques: []descriptor.Unique{{Table: tickets, Field: "Tickets",
			Of: descriptor.Projection{Ops: []projection.Op{{Code: projection.Each, Src: 1, Dst: 5}}, Columns: []uint16{5}}}},
	}})
}

// Two elements of one aggregate cannot have the same unique value. A row that has such elements can still be saved and deleted, but no
// save adds another one.
func TestElementsWithTheSameUniqueValue(t *testing.T) {
	a := ticketOrders()
	row := func(tickets ...string) cell.Row {
		values := make([]cell.Cell, len(tickets))
		for i, s := range tickets {
			values[i] = cell.Cell(s)
		}
		return cell.Row{cell.Cell{0, 0, 0, 1}, many(1, values...), nil, nil, nil}
	}
	for name, c := range map[string]struct {
		old, new []string // nil: there is no row
		want     string
	}{
		"different":               {nil, []string{"a", "b"}, ""},
		"empty values":            {nil, []string{"", ""}, ""},
		"new":                     {nil, []string{"b", "a", "b"}, "Tickets is unique, and 2 elements have the value ticket='b'"},
		"added":                   {[]string{"a"}, []string{"a", "a"}, "Tickets is unique, and 2 elements have the value ticket='a'"},
		"another one":             {[]string{"a", "a"}, []string{"a", "a", "a"}, "Tickets is unique, and 3 elements have the value ticket='a'"},
		"another value":           {[]string{"a", "a"}, []string{"a", "a", "b", "b"}, "Tickets is unique, and 2 elements have the value ticket='b'"},
		"kept":                    {[]string{"a", "a"}, []string{"a", "a", "b"}, ""},
		"removed":                 {[]string{"a", "a"}, []string{"a"}, ""},
		"in place of another one": {[]string{"a", "a"}, []string{"b", "b"}, "Tickets is unique, and 2 elements have the value ticket='b'"},
	} {
		t.Run(name, func(t *testing.T) {
			var old *plan.State
			if c.old != nil {
				was := row(c.old...)
				was[2] = plan.Bigint(7)
				old = &plan.State{Row: was, Version: 7}
			}
			for _, change := range []bool{false, old != nil} {
				planned := plan.PlanSave
				if change {
					planned = plan.PlanChange
				}
				_, err := planned(a, old, row(c.new...), plan.SaveOptions{Now: 9})
				if c.want == "" {
					require.NoError(t, err)
					continue
				}
				var faults *plan.FaultError
				require.ErrorAs(t, err, &faults)
				require.Len(t, faults.Faults, 1)
				require.Equal(t, c.want, faults.Faults[0].Path+" "+faults.Faults[0].Problem)
			}
			if old != nil {
				_, err := plan.PlanSave(a, old, nil, plan.SaveOptions{Now: 9})
				require.NoError(t, err, "it can be deleted")
			}
		})
	}
}
