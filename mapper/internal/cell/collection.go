package cell

import (
	"encoding/binary"
	"slices"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/form"
)

// Form is how Cassandra compares the elements of a set or the keys of a map; nil for types that are compared by their bytes.
type Form = form.Form

// NewForm returns the form of a type, as [form.New] does.
func NewForm(t *cqltype.Type, fields func(udt string) ([]*cqltype.Type, bool)) (*Form, error) {
	return form.New(t, fields)
}

func only(of []*Form) *Form {
	if len(of) == 0 {
		return nil
	}
	return of[0]
}

// EncodeStruct writes a UDT with f; nil is null. A UDT whose members are all null is not null.
func EncodeStruct[T any](e *Encoder, v *T, f func(*Encoder, *T)) {
	if v == nil {
		e.Null()
		return
	}
	at := e.open()
	f(e, v)
	if e.faults != nil {
		e.inMember(at)
	}
	e.close(at)
}

// EncodeNullable writes the value of v with f; nil is null.
func EncodeNullable[T any](e *Encoder, v *T, f func(*Encoder, T)) {
	if v == nil {
		e.Null()
		return
	}
	f(e, *v)
}

// EncodeList writes a list; nil is null, empty is the empty list. A null element is a fault.
func EncodeList[S ~[]T, T any](e *Encoder, v S, f func(*Encoder, T)) {
	if v == nil {
		e.Null()
		return
	}
	at := e.openCollection(len(v))
	for i := range v {
		from := len(e.b)
		f(e, v[i])
		e.notNull(from)
		if e.faults != nil {
			e.inElement(at, i)
		}
	}
	e.close(at)
}

// EncodeStructs writes a list of UDTs; nil is null, empty is the empty list.
func EncodeStructs[S ~[]T, T any](e *Encoder, v S, f func(*Encoder, *T)) {
	if v == nil {
		e.Null()
		return
	}
	at := e.openCollection(len(v))
	for i := range v {
		from := e.open()
		f(e, &v[i])
		e.close(from)
		if e.faults != nil {
			e.inMember(from)
			e.inElement(at, i)
		}
	}
	e.close(at)
}

// EncodeUnique writes a set from a slice, in the order of its type; two equal elements are a fault.
func EncodeUnique[S ~[]T, T any](e *Encoder, v S, f func(*Encoder, T), of ...*Form) {
	at := len(e.b)
	EncodeList(e, v, f)
	e.sort(at, 1, len(v), only(of))
}

// EncodeUniqueStructs writes a set of UDTs from a slice, in the order of its type; two equal elements are a fault.
func EncodeUniqueStructs[S ~[]T, T any](e *Encoder, v S, f func(*Encoder, *T), of ...*Form) {
	at := len(e.b)
	EncodeStructs(e, v, f)
	e.sort(at, 1, len(v), only(of))
}

// EncodeSet writes a set in the order of its type; nil is null, empty is the empty set. A null element is a fault, and so are
// two elements that are equal in CQL.
func EncodeSet[M ~map[T]struct{}, T comparable](e *Encoder, v M, f func(*Encoder, T), of ...*Form) {
	if v == nil {
		e.Null()
		return
	}
	at := e.openCollection(len(v))
	for k := range v {
		from := len(e.b)
		f(e, k)
		e.notNull(from)
		if e.faults != nil {
			e.inKey(at, k)
		}
	}
	e.close(at)
	e.sort(at, 1, len(v), only(of))
}

// EncodeMap writes a map in the order of its type; nil is null, empty is the empty map. A null key or value is a fault, and so
// are two keys that are equal in CQL.
func EncodeMap[M ~map[K]V, K comparable, V any](e *Encoder, v M, key func(*Encoder, K), value func(*Encoder, V), of ...*Form) {
	if v == nil {
		e.Null()
		return
	}
	at := e.openCollection(len(v))
	for k, x := range v {
		from := len(e.b)
		key(e, k)
		e.notNull(from)
		from = len(e.b)
		value(e, x)
		e.notNull(from)
		if e.faults != nil {
			e.inKey(at, k)
		}
	}
	e.close(at)
	e.sort(at, 2, len(v), only(of))
}

// EncodeEntryKey writes a map with one entry without a value: the entry to remove from a map. A null key is a fault.
func EncodeEntryKey[K any](e *Encoder, k K, key func(*Encoder, K)) {
	at := e.openCollection(1)
	from := len(e.b)
	key(e, k)
	e.notNull(from)
	if e.faults != nil {
		e.inKey(at, k)
	}
	e.Null()
	e.close(at)
}

// EncodeMapOfStructs writes a map whose values are UDTs, as [EncodeMap] does.
func EncodeMapOfStructs[M ~map[K]V, K comparable, V any](e *Encoder, v M, key func(*Encoder, K), value func(*Encoder, *V), of ...*Form) {
	var x V // one for all entries: its address is passed to value, so each would be an allocation
	EncodeMap(e, v, key, func(e *Encoder, each V) {
		x = each
		EncodeStruct(e, &x, value)
	}, of...)
}

