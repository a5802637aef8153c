package gen

import "github.com/cassaml/cassaml/mapper/internal/call"

// Batch collects writes of roots, and sends them as one atomic write. Generated batches embed it.
type Batch = call.Batch

// NewBatch returns an empty batch.
func NewBatch(db *DB) *Batch { return call.NewBatch(db) }

// Writes adds writes of one root to a batch. Each does the same as the method of the root's table with its name. A nil pointer is an error
// of Run.
type Writes[T any] struct {
	b *Batch
	r call.Root
}

// WritesTo returns the writes of a root in a batch.
func WritesTo[T any](b *Batch, r Root[T]) Writes[T] { return Writes[T]{b, r.untyped()} }

// Insert adds an insert of v, whose identifier must be new. v can be changed afterwards.
func (w Writes[T]) Insert(v *T) { w.b.Insert(w.r, pointer(v)) }

// Change adds the differences between old and new. old must be equal to the stored row. Both can be changed afterwards.
func (w Writes[T]) Change(old, new *T) { w.b.Change(w.r, pointer(old), pointer(new)) }

// WritesOver is like [Writes], of a root without copies.
type WritesOver[T any] struct{ Writes[T] }

// WritesOverTo returns the writes of a root without copies in a batch.
func WritesOverTo[T any](b *Batch, r Root[T]) WritesOver[T] { return WritesOver[T]{WritesTo(b, r)} }

// Put adds a write of v, whether its row exists or not; absent fields become null. v can be changed afterwards.
func (w WritesOver[T]) Put(v *T) { w.b.Put(w.r, pointer(v)) }

// AddDelete adds the deletion of a row that is not read.
func AddDelete[T any](w Writes[T], key *Encoder) { w.b.Delete(w.r, key) }

// AddColumn adds a write of one column. values contains the key and the value; f contains the rules of the model that the value violates,
// and nil means none.
func AddColumn[T any](w Writes[T], values *Encoder, column string, f *Faults) {
	w.b.Set(w.r, values, column, f.all())
}

// AddMember adds a write of one field of a column that is a UDT, by the number of the field. The other arguments are the arguments
// of [AddColumn].
func AddMember[T any](w Writes[T], values *Encoder, column string, field int, f *Faults) {
	w.b.SetMember(w.r, values, column, field, f.all())
}

// AddElements adds a change of elements of a set or a map. values contains the key and the elements; the other arguments are the
// arguments of [AddColumn].
func AddElements[T any](w Writes[T], e Element, values *Encoder, column string, f *Faults) {
	w.b.WriteElement(w.r, e, values, column, f.all())
}
