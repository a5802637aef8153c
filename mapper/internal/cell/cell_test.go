package cell_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"math/big"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

func native(t gocql.Type) gocql.TypeInfo { return gocql.NewNativeType(4, t, "") }

func collection(t gocql.Type, key, elem gocql.TypeInfo) gocql.TypeInfo {
	return gocql.CollectionType{NativeType: gocql.NewNativeType(4, t, ""), Key: key, Elem: elem}
}

var pointInfo = gocql.UDTTypeInfo{NativeType: gocql.NewNativeType(4, gocql.TypeUDT, ""), Name: "point", Elements: []gocql.UDTField{
	{Name: "X", Type: native(gocql.TypeInt)}, {Name: "Y", Type: native(gocql.TypeBigInt)}, {Name: "N", Type: native(gocql.TypeText)}}}

// driverCells encodes v with the driver. Nulls of v are null here too. Sets and maps are passed to the driver one element at a
// time, because it writes them in any order.
func driverCells(t require.TestingT, v *every) cell.Row {
	var row cell.Row
	add := func(info gocql.TypeInfo, null bool, value any) {
		if null {
			row = append(row, nil)
			return
		}
		b, err := gocql.Marshal(info, value)
		require.NoError(t, err)
		row = append(row, b)
	}
	text := native(gocql.TypeText)
	add(native(gocql.TypeAscii), false, v.ASCII)
	add(text, false, v.Text)
	add(native(gocql.TypeBlob), v.Blob == nil, v.Blob)
	add(native(gocql.TypeBoolean), false, v.Boolean)
	add(native(gocql.TypeTinyInt), false, v.Tinyint)
	add(native(gocql.TypeSmallInt), false, v.Smallint)
	add(native(gocql.TypeInt), false, v.Int)
	add(native(gocql.TypeBigInt), false, v.Bigint)
	add(native(gocql.TypeFloat), false, v.Float)
	add(native(gocql.TypeDouble), false, v.Double)
	add(native(gocql.TypeTimestamp), v.Timestamp.IsZero(), v.Timestamp)
	add(native(gocql.TypeDate), v.Date.IsZero(), v.Date)
	add(native(gocql.TypeTime), v.Clock.IsZero(), time.Duration(v.Clock.UnixNano()))
	add(native(gocql.TypeTime), false, v.Time)
	add(native(gocql.TypeUUID), false, v.UUID)
	add(native(gocql.TypeInet), v.Inet == nil, v.Inet)
	add(native(gocql.TypeInet), !v.Addr.IsValid(), net.IP(v.Addr.AsSlice()))
	add(native(gocql.TypeVarint), v.Varint == nil, v.Varint)
	add(native(gocql.TypeDecimal), v.Decimal == nil, v.Decimal)
	add(native(gocql.TypeDuration), false, v.Duration)
	add(native(gocql.TypeInt), v.Nullable == nil, v.Nullable)
	add(collection(gocql.TypeList, nil, text), v.Texts == nil, v.Texts)
	add(collection(gocql.TypeList, nil, pointInfo), v.Points == nil, v.Points)
	row = append(row, driverSet(t, v.Set == nil, text, keysOf(v.Set)))
	row = append(row, driverSet(t, v.Unique == nil, native(gocql.TypeInt), v.Unique))
	row = append(row, driverSet(t, v.Corners == nil, pointInfo, v.Corners))
	row = append(row, driverMap(t, native(gocql.TypeInt), text, v.Map))
	row = append(row, driverMap(t, text, pointInfo, v.Places))
	add(pointInfo, false, v.Point)
	add(pointInfo, v.Pointer == nil, v.Pointer)
	add(native(gocql.TypeTimeUUID), v.TimeUUID == gocql.UUID{}, v.TimeUUID)
	return row
}

func keysOf(m map[string]struct{}) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

