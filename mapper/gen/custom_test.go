package gen_test

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// valuer is a driver.Valuer and sql.Scanner with one value.
type valuer struct{ v any }

func (v valuer) Value() (driver.Value, error) {
	if err, ok := v.v.(error); ok {
		return nil, err
	}
	return v.v, nil
}

func (v *valuer) Scan(x any) error {
	if text, ok := x.(string); ok && text == "refused" {
		return errors.New("no such value")
	}
	v.v = x
	return nil
}

// Each value of database/sql is written in the encoding of the CQL type, and read as the value of database/sql for that type.
func TestSQL(t *testing.T) {
	at := time.Date(1969, 7, 20, 0, 0, 0, 0, time.UTC)
	id := gocql.UUID{6: 0x10, 15: 1}
	for _, c := range []struct {
		cqlType string
		value   any
		cell    cell.Cell
		read    any // the value itself where nil
	}{
		{"boolean", true, cell.Cell{1}, nil},
		{"tinyint", int64(-1), cell.Cell{0xff}, nil},
		{"smallint", int64(-2), cell.Cell{0xff, 0xfe}, nil},
		{"int", int64(1), cell.Cell{0, 0, 0, 1}, nil},
		{"bigint", int64(1), cell.Cell{0, 0, 0, 0, 0, 0, 0, 1}, nil},
		{"varint", int64(-129), cell.Cell{0xff, 0x7f}, nil},
		{"varint", "9223372036854775808", cell.Cell{0, 0x80, 0, 0, 0, 0, 0, 0, 0}, nil},
		{"varint", "128", cell.Cell{0, 0x80}, int64(128)},
		{"decimal", "-1.0", cell.Cell{0, 0, 0, 1, 0xf6}, nil},
		{"decimal", int64(7), cell.Cell{0, 0, 0, 0, 7}, "7"},
		{"float", 1.0, cell.Cell{0x3f, 0x80, 0, 0}, nil},
		{"double", -0.5, cell.Cell{0xbf, 0xe0, 0, 0, 0, 0, 0, 0}, nil},
		{"text", "é", cell.Cell("é"), nil},
		{"text", []byte("b"), cell.Cell("b"), "b"},
		{"ascii", "a", cell.Cell("a"), nil},
		{"blob", []byte{0xff}, cell.Cell{0xff}, nil},
		{"blob", "b", cell.Cell("b"), []byte("b")},
		{"timestamp", at, cell.Cell{0xff, 0xff, 0xff, 0xfc, 0xae, 0x46, 0xb4, 0x00}, nil},
		{"date", at, cell.Cell{0x7f, 0xff, 0xff, 0x5b}, nil},
		{"time", time.Unix(0, 5).UTC(), cell.Cell{0, 0, 0, 0, 0, 0, 0, 5}, nil},
		{"time", int64(5), cell.Cell{0, 0, 0, 0, 0, 0, 0, 5}, time.Unix(0, 5).UTC()},
		{"inet", "::ffff:10.0.0.1", cell.Cell{10, 0, 0, 1}, "10.0.0.1"},
		{"uuid", id.String(), id[:], nil},
		{"timeuuid", id[:], id[:], id.String()},
	} {
		var e gen.Encoder
		gen.EncodeSQL(&e, valuer{c.value}, c.cqlType)
		row, err := e.Cells(nil)
		require.NoError(t, err, "%s %v", c.cqlType, c.value)
		require.Equal(t, c.cell, row[0], "%s %v", c.cqlType, c.value)
		if c.read == nil {
			c.read = c.value
		}
		var d gen.Decoder
		d.Row(cell.Row{row[0], nil})
		var got, null valuer
		gen.DecodeSQL(&d, &got, c.cqlType)
		null.v = "the value of another row"
		gen.DecodeSQL(&d, &null, c.cqlType)
		require.NoError(t, d.Err())
		require.Equal(t, c.read, got.v, c.cqlType)
		require.Nil(t, null.v)
	}
}

// A decimal with a huge scale is converted to text with an exponent. Value may return such a text, too.
func TestDecimalOfAHugeScale(t *testing.T) {
	for text, c := range map[string]cell.Cell{
		"1E-300000000":                       {0x11, 0xe1, 0xa3, 0x00, 1},
		"-12E300000000":                      {0xee, 0x1e, 0x5d, 0x00, 0xf4},
		"0E-2147483647":                      {0x7f, 0xff, 0xff, 0xff, 0},
		"1" + strings.Repeat("0", 64):        {0xff, 0xff, 0xff, 0xc0, 1},
		"0." + strings.Repeat("0", 63) + "1": {0, 0, 0, 64, 1},
	} {
		var d gen.Decoder
		d.Row(cell.Row{c})
		var got valuer
		gen.DecodeSQL(&d, &got, "decimal")
		require.NoError(t, d.Err())
		require.Equal(t, text, got.v)
		var e gen.Encoder
		gen.EncodeSQL(&e, got, "decimal")
		_, err := e.Cells(nil)
		require.NoError(t, err)
	}
	for text, c := range map[string]cell.Cell{"1.5e3": {0xff, 0xff, 0xff, 0xfe, 15}, "15E+2": {0xff, 0xff, 0xff, 0xfe, 15}} {
		var e gen.Encoder
		gen.EncodeSQL(&e, valuer{text}, "decimal")
		row, err := e.Cells(nil)
		require.NoError(t, err)
		require.Equal(t, c, row[0])
	}
	for _, text := range []string{"1E", "E1", "1E2147483649", "1E99999999999999999999"} {
		var e gen.Encoder
		gen.EncodeSQL(&e, valuer{text}, "decimal")
		require.Error(t, e.Err(), text)
	}
}

