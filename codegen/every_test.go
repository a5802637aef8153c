package codegen_test

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/codegen/testdata/golden/every"
	"github.com/cassaml/cassaml/mapper/gen"
)

// Every struct is decoded to an equal value, and each column has the bytes that the driver writes for that CQL type, in the
// order of the descriptor.
func TestEveryTypeRoundTrips(t *testing.T) {
	t.Run("columns", func(t *testing.T) { roundTrip(t, every.ColumnsCodec) })
	t.Run("pointers", func(t *testing.T) { roundTrip(t, every.PointersCodec) })
	t.Run("keys", func(t *testing.T) { roundTrip(t, every.KeysCodec) })
	t.Run("lists", func(t *testing.T) { roundTrip(t, every.ListsCodec) })
	t.Run("sets", func(t *testing.T) { roundTrip(t, every.SetsCodec) })
	t.Run("maps", func(t *testing.T) { roundTrip(t, every.MapsCodec) })
	t.Run("required", func(t *testing.T) { roundTrip(t, every.RequiredCodec) })
}

func roundTrip[T any](t *testing.T, c *gen.Codec[T]) {
	full := new(T)
	n := 0
	fill(reflect.ValueOf(full).Elem(), "", &n)
	for _, v := range []*T{full, new(T)} {
		var e gen.Encoder
		c.Encode(&e, v)
		row, err := e.Cells(nil)
		require.NoError(t, err)
		require.Len(t, row, len(c.Table.Columns))
		for i, column := range c.Table.Columns {
			compareWithDriver(t, column, reflect.ValueOf(v).Elem().FieldByName(column.Field), row[i])
		}
		var d gen.Decoder
		got := new(T)
		d.Row(row)
		c.Decode(&d, got)
		require.NoError(t, d.Err())
		require.Equal(t, v, got)
	}
}

// compareWithDriver skips columns without a Go type in the driver: the test's own types, a time as a clock, netip.Addr.
func compareWithDriver(t *testing.T, c gen.Column, v reflect.Value, cell []byte) {
	if (v.Kind() == reflect.Map || v.Kind() == reflect.Slice) && v.IsNil() {
		require.Nil(t, cell, c.Field)
		return
	}
	parsed, err := cqltype.Parse(c.Type)
	require.NoError(t, err)
	info := driverType(parsed)
	if info == nil || strings.HasSuffix(c.Field, "ClockTime") || strings.HasSuffix(c.Field, "Addr") || zeroTime(v) {
		return
	}
	if c.Type == "timeuuid" && v.IsZero() {
		require.Nil(t, cell, c.Field) // the zero UUID is not a timeuuid
		return
	}
	want, err := gocql.Marshal(info, v.Interface())
	require.NoError(t, err, c.Field)
	require.Equal(t, want, cell, "%s %s", c.Field, c.Type)
}

func zeroTime(v reflect.Value) bool {
	at, ok := reflect.TypeAssert[time.Time](v)
	return ok && at.IsZero()
}

var natives = map[string]gocql.Type{
	"ascii": gocql.TypeAscii, "bigint": gocql.TypeBigInt, "blob": gocql.TypeBlob, "boolean": gocql.TypeBoolean, "date": gocql.TypeDate,
	"decimal": gocql.TypeDecimal, "double": gocql.TypeDouble, "duration": gocql.TypeDuration, "float": gocql.TypeFloat, "inet": gocql.TypeInet,
	"int": gocql.TypeInt, "smallint": gocql.TypeSmallInt, "text": gocql.TypeText, "time": gocql.TypeTime, "timestamp": gocql.TypeTimestamp,
	"timeuuid": gocql.TypeTimeUUID, "tinyint": gocql.TypeTinyInt, "uuid": gocql.TypeUUID, "varint": gocql.TypeVarint,
	"list": gocql.TypeList, "set": gocql.TypeSet, "map": gocql.TypeMap,
}

// driverType returns the driver's description of a CQL type; nil if the driver's Go types do not fit.
func driverType(t *cqltype.Type) gocql.TypeInfo {
	t = t.Unfrozen()
	kind, known := natives[t.Name]
	if !known {
		return nil
	}
	native := gocql.NewNativeType(4, kind, "")
	if len(t.Args) == 0 {
		return native
	}
	c := gocql.CollectionType{NativeType: native, Elem: driverType(t.Args[len(t.Args)-1])}
	if t.Name == "map" {
		c.Key = driverType(t.Args[0])
	}
	if c.Elem == nil {
		return nil
	}
	return c
}

// fill changes the content of every value in v. A set in a slice has one element, because a set has no order.
func fill(v reflect.Value, tag reflect.StructTag, n *int) {
	*n++
	if x, ok := scalar(v.Type(), tag.Get("aml"), *n); ok {
		v.Set(reflect.ValueOf(x).Convert(v.Type()))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), tag, n)
	case reflect.Slice:
		size := 2
		if strings.Contains(tag.Get("aml"), "unique") {
			size = 1
		}
		v.Set(reflect.MakeSlice(v.Type(), size, size))
		for i := range size {
			fill(v.Index(i), tag, n)
		}
	case reflect.Map:
		k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(k, tag, n)
		fill(e, tag, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(k, e)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), v.Type().Field(i).Tag, n)
		}
	default:
		panic(fmt.Sprintf("no value for %s", v.Type()))
	}
}

func scalar(t reflect.Type, tag string, n int) (any, bool) {
	day := 24 * time.Hour
	switch reflect.New(t).Elem().Interface().(type) {
	case time.Time:
		switch {
		case strings.Contains(tag, "type=date"):
			return time.Unix(0, 0).Add(time.Duration(n) * day).UTC(), true
		case strings.Contains(tag, "type=time") && !strings.Contains(tag, "type=timeuuid"):
			return time.Unix(0, int64(n)).UTC(), true
		}
		return time.UnixMilli(int64(n)).UTC(), true
	case time.Duration:
		return time.Duration(n), true
	case gocql.Duration:
		return gocql.Duration{Months: int32(n), Days: int32(2 * n), Nanoseconds: int64(3 * n)}, true
	case gocql.UUID:
		id := gocql.UUID{6: 0x10} // version 1, as required by timeuuid
		binary.BigEndian.PutUint64(id[8:], uint64(n))
		return id, true
	case net.IP:
		return net.IPv4(10, 1, byte(n>>8), byte(n)).To4(), true
	case netip.Addr:
		return netip.AddrFrom4([4]byte{10, 2, byte(n >> 8), byte(n)}), true
	case *big.Int:
		return big.NewInt(int64(n)), true
	case *inf.Dec:
		return inf.NewDec(int64(n), 2), true
	case []byte:
		return []byte{byte(n >> 8), byte(n)}, true
	case bool:
		return true, true
	case int8:
		return int8(n % 100), true
	case string:
		return fmt.Sprint("text ", n), true
	case int, int16, int32, int64, float32, float64:
		return n, true
	}
	return nil, false
}