// driverSet lets the driver encode each element and puts them in canonical order.
func driverSet[T any](t require.TestingT, null bool, info gocql.TypeInfo, v []T) cell.Cell {
	if null {
		return nil
	}
	var cells []cell.Cell
	for _, x := range v {
		b, err := gocql.Marshal(info, x)
		require.NoError(t, err)
		cells = append(cells, b)
	}
	slices.SortFunc(cells, func(a, b cell.Cell) int { return bytes.Compare(a, b) })
	out := cell.AppendCount(nil, len(cells))
	for _, c := range cells {
		out = cell.AppendValue(out, c)
	}
	return out
}

func driverMap[K cmp.Ordered, V any](t require.TestingT, key, value gocql.TypeInfo, m map[K]V) cell.Cell {
	if m == nil {
		return nil
	}
	var entries []cell.Row
	for k, x := range m {
		kb, err := gocql.Marshal(key, k)
		require.NoError(t, err)
		vb, err := gocql.Marshal(value, x)
		require.NoError(t, err)
		entries = append(entries, cell.Row{kb, vb})
	}
	slices.SortFunc(entries, func(a, b cell.Row) int { return bytes.Compare(a[0], b[0]) })
	out := cell.AppendCount(nil, len(entries))
	for _, e := range entries {
		out = cell.AppendValue(cell.AppendValue(out, e[0]), e[1])
	}
	return out
}

func encode(t require.TestingT, v *every) cell.Row {
	var e cell.Encoder
	encodeEvery(&e, v)
	row, err := e.Cells(nil)
	require.NoError(t, err)
	return row
}

func TestBytesAreTheDriversBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := everything().Draw(t, "v")
		got, want := encode(t, v), driverCells(t, v)
		require.Len(t, got, len(want))
		for i := range want {
			// The driver gives nil for the empty blob and text, too.
			require.True(t, bytes.Equal(want[i], got[i]), "%s: driver %x, here %x", fields[i], want[i], got[i])
		}
	})
}

func TestDecodeReturnsTheEncodedValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := everything().Draw(t, "v")
		row := encode(t, v)
		var d cell.Decoder
		d.Row(row)
		var got every
		decodeEvery(&d, &got)
		require.NoError(t, d.Err())
		require.Equal(t, row, encode(t, &got))
		got.Varint, got.Decimal = v.Varint, v.Decimal // equal by value: the bytes above are
		slices.Sort(v.Unique)                         // a set has no order
		slices.Sort(got.Unique)
		slices.SortFunc(v.Corners, comparePoints)
		slices.SortFunc(got.Corners, comparePoints)
		require.Equal(t, v, &got)
	})
}

func comparePoints(a, b point) int {
	return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.N, b.N))
}

// A row and a UDT of the same members have the same encoding.
func TestRowIsAUDT(t *testing.T) {
	p := &point{1, 2, "three"}
	var row, udt cell.Encoder
	encodePoint(&row, p)
	cell.EncodeStruct(&udt, p, encodePoint)
	cells, err := row.Cells(nil)
	require.NoError(t, err)
	value, err := udt.Cells(nil)
	require.NoError(t, err)
	w := cell.Members(value[0])
	for _, c := range cells {
		require.Equal(t, c, w.Next())
	}
	require.False(t, w.More())
}

// An IPv4 address is one in any form.
func TestMappedAddresses(t *testing.T) {
	var e cell.Encoder
	e.Addr(netip.MustParseAddr("::ffff:1.2.3.4"))
	e.Inet(net.ParseIP("1.2.3.4").To16())
	row, err := e.Cells(nil)
	require.NoError(t, err)
	require.Equal(t, cell.Row{{1, 2, 3, 4}, {1, 2, 3, 4}}, row)
	var d cell.Decoder
	d.Row(cell.Row{cell.Cell(net.ParseIP("1.2.3.4").To16())})
	require.Equal(t, netip.MustParseAddr("1.2.3.4"), d.Addr())
}

