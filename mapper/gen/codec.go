package gen

import (
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Codec has the generated functions that encode, decode and check the struct of a table.
type Codec[T any] struct {
	Table   *Table
	Encode  func(*Encoder, *T) // every column, in the table's order
	Compute func(*Encoder, *T) // the results of the table's Computed; nil: none
	Decode  func(*Decoder, *T)
	Check   func(*Faults, *T) // the rules of the model; nil: none
	Version func(*T) *int64   // the field with the version of a versioned root; nil: a plain root
	Source  *call.Source      // of a redundant table: where its rows come from

	inner call.Codec
}

// untyped returns c without its type parameter. It returns the same pointer in every call.
func (c *Codec[T]) untyped() *call.Codec {
	return c.inner.Start((*plan.Table)(c.Table), typed[T]{c}, c.Source, c.Encode != nil)
}

// Source returns the root from which the rows of a redundant table come.
func Source[T any](c *Codec[T], a *Linked) *call.Source {
	return &call.Source{Codec: c.untyped(), Aggregate: a}
}

// typed is the part of a codec that needs the type of the struct.
type typed[T any] struct{ c *Codec[T] }

func (t typed[T]) Encode(e *Encoder, v any) {
	x, ok := v.(*T)
	if !ok {
		x = new(T)
	}
	t.c.Encode(e, x)
}

func (t typed[T]) Compute(e *Encoder, v any) { t.c.Compute(e, v.(*T)) }

func (t typed[T]) Decode(d *Decoder) any {
	v := new(T)
	t.c.Decode(d, v)
	return v
}

func (t typed[T]) Version(v any) *int64 { return t.c.Version(v.(*T)) }

func (t typed[T]) Check(v any) []mapper.Violation {
	if t.c.Check == nil {
		return nil
	}
	var f Faults
	t.c.Check(&f, v.(*T))
	return f.list
}
