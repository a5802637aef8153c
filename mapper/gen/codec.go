package gen

import (
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Codec has the generated functions that encode, decode and check the struct of a table.
type Codec[T any] struct {
	Table   *Table
	Encode  func(*Encoder, *T) // every column, in the table's order
	Compute func(*Encoder, *T) // the results of the table's Computed; nil: none
	// ComputeKey is Compute of the value of a row that has only its key: it calls the methods that read nothing else, as far as a copy
	// derives its key from them, and writes null for the others. nil: there is no such copy.
	ComputeKey func(*Encoder, *T)
	Decode     func(*Decoder, *T)
	Check      func(*Faults, *T)       // the rules of the model; nil: none
	Version    func(*T) *int64         // the field with the version of a versioned root; nil: a plain root
	Copy       func(to, from *T)       // sets the fields that are copies of fields of other roots; nil: none
	Remaining  func(*T) *time.Duration // the field for the remaining TTL of a row; nil: none
	Source     *call.Source            // the source of the rows of a redundant table

	inner call.Codec
}

// untyped returns c without its type parameter. It returns the same pointer in every call.
func (c *Codec[T]) untyped() *call.Codec {
	return c.inner.Start((*plan.Table)(c.Table), (*typed[T])(c), c.Source, c.Encode != nil)
}

// Source returns the root from which the rows of a redundant table come.
func Source[T any](c *Codec[T], a *Linked) *call.Source {
	return &call.Source{Codec: c.untyped(), Aggregate: a}
}

// NewRelations returns the relations of the roots of a store by checked references, and by copies of fields.
func NewRelations(roots ...*call.Source) *call.Relations { return call.NewRelations(roots...) }

// typed is a codec for values whose type call does not know. Its methods have pointer receivers, because a generated package compiles
// each method of a value twice as often.
type typed[T any] Codec[T]

func (t *typed[T]) EncodeAny(e *Encoder, v any) {
	x, ok := v.(*T)
	if !ok {
		x = new(T)
	}
	t.Encode(e, x)
}

func (t *typed[T]) ComputeAny(e *Encoder, v any) { t.Compute(e, v.(*T)) }

func (t *typed[T]) ComputeKeyAny(e *Encoder, v any) { t.ComputeKey(e, v.(*T)) }

func (t *typed[T]) DecodeAny(d *Decoder) any {
	v := new(T)
	t.Decode(d, v)
	return v
}

func (t *typed[T]) VersionAny(v any) *int64 { return t.Version(v.(*T)) }

func (t *typed[T]) CopyAny(to, from any) { t.Copy(to.(*T), from.(*T)) }

func (t *typed[T]) RemainingAny(v any) *time.Duration { return t.Remaining(v.(*T)) }

func (t *typed[T]) CheckAny(v any) []mapper.Violation {
	if t.Check == nil {
		return nil
	}
	var f Faults
	t.Check(&f, v.(*T))
	return f.list
}