func TestNullAndEmpty(t *testing.T) {
	row := encode(t, &every{Blob: []byte{}, Texts: []string{}, Map: map[int32]string{}})
	require.Len(t, row, len(fields))
	values := map[string]cell.Cell{}
	for i, c := range row {
		if c != nil {
			values[fields[i]] = c
		}
	}
	require.Equal(t, cell.Cell{}, values["Text"], "an empty text is a value")
	require.Equal(t, cell.Cell{}, values["Blob"], "an empty blob is a value")
	require.Equal(t, cell.Cell{0, 0, 0, 0}, values["Texts"])
	require.Equal(t, cell.Cell{0, 0, 0, 0}, values["Map"])
	for _, name := range []string{"Timestamp", "Date", "Clock", "Inet", "Addr", "Varint", "Decimal", "Nullable", "Points", "Set", "Unique", "Corners", "Places", "Pointer", "TimeUUID"} {
		require.Contains(t, fields, name)
		require.NotContains(t, values, name)
	}
	var d cell.Decoder
	var v every
	d.Row(row)
	decodeEvery(&d, &v)
	require.NoError(t, d.Err())
	require.NotNil(t, v.Blob)
	require.NotNil(t, v.Texts)
	require.Nil(t, v.Points)
	require.Nil(t, v.Pointer)
	require.True(t, v.Timestamp.IsZero())
}

// Cassandra returns a value of zero bytes unchanged for every type.
func TestValuesOfNoBytes(t *testing.T) {
	row := make(cell.Row, len(fields))
	for i := range row {
		row[i] = cell.Cell{}
	}
	var d cell.Decoder
	var v every
	d.Row(row)
	decodeEvery(&d, &v)
	require.NoError(t, d.Err())
	require.Zero(t, v.Varint.Sign())
	require.NotNil(t, v.Pointer)
}

func TestDateIsTheDateThatATimeShows(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string
	}{
		{"1969-12-31T23:59:59Z", "1969-12-31"},
		{"1970-01-01T00:00:00Z", "1970-01-01"},
		{"2026-03-04T23:30:00-03:00", "2026-03-04"},
		{"2020-06-08T00:00:00+14:00", "2020-06-08"},
		{"1969-12-31T00:30:00-12:00", "1969-12-31"},
	} {
		in, err := time.Parse(time.RFC3339, c.in)
		require.NoError(t, err)
		var e cell.Encoder
		e.Date(in)
		row, err := e.Cells(nil)
		require.NoError(t, err)
		require.Equal(t, c.want, cell.Format("date", row[0]))
		require.Equal(t, in.Format(time.TimeOnly) != "00:00:00", e.Cut() == 1, c.in)
	}
}

func TestFaults(t *testing.T) {
	null := (*cell.Encoder).Timestamp
	for want, write := range map[string]func(*cell.Encoder){
		"column 0 is not ASCII":                                    func(e *cell.Encoder) { e.Ascii("é") },
		"column 1 is not valid UTF-8":                              func(e *cell.Encoder) { e.Int(1); e.Text("\xff") },
		"column 0 is not a time within a day":                      func(e *cell.Encoder) { e.Time(24 * time.Hour) },
		"column 0 mixes positive and negative parts":               func(e *cell.Encoder) { e.Duration(1, -1, 0) },
		"column 0 is not an IP address":                            func(e *cell.Encoder) { e.Inet(net.IP{1}) },
		"column 0 has a zone, which an inet cannot hold":           func(e *cell.Encoder) { e.Addr(netip.MustParseAddr("fe80::1%eth0")) },
		"column 0 is outside the range of a date":                  func(e *cell.Encoder) { e.Date(time.Unix(1<<60, 0)) },
		"column 0 is a UUID of version 4, and a timeuuid has":      func(e *cell.Encoder) { e.TimeUUID([16]byte{6: 0x40}) },
		"column 0 is so close to the zero time that it would be":   func(e *cell.Encoder) { e.Timestamp(time.Time{}.Add(time.Microsecond)) },
		"column 0 falls on the day of the zero time and would be":  func(e *cell.Encoder) { e.Date(time.Time{}.Add(time.Hour)) },
		"column 0 is outside the range of a timestamp":             func(e *cell.Encoder) { e.Timestamp(time.Unix(1<<60, 0)) },
		"column 0[1] is null, which a collection cannot hold":      func(e *cell.Encoder) { cell.EncodeList(e, []time.Time{time.Unix(0, 0), {}}, null) },
		"column 0[1] member 2 is not valid UTF-8":                  func(e *cell.Encoder) { cell.EncodeStructs(e, []point{{}, {N: "\xff"}}, encodePoint) },
		"column 0 holds two equal elements":                        func(e *cell.Encoder) { cell.EncodeUnique(e, []int32{1, 2, 1}, (*cell.Encoder).Int) },
		`column 1["home"] member 2 is not valid UTF-8`:             badPlace,
		"column 0 member 1[0] member 2 is not valid UTF-8":         badNested,
		"column 0[0001-01-01 00:00:00 +0000 UTC] is null, which a": badSet,
	} {
		var e cell.Encoder
		write(&e)
		_, err := e.Cells(nil)
		require.ErrorContains(t, err, want)
		require.Equal(t, err, e.Err())
	}
}

