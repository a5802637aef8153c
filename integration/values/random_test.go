package values

import (
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/testdata/golden/every"
)

// random draws values of the model's types.
type random struct {
	t   *rapid.T
	key bool // of a table, a set or a map
}

func (r random) chance() bool { return rapid.Bool().Draw(r.t, "chance") }

// value draws a value. One that is present is not null. One that is not frozen has elements or is nil, because an empty one
// is read as nil.
func (r random) value(t *model.Type, present, frozen bool) reflect.Value {
	v := reflect.New(goType(t)).Elem()
	switch {
	case t.Nullable && r.chance():
	case t.Nullable:
		inner := *t
		inner.Nullable = false
		v.Set(reflect.New(v.Type().Elem()))
		v.Elem().Set(r.value(&inner, true, frozen))
	case t.Kind == model.Scalar:
		if x := r.scalar(t, present); x != nil {
			v.Set(reflect.ValueOf(x).Convert(v.Type()))
		}
	case t.Kind == model.Composed:
		for _, a := range t.Object.Attributes {
			v.FieldByName(a.GoName()).Set(r.value(a.Type, false, true))
		}
	case present || r.chance():
		r.collection(t, v, frozen)
	}
	return v
}

func (r random) collection(t *model.Type, v reflect.Value, frozen bool) {
	least := 1
	if frozen {
		least = 0
	}
	n := rapid.IntRange(least, 4).Draw(r.t, "n")
	unique := random{r.t, true}
	if v.Kind() == reflect.Map {
		v.Set(reflect.MakeMap(v.Type()))
	} else {
		v.Set(reflect.MakeSlice(v.Type(), 0, n))
	}
	seen := map[string]bool{}
	for range n {
		switch {
		case t.Kind == model.MapType:
			v.SetMapIndex(unique.value(t.Key, true, true), r.value(t.Elem, true, true))
		case v.Kind() == reflect.Map:
			v.SetMapIndex(unique.value(t.Elem, true, true), reflect.ValueOf(struct{}{}))
		case t.Kind == model.Set:
			if e := unique.value(t.Elem, true, true); !seen[spelled(t.Elem, e)] {
				seen[spelled(t.Elem, e)] = true
				v.Set(reflect.Append(v, e))
			}
		default:
			v.Set(reflect.Append(v, r.value(t.Elem, true, true)))
		}
	}
}

// scalar draws a value of a native type; nil is Go's zero value, which is null.
func (r random) scalar(t *model.Type, present bool) any {
	if canBeNull := t.Go.Kind >= model.Bytes && t.Go.Kind != model.GoDuration && t.Go.Kind != model.CQLDuration &&
		(t.Go.Kind != model.UUID || t.CQL == "timeuuid"); canBeNull && !present && r.chance() {
		return nil
	}
	switch t.Go.Kind {
	case model.Bool:
		return r.chance()
	case model.Float32:
		return rapid.Float32().Draw(r.t, "float")
	case model.Float64:
		return rapid.Float64().Draw(r.t, "double")
	case model.Int8, model.Int16, model.Int32, model.Int64, model.Int:
		return rapid.Int64().Draw(r.t, "int") // the conversion truncates it
	case model.String:
		if t.CQL == "ascii" {
			return rapid.StringMatching(`[ -~]{0,9}`).Draw(r.t, "ascii")
		}
		return rapid.String().Draw(r.t, "text")
	case model.Bytes:
		return r.bytes(0, 20)
	case model.Time:
		return r.time(t.CQL)
	case model.GoDuration:
		return rapid.Int64Range(0, int64(24*time.Hour)-1).Draw(r.t, "time")
	}
	return r.library(t)
}

func (r random) bytes(least, most int) []byte {
	return rapid.SliceOfN(rapid.Byte(), least, most).Draw(r.t, "bytes")
}

