package values

import (
	"cmp"
	"database/sql"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/testdata/golden/own"
	"github.com/cassaml/cassaml/codegen/testdata/golden/own/money"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper"
)

// Random values of types that convert themselves, vectors, tuples, sql.Null and instances of generic types are written to
// the node in every position and read back unchanged, and the node has the bytes that the driver writes for their plain
// values.
func TestOwnAgreement(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "vectors")
	session, s := modelKeyspace(t, "../../codegen/testdata/golden/own")
	store, err := own.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	of, types := s.Tables[0], map[string]*schema.UDT{}
	for _, u := range s.Types {
		types[u.Name] = u
	}
	id := own.ID[own.Account](0)
	rapid.Check(t, func(t *rapid.T) {
		want := &own.Account{}
		for _, c := range of.Ordered() {
			p := place{t: t, types: types, whole: c.Type.Frozen || c.Kind == schema.PartitionKey || c.Kind == schema.ClusteringKey}
			p.required = p.whole || c.Name == "null_text"
			p.draw(field(want, c), c.Type)
		}
		id++
		want.ID = id
		require.NoError(t, store.Account.Insert(t.Context(), want))
		got, err := store.Account.Get(t.Context(), want.ID, want.Label, want.Level)
		require.NoError(t, err)
		require.Equal(t, want, got)
		raw := rawRow(t, session, of, func(c *schema.Column) any { return driven(field(want, c), c.Type, types) })
		for i, c := range of.Ordered() {
			var bytes []byte
			if x := driven(field(want, c), c.Type, types); x != nil {
				bytes, err = gocql.Marshal(raw[i].Info, x)
				require.NoError(t, err, c.Name)
			}
			require.Equal(t, ordered(c.Type, bytes), ordered(c.Type, raw[i].Bytes), c.Name)
		}
	})
}

// place is the position of a value.
type place struct {
	t        *rapid.T
	types    map[string]*schema.UDT
	required bool // it is not null
	whole    bool // an empty collection is not null
	key      bool // Go compares it with ==, which distinguishes pointers
}

func (p place) chance() bool { return rapid.Bool().Draw(p.t, "chance") }

// inside returns the place of an element. A field of a UDT can be null.
func (p place) inside(required bool) place {
	p.required, p.whole = required, true
	return p
}

// draw sets a Go value to a random one for a CQL type.
func (p place) draw(v reflect.Value, cql *schema.Type) {
	switch x := v.Addr().Interface().(type) {
	case *money.Amount:
		x.Cents = p.number(atLeast(p.required), 0x7f)
	case *money.Label:
		x.Parts = [2]string{strings.ReplaceAll(p.text(cql), ":", ""), p.text(cql)}
	case *money.Level:
		if p.required || p.chance() {
			half := int64(1) << (width[cql.Name] - 1)
			*x = money.Level(strconv.FormatInt(p.number(-half, half-1), 10))
		}
	case *money.Codes:
		x.Raw = p.codes(cql)
	case *gocql.UUID:
		*x = gocql.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(p.t, "uuid"))
	case *sql.NullTime:
		if x.Valid = p.chance(); x.Valid {
			x.Time = time.UnixMilli(p.number(-1<<50, 1<<50)).UTC()
		}
	default:
		p.drawKind(v, cql)
	}
}

func (p place) drawKind(v reflect.Value, cql *schema.Type) {
	switch v.Kind() {
	case reflect.Pointer:
		if !p.key && (p.required || p.chance()) {
			v.Set(reflect.New(v.Type().Elem()))
			p.inside(true).draw(v.Elem(), cql)
		}
	case reflect.Struct:
		p.drawStruct(v, cql)
	case reflect.Array: // some have an index, which does not support all vectors
		for i := range v.Len() {
			v.Index(i).SetFloat(float64(rapid.Float32Range(-9e16, 9e16).Draw(p.t, "element")))
		}
		v.Index(0).SetFloat(1 + math.Abs(v.Index(0).Float()))
	case reflect.Slice, reflect.Map:
		p.drawMany(v, cql)
	case reflect.String:
		v.SetString(p.text(cql))
	case reflect.Bool:
		v.SetBool(p.chance())
	case reflect.Float32:
		v.SetFloat(float64(rapid.Float32().Draw(p.t, "float")))
	case reflect.Int32, reflect.Int64:
		half := int64(1) << (width[cql.Name] - 1)
		v.SetInt(p.number(-half, half-1))
	default:
		panic("no values of " + v.Type().String())
	}
}

