package cell

// EncodeQualified writes a slice of structs as a map, in the order of its keys: key writes what qualifies a struct, value the
// struct. Nil is null, empty is the empty map. A null key, and two structs of one key, are faults.
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

// DecodeQualified reads the values of a map of structs in the order of their keys, which are in the values, too; null is
// nil, an empty one is empty and not nil.
func DecodeQualified[T any](d *Decoder, f func(*Decoder, *T)) []T {
	n, outer, ok := d.enterCollection(2, sizeOf[T]())
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
