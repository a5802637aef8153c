package apachedriver

import (
	"fmt"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/cassaml/cassaml/mapper/driver"
)

// Values converts cells for requests of Apache's driver.
var Values driver.Values = values{}

type values struct{}

// Value returns an argument or a destination.
func (values) Value(c *[]byte) any { return (*rawCell)(c) }

// Unset returns gocql.UnsetValue.
func (values) Unset() any { return gocql.UnsetValue }

// Bind returns an argument whose bytes a function makes.
func (values) Bind(f func(driver.Type) ([]byte, error)) any { return bound(f) }

type bound func(driver.Type) ([]byte, error)

// MarshalCQL returns the bytes that the function makes.
func (f bound) MarshalCQL(info gocql.TypeInfo) ([]byte, error) { return f(newType(info)) }

// Encode returns the bytes of a Go value.
func (values) Encode(t driver.Type, v any) ([]byte, error) {
	info, err := typeInfo(t)
	if err != nil {
		return nil, err
	}
	return gocql.Marshal(info, v)
}

// Decode sets a Go value from its bytes.
func (values) Decode(t driver.Type, b []byte, v any) error {
	info, err := typeInfo(t)
	if err != nil {
		return err
	}
	return gocql.Unmarshal(info, b, v)
}

func typeInfo(t driver.Type) (gocql.TypeInfo, error) {
	info, ok := t.Info.(gocql.TypeInfo)
	if !ok {
		return nil, fmt.Errorf("the type %v is not from a result of this driver", t.Info)
	}
	return info, nil
}

// rawCell passes bytes through the driver unchanged. To convert a pointer to it to an interface does not allocate.
type rawCell []byte

// MarshalCQL returns the bytes; nil is null.
func (c *rawCell) MarshalCQL(gocql.TypeInfo) ([]byte, error) { return *c, nil }

// UnmarshalCQL sets c to the bytes of a column. They are a slice of the driver's frame, so the capacity is limited: otherwise it
// would include the next column.
func (c *rawCell) UnmarshalCQL(_ gocql.TypeInfo, b []byte) error {
	*c = b[:len(b):len(b)]
	return nil
}