// For any bytes, the length of the text that Scan receives is proportional to the number of bytes.
func FuzzDecimalText(f *testing.F) {
	f.Add([]byte{0x11, 0xe1, 0xa3, 0x00, 1})
	f.Add([]byte{0xee, 0x1e, 0x5d, 0x00, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		var d gen.Decoder
		d.Row(cell.Row{b})
		var got valuer
		gen.DecodeSQL(&d, &got, "decimal")
		if text, ok := got.v.(string); ok {
			require.LessOrEqual(t, len(text), 80+3*len(b))
		}
	})
}

func TestSQLFaults(t *testing.T) {
	for _, c := range []struct {
		cqlType string
		value   any
		want    string
	}{
		{"tinyint", int64(128), "column 0 has a int64 from Value that is not a valid tinyint"},
		{"smallint", int64(-32769), "column 0 has a int64 from Value that is not a valid smallint"},
		{"int", int64(math.MaxInt32 + 1), "column 0 has a int64 from Value that is not a valid int"},
		{"float", 0.1, "column 0 has a float64 from Value that is not a valid float"},
		{"uuid", "1", "column 0 has a string from Value that is not a valid uuid"},
		{"text", int64(1), "column 0 has a int64 from Value that is not a valid text"},
		{"text", "\xff", "column 0 is not valid UTF-8"},
		{"int", true, "column 0 has a bool from Value that is not a valid int"},
		{"int", errors.New("broken"), "column 0 cannot be encoded: broken"},
		{"int", struct{}{}, "column 0 has a struct {} from Value that is not a valid int"},
	} {
		var e gen.Encoder
		gen.EncodeSQL(&e, valuer{c.value}, c.cqlType)
		e.Int(1)
		require.EqualError(t, e.Err(), c.want)
	}
	var d gen.Decoder
	d.Row(cell.Row{cell.Cell("refused")})
	gen.DecodeSQL(&d, &valuer{}, "text")
	require.EqualError(t, d.Err(), "column 0 cannot be decoded: no such value")
}

// strict is a value that is never null, like decimal.Decimal: Scan sets a part of it before it refuses null.
type strict struct{ text string }

func (s *strict) Scan(x any) error {
	s.text = "half"
	text, ok := x.(string)
	if !ok {
		return errors.New("is never null")
	}
	s.text = text
	return nil
}

func (s *strict) UnmarshalCQL(_ gocql.TypeInfo, b []byte) error {
	if b == nil {
		return s.Scan(nil)
	}
	return s.Scan(string(b))
}

// A null is read as the zero value even if the type of the field refuses null.
func TestNullOfATypeThatRefusesIt(t *testing.T) {
	for _, decode := range []func(*gen.Decoder, *strict){
		func(d *gen.Decoder, v *strict) { gen.DecodeSQL(d, v, "text") },
		func(d *gen.Decoder, v *strict) { gen.DecodeCQL(d, v, blobs) },
	} {
		var d gen.Decoder
		d.Row(cell.Row{nil, cell.Cell("x")})
		null, value := strict{"stale"}, strict{"stale"}
		decode(&d, &null)
		decode(&d, &value)
		require.NoError(t, d.Err())
		require.Equal(t, []strict{{}, {"x"}}, []strict{null, value})
	}
}

// coded is a Marshaler and an Unmarshaler; it keeps the bytes that it receives, without a copy.
type coded struct{ b []byte }

func (c coded) MarshalCQL(info gocql.TypeInfo) ([]byte, error) {
	if string(c.b) == "refused" {
		return nil, errors.New("no " + info.Type().String())
	}
	return c.b, nil
}

func (c *coded) UnmarshalCQL(_ gocql.TypeInfo, b []byte) error {
	if string(b) == "refused" {
		return errors.New("no such value")
	}
	c.b = b
	return nil
}

var blobs = gocqldriver.Info(gocql.TypeBlob)

