package cell

import (
	"cmp"
	"database/sql/driver"
	"encoding/hex"
	"math"
	"math/big"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"gopkg.in/inf.v0"
)

// native has the functions for the values of a native type, in addition to encoding and decoding them.
type native struct {
	text  func(*Decoder) string             // the value as a CQL literal; nil: its bytes
	value func(*Decoder) driver.Value       // the value as in package database/sql; nil: as a text
	write func(*Encoder, driver.Value) bool // writes the result of Value, a []byte as a string; false if the type cannot represent it
}

// natives are the native types of package cqltype.
var natives = map[string]native{
	"ascii":   {func(d *Decoder) string { return quote(d.Text()) }, nil, writer((*Encoder).Ascii)},
	"text":    {func(d *Decoder) string { return quote(d.Text()) }, nil, writer((*Encoder).Text)},
	"blob":    {nil, func(d *Decoder) driver.Value { return d.Blob() }, writer(func(e *Encoder, x string) { e.Blob([]byte(x)) })},
	"boolean": {func(d *Decoder) string { return strconv.FormatBool(d.Boolean()) }, func(d *Decoder) driver.Value { return d.Boolean() }, writer((*Encoder).Boolean)},

	"tinyint":  whole((*Encoder).Tinyint, (*Decoder).Tinyint),
	"smallint": whole((*Encoder).Smallint, (*Decoder).Smallint),
	"int":      whole((*Encoder).Int, (*Decoder).Int),
	"bigint":   whole((*Encoder).Bigint, (*Decoder).Bigint),
	"counter":  whole((*Encoder).Bigint, (*Decoder).Bigint),
	"varint":   {func(d *Decoder) string { return clip(d.Varint().String()) }, varintValue, writeVarint},
	"decimal":  {decimalLiteral, decimalValue, writeDecimal},
	"float": {func(d *Decoder) string { return floatText(float64(d.Float()), 32) }, func(d *Decoder) driver.Value { return float64(d.Float()) }, func(e *Encoder, x driver.Value) bool {
		v, ok := x.(float64)
		return ok && (float64(float32(v)) == v || math.IsNaN(v)) && put(e.Float, float32(v))
	}},
	"double": {func(d *Decoder) string { return floatText(d.Double(), 64) }, func(d *Decoder) driver.Value { return d.Double() }, writer((*Encoder).Double)},

	"timestamp": moment(time.RFC3339Nano, (*Encoder).Timestamp, (*Decoder).Timestamp),
	"date":      moment(time.DateOnly, (*Encoder).Date, (*Decoder).Date),
	"time": {
		func(d *Decoder) string { return d.ClockTime().Format("15:04:05.999999999") },
		func(d *Decoder) driver.Value { return d.ClockTime() },
		func(e *Encoder, x driver.Value) bool {
			if n, ok := x.(int64); ok {
				return put(e.Time, time.Duration(n))
			}
			return writer((*Encoder).ClockTime)(e, x)
		},
	},
	"duration": {durationText, nil, nil},
	"uuid":     {func(d *Decoder) string { return formatUUID(d.UUID()) }, uuidValue, writeUUID((*Encoder).UUID)},
	"timeuuid": {func(d *Decoder) string { return formatUUID(d.UUID()) }, uuidValue, writeUUID((*Encoder).TimeUUID)},
	"inet":     {func(d *Decoder) string { return d.Addr().String() }, inetValue, textual(writeInet)},
}

// put writes a value and returns true.
func put[T any](write func(T), v T) bool {
	write(v)
	return true
}

// writer returns a write function for the Go type of package database/sql.
func writer[T any](write func(*Encoder, T)) func(*Encoder, driver.Value) bool {
	return func(e *Encoder, x driver.Value) bool {
		v, ok := x.(T)
		if ok {
			write(e, v)
		}
		return ok
	}
}

// whole is a type of whole numbers of a size.
func whole[T int8 | int16 | int32 | int64](write func(*Encoder, T), read func(*Decoder) T) native {
	return native{
		text:  func(d *Decoder) string { return strconv.FormatInt(int64(read(d)), 10) },
		value: func(d *Decoder) driver.Value { return int64(read(d)) },
		write: func(e *Encoder, x driver.Value) bool {
			n, ok := x.(int64)
			if ok = ok && n == int64(T(n)); ok {
				write(e, T(n))
			}
			return ok
		},
	}
}

// moment is a type of points in time.
func moment(layout string, write func(*Encoder, time.Time), read func(*Decoder) time.Time) native {
	return native{
		text:  func(d *Decoder) string { return read(d).Format(layout) },
		value: func(d *Decoder) driver.Value { return read(d) },
		write: writer(write),
	}
}

// Format returns a cell of a native type as a CQL literal, for messages: 7, 'São Paulo', 2026-03-04T05:06:07Z, and 0xcafe for a
// value without a short literal. Text of more than 64 bytes is truncated.
func Format(cqlType string, c Cell) string {
	if c == nil {
		return "null"
	}
	text := natives[cqlType].text
	if text == nil {
		return formatBytes(c)
	}
	var d Decoder
	d.Row(Row{c})
	if s := text(&d); d.Err() == nil {
		return s
	}
	return "0x" + hex.EncodeToString(c)
}

const textMax = 64

func formatBytes(c Cell) string {
	if len(c) > textMax {
		return "0x" + hex.EncodeToString(c[:textMax]) + "…"
	}
	return "0x" + hex.EncodeToString(c)
}