// All faults are listed, including those of one value's elements and members.
func TestAllFaults(t *testing.T) {
	var e cell.Encoder
	e.Text("\xff")
	cell.EncodeStructs(&e, []point{{N: "\xff"}, {N: "ok"}, {N: "\xfe"}}, encodePoint)
	cell.EncodeUnique(&e, []int32{1, 1}, (*cell.Encoder).Int)
	cell.EncodeUnique(&e, []string{"\xff", "\xff"}, (*cell.Encoder).Text)
	cell.EncodeList(&e, []net.IP{{1}, nil}, (*cell.Encoder).Inet)
	cell.EncodeMap(&e, map[string]string{"\xff": "\xff"}, (*cell.Encoder).Text, (*cell.Encoder).Text)
	e.Int(1)
	e.Time(-1)
	require.EqualError(t, e.Err(), `column 0 is not valid UTF-8; column 1[0] member 2 is not valid UTF-8; column 1[2] member 2 is not valid UTF-8; `+
		`column 2 holds two equal elements; column 3[0] is not valid UTF-8; column 3[1] is not valid UTF-8; `+
		`column 4[0] is not an IP address; column 4[1] is null, which a collection cannot hold; `+
		`column 5["\xff"] is not valid UTF-8; column 5["\xff"] is not valid UTF-8; column 7 is not a time within a day`)
}

// A byte that is not ASCII is detected at every position, and valid UTF-8 is no fault.
func TestTextOfEveryLength(t *testing.T) {
	for n := range 40 {
		for at := range n {
			text := []byte(strings.Repeat("x", n))
			text[at] = 0xc3
			var e cell.Encoder
			e.Text(string(text))
			e.Ascii(string(text))
			require.EqualError(t, e.Err(), "column 0 is not valid UTF-8; column 1 is not ASCII", "%q", text)
			e.Use(nil)
			e.Text(string(text[:at]) + "é" + string(text[at+1:]))
			require.NoError(t, e.Err())
		}
	}
}