func (r random) time(cql string) time.Time {
	switch cql {
	case "date":
		return time.Unix(rapid.Int64Range(-719000, 1<<31-1).Draw(r.t, "day")*86400, 0).UTC()
	case "time":
		return time.Unix(0, rapid.Int64Range(0, int64(24*time.Hour)-1).Draw(r.t, "clock")).UTC()
	}
	return time.UnixMilli(rapid.Int64Range(-1<<50, 1<<50).Draw(r.t, "timestamp")).UTC()
}

// library draws a value of the types of libraries.
func (r random) library(t *model.Type) any {
	switch t.Go.Kind {
	case model.UUID:
		id := gocql.UUID(r.bytes(16, 16))
		if t.CQL == "timeuuid" {
			id[6] = id[6]&0x0f | 0x10
		}
		return id
	case model.CQLDuration:
		sign := rapid.SampledFrom([]int64{-1, 1}).Draw(r.t, "sign")
		part := func(bits uint) int64 { return sign * rapid.Int64Range(0, 1<<bits-1).Draw(r.t, "part") }
		return gocql.Duration{Months: int32(part(31)), Days: int32(part(31)), Nanoseconds: part(62)}
	case model.IP:
		a := r.address()
		return net.IP(a.AsSlice())
	case model.Addr:
		return r.address()
	case model.BigInt:
		return r.big()
	case model.InfDec:
		if r.key {
			return canonical(r.big())
		}
		return inf.NewDecBig(r.big(), inf.Scale(rapid.Int32().Draw(r.t, "scale")))
	}
	panic("no values of " + t.Go.Text)
}

// canonical returns thousandths as a decimal without trailing zeros, the form of decimals in keys: 1.0 and 1.00 are one key.
func canonical(thousandths *big.Int) *inf.Dec {
	if thousandths.Sign() == 0 {
		return inf.NewDec(0, 0)
	}
	scale, ten, rest := inf.Scale(3), big.NewInt(10), new(big.Int)
	for {
		q, _ := new(big.Int).QuoRem(thousandths, ten, rest)
		if rest.Sign() != 0 {
			return inf.NewDecBig(thousandths, scale)
		}
		thousandths, scale = q, scale-1
	}
}

func (r random) big() *big.Int {
	v := new(big.Int).SetBytes(r.bytes(0, 12))
	if r.chance() {
		v.Neg(v)
	}
	return v
}

func (r random) address() netip.Addr {
	if r.chance() {
		return netip.AddrFrom4([4]byte(r.bytes(4, 4)))
	}
	return netip.AddrFrom16([16]byte(r.bytes(16, 16))).Unmap()
}

// goTypes are the types of libraries, by kind.
var goTypes = map[model.GoKind]reflect.Type{
	model.Bool: reflect.TypeFor[bool](), model.Int8: reflect.TypeFor[int8](), model.Int16: reflect.TypeFor[int16](), model.Int32: reflect.TypeFor[int32](),
	model.Int64: reflect.TypeFor[int64](), model.Int: reflect.TypeFor[int](), model.Float32: reflect.TypeFor[float32](), model.Float64: reflect.TypeFor[float64](),
	model.String: reflect.TypeFor[string](), model.Bytes: reflect.TypeFor[[]byte](), model.Time: reflect.TypeFor[time.Time](),
	model.GoDuration: reflect.TypeFor[time.Duration](), model.CQLDuration: reflect.TypeFor[gocql.Duration](), model.UUID: reflect.TypeFor[gocql.UUID](),
	model.IP: reflect.TypeFor[net.IP](), model.Addr: reflect.TypeFor[netip.Addr](), model.BigInt: reflect.TypeFor[*big.Int](), model.InfDec: reflect.TypeFor[*inf.Dec](),
	model.EmptyStruct: reflect.TypeFor[struct{}](),
}

// structs are the composed structs of package every.
var structs = map[string]reflect.Type{
	"Scalars": reflect.TypeFor[every.Scalars](), "Nullable": reflect.TypeFor[every.Nullable](), "Point": reflect.TypeFor[every.Point](),
}

