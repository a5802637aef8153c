package plan_test

import (
	"testing"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// orders is a table of twelve columns, with a UDT and a list, and three copies of it with other keys.
func orders() *plan.Aggregate {
	table := func(name string, key int, order ...int) *descriptor.Table {
		t := &descriptor.Table{Name: name, Partition: 1, Key: key}
		for _, i := range order {
			t.Columns = append(t.Columns, descriptor.Column{Name: string(rune('a' + i)), Kind: projection.Regular})
		}
		return t
	}
	a := descriptor.Aggregate{Root: table("orders", 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)}
	for _, c := range []struct {
		key   int
		order []int
	}{
		{3, []int{3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11}},
		{2, []int{1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		{3, []int{4, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11}},
	} {
		p := descriptor.Projection{Table: table("copy", c.key, c.order...)}
		for _, i := range c.order {
			p.Columns = append(p.Columns, uint16(i))
		}
		a.Copies = append(a.Copies, p)
	}
	return plan.Link(a)
}

func order(email string, balance int64) cell.Row {
	var e cell.Encoder
	e.UUID([16]byte{1})
	e.Int(7)
	e.Text("Ada Lovelace King")
	e.Text(email)
	e.Int(36)
	e.Bigint(balance)
	e.Double(4.25)
	e.Boolean(true)
	e.Bigint(1772600767089)
	e.Blob(make([]byte, 64))
	e.Blob(make([]byte, 60))
	e.Blob(make([]byte, 260))
	row, err := e.Cells(nil)
	if err != nil {
		panic(err)
	}
	return row
}

func benchmark(b *testing.B, a *plan.Aggregate, old, new cell.Row, want int) {
	b.ReportAllocs()
	for b.Loop() {
		m, err := plan.Plan(a, plan.Change{Old: old, New: new})
		if err != nil || len(m) != want {
			b.Fatal(err, len(m))
		}
	}
}

func BenchmarkPlan(b *testing.B) {
	a, old := orders(), order("ada@example.com", 1)
	b.Run("insert/copies=3", func(b *testing.B) { benchmark(b, a, nil, old, 4) })
	b.Run("one_cell/copies=3", func(b *testing.B) { benchmark(b, a, old, order("ada@example.com", 2), 4) })
	b.Run("key_moves/copies=3", func(b *testing.B) { benchmark(b, a, old, order("king@example.com", 1), 5) })
}

// BenchmarkPlanList changes one element of a list with one row per element.
func BenchmarkPlanList(b *testing.B) {
	a := link(familyOf("by_item", "item_b", "parent"))
	for _, n := range []int{3, 100} {
		old, new := ana(), ana()
		old.Items, new.Items = nil, nil
		for i := range n {
			old.Items = append(old.Items, pair{p(string(rune('a' + i))), p("red")})
			new.Items = append(new.Items, pair{p(string(rune('a' + i))), p("red")})
		}
		new.Items[n/2].B = p("blue")
		b.Run(map[int]string{3: "n=3", 100: "n=100"}[n], func(b *testing.B) { benchmark(b, a, old.row(), new.row(), n+1) })
	}
}