// Every float keeps its bits: infinities, -0, and NaNs with a payload.
func TestFloatsKeepTheirBits(t *testing.T) {
	for _, bits := range []uint64{0, 1 << 63, 0x7ff0_0000_0000_0000, 0xfff0_0000_0000_0000, 0x7ff8_0000_0000_0001, 0x7ff8_dead_beef_0001, 1} {
		var e cell.Encoder
		e.Double(math.Float64frombits(bits))
		row, err := e.Cells(nil)
		require.NoError(t, err)
		require.Equal(t, cell.Cell(binary.BigEndian.AppendUint64(nil, bits)), row[0])
		var d cell.Decoder
		d.Row(row)
		require.Equal(t, bits, math.Float64bits(d.Double()))
	}
	for _, bits := range []uint32{0, 1 << 31, 0x7f80_0000, 0xff80_0000, 0x7fc0_0001, 0x7fc0_beef, 1} {
		var e cell.Encoder
		e.Float(math.Float32frombits(bits))
		e.Floats([]float32{math.Float32frombits(bits), 1})
		row, err := e.Cells(nil)
		require.NoError(t, err)
		require.Equal(t, cell.Cell(binary.BigEndian.AppendUint32(nil, bits)), row[0])
		require.Equal(t, cell.Cell(append(binary.BigEndian.AppendUint32(nil, bits), 0x3f, 0x80, 0, 0)), row[1])
		var d cell.Decoder
		d.Row(row)
		v := []float32{7, 7}
		require.Equal(t, bits, math.Float32bits(d.Float()))
		d.Floats(v)
		require.Equal(t, bits, math.Float32bits(v[0]))
		d.Row(cell.Row{nil, {}, {1, 2, 3, 4}})
		d.Floats(v)
		require.Equal(t, []float32{0, 0}, v, "null")
		d.Floats(v)
		require.NoError(t, d.Err())
		d.Floats(v)
		require.EqualError(t, d.Err(), "column 2 has a value of 4 bytes")
	}
}

func badPlace(e *cell.Encoder) {
	e.Null()
	cell.EncodeMapOfStructs(e, map[string]point{"home": {N: "\xff"}}, (*cell.Encoder).Text, encodePoint)
}

func badSet(e *cell.Encoder) {
	cell.EncodeSet(e, map[time.Time]struct{}{{}: {}}, (*cell.Encoder).Timestamp)
}

func badNested(e *cell.Encoder) {
	cell.EncodeStruct(e, &[]point{{N: "\xff"}}, func(e *cell.Encoder, v *[]point) {
		e.Int(1)
		cell.EncodeStructs(e, *v, encodePoint)
		e.Text("\xfe")
	})
}

func TestDecodeFaults(t *testing.T) {
	for want, c := range map[string]struct {
		cell   cell.Cell
		decode func(*cell.Decoder)
	}{
		"column 0 has a value of 3 bytes":                   {cell.Cell{1, 2, 3}, func(d *cell.Decoder) { d.Int() }},
		"column 0 has a value of 5 bytes":                   {make(cell.Cell, 5), func(d *cell.Decoder) { d.Inet() }},
		"column 0 has a value of 2 bytes":                   {make(cell.Cell, 2), func(d *cell.Decoder) { d.Decimal() }},
		"column 0 is not a duration":                        {cell.Cell{0, 0}, func(d *cell.Decoder) { d.Duration() }},
		"column 0 member 0 ends within a value":             {cell.Cell{0, 0, 0, 9, 1}, func(d *cell.Decoder) { cell.DecodePointer(d, decodePoint) }},
		"column 0 has bytes after its last element":         {make(cell.Cell, 9), func(d *cell.Decoder) { cell.DecodeList(d, (*cell.Decoder).Int) }},
		"column 0 ends before its last element":             {append(cell.Cell{0, 0, 0, 2, 0, 0, 0, 4}, 1, 1, 1, 1), func(d *cell.Decoder) { cell.DecodeList(d, (*cell.Decoder).Int) }},
		"column 0 has a count greater than its bytes allow": {cell.Cell{0, 0, 0, 2, 0, 0, 0, 4}, func(d *cell.Decoder) { cell.DecodeList(d, (*cell.Decoder).Int) }},
		"column 1 is missing in the row":                    {cell.Cell{}, func(d *cell.Decoder) { d.Int(); d.Int() }},
	} {
		var d cell.Decoder
		d.Row(cell.Row{c.cell})
		c.decode(&d)
		require.EqualError(t, d.Err(), want)
		d.Row(cell.Row{cell.Cell{0, 0, 0, 7}})
		require.Equal(t, int32(7), d.Int(), "the next row starts afresh")
		require.NoError(t, d.Err())
	}
}

