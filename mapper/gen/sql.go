package gen

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"
)

// EncodeSQL writes what Value returns as a CQL type; nil is null. A value that the type cannot hold, and an error, is a
// fault.
func EncodeSQL(e *Encoder, v driver.Valuer, cqlType string) {
	x, err := v.Value()
	switch {
	case err != nil:
		e.Refuse("cannot be encoded: " + err.Error())
	case x == nil:
		e.Null()
	case !encodeSQL(e, x, cqlType):
		e.Refuse(fmt.Sprintf("has a %T from Value that is no %s", x, cqlType))
	}
}

// encodeSQL writes one of the types of driver.Value. It writes nothing when the CQL type cannot hold it.
func encodeSQL(e *Encoder, x driver.Value, cqlType string) bool {
	switch x := x.(type) {
	case bool:
		return encodeIf(cqlType == "boolean", e.Boolean, x)
	case int64:
		return encodeInt(e, x, cqlType)
	case float64:
		return encodeFloat(e, x, cqlType)
	case time.Time:
		return encodeTime(e, x, cqlType)
	case []byte:
		if cqlType == "blob" {
			e.Blob(x)
			return true
		}
		return encodeString(e, string(x), cqlType)
	case string:
		return encodeString(e, x, cqlType)
	}
	return false
}

func encodeIf[T any](fits bool, write func(T), v T) bool {
	if fits {
		write(v)
	}
	return fits
}

func encodeInt(e *Encoder, x int64, cqlType string) bool {
	switch cqlType {
	case "tinyint":
		return encodeIf(x == int64(int8(x)), e.Tinyint, int8(x))
	case "smallint":
		return encodeIf(x == int64(int16(x)), e.Smallint, int16(x))
	case "int":
		return encodeIf(x == int64(int32(x)), e.Int, int32(x))
	case "bigint":
		e.Bigint(x)
	case "varint":
		e.Varint(big.NewInt(x))
	case "decimal":
		e.Decimal(inf.NewDec(x, 0))
	case "time":
		e.Time(time.Duration(x))
	default:
		return false
	}
	return true
}

func encodeFloat(e *Encoder, x float64, cqlType string) bool {
	switch cqlType {
	case "double":
		e.Double(x)
		return true
	case "float":
		return encodeIf(float64(float32(x)) == x || math.IsNaN(x), e.Float, float32(x))
	}
	return false
}

func encodeTime(e *Encoder, x time.Time, cqlType string) bool {
	switch cqlType {
	case "timestamp":
		e.Timestamp(x)
	case "date":
		e.Date(x)
	case "time":
		e.ClockTime(x)
	default:
		return false
	}
	return true
}

// encodeString reads types that database/sql has no value for from their text.
func encodeString(e *Encoder, x, cqlType string) bool {
	switch cqlType {
	case "text":
		e.Text(x)
	case "ascii":
		e.Ascii(x)
	case "blob":
		e.Blob([]byte(x))
	case "uuid", "timeuuid":
		return encodeUUIDText(e, x, cqlType)
	case "inet":
		a, err := netip.ParseAddr(x)
		return encodeIf(err == nil, e.Addr, a)
	case "varint":
		v, ok := new(big.Int).SetString(x, 10)
		return encodeIf(ok, e.Varint, v)
	case "decimal":
		v, ok := parseDecimal(x)
		return encodeIf(ok, e.Decimal, v)
	default:
		return false
	}
	return true
}

// encodeUUIDText takes a UUID as text, or as its 16 bytes.
func encodeUUIDText(e *Encoder, x, cqlType string) bool {
	id, err := gocql.ParseUUID(x)
	if err != nil && len(x) == len(id) {
		id, err = gocql.UUIDFromBytes([]byte(x))
	}
	write := e.UUID
	if cqlType == "timeuuid" {
		write = e.TimeUUID
	}
	return encodeIf(err == nil, write, [16]byte(id))
}

// DecodeSQL reads a value by Scan, which gets what database/sql has for the CQL type: int64, float64, bool, []byte, string
// or time.Time, and nil for null. A decimal, uuid and inet is its text, and so is a varint that no int64 holds. The value is
// zero before, and stays zero where Scan refuses a null.
func DecodeSQL[T any, P interface {
	*T
	sql.Scanner
}](d *Decoder, v P, cqlType string) {
	var zero T
	*v = zero
	x := decodeSQL(d, cqlType)
	if d.Failed() {
		return
	}
	if err := v.Scan(x); err != nil {
		refuseValue(d, v, x == nil, err)
	}
}

func decodeSQL(d *Decoder, cqlType string) driver.Value {
	if d.SkipNull() {
		return nil
	}
	switch cqlType {
	case "boolean":
		return d.Boolean()
	case "tinyint":
		return int64(d.Tinyint())
	case "smallint":
		return int64(d.Smallint())
	case "int":
		return int64(d.Int())
	case "bigint":
		return d.Bigint()
	case "float":
		return float64(d.Float())
	case "double":
		return d.Double()
	case "timestamp":
		return d.Timestamp()
	case "date":
		return d.Date()
	case "time":
		return d.ClockTime()
	case "blob":
		return d.Blob()
	}
	return decodeSQLText(d, cqlType)
}

// decodeSQLText reads what database/sql has only as text.
func decodeSQLText(d *Decoder, cqlType string) driver.Value {
	switch cqlType {
	case "uuid", "timeuuid":
		return gocql.UUID(d.UUID()).String()
	case "inet":
		if a := d.Addr(); a.IsValid() {
			return a.String()
		}
		return nil
	case "varint":
		switch v := d.Varint(); {
		case v == nil:
			return nil
		case v.IsInt64():
			return v.Int64()
		default:
			return v.String()
		}
	case "decimal":
		if v := d.Decimal(); v != nil {
			return decimalText(v)
		}
		return nil
	}
	return d.Text()
}

// zerosMax is how many zeros a decimal is written out with that are none of its digits.
const zerosMax = 64

// decimalText writes a decimal out; one that would be zeros for the most part with an exponent: 1E-300000000. A few bytes
// have a scale of that size.
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