func TestCQL(t *testing.T) {
	var e gen.Encoder
	for _, b := range [][]byte{nil, {}, []byte("x")} {
		gen.EncodeCQL(&e, coded{b}, blobs)
	}
	row, err := e.Cells(nil)
	require.NoError(t, err)
	require.Equal(t, cell.Row{nil, {}, cell.Cell("x")}, row)

	var d gen.Decoder
	d.Row(row)
	values := []coded{{[]byte("stale")}, {[]byte("stale")}, {[]byte("stale")}}
	for i := range values {
		gen.DecodeCQL(&d, &values[i], blobs)
	}
	require.NoError(t, d.Err())
	require.Equal(t, []coded{{nil}, {[]byte{}}, {[]byte("x")}}, values)
	row[2][0] = 'y'
	require.Equal(t, "x", string(values[2].b), "the value has its own bytes")

	e = gen.Encoder{}
	gen.EncodeList(&e, []coded{{[]byte("x")}, {[]byte("refused")}, {nil}}, func(e *gen.Encoder, v coded) { gen.EncodeCQL(e, v, blobs) })
	require.EqualError(t, e.Err(), "column 0[1] cannot be encoded: no blob; column 0[2] is null, which a collection cannot hold")
	d.Row(cell.Row{cell.Cell("refused"), cell.Cell("x")})
	gen.DecodeCQL(&d, &values[0], blobs)
	gen.DecodeCQL(&d, &values[1], blobs)
	require.EqualError(t, d.Err(), "column 0 cannot be decoded: no such value")
}

// A set or map that a Marshaler of the user encodes is sorted, because the planner compares sorted sets and maps.
func TestCQLInCanonicalOrder(t *testing.T) {
	text := func(s ...string) []byte {
		b := cell.AppendCount(nil, len(s))
		for _, x := range s {
			b = cell.AppendValue(b, cell.Cell(x))
		}
		return b
	}
	entries := text("b", "1", "a", "2")
	entries[3] = 2
	sorted := text("a", "2", "b", "1")
	sorted[3] = 2
	info := gocql.TypeInfo(gocql.CollectionType{NativeType: gocqldriver.NativeInfo(gocql.TypeSet), Elem: blobs})
	var e gen.Encoder
	gen.EncodeCQLSet(&e, coded{text("b", "c", "a")}, info)
	gen.EncodeCQLMap(&e, coded{entries}, info)
	gen.EncodeCQLSet(&e, coded{nil}, info)
	row, err := e.Cells(nil)
	require.NoError(t, err)
	require.Equal(t, cell.Row{text("a", "b", "c"), sorted, nil}, row)
	for want, b := range map[string][]byte{
		"column 0 holds two equal elements":       text("a", "b", "a"),
		"column 0 is not encoded as a set or map": append(text("a"), 1),
		"column 0 cannot be encoded: no set":      []byte("refused"),
	} {
		e = gen.Encoder{}
		gen.EncodeCQLSet(&e, coded{b}, info)
		require.EqualError(t, e.Err(), want)
	}
}

// label is a TextMarshaler and TextUnmarshaler.
type label struct{ text string }

func (l label) MarshalText() ([]byte, error) {
	if l.text == "refused" {
		return nil, errors.New("no text")
	}
	return []byte(l.text), nil
}

func (l *label) UnmarshalText(b []byte) error {
	if string(b) == "refused" {
		return errors.New("no such value")
	}
	l.text += string(b)
	return nil
}

func TestText(t *testing.T) {
	var e gen.Encoder
	gen.EncodeText(&e, label{""}, (*gen.Encoder).Text)
	gen.EncodeText(&e, label{"é"}, (*gen.Encoder).Text)
	e.Null()
	row, err := e.Cells(nil)
	require.NoError(t, err)
	require.Equal(t, cell.Row{{}, cell.Cell("é"), nil}, row)
	var d gen.Decoder
	d.Row(row)
	for _, want := range []string{"", "é", ""} {
		got := label{"stale"}
		gen.DecodeText(&d, &got)
		require.Equal(t, want, got.text)
	}
	require.NoError(t, d.Err())
	gen.EncodeText(&e, label{"é"}, (*gen.Encoder).Ascii)
	gen.EncodeText(&e, label{"refused"}, (*gen.Encoder).Text)
	require.EqualError(t, e.Err(), "column 3 is not ASCII; column 4 cannot be encoded: no text")
	d.Row(cell.Row{cell.Cell("refused")})
	gen.DecodeText(&d, &label{})
	require.EqualError(t, d.Err(), "column 0 cannot be decoded: no such value")
}

func TestNull(t *testing.T) {
	var e gen.Encoder
	want := []sql.Null[int32]{{}, {V: 7}, {V: 0, Valid: true}}
	for _, v := range want {
		gen.EncodeNull(&e, v, (*gen.Encoder).Int)
	}
	row, err := e.Cells(nil)
	require.NoError(t, err)
	require.Equal(t, cell.Row{nil, nil, {0, 0, 0, 0}}, row)
	var d gen.Decoder
	d.Row(row)
	want[1].V = 0
	for _, v := range want {
		require.Equal(t, v, gen.DecodeNull(&d, (*gen.Decoder).Int))
	}
	require.NoError(t, d.Err())
}
