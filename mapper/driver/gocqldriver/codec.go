package gocqldriver

import (
	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2/table"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Generated stores use the following types and functions.

// Metadata describes a table to gocqlx, with its names as CQL writes them.
type Metadata = table.Metadata

// protocol is the version of the native protocol that the driver uses with every Cassandra since 2.2.
const protocol = 4

// Info describes a native type to MarshalCQL and UnmarshalCQL.
func Info(t gocql.Type) gocql.TypeInfo { return gocql.NewNativeType(protocol, t, "") }

// NativeInfo is Info for the types that contain others.
func NativeInfo(t gocql.Type) gocql.NativeType { return gocql.NewNativeType(protocol, t, "") }

// CustomInfo describes a type that the driver knows only by its Java class name in Cassandra, such as a vector.
func CustomInfo(name string) gocql.TypeInfo {
	return gocql.NewNativeType(protocol, gocql.TypeCustom, name)
}

// EncodeTimeUUID writes a timeuuid; the zero UUID is null.
func EncodeTimeUUID(e *cell.Encoder, v gocql.UUID) { e.TimeUUID(v) }

// DecodeTimeUUID reads a timeuuid; null is the zero UUID.
func DecodeTimeUUID(d *cell.Decoder) gocql.UUID { return d.TimeUUID() }

// EncodeUUID writes a uuid.
func EncodeUUID(e *cell.Encoder, v gocql.UUID) { e.UUID(v) }

// DecodeUUID reads a uuid or timeuuid.
func DecodeUUID(d *cell.Decoder) gocql.UUID { return d.UUID() }

// EncodeDuration writes a duration. Mixed signs are a fault.
func EncodeDuration(e *cell.Encoder, v gocql.Duration) { e.Duration(v.Months, v.Days, v.Nanoseconds) }

// DecodeDuration reads a duration.
func DecodeDuration(d *cell.Decoder) (v gocql.Duration) {
	v.Months, v.Days, v.Nanoseconds = d.Duration()
	return v
}
