package gen

import (
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// EncodeSQL writes the result of Value as a CQL type; nil is null. An error, and a value that the type cannot represent, are
// faults.
func EncodeSQL(e *Encoder, v driver.Valuer, cqlType string) {
	x, err := attempt(v.Value)
	switch {
	case err != nil:
		e.Refuse("cannot be encoded: " + err.Error())
	case x == nil:
		e.Null()
	case !cell.EncodeValue(e, x, cqlType):
		e.Refuse(fmt.Sprintf("has a %T from Value that is not a valid %s", x, cqlType))
	}
}

// DecodeSQL reads a value by Scan, which gets the value of database/sql for the CQL type: int64, float64, bool, []byte, string
// or time.Time, and nil for null. A decimal, uuid and inet is its text, and so is a varint that no int64 holds. The value is
// zero before, and stays zero where Scan refuses a null.
func DecodeSQL[T any, P interface {
	*T
	sql.Scanner
}](d *Decoder, v P, cqlType string) {
	var zero T
	*v = zero
	x := cell.DecodeValue(d, cqlType)
	if d.Failed() {
		return
	}
	if _, err := attempt(func() (any, error) { return nil, v.Scan(x) }); err != nil {
		refuseValue(d, v, x == nil, err)
	}
}