// A second row beside a row has its first columns, and its faults name the columns of the row.
func TestDecodeBeside(t *testing.T) {
	var d cell.Decoder
	row := cell.Row{{0, 0, 0, 1}, []byte("a"), []byte("b"), {0, 0, 0, 2}, {0, 0}}
	d.Row(row)
	require.Equal(t, []any{int32(1), "a", "b"}, []any{d.Int(), d.Text(), d.Text()})
	d.NextRow(1, 3)
	require.Equal(t, []any{int32(1), int32(2)}, []any{d.Int(), d.Int()})
	require.NoError(t, d.Err())
	require.Equal(t, cell.Row{{0, 0, 0, 1}, []byte("a"), []byte("b"), {0, 0, 0, 2}, {0, 0}}, row)
	d.Int()
	var fault *cell.Fault
	require.ErrorAs(t, d.Err(), &fault)
	require.Equal(t, 4, fault.Path[0].Member)
	d.Row(row[4:])
	d.Int()
	require.ErrorAs(t, d.Err(), &fault)
	require.Equal(t, 0, fault.Path[0].Member)
}

// A UDT that was written before a field was added ends early; one that a newer program wrote has more members.
func TestUDTOfAnotherVersion(t *testing.T) {
	short := cell.AppendValue(nil, cell.Cell{0, 0, 0, 7})
	long := cell.AppendValue(cell.AppendValue(cell.AppendValue(short, nil), cell.Cell("n")), cell.Cell("later"))
	for _, c := range []struct {
		cell cell.Cell
		want point
	}{{short, point{X: 7}}, {long, point{X: 7, N: "n"}}} {
		var d cell.Decoder
		d.Row(cell.Row{c.cell})
		var got point
		cell.DecodeStruct(&d, &got, decodePoint)
		require.NoError(t, d.Err())
		require.Equal(t, c.want, got)
	}
}

func TestDecodedValuesAreCopies(t *testing.T) {
	row := cell.Row{cell.Cell("name"), cell.Cell("blob"), cell.Cell(strings.Repeat("x", 5000))}
	var d cell.Decoder
	d.Row(row)
	name, blob, long := d.Text(), d.Blob(), d.Text()
	for _, c := range row {
		clear(c)
	}
	blob = append(blob, "tail"...) // must not run into another value
	next := d
	next.Row(cell.Row{cell.Cell("next")})
	require.Equal(t, "next", next.Text())
	require.Equal(t, "name", name)
	require.Equal(t, "blobtail", string(blob))
	require.Equal(t, strings.Repeat("x", 5000), long)
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		cqlType string
		cell    cell.Cell
		want    string
	}{
		{"int", cell.Cell{0, 0, 0, 7}, "7"},
		{"text", cell.Cell("d'água"), "'d''água'"},
		{"text", cell.Cell(strings.Repeat("á", 40)), "'" + strings.Repeat("á", 32) + "…'"},
		{"uuid", make(cell.Cell, 16), "00000000-0000-0000-0000-000000000000"},
		{"timestamp", make(cell.Cell, 8), "1970-01-01T00:00:00Z"},
		{"time", make(cell.Cell, 8), "00:00:00"},
		{"blob", cell.Cell{0xca, 0xfe}, "0xcafe"},
		{"int", cell.Cell{1}, "0x01"},
		{"int", nil, "null"},
		{"decimal", cell.Cell{0, 0, 0, 2, 0x30, 0x39}, "123.45"},
		{"decimal", cell.Cell{0, 0, 0, 2, 0xff}, "-0.01"},
		{"decimal", cell.Cell{0x7f, 0, 0, 0, 1}, "1E-2130706432"},
		{"decimal", cell.Cell{0, 0, 0, 2}, "0.00"},
		{"decimal", cell.Cell{0}, "0x00"},
		{"decimal", append(cell.Cell{0, 0, 0, 0, 1}, make(cell.Cell, 100)...), new(big.Int).Lsh(big.NewInt(1), 800).String()[:64] + "…"},
		{"varint", append(cell.Cell{1}, make(cell.Cell, 100)...), new(big.Int).Lsh(big.NewInt(1), 800).String()[:64] + "…"},
		{"float", cell.Cell{0x3d, 0xcc, 0xcc, 0xcd}, "0.1"},
		{"float", cell.Cell{0xff, 0x80, 0, 0}, "-Infinity"},
		{"double", cell.Cell{0x3f, 0xf8, 0, 0, 0, 0, 0, 0}, "1.5"},
		{"double", cell.Cell{0x7f, 0xf0, 0, 0, 0, 0, 0, 0}, "Infinity"},
		{"double", cell.Cell{0x7f, 0xf8, 0, 0, 0, 0, 0, 0}, "NaN"},
		{"duration", cell.Cell{2, 4, 6}, "1mo2d3ns"},
		{"duration", cell.Cell{1, 0, 5}, "-1mo3ns"},
		{"duration", cell.Cell{0, 0, 0}, "0ns"},
		{"duration", cell.Cell{2}, "0x02"},
	} {
		require.Equal(t, c.want, cell.Format(c.cqlType, c.cell), c.cqlType)
	}
}

