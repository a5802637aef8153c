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

// discard is a database that forgets.
type discard struct{ rows []cell.Row }

func (discard) Apply(context.Context, []plan.Mutation, store.Write) error { return nil }

func (d discard) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	return store.First(d.Rows(ctx, l.Read))
}

func (d discard) Page(context.Context, store.Read, []byte) ([]cell.Row, []byte, error) {
	return nil, nil, nil
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
	row, err := clienteCodec.Table.Row(&e, nil)
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
