package projection

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/model"
)

// Value is a value of a model: nil for null, or a string, int32, int64, bool, [Stamp], [UUID], [List], [Set], [Map] or
// [Record].
type Value any

// Stamp is a timestamp, in milliseconds since 1970.
type Stamp int64

// UUID is a uuid.
type UUID [16]byte

// List is a list without nil elements. Sets and maps have no nil elements either: Cassandra does not support them.
type List []Value

// Set is a set, in any order.
type Set []Value

// Map is a map, in any order.
type Map []Entry

// Entry is an entry of a map.
type Entry struct{ Key, Value Value }

// Record is a struct: a value for each of its attributes, in order. A row is also a record.
type Record []Value

// Encode encodes a value as the protocol of CQL specifies; nil is null. The elements of sets and maps are in the order in which a
// server sorts their type. It follows the specification of the protocol and does not use the mapper's encoder, which is under test.
func Encode(v Value) []byte {
	switch x := v.(type) {
	case nil:
		return nil
	case string:
		return append([]byte{}, x...)
	case int32:
		return binary.BigEndian.AppendUint32(nil, uint32(x))
	case int64:
		return binary.BigEndian.AppendUint64(nil, uint64(x))
	case bool:
		if x {
			return []byte{1}
		}
		return []byte{0}
	case Stamp:
		return binary.BigEndian.AppendUint64(nil, uint64(x))
	case UUID:
		return x[:]
	case List:
		return encodeElements(len(x), encodeAll(x))
	case Set:
		return encodeElements(len(x), encodeAll(slices.SortedFunc(slices.Values(x), compareValues)))
	case Map:
		var values [][]byte
		for _, e := range x.sorted() {
			values = append(values, Encode(e.Key), Encode(e.Value))
		}
		return encodeElements(len(x), values)
	case Record:
		return join(encodeAll(x))
	}
	panic(fmt.Sprintf("projection: %T is not a value", v))
}

func encodeAll(in []Value) (out [][]byte) {
	for _, v := range in {
		out = append(out, Encode(v))
	}
	return out
}

// sorted returns the entries in the order of their keys.
func (m Map) sorted() []Entry {
	return slices.SortedFunc(slices.Values(m), func(a, b Entry) int { return compareValues(a.Key, b.Key) })
}

// compareValues orders two values of one type as a server sorts them; null is before all others. It does not order UUIDs with a
// version, of which no model has values.
func compareValues(a, b Value) int {
	if a == nil || b == nil {
		return compareBools(a != nil, b != nil)
	}
	switch x := a.(type) {
	case int32:
		return cmp.Compare(x, b.(int32))
	case int64:
		return cmp.Compare(x, b.(int64))
	case Stamp:
		return cmp.Compare(x, b.(Stamp))
	case bool:
		return compareBools(x, b.(bool))
	case List:
		return slices.CompareFunc(x, b.(List), compareValues)
	case Record:
		return slices.CompareFunc(x, b.(Record), compareValues)
	case Set:
		return slices.CompareFunc(slices.SortedFunc(slices.Values(x), compareValues), slices.SortedFunc(slices.Values(b.(Set)), compareValues), compareValues)
	case Map:
		return slices.CompareFunc(x.sorted(), b.(Map).sorted(), func(p, q Entry) int {
			return cmp.Or(compareValues(p.Key, q.Key), compareValues(p.Value, q.Value))
		})
	}
	return bytes.Compare(Encode(a), Encode(b))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func encodeElements(count int, values [][]byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(count)), join(values)...)
}

// join concatenates values, each after its length.
func join(values [][]byte) []byte {
	out := []byte{}
	for _, v := range values {
		if v == nil {
			out = append(out, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(v))), v...)
	}
	return out
}

// Decode decodes a value of a type that Encode or a server encoded.
func Decode(t *model.Type, b []byte) Value {
	if b == nil {
		return nil
	}
	switch t.Kind {
	case model.List:
		return List(decodeAll(t.Elem, Cut(b[4:])))
	case model.Set:
		return Set(decodeAll(t.Elem, Cut(b[4:])))
	case model.MapType:
		m := Map{}
		for values := Cut(b[4:]); len(values) > 0; values = values[2:] {
			m = append(m, Entry{Decode(t.Key, values[0]), Decode(t.Elem, values[1])})
		}
		return m
	case model.Composed:
		r := make(Record, len(t.Object.Attributes))
		for i, v := range Cut(b) {
			r[i] = Decode(t.Object.Attributes[i].Type, v)
		}
		return r
	}
	return decodeScalar(t.CQL, b)
}

func decodeScalar(cql string, b []byte) Value {
	switch cql {
	case "text":
		return string(b)
	case "int":
		return int32(binary.BigEndian.Uint32(b))
	case "bigint":
		return int64(binary.BigEndian.Uint64(b))
	case "boolean":
		return b[0] != 0
	case "timestamp":
		return Stamp(binary.BigEndian.Uint64(b))
	case "uuid":
		return UUID(b)
	}
	panic("projection: no value has the type " + cql)
}

func decodeAll(t *model.Type, in [][]byte) []Value {
	out := []Value{}
	for _, b := range in {
		out = append(out, Decode(t, b))
	}
	return out
}

// Cut splits a sequence of values, each after its length.
func Cut(b []byte) (out [][]byte) {
	for len(b) > 0 {
		n := int(int32(binary.BigEndian.Uint32(b)))
		if b = b[4:]; n < 0 {
			out = append(out, nil)
			continue
		}
		out, b = append(out, b[:n:n]), b[n:]
	}
	return out
}

// same reports whether two values are equal.
func same(a, b Value) bool {
	x, y := Encode(a), Encode(b)
	return (x == nil) == (y == nil) && bytes.Equal(x, y)
}

// KeyText formats a value of a key as messages and inspections of a backend do.
func KeyText(v Value) string {
	switch x := v.(type) {
	case string:
		return "'" + strings.ReplaceAll(x, "'", "''") + "'"
	case int32:
		return strconv.Itoa(int(x))
	case int64:
		return strconv.FormatInt(x, 10)
	case bool:
		return strconv.FormatBool(x)
	case Stamp:
		return time.UnixMilli(int64(x)).UTC().Format(time.RFC3339Nano)
	case UUID:
		h := hex.EncodeToString(x[:])
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	}
	return "0x" + hex.EncodeToString(Encode(v))
}