// Sets and maps are in the order of their types, because Cassandra does not sort those inside a UDT.
func TestSetsAreInTheOrderOfTheirType(t *testing.T) {
	ints := form.Must("int")
	signed := cell.AppendValue(cell.AppendValue(nil, cell.Cell{0xff, 0xff, 0xff, 0xff}), cell.Cell{0, 0, 0, 1})
	entry := cell.AppendValue(nil, cell.Cell{7})
	var entries []byte
	for _, half := range [][]byte{signed[:8], signed[8:]} {
		entries = append(append(entries, half...), entry...)
	}
	var e cell.Encoder
	cell.EncodeSet(&e, map[int32]struct{}{1: {}, -1: {}}, (*cell.Encoder).Int, ints)
	cell.EncodeUnique(&e, []int32{1, -1}, (*cell.Encoder).Int, ints)
	cell.EncodeMap(&e, map[int32]int8{1: 7, -1: 7}, (*cell.Encoder).Int, (*cell.Encoder).Tinyint, ints)
	e.Canonical(1, func() { e.Blob(append(cell.AppendCount(nil, 2), append(bytes.Clone(signed[8:]), signed[:8]...)...)) }, ints)
	row, err := e.Cells(nil)
	require.NoError(t, err)
	set, dict := cell.Cell(append(cell.AppendCount(nil, 2), signed...)), cell.Cell(append(cell.AppendCount(nil, 2), entries...))
	require.Equal(t, cell.Row{set, set, dict, set}, row)
}

// Elements that are equal in Cassandra have one encoding, and two of them are a fault.
func TestElementsAreCanonical(t *testing.T) {
	decimals := form.Must("decimal")
	one := func(scale inf.Scale) *inf.Dec { return new(inf.Dec).Round(inf.NewDec(1, 0), scale, inf.RoundExact) }
	set := cell.Cell(cell.AppendValue(cell.AppendCount(nil, 1), cell.Cell{0, 0, 0, 0, 1}))
	var e cell.Encoder
	cell.EncodeUnique(&e, []*inf.Dec{one(2)}, (*cell.Encoder).Decimal, decimals)
	e.As(decimals, func() { e.Decimal(one(1)) })
	e.Decimal(one(1))
	cell.EncodeSet(&e, map[float64]struct{}{math.Float64frombits(0x7ff8000000000001): {}}, (*cell.Encoder).Double, form.Must("double"))
	row, err := e.Cells(nil)
	require.NoError(t, err)
	require.Equal(t, cell.Row{set, {0, 0, 0, 0, 1}, {0, 0, 0, 1, 10},
		cell.AppendValue(cell.AppendCount(nil, 1), cell.Cell{0x7f, 0xf8, 0, 0, 0, 0, 0, 0})}, row)
	cell.EncodeUnique(&e, []*inf.Dec{one(1), one(2)}, (*cell.Encoder).Decimal, decimals)
	require.EqualError(t, e.Err(), "column 4 holds two equal elements")
}