// drawStruct draws values that can be null, the members of a tuple or the fields of a type.
func (p place) drawStruct(v reflect.Value, cql *schema.Type) {
	if valid := v.FieldByName("Valid"); valid.IsValid() {
		if valid.SetBool(p.required || p.chance()); valid.Bool() {
			p.inside(true).draw(v.Field(0), cql)
		}
		return
	}
	for i, t := range members(cql, p.types) {
		p.inside(v.Type().Field(i).Tag.Get("aml") == ",required").draw(v.Field(i), t)
	}
}

func members(cql *schema.Type, types map[string]*schema.UDT) []*schema.Type {
	if !cql.UDT {
		return cql.Args
	}
	var out []*schema.Type
	for _, f := range types[cql.Name].Fields {
		out = append(out, f.Type)
	}
	return out
}

// drawMany draws a collection. The elements of a set have the order in which the node returns them.
func (p place) drawMany(v reflect.Value, cql *schema.Type) {
	n := int(p.number(0, 4))
	if n == 0 && !p.whole {
		return
	}
	each := p.inside(true)
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			each.draw(v.Index(i), cql.Args[0])
		}
		if labels, ok := reflect.TypeAssert[[]money.Label](v); ok && cql.Name == "set" {
			slices.SortFunc(labels, func(a, b money.Label) int { return cmp.Compare(joined(a), joined(b)) })
			v.Set(reflect.ValueOf(slices.Compact(labels)))
		}
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		of := each
		of.key = true
		of.draw(key, cql.Args[0])
		if len(cql.Args) == 2 {
			each.draw(elem, cql.Args[1])
		}
		v.SetMapIndex(key, elem)
	}
}

// codes draws a collection in the driver's form. A null one has no bytes.
func (p place) codes(cql *schema.Type) string {
	n := int(p.number(0, 4))
	text := func() string { return rapid.StringMatching(`[a-z]{0,9}`).Draw(p.t, "item") }
	switch {
	case cql.Name == "vector":
		a, b := text(), text()
		return string(rune(len(a))) + a + string(rune(len(b))) + b
	case n == 0 && !p.whole:
		return ""
	case cql.Name == "map":
		entries := map[string]string{}
		for range n {
			entries[text()] = p.inside(true).codes(cql.Args[1])
		}
		out := counted(len(entries))
		for _, k := range slices.Sorted(maps.Keys(entries)) {
			out += counted(len(k)) + k + counted(len(entries[k])) + entries[k]
		}
		return out
	}
	items := make([]int32, n)
	for i := range items {
		items[i] = rapid.Int32().Draw(p.t, "item")
	}
	if cql.Name == "set" {
		slices.Sort(items)
		items = slices.Compact(items)
	}
	out := counted(len(items))
	for _, i := range items {
		out += counted(4) + string(binary.BigEndian.AppendUint32(nil, uint32(i)))
	}
	return out
}

func counted(n int) string { return string(binary.BigEndian.AppendUint32(nil, uint32(n))) }

func (p place) number(from, to int64) int64 { return rapid.Int64Range(from, to).Draw(p.t, "number") }

func (p place) text(cql *schema.Type) string {
	if cql.Name == "ascii" {
		return rapid.StringMatching(`[ -~]{0,9}`).Draw(p.t, "ascii")
	}
	return rapid.String().Draw(p.t, "text")
}