// Canonical sorts the set (per 1) or map (per 2) that write writes, in the order of its type. Invalid bytes and two equal
// elements are faults.
func (e *Encoder) Canonical(per int, write func(), of ...*Form) {
	at := len(e.b)
	write()
	if e.b[at] == 0xff || e.faultAt(at) {
		return
	}
	w, n := Elements(e.b[at+lengthSize:], per)
	for range n * per {
		if w.Next() == nil {
			w.broken = true
		}
	}
	if w.Broken() || w.More() {
		e.failAt(at, "is not encoded as a set or map")
		return
	}
	e.sort(at, per, n, only(of))
}

// As writes a value with write in the canonical encoding of its type.
func (e *Encoder) As(of *Form, write func()) {
	at := len(e.b)
	if write(); e.b[at] == 0xff || e.faultAt(at) {
		return
	}
	e.b = AppendValue(e.b[:at], of.Canonical(slices.Clone(e.b[at+lengthSize:])))
}

func (e *Encoder) openCollection(n int) int {
	at := e.open()
	e.length(n)
	return at
}

// notNull adds a fault for a null that was written at from: a collection must not contain null. If the null replaces a value
// that could not be written, there is a fault already.
func (e *Encoder) notNull(from int) {
	if e.b[from] == 0xff && !e.faultAt(from) {
		e.failAt(from, "is null, which a collection cannot hold")
	}
}

// span is one element of a collection in the encoder's bytes; its key is without the length.
type span struct{ from, key, to int }

// sorter has the reusable storage for sorting.
type sorter struct {
	spans []span
	moved []byte
}

// sort sorts the n elements of the collection at at, each of per values, in the order of their type, and canonicalizes their
// keys.
func (e *Encoder) sort(at, per, n int, of *Form) {
	if n == 0 || n == 1 && !of.Variants() || e.faultAt(at) {
		return
	}
	spans := e.spans(at, per, n)
	if of.Variants() {
		spans = e.canonical(at, per, spans, of)
	}
	compare := func(a, b span) int { return of.Compare(e.b[a.from+lengthSize:a.key], e.b[b.from+lengthSize:b.key]) }
	sorted := slices.IsSortedFunc(spans, compare)
	if !sorted {
		slices.SortFunc(spans, compare)
	}
	for i := 1; i < len(spans); i++ {
		if compare(spans[i-1], spans[i]) == 0 {
			e.failAt(at, "holds two equal elements")
			return
		}
	}
	if !sorted {
		e.permute(at, spans)
	}
}

// canonical writes the keys of the elements in the canonical encoding, which is the shortest.
func (e *Encoder) canonical(at, per int, spans []span, of *Form) []span {
	moved := e.order.moved[:0]
	for _, s := range spans {
		moved = AppendValue(moved, of.Canonical(e.b[s.from+lengthSize:s.key]))
		moved = append(moved, e.b[s.key:s.to]...)
	}
	e.order.moved = moved
	e.b = append(e.b[:at+2*lengthSize], moved...)
	e.close(at)
	return e.spans(at, per, len(spans))
}

func (e *Encoder) spans(at, per, n int) []span {
	e.order.spans = slices.Grow(e.order.spans[:0], n)
	for from := at + 2*lengthSize; from < len(e.b); {
		s := span{from: from, key: e.end(from)}
		s.to = s.key
		if per == 2 {
			s.to = e.end(s.key)
		}
		e.order.spans = append(e.order.spans, s)
		from = s.to
	}
	return e.order.spans
}

// end returns the end of the value that starts at from.
func (e *Encoder) end(from int) int {
	return from + lengthSize + int(binary.BigEndian.Uint32(e.b[from:]))
}

func (e *Encoder) permute(at int, spans []span) {
	e.order.moved = e.order.moved[:0]
	for _, s := range spans {
		e.order.moved = append(e.order.moved, e.b[s.from:s.to]...)
	}
	copy(e.b[at+2*lengthSize:], e.order.moved)
}

// EncodeQualified writes a slice of structs as a map, in the order of its keys: key writes the key of a struct, value the
// struct. Nil is null, empty is the empty map. A null key, and two structs with the same key, are faults.
func EncodeQualified[S ~[]T, T any](e *Encoder, v S, key, value func(*Encoder, *T), of ...*Form) {
	if v == nil {
		e.Null()
		return
	}
	at := e.openCollection(len(v))
	for i := range v {
		from := len(e.b)
		key(e, &v[i])
		e.notNull(from)
		from = e.open()
		value(e, &v[i])
		e.close(from)
		if e.faults != nil {
			e.inMember(from)
			e.inElement(at, i)
		}
	}
	e.close(at)
	e.sort(at, 2, len(v), only(of))
}

// DecodeQualified reads the values of a map of structs in the order of their keys, which the values also contain; null is nil,
// an empty map is empty and not nil.
func DecodeQualified[T any](d *Decoder, f func(*Decoder, *T)) []T {
	n, outer, ok := d.enterCollection(2, size[T]())
	if !ok {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		if !d.more() {
			break
		}
		d.next()
		DecodeStruct(d, &out[i], f)
		if d.fault != nil {
			d.inElement(i)
		}
	}
	d.leaveCollection(outer)
	return out
}
