package apachedriver

import (
	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Generated stores use the following functions.

// protocol is the version of the native protocol from which on all types have the same encoding.
const protocol = 4

// Info describes a type to MarshalCQL and UnmarshalCQL, from its text in CQL. It panics if the driver does not know the type.
func Info(cqlType string) gocql.TypeInfo {
	return gocql.NewNativeType(protocol, gocql.TypeCustom, cqlType)
}

// EncodeDuration writes a duration. Mixed signs are a fault.
func EncodeDuration(e *cell.Encoder, v gocql.Duration) { e.Duration(v.Months, v.Days, v.Nanoseconds) }

// DecodeDuration reads a duration.
func DecodeDuration(d *cell.Decoder) (v gocql.Duration) {
	v.Months, v.Days, v.Nanoseconds = d.Duration()
	return v
}