// goType returns the Go type of a value.
func goType(t *model.Type) reflect.Type {
	if t.Nullable {
		inner := *t
		inner.Nullable = false
		return reflect.PointerTo(goType(&inner))
	}
	switch {
	case t.Kind == model.Composed:
		return structs[t.Object.Struct.Name]
	case t.Kind == model.MapType:
		return reflect.MapOf(goType(t.Key), goType(t.Elem))
	case t.Kind == model.Set && t.Go.Kind == model.Map:
		return reflect.MapOf(goType(t.Elem), goTypes[model.EmptyStruct])
	case t.Kind == model.Set || t.Kind == model.List:
		return reflect.SliceOf(goType(t.Elem))
	}
	return goTypes[t.Go.Kind]
}

// spelled formats a value so that equal values have equal texts: sets and maps are sorted, and nil differs from empty.
func spelled(t *model.Type, v reflect.Value) string {
	if k := v.Kind(); (k == reflect.Pointer || k == reflect.Slice || k == reflect.Map) && v.IsNil() {
		return "nil"
	}
	var parts []string
	switch {
	case t.Nullable:
		inner := *t
		inner.Nullable = false
		return "&" + spelled(&inner, v.Elem())
	case t.Kind == model.Composed:
		for _, a := range t.Object.Attributes {
			parts = append(parts, a.GoName()+": "+spelled(a.Type, v.FieldByName(a.GoName())))
		}
	case t.Kind == model.Scalar:
		if d, ok := reflect.TypeAssert[*inf.Dec](v); ok { // whose text would be as long as its scale
			return fmt.Sprintf("%v of scale %d", d.UnscaledBig(), d.Scale())
		}
		return fmt.Sprintf("%#v", v.Interface())
	case v.Kind() == reflect.Map:
		for _, k := range v.MapKeys() {
			if t.Kind == model.Set {
				parts = append(parts, spelled(t.Elem, k))
			} else {
				parts = append(parts, spelled(t.Key, k)+": "+spelled(t.Elem, v.MapIndex(k)))
			}
		}
		slices.Sort(parts)
	default:
		for i := range v.Len() {
			parts = append(parts, spelled(t.Elem, v.Index(i)))
		}
		if t.Kind == model.Set {
			slices.Sort(parts)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// plain returns a value in the form of the driver. It differs where the driver does not support the Go type:
//   - null: the driver has zero values for a zero time and a zero UUID, and panics at a nil *big.Int
//   - a UDT: the driver finds its fields by its own tags
//   - a time.Time as a time of day: the driver has time.Duration
//   - netip.Addr: the driver has net.IP, or the address as text
func plain(t *model.Type, v reflect.Value) any {
	if k := v.Kind(); (k == reflect.Pointer || k == reflect.Slice || k == reflect.Map) && v.IsNil() {
		return nil
	}
	switch {
	case t.Nullable:
		inner := *t
		inner.Nullable = false
		return plain(&inner, v.Elem())
	case t.Kind == model.Composed:
		out := map[string]any{}
		for _, a := range t.Object.Attributes {
			out[a.Name] = plain(a.Type, v.FieldByName(a.GoName()))
		}
		return out
	case t.Kind == model.Scalar:
		return plainScalar(t, v.Interface())
	case t.Kind == model.MapType:
		out := map[any]any{}
		for _, k := range v.MapKeys() {
			out[plain(t.Key, k)] = plain(t.Elem, v.MapIndex(k))
		}
		return out
	}
	out := []any{}
	if v.Kind() == reflect.Map {
		for _, k := range v.MapKeys() {
			out = append(out, plain(t.Elem, k))
		}
		return out
	}
	for i := range v.Len() {
		out = append(out, plain(t.Elem, v.Index(i)))
	}
	return out
}

func plainScalar(t *model.Type, v any) any {
	switch x := v.(type) {
	case time.Time:
		if x.IsZero() {
			return nil
		}
		if t.CQL == "time" {
			return time.Duration(x.UnixNano())
		}
	case gocql.UUID:
		if x == (gocql.UUID{}) && t.CQL == "timeuuid" {
			return nil
		}
	case netip.Addr:
		if !x.IsValid() {
			return nil
		}
		return x.String() // net.IP cannot be the key of a map
	}
	return v
}
