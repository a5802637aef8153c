package gen_test

import (
	"context"
	"iter"
	"testing"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// discard is a database that discards writes.
type discard struct{ rows []cell.Row }

func (discard) Apply(context.Context, []plan.Mutation, store.Write) error { return nil }

func (discard) CAS(context.Context, *plan.Conditional, store.CAS) (store.Answer, error) {
	return store.Answer{Applied: true}, nil
}

func (d discard) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	return store.First(d.Rows(ctx, l.Read))
}

func (d discard) Page(context.Context, store.Read, []byte) (store.Page, error) {
	return store.Page{}, nil
}

func (d discard) Rows(context.Context, store.Read) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		for _, row := range d.rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func benchmarkStore(b *testing.B, rows []cell.Row) *Store {
	db, err := gen.OpenStore(discard{rows}, mapper.Config{}, schema)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return newStore(db)
}

// BenchmarkInsert checks, encodes and plans a client with two vehicles: three rows.
func BenchmarkInsert(b *testing.B) {
	s, c := benchmarkStore(b, nil), cliente()
	for b.Loop() {
		if err := s.Clientes.Insert(ctx, c); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAll decodes a page of 100 rows.
func BenchmarkAll(b *testing.B) {
	var e gen.Encoder
	clienteCodec.Encode(&e, cliente())
	row, err := (*plan.Table)(clienteCodec.Table).Row(&e, nil)
	if err != nil {
		b.Fatal(err)
	}
	rows := make([]cell.Row, 100)
	for i := range rows {
		rows[i] = row
	}
	s := benchmarkStore(b, rows)
	var k gen.Encoder
	k.Int(1)
	q := gen.Where(s.Clientes.Reader, &k)
	for b.Loop() {
		for _, err := range q.All(ctx) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// filmRows returns the result of reading a film with its timestamps.
func filmRows(b *testing.B) []cell.Row {
	var e gen.Encoder
	filmCodec.Encode(&e, film())
	row, err := (*plan.Table)(filmCodec.Table).Row(&e, nil)
	if err != nil {
		b.Fatal(err)
	}
	return []cell.Row{append(row, make(cell.Row, len(row)-3)...)}
}

// BenchmarkGet reads a row by its key.
func BenchmarkGet(b *testing.B) {
	s := benchmarkStore(b, filmRows(b))
	for b.Loop() {
		if _, err := s.Films.Get(ctx, "BR", 2002, "x"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUpdate reads a row, changes a field and writes the changes.
func BenchmarkUpdate(b *testing.B) {
	s := benchmarkStore(b, filmRows(b))
	for b.Loop() {
		if _, err := s.Films.Update(ctx, "BR", 2002, "x", func(f *Film) error { f.Language = "x"; return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPut reads a row and writes it.
func BenchmarkPut(b *testing.B) {
	s := benchmarkStore(b, filmRows(b))
	f := film()
	for b.Loop() {
		if err := s.Films.Put(ctx, f); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkQuery(b *testing.B, of func() gen.Query[Film]) {
	for b.Loop() {
		for _, err := range of().All(ctx) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkQueryOf makes a query of a partition and reads nothing.
func BenchmarkQueryOf(b *testing.B) {
	s := benchmarkStore(b, nil)
	benchmarkQuery(b, func() gen.Query[Film] { return s.Films.Of("BR").Query })
}

// BenchmarkQueryRange makes a query of a range.
func BenchmarkQueryRange(b *testing.B) {
	s := benchmarkStore(b, nil)
	benchmarkQuery(b, func() gen.Query[Film] { return s.Films.Of("BR").YearFrom(1).YearBefore(7).Limit(8).Reverse() })
}

// BenchmarkQueryEqual makes a query of a value and a range of the next column.
func BenchmarkQueryEqual(b *testing.B) {
	s := benchmarkStore(b, nil)
	benchmarkQuery(b, func() gen.Query[Film] { return s.Films.Of("BR").Year(1).TitleAfter("x") })
}

// BenchmarkPage makes a query and reads an empty page.
func BenchmarkPage(b *testing.B) {
	s := benchmarkStore(b, nil)
	for b.Loop() {
		if _, err := s.Films.Of("BR").Year(1).Page(ctx, ""); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWith makes a store with other options.
func BenchmarkWith(b *testing.B) {
	db, err := gen.OpenStore(discard{}, mapper.Config{}, schema)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		newStore(db.With(mapper.Options{}))
	}
}
