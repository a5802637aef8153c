package form

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// canonicalMembers makes the members of a UDT or a tuple canonical; it does not change those that a newer program has added.
func canonicalMembers(b []byte, args []*Form) []byte {
	out := make([]byte, 0, len(b))
	for i, rest := 0, b; len(rest) > 0; i++ {
		v, after, ok := Next(rest)
		if !ok {
			return b
		}
		if i < len(args) {
			v = args[i].Canonical(v)
		}
		out, rest = Append(out, v), after
	}
	return out
}

// canonicalElements makes the elements of a collection, or the keys and values of a map, canonical, and sorts them on
// demand.
func canonicalElements(b []byte, args []*Form, sorted bool) []byte {
	if len(b) < LengthSize {
		return b
	}
	var elements [][2][]byte
	for rest := b[LengthSize:]; len(rest) > 0; {
		var e [2][]byte
		for i, f := range args {
			v, after, ok := Next(rest)
			if !ok || v == nil {
				return b
			}
			e[i], rest = f.Canonical(v), after
		}
		elements = append(elements, e)
	}
	if sorted {
		slices.SortStableFunc(elements, func(x, y [2][]byte) int { return args[0].Compare(x[0], y[0]) })
	}
	out := bytes.Clone(b[:LengthSize])
	for _, e := range elements {
		for i := range args {
			out = Append(out, e[i])
		}
	}
	return out
}

func compose(name string, args []*Form) *Form {
	switch name {
	case "frozen":
		return args[0]
	case "tuple":
		return members(args)
	}
	f := &Form{compare: nonEmpty(elementwise(args))}
	if anyVariants(args) {
		f.canonical = func(b []byte) []byte { return canonicalElements(b, args, name != "list") }
	}
	return f
}

func members(args []*Form) *Form {
	f := &Form{compare: nonEmpty(memberwise(args))}
	if anyVariants(args) {
		f.canonical = func(b []byte) []byte { return canonicalMembers(b, args) }
	}
	return f
}

func anyVariants(args []*Form) bool {
	for _, f := range args {
		if f.Variants() {
			return true
		}
	}
	return false
}

// elementwise compares collections element by element; a shorter one sorts before a longer one that begins with it.
func elementwise(args []*Form) order {
	return func(a, b []byte) int {
		n, v := count(a)
		m, w := count(b)
		for range min(n, m) {
			for _, f := range args {
				var x, y []byte
				x, v, _ = Next(v)
				y, w, _ = Next(w)
				if c := f.Compare(x, y); c != 0 {
					return c
				}
			}
		}
		return cmp.Compare(n, m)
	}
}

// count splits a collection into the number of its elements and their bytes. The number is never larger than the bytes can hold.
func count(b []byte) (n int, elements []byte) {
	if len(b) < LengthSize {
		return 0, nil
	}
	n = int(int32(binary.BigEndian.Uint32(b)))
	return max(0, min(n, len(b)/LengthSize)), b[LengthSize:]
}

// memberwise compares tuples and UDTs member by member; null, and a member that is missing at the end, sort before all values.
func memberwise(args []*Form) order {
	return func(a, b []byte) int {
		for _, f := range args {
			var x, y []byte
			x, a, _ = Next(a)
			y, b, _ = Next(b)
			if x == nil || y == nil {
				if c := boolean(x != nil) - boolean(y != nil); c != 0 {
					return c
				}
				continue
			}
			if c := f.Compare(x, y); c != 0 {
				return c
			}
		}
		return 0
	}
}

func compareVectors(a, b []byte, width int, element *Form) int {
	for len(a) >= width && len(b) >= width {
		if c := element.Compare(a[:width], b[:width]); c != 0 {
			return c
		}
		a, b = a[width:], b[width:]
	}
	return bytes.Compare(a, b)
}

func canonicalVector(b []byte, width int, element *Form) []byte {
	out := make([]byte, 0, len(b))
	for ; len(b) >= width; b = b[width:] {
		out = append(out, element.Canonical(b[:width])...)
	}
	return append(out, b...)
}
