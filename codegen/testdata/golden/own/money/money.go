// Package money has types that convert themselves, one for each way there is.
package money

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gocql/gocql"
)

// Amount is a decimal by MarshalCQL, zero is null.
type Amount struct{ Cents int64 }

// MarshalCQL returns the scale, then the cents.
func (a Amount) MarshalCQL(info gocql.TypeInfo) ([]byte, error) {
	switch {
	case info.Type() != gocql.TypeDecimal:
		return nil, fmt.Errorf("an amount is no %s", info)
	case a.Cents < 0 || a.Cents > 0x7f:
		return nil, fmt.Errorf("%d cents are out of range", a.Cents)
	case a.Cents == 0:
		return nil, nil
	}
	return []byte{0, 0, 0, 2, byte(a.Cents)}, nil
}

// UnmarshalCQL leaves null what it was.
func (a *Amount) UnmarshalCQL(info gocql.TypeInfo, b []byte) error {
	switch {
	case b == nil:
		return nil
	case info.Type() != gocql.TypeDecimal || len(b) != 5 || b[3] != 2:
		return errors.New("no amount")
	}
	a.Cents = int64(b[4])
	return nil
}

// Codes is a collection by MarshalCQL: what it holds, in the driver's form, is written as it is.
type Codes struct{ Raw string }

// MarshalCQL returns the bytes. The word info is refused, with what the type looks like.
func (c *Codes) MarshalCQL(info gocql.TypeInfo) ([]byte, error) {
	switch c.Raw {
	case "":
		return nil, nil
	case "info":
		return nil, fmt.Errorf("%#v", info)
	}
	return []byte(c.Raw), nil
}

// UnmarshalCQL keeps the bytes.
func (c *Codes) UnmarshalCQL(info gocql.TypeInfo, b []byte) error {
	c.Raw = string(b)
	return nil
}

// Label is a text by MarshalText.
type Label struct{ Parts [2]string }

// MarshalText joins the parts.
func (l Label) MarshalText() ([]byte, error) {
	if strings.Contains(l.Parts[0], ":") {
		return nil, errors.New("a colon in the first part")
	}
	return []byte(l.Parts[0] + ":" + l.Parts[1]), nil
}

// UnmarshalText takes them apart.
func (l *Label) UnmarshalText(b []byte) error {
	first, second, ok := strings.Cut(string(b), ":")
	if !ok {
		return errors.New("no colon")
	}
	l.Parts = [2]string{first, second}
	return nil
}

// Level goes through package database/sql, as an integer.
type Level string

// Value returns the number of the level; an empty one is null.
func (l Level) Value() (driver.Value, error) {
	if l == "" {
		return nil, nil
	}
	return strconv.ParseInt(string(l), 10, 64)
}

// Scan takes the number.
func (l *Level) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*l = ""
	case int64:
		*l = Level(strconv.FormatInt(v, 10))
	default:
		return fmt.Errorf("no level: %T", v)
	}
	return nil
}

// Of is a generic text.
type Of[T any] string

// Pair is a generic value object.
type Pair[A, B any] struct {
	First  A
	Second B
}
