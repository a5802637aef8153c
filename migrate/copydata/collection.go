package copydata

import "encoding/binary"

// elements splits a list or set of the protocol: a count, then each element behind its length. Null has none.
func elements(of raw) []raw {
	if len(of) < 4 {
		return nil
	}
	n := int(int32(binary.BigEndian.Uint32(of)))
	out, _ := parts(of[4:], n)
	return out
}

// fields splits a value of a user-defined type; one that was stored before a field was added is short.
func fields(of raw) []raw {
	out, _ := parts(of, -1)
	return out
}

// parts takes so many values, each behind its length, off a value; -1 takes all there are. A length below 0 is null.
func parts(of raw, n int) (out []raw, rest raw) {
	for len(of) >= 4 && n != 0 {
		size := int(int32(binary.BigEndian.Uint32(of)))
		of = of[4:]
		var part raw
		if size >= 0 && size <= len(of) {
			part, of = of[:size:size], of[size:]
		}
		out = append(out, part)
		n--
	}
	return out, of
}

// entries splits a map into its entries, each a key and a value behind their lengths, as join wants them.
func entries(of raw) []raw {
	var out []raw
	both := pairs(of)
	for i := 0; i+1 < len(both); i += 2 {
		out = append(out, appendPart(appendPart(nil, both[i]), both[i+1]))
	}
	return out
}

func pairs(of raw) []raw {
	if len(of) < 4 {
		return nil
	}
	out, _ := parts(of[4:], 2*int(int32(binary.BigEndian.Uint32(of))))
	return out
}

// members splits a set into its elements, as join wants them.
func members(of raw) []raw {
	var out []raw
	for _, e := range elements(of) {
		out = append(out, appendPart(nil, e))
	}
	return out
}

func appendPart(to, part raw) raw {
	return append(binary.BigEndian.AppendUint32(to, uint32(len(part))), part...)
}

// join makes a set of members, or a map of entries.
func join(of []raw) raw {
	out := raw(binary.BigEndian.AppendUint32(nil, uint32(len(of))))
	for _, x := range of {
		out = append(out, x...)
	}
	return out
}