// width returns the number of bits of the integers of a type; for a varint, those of Go's largest integers.
var width = map[string]int{"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64, "varint": 64}

func atLeast(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

func joined(l money.Label) string { return l.Parts[0] + ":" + l.Parts[1] }

// driven returns a value in the form of the driver: of the ways to convert it supports only MarshalCQL, it has tuples as
// slices, and no vectors, whose bytes are those of their elements.
func driven(v reflect.Value, cql *schema.Type, types map[string]*schema.UDT) any {
	switch x := v.Interface().(type) {
	case money.Amount:
		return x
	case money.Codes:
		return &x
	case money.Label:
		return joined(x)
	case money.Level:
		if x == "" {
			return nil
		}
		n, err := strconv.ParseInt(string(x), 10, 64)
		if err != nil {
			panic(err)
		}
		return n
	case gocql.UUID:
		return x
	case sql.NullTime:
		if !x.Valid {
			return nil
		}
		return x.Time
	}
	switch v.Kind() {
	case reflect.Pointer:
		switch {
		case v.IsNil() && cql.Name == "tuple":
			return pairs(nil) // the driver panics at nil
		case v.IsNil():
			return nil
		}
		return driven(v.Elem(), cql, types)
	case reflect.Array:
		return vectorBytes(v)
	case reflect.Struct:
		return drivenStruct(v, cql, types)
	case reflect.Slice:
		if v.IsNil() {
			return nil
		}
		out := []any{}
		for i := range v.Len() {
			out = append(out, driven(v.Index(i), cql.Args[0], types))
		}
		return out
	case reflect.Map:
		return drivenMap(v, cql, types)
	}
	return v.Interface()
}

func drivenStruct(v reflect.Value, cql *schema.Type, types map[string]*schema.UDT) any {
	if valid := v.FieldByName("Valid"); valid.IsValid() {
		if !valid.Bool() {
			return nil
		}
		return driven(v.Field(0), cql, types)
	}
	var tuple []any
	udt := map[string]any{}
	for i, t := range members(cql, types) {
		x := driven(v.Field(i), t, types)
		tuple = append(tuple, x)
		if cql.UDT {
			udt[types[cql.Name].Fields[i].Name] = x
		}
	}
	if cql.UDT {
		return udt
	}
	return tuple
}

func drivenMap(v reflect.Value, cql *schema.Type, types map[string]*schema.UDT) any {
	if v.IsNil() {
		return nil
	}
	elems, entries := []any{}, pairs{}
	for _, k := range v.MapKeys() {
		key := driven(k, cql.Args[0], types)
		if elems = append(elems, key); len(cql.Args) == 2 {
			entries = append(entries, [2]any{key, driven(v.MapIndex(k), cql.Args[1], types)})
		}
	}
	if cql.Name == "set" {
		return elems
	}
	return entries
}

// pairs is a map whose keys are not possible as keys in Go.
type pairs [][2]any

// MarshalCQL encodes each key and value with the driver; nil is null.
func (p pairs) MarshalCQL(info gocql.TypeInfo) ([]byte, error) {
	if p == nil {
		return nil, nil
	}
	of, ok := info.(gocql.CollectionType)
	if !ok {
		return nil, fmt.Errorf("%v is not a map", info)
	}
	out := []byte(counted(len(p)))
	for _, entry := range p {
		for i, t := range []gocql.TypeInfo{of.Key, of.Elem} {
			b, err := gocql.Marshal(t, entry[i])
			if err != nil {
				return nil, err
			}
			out = append(append(out, counted(len(b))...), b...)
		}
	}
	return out, nil
}

// vectorBytes encodes a vector of floats.
func vectorBytes(v reflect.Value) floats {
	var out floats
	for i := range v.Len() {
		out = append(out, float32(v.Index(i).Float()))
	}
	return out
}

type floats []float32

// MarshalCQL encodes the floats one after the other.
func (f floats) MarshalCQL(gocql.TypeInfo) ([]byte, error) {
	var out []byte
	for _, x := range f {
		b, err := gocql.Marshal(gocql.NewNativeType(4, gocql.TypeFloat, ""), x)
		if err != nil {
			return nil, err
		}
		out = append(out, b...)
	}
	return out, nil
}
