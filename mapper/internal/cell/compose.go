package cell

import "unsafe"

// DecodeStruct reads a UDT with f. Null sets v to its zero value; a UDT that ends early has nulls in the missing members.
// Members that f does not read are skipped, and [Decoder.Unknown] reports them.
func DecodeStruct[T any](d *Decoder, v *T, f func(*Decoder, *T)) {
	c := d.next()
	if c == nil {
		var zero T
		*v = zero
		return
	}
	readMembers(d, c, v, f)
}

// readMembers reads the members of the UDT or tuple c.
func readMembers[T any](d *Decoder, c Cell, v *T, f func(*Decoder, *T)) {
	outer := d.enter(c)
	f(d, v)
	if d.left() > 0 || d.fault != nil {
		d.leaveMembers(c)
	}
	d.leave(outer)
}

// leaveMembers skips the members that were not read, and adds the member of a fault to its path.
func (d *Decoder) leaveMembers(c Cell) {
	for d.left() > 0 && d.fault == nil {
		d.unknown = true
		d.next()
	}
	if d.fault != nil {
		d.inMember(c)
	}
}

// DecodePointer reads a UDT with f; null is nil.
func DecodePointer[T any](d *Decoder, f func(*Decoder, *T)) *T {
	c := d.next()
	if c == nil {
		return nil
	}
	if d.reserve(size[T](), lengthSize+len(c)); d.fault != nil {
		return nil
	}
	v := new(T)
	readMembers(d, c, v, f)
	return v
}

// DecodeNullable reads a value with f; null is nil.
func DecodeNullable[T any](d *Decoder, f func(*Decoder) T) *T {
	if d.SkipNull() {
		return nil
	}
	from := d.at
	v := f(d)
	if d.depth > 0 { // a row has no more columns than its struct has fields
		d.reserve(size[T](), d.at-from)
	}
	return &v
}

// size returns the size of a value in memory, without the memory that it refers to.
func size[T any]() int {
	var v T
	return int(unsafe.Sizeof(v))
}

// DecodeList reads a list, or a set as a slice; null is nil, an empty list is empty and not nil.
func DecodeList[T any](d *Decoder, f func(*Decoder) T) []T {
	n, outer, ok := d.enterCollection(1, size[T]())
	if !ok {
		return nil
	}
	out := make([]T, 0, n)
	for i := range n {
		if !d.more() {
			break
		}
		out = append(out, f(d))
		if d.fault != nil {
			d.inElement(i)
		}
	}
	d.leaveCollection(outer)
	return out
}

// DecodeStructs reads a list or set of UDTs; null is nil, an empty list is empty and not nil.
func DecodeStructs[T any](d *Decoder, f func(*Decoder, *T)) []T {
	n, outer, ok := d.enterCollection(1, size[T]())
	if !ok {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		if !d.more() {
			break
		}
		DecodeStruct(d, &out[i], f)
		if d.fault != nil {
			d.inElement(i)
		}
	}
	d.leaveCollection(outer)
	return out
}

// DecodeSet reads a set; null is nil, an empty set is empty and not nil.
func DecodeSet[T comparable](d *Decoder, f func(*Decoder) T) map[T]struct{} {
	n, outer, ok := d.enterCollection(1, size[T]())
	if !ok {
		return nil
	}
	out := make(map[T]struct{}, n)
	for i := range n {
		if !d.more() {
			break
		}
		out[f(d)] = struct{}{}
		if d.fault != nil {
			d.inElement(i)
		}
	}
	d.leaveCollection(outer)
	return out
}

// DecodeMap reads a map; null is nil, an empty map is empty and not nil.
func DecodeMap[K comparable, V any](d *Decoder, key func(*Decoder) K, value func(*Decoder) V) map[K]V {
	n, outer, ok := d.enterCollection(2, size[K]()+size[V]())
	if !ok {
		return nil
	}
	out := make(map[K]V, n)
	for i := range n {
		if !d.more() {
			break
		}
		k := key(d)
		if d.fault != nil {
			d.inKey(i)
			break
		}
		out[k] = value(d)
		if d.fault != nil {
			d.fault.prepend(Step{Text: KeyText(k)})
		}
	}
	d.leaveCollection(outer)
	return out
}

// DecodeMapOfStructs reads a map whose values are UDTs, as [DecodeMap] does.
func DecodeMapOfStructs[K comparable, V any](d *Decoder, key func(*Decoder) K, value func(*Decoder, *V)) map[K]V {
	var x V // one for all entries: its address is passed to value, so each would be an allocation
	return DecodeMap(d, key, func(d *Decoder) V {
		var zero V
		x = zero
		DecodeStruct(d, &x, value)
		return x
	})
}

// outside is the state of a Decoder after a nested value.
type outside struct {
	b     []byte
	at    int
	depth int
}

func (d *Decoder) enter(c Cell) outside {
	o := outside{d.b, d.at, d.depth}
	d.b, d.at, d.depth = c, 0, d.depth+1
	return o
}

func (d *Decoder) leave(o outside) { d.b, d.at, d.depth = o.b, o.at, o.depth }

// enterCollection starts reading a collection whose elements have per values each and need size bytes of memory.
func (d *Decoder) enterCollection(per, size int) (n int, o outside, ok bool) {
	c := d.next()
	if c == nil {
		return 0, o, false
	}
	if len(c) == 0 { // the empty value, which a collection can have
		return 0, d.enter(nil), true
	}
	n, ok = Count(c, per)
	if !ok {
		d.fail("has a count greater than its bytes allow")
		return 0, o, false
	}
	if d.reserve(n*size, len(c)); d.fault != nil {
		return 0, o, false
	}
	return n, d.enter(c[lengthSize:]), true
}

func (d *Decoder) leaveCollection(o outside) {
	if d.left() > 0 && d.fault == nil {
		d.fail("has bytes after its last element")
	}
	d.leave(o)
}

// more reports whether there is another element, and adds a fault if it is missing.
func (d *Decoder) more() bool {
	if d.left() < lengthSize && d.fault == nil {
		d.fail("ends before its last element")
	}
	return d.fault == nil
}

// Choice writes the name of the alternative in use; "" for none is null.
func (e *Encoder) Choice(name string) {
	if name == "" {
		e.Null()
		return
	}
	e.Text(name)
}

// Skip skips a value without a field in the struct.
func (d *Decoder) Skip() { d.next() }

// Alternative is a member of a group, at most one of which has a value.
type Alternative struct {
	Name    string
	Present bool
}

// CheckChoice adds a fault if the name of the alternative in use, the value at place of its row or UDT, is the name of an
// alternative without a value while another has one. Without a name the values decide: another program can have written them. A
// group without values is no fault, because Cassandra stores a UDT of nulls and an empty collection as null.
func (d *Decoder) CheckChoice(place int, name string, all ...Alternative) {
	other := ""
	for _, a := range all {
		if a.Present && a.Name == name {
			return
		}
		if a.Present {
			other = a.Name
		}
	}
	if name != "" && other != "" && d.fault == nil {
		d.fail("names an alternative that has no value, but " + other + " has one")
		d.fault.place = 1 + place
	}
}
