package memory

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// order compares two values of one CQL type as Cassandra sorts them.
type order func(a, b cell.Cell) int

// rowOrder compares two clustering keys, or the first columns of them.
type rowOrder func(a, b cell.Row) int

// natives are the orders of the native types. Each has the empty value, which is before all others.
var natives = map[string]order{
	"ascii": raw, "text": raw, "varchar": raw, "blob": raw, "date": raw, "time": raw, "inet": raw,
	"tinyint": signed, "smallint": signed, "int": signed, "bigint": signed, "timestamp": signed,
	"boolean": nonEmpty(compareBooleans), "float": sized(4, compareFloats), "double": sized(8, compareDoubles),
	"uuid": sized(16, compareUUIDs), "timeuuid": sized(16, compareTimeUUIDs),
	"varint": nonEmpty(compareVarints), "decimal": among(func(c cell.Cell) bool { return len(c) > 4 }, compareDecimals),
}

// raw compares the bytes, as unsigned numbers.
func raw(a, b cell.Cell) int { return bytes.Compare(a, b) }

// signed compares two's complement numbers of one length.
func signed(a, b cell.Cell) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(a), len(b))
	}
	return cmp.Or(cmp.Compare(int8(a[0]), int8(b[0])), bytes.Compare(a[1:], b[1:]))
}

func nonEmpty(compare order) order {
	return among(func(c cell.Cell) bool { return len(c) > 0 }, compare)
}

func sized(n int, compare order) order {
	return among(func(c cell.Cell) bool { return len(c) == n }, compare)
}

// among compares values; what is none, such as the empty value, is before all that are.
func among(valid func(cell.Cell) bool, compare order) order {
	return func(a, b cell.Cell) int {
		if x, y := valid(a), valid(b); !x || !y {
			return cmp.Or(boolean(x)-boolean(y), bytes.Compare(a, b))
		}
		return compare(a, b)
	}
}

func compareBooleans(a, b cell.Cell) int { return min(1, int(a[0])) - min(1, int(b[0])) }

func compareFloats(a, b cell.Cell) int {
	return compareNumbers(float64(math.Float32frombits(binary.BigEndian.Uint32(a))), float64(math.Float32frombits(binary.BigEndian.Uint32(b))))
}

func compareDoubles(a, b cell.Cell) int {
	return compareNumbers(math.Float64frombits(binary.BigEndian.Uint64(a)), math.Float64frombits(binary.BigEndian.Uint64(b)))
}

// compareNumbers has -0 before 0, and NaN after all.
func compareNumbers(a, b float64) int {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return -cmp.Compare(a, b) // which has NaN before all, and equal to itself
	case a == b:
		return boolean(math.Signbit(b)) - boolean(math.Signbit(a))
	}
	return cmp.Compare(a, b)
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareUUIDs has the version first; those of version 1 are in the order of their time.
func compareUUIDs(a, b cell.Cell) int {
	version := int(a[6] >> 4)
	if c := version - int(b[6]>>4); c != 0 {
		return c
	}
	if version == 1 {
		return cmp.Or(compareTimes(a, b), bytes.Compare(a[8:], b[8:]))
	}
	return bytes.Compare(a, b)
}

// compareTimeUUIDs has the time first, then the rest as signed bytes.
func compareTimeUUIDs(a, b cell.Cell) int {
	c := compareTimes(a, b)
	for i := 8; i < 16 && c == 0; i++ {
		c = cmp.Compare(int8(a[i]), int8(b[i]))
	}
	return c
}

func compareTimes(a, b cell.Cell) int {
	return cmp.Or(bytes.Compare(a[6:8], b[6:8]), bytes.Compare(a[4:6], b[4:6]), bytes.Compare(a[:4], b[:4]))
}

func compareVarints(a, b cell.Cell) int {
	var d cell.Decoder
	d.Row(cell.Row{a, b})
	return d.Varint().Cmp(d.Varint())
}

// compareDecimals compares by value: 1.0 and 1.00 are one.
func compareDecimals(a, b cell.Cell) int {
	var d cell.Decoder
	d.Row(cell.Row{a, b})
	return d.Decimal().Cmp(d.Decimal())
}

// udts are the fields of each UDT.
type udts map[string][]plan.Field

// order gives the order of a type that can be in a clustering key, an element of a set or a key of a map.
func (u udts) order(t cqlType) (order, error) {
	if o, ok := natives[t.name]; ok && !t.quoted {
		return o, nil
	}
	if fields, ok := u[t.name]; ok && len(t.args) == 0 {
		return u.orderOfFields(fields)
	}
	if !constructors[t.name] || len(t.args) == 0 {
		return nil, fmt.Errorf("memory: the order of type %s is not known", t)
	}
	args, err := u.orders(t.args)
	switch {
	case err != nil:
		return nil, err
	case t.name == "frozen":
		return args[0], nil
	case t.name == "tuple":
		return nonEmpty(memberwise(args)), nil
	}
	return nonEmpty(elementwise(args)), nil
}

// constructors are the types of types that have an order here.
var constructors = map[string]bool{"frozen": true, "tuple": true, "list": true, "set": true, "map": true}

func (u udts) orderOfFields(fields []plan.Field) (order, error) {
	var types []cqlType
	for _, f := range fields {
		t, err := parse(f.Type)
		if err != nil {
			return nil, err
		}
		types = append(types, t)
	}
	members, err := u.orders(types)
	return nonEmpty(memberwise(members)), err
}

func (u udts) orders(types []cqlType) ([]order, error) {
	out := make([]order, len(types))
	for i, t := range types {
		var err error
		if out[i], err = u.order(t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// elementwise compares collections element by element; one that ends is before one that goes on.
func elementwise(args []order) order {
	return func(a, b cell.Cell) int {
		v, n := cell.Elements(a, len(args))
		w, m := cell.Elements(b, len(args))
		for range min(n, m) {
			for _, o := range args {
				if c := o(v.Next(), w.Next()); c != 0 {
					return c
				}
			}
		}
		return cmp.Compare(n, m)
	}
}

// memberwise compares tuples and UDTs member by member; null is before all values, and so is what is missing at the end.
func memberwise(members []order) order {
	return func(a, b cell.Cell) int {
		v, w := cell.Members(a), cell.Members(b)
		for _, o := range members {
			x, y := v.Next(), w.Next()
			if x == nil || y == nil {
				if c := boolean(x != nil) - boolean(y != nil); c != 0 {
					return c
				}
				continue
			}
			if c := o(x, y); c != 0 {
				return c
			}
		}
		return 0
	}
}