func quote(s string) string {
	if len(s) > textMax {
		s = strings.ToValidUTF8(s[:textMax], "") + "…"
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// clip shortens the digits of a number to a length that fits a message.
func clip(digits string) string {
	if len(digits) > textMax {
		return digits[:textMax] + "…"
	}
	return digits
}

// floatText returns the shortest literal that is read as the same value.
func floatText(v float64, bits int) string {
	if math.IsInf(v, 0) {
		return strings.TrimPrefix(strconv.FormatFloat(v, 'g', -1, bits)[:1]+"Infinity", "+")
	}
	return strconv.FormatFloat(v, 'g', -1, bits)
}

// durationText returns a duration as a CQL literal: 1mo2d3ns. All parts have the same sign.
func durationText(d *Decoder) string {
	months, days, nanoseconds := d.Duration()
	sign := ""
	if months < 0 || days < 0 || nanoseconds < 0 {
		sign = "-"
	}
	var text string
	for _, part := range []struct {
		n    int64
		unit string
	}{{int64(months), "mo"}, {int64(days), "d"}, {nanoseconds, "ns"}} {
		if part.n != 0 {
			text += strings.TrimPrefix(strconv.FormatInt(part.n, 10), "-") + part.unit
		}
	}
	return sign + cmp.Or(text, "0ns")
}

func formatUUID(u [16]byte) string {
	h := hex.EncodeToString(u[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// EncodeValue writes a value of a type of driver.Value. If the CQL type cannot represent it, EncodeValue writes nothing and
// returns false.
func EncodeValue(e *Encoder, x driver.Value, cqlType string) bool {
	if b, ok := x.([]byte); ok {
		if cqlType == "blob" {
			return put(e.Blob, b)
		}
		x = string(b)
	}
	write := natives[cqlType].write
	return write != nil && write(e, x)
}

// DecodeValue reads a value as the type of package database/sql for its CQL type: int64, float64, bool, []byte, string or
// time.Time, and nil for null.
func DecodeValue(d *Decoder, cqlType string) driver.Value {
	if d.SkipNull() {
		return nil
	}
	if value := natives[cqlType].value; value != nil {
		return value(d)
	}
	return d.Text()
}

func uuidValue(d *Decoder) driver.Value { return formatUUID(d.UUID()) }

// textual writes a value that is a text in package database/sql.
func textual(write func(*Encoder, string) bool) func(*Encoder, driver.Value) bool {
	return func(e *Encoder, x driver.Value) bool {
		text, ok := x.(string)
		return ok && write(e, text)
	}
}

// writeUUID writes a UUID from text, or from its 16 bytes.
func writeUUID(write func(*Encoder, [16]byte)) func(*Encoder, driver.Value) bool {
	return textual(func(e *Encoder, x string) bool {
		u, ok := parseUUID(x)
		if !ok && len(x) == len(u) {
			u, ok = [16]byte([]byte(x)), true
		}
		if ok {
			write(e, u)
		}
		return ok
	})
}

// parseUUID reads the digits of a UUID, with optional hyphens between bytes.
func parseUUID(text string) (u [16]byte, ok bool) {
	n := 0
	for text != "" {
		if text[0] == '-' {
			text = text[1:]
			continue
		}
		b, err := hex.DecodeString(text[:min(2, len(text))])
		if err != nil || n == len(u) {
			return u, false
		}
		u[n], n, text = b[0], n+1, text[2:]
	}
	return u, n == len(u)
}

func inetValue(d *Decoder) driver.Value {
	if a := d.Addr(); a.IsValid() {
		return a.String()
	}
	return nil
}

func writeInet(e *Encoder, x string) bool {
	a, err := netip.ParseAddr(x)
	return err == nil && put(e.Addr, a)
}

func varintValue(d *Decoder) driver.Value {
	switch v := d.Varint(); {
	case v == nil:
		return nil
	case v.IsInt64():
		return v.Int64()
	default:
		return v.String()
	}
}

func writeVarint(e *Encoder, x driver.Value) bool {
	if n, ok := x.(int64); ok {
		return put(e.Varint, big.NewInt(n))
	}
	text, _ := x.(string)
	v, ok := new(big.Int).SetString(text, 10)
	return ok && put(e.Varint, v)
}

func decimalValue(d *Decoder) driver.Value {
	if v := d.Decimal(); v != nil {
		return decimalText(v)
	}
	return nil
}

// decimalLiteral returns a decimal as a literal. A value that cannot be read has none; the caller shows its bytes.
func decimalLiteral(d *Decoder) string {
	if v := d.Decimal(); v != nil {
		return clip(decimalText(v))
	}
	return ""
}

func writeDecimal(e *Encoder, x driver.Value) bool {
	if n, ok := x.(int64); ok {
		return put(e.Decimal, inf.NewDec(n, 0))
	}
	text, _ := x.(string)
	v, ok := parseDecimal(text)
	return ok && put(e.Decimal, v)
}

// zerosMax is the maximum number of additional zeros in the text of a decimal.
const zerosMax = 64

// decimalText returns a decimal as text. If most of the digits would be zeros, it has an exponent: 1E-300000000. A few bytes
// can have such a scale.
func decimalText(v *inf.Dec) string {
	scale := int64(v.Scale())
	digits := int64(v.UnscaledBig().BitLen())*3/10 + 1
	if scale <= digits+zerosMax && -scale <= zerosMax {
		return v.String()
	}
	return v.UnscaledBig().String() + "E" + strconv.FormatInt(-scale, 10)
}

// parseDecimal reads a decimal with or without an exponent.
func parseDecimal(text string) (*inf.Dec, bool) {
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		return new(inf.Dec).SetString(text)
	}
	v, ok := new(inf.Dec).SetString(text[:i])
	exponent, err := strconv.ParseInt(text[i+1:], 10, 64)
	if !ok || err != nil {
		return nil, false
	}
	scale := int64(v.Scale()) - exponent
	return v.SetScale(inf.Scale(scale)), scale == int64(int32(scale))
}
