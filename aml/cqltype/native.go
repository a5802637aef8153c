package cqltype

import (
	"slices"
	"strings"
)

// Native is a type of CQL without arguments.
type Native struct {
	Name string
	Go   []Go // the Go types of its values, the recommended one first
	// Explicit reports that a Go type is stored as this type only with type=.
	Explicit bool
	// ColumnOnly reports that only a whole column can have the type, not a field, an element or a key.
	ColumnOnly bool
	// Unordered reports that the server does not sort its values, so that they cannot be in a key or a set.
	Unordered bool

	Driver string // the driver's constant, after gocql.Type
	Java   string // the server's class, in org.apache.cassandra.db.marshal

	Size    int      // the bytes of a value, for estimates; 0: variable
	Fixed   bool     // the server stores values without their length in a vector, because all have Size bytes
	Indexed bool     // a storage-attached index supports it
	Literal string   // an example of a value in CQL; "" for a type that no index supports
	Wider   []string // the types that have a value for each of its values

	Literals []string // the kinds of literals that the server reads: string, integer, float, boolean, uuid, blob, duration
}

// Go is a Go type of the values of a native type.
type Go struct {
	Text    string // Go source: time.Time, *big.Int
	Import  string // the path of its package; "" for a predeclared type
	Codec   string // its methods of the runtime's Encoder and Decoder
	As      string // the Go type that they accept, if it is another one; only of a type without Import
	Foreign bool   // the driver cannot read or write it

	// Stored is the condition in Go under which a value $x of the type $T is not stored as null; "" if it never is null.
	Stored string
	// Required is the condition under which a required value is given, if that is not Stored; "" if it is.
	Required string
	// Literal is a value in Go, with %q for the text of the literal in CQL; "" if package codegen/query has a function for it, or if Go has no
	// short form.
	Literal string
	// Constant reports that a condition or an enum can compare the values with constants: texts, integers and booleans.
	Constant bool
}

// The conditions under which a value is not stored as null.
const (
	notNil  = "$x != nil"
	notZero = "$x != ($T{})"
)

// Nil reports whether nil is a value of the type, which is stored as null.
func (g Go) Nil() bool { return g.Stored == notNil }

// Condition returns one of the conditions for the value x of the Go type goType. A method of a value can be called on a pointer to it, so
// that (*v.At) has the condition v.At.IsZero().
func Condition(condition, x, goType string) string {
	receiver := strings.TrimSuffix(strings.TrimPrefix(x, "(*"), ")")
	return strings.NewReplacer("$x.", receiver+".", "$x", x, "$T", goType).Replace(condition)
}

// The import paths of the drivers, which have Go types of the same names for uuid, timeuuid and duration.
const (
	Gocql        = "github.com/gocql/gocql"
	ApacheDriver = "github.com/apache/cassandra-gocql-driver/v2"
)

const inf = "gopkg.in/inf.v0"

// natives are the native types. If two have the same Go type, the first is its default.
var natives = []Native{
	{Name: "text", Go: []Go{{Text: "string", Codec: "Text", Required: `$x != ""`, Literal: "%q", Constant: true}},
		Driver: "Varchar", Java: "UTF8Type", Literals: []string{"string"}, Indexed: true, Literal: "'a'"},
	{Name: "ascii", Go: []Go{{Text: "string", Codec: "Ascii", Required: `$x != ""`, Literal: "%q", Constant: true}}, Explicit: true,
		Driver: "Ascii", Java: "AsciiType", Literals: []string{"string"}, Indexed: true, Literal: "'a'", Wider: []string{"text"}},
	{Name: "blob", Go: []Go{{Text: "[]byte", Codec: "Blob", Stored: notNil}},
		Driver: "Blob", Java: "BytesType", Literals: []string{"blob"}, Literal: "0x00"},
	{Name: "boolean", Go: []Go{{Text: "bool", Codec: "Boolean", Constant: true}},
		Driver: "Boolean", Java: "BooleanType", Literals: []string{"boolean"}, Size: 1, Fixed: true, Indexed: true, Literal: "false"},
	{Name: "tinyint", Go: []Go{{Text: "int8", Codec: "Tinyint", Constant: true}},
		Driver: "TinyInt", Java: "ByteType", Literals: []string{"integer"}, Size: 1, Indexed: true, Literal: "0",
		Wider: []string{"smallint", "int", "bigint", "varint", "decimal", "float", "double"}},
	{Name: "smallint", Go: []Go{{Text: "int16", Codec: "Smallint", Constant: true}},
		Driver: "SmallInt", Java: "ShortType", Literals: []string{"integer"}, Size: 2, Indexed: true, Literal: "0",
		Wider: []string{"int", "bigint", "varint", "decimal", "float", "double"}},
	{Name: "int", Go: []Go{{Text: "int32", Codec: "Int", Constant: true}},
		Driver: "Int", Java: "Int32Type", Literals: []string{"integer"}, Size: 4, Fixed: true, Indexed: true, Literal: "0",
		Wider: []string{"bigint", "varint", "decimal", "double"}},
	{Name: "bigint", Go: []Go{{Text: "int64", Codec: "Bigint", Constant: true}, {Text: "int", Codec: "Bigint", As: "int64", Constant: true}},
		Driver: "BigInt", Java: "LongType", Literals: []string{"integer"}, Size: 8, Fixed: true, Indexed: true, Literal: "0", Wider: []string{"varint", "decimal"}},
	{Name: "counter", Go: []Go{{Text: "int64", Codec: "Bigint"}, {Text: "int", Codec: "Bigint", As: "int64"}}, Explicit: true, ColumnOnly: true, Unordered: true,
		Driver: "Counter", Java: "CounterColumnType", Literals: []string{"integer"}, Size: 8},
	{Name: "varint", Go: []Go{{Text: "*big.Int", Import: "math/big", Codec: "Varint", Stored: notNil}},
		Driver: "Varint", Java: "IntegerType", Literals: []string{"integer"}, Indexed: true, Literal: "0", Wider: []string{"decimal"}},
	{Name: "decimal", Go: []Go{{Text: "*inf.Dec", Import: inf, Codec: "Decimal", Stored: notNil}},
		Driver: "Decimal", Java: "DecimalType", Literals: []string{"integer", "float"}, Indexed: true, Literal: "0"},
	{Name: "float", Go: []Go{{Text: "float32", Codec: "Float"}},
		Driver: "Float", Java: "FloatType", Literals: []string{"integer", "float"}, Size: 4, Fixed: true, Indexed: true, Literal: "0", Wider: []string{"double"}},
	{Name: "double", Go: []Go{{Text: "float64", Codec: "Double"}},
		Driver: "Double", Java: "DoubleType", Literals: []string{"integer", "float"}, Size: 8, Fixed: true, Indexed: true, Literal: "0"},
	{Name: "timestamp", Go: []Go{{Text: "time.Time", Import: "time", Codec: "Timestamp", Stored: "!$x.IsZero()"}},
		Driver: "Timestamp", Java: "TimestampType", Literals: []string{"integer", "string"}, Size: 8, Fixed: true, Indexed: true, Literal: "0"},
	{Name: "date", Go: []Go{{Text: "time.Time", Import: "time", Codec: "Date", Stored: "!$x.IsZero()"}}, Explicit: true,
		Driver: "Date", Java: "SimpleDateType", Literals: []string{"integer", "string"}, Size: 4, Indexed: true, Literal: "'1970-01-01'"},
	{Name: "time", Go: []Go{{Text: "time.Duration", Import: "time", Codec: "Time"}, {Text: "time.Time", Import: "time", Codec: "ClockTime", Foreign: true, Stored: "!$x.IsZero()"}}, Explicit: true,
		Driver: "Time", Java: "TimeType", Literals: []string{"integer", "string"}, Size: 8, Indexed: true, Literal: "'00:00:00'"},
	{Name: "duration", Go: []Go{{Text: "gocql.Duration", Import: Gocql, Codec: "Duration"}}, Unordered: true,
		Driver: "Duration", Java: "DurationType", Literals: []string{"integer", "duration"}, Size: 16},
	{Name: "uuid", Go: []Go{{Text: "gocql.UUID", Import: Gocql, Codec: "UUID", Required: notZero}},
		Driver: "UUID", Java: "UUIDType", Literals: []string{"uuid"}, Size: 16, Fixed: true, Indexed: true, Literal: "00000000-0000-4000-8000-000000000000"},
	{Name: "timeuuid", Go: []Go{{Text: "gocql.UUID", Import: Gocql, Codec: "TimeUUID", Stored: notZero}}, Explicit: true,
		Driver: "TimeUUID", Java: "TimeUUIDType", Literals: []string{"uuid"}, Size: 16, Fixed: true, Indexed: true, Literal: "00000000-0000-1000-8000-000000000000", Wider: []string{"uuid"}},
	{Name: "inet", Go: []Go{{Text: "netip.Addr", Import: "net/netip", Codec: "Addr", Foreign: true, Stored: "$x.IsValid()", Literal: "netip.MustParseAddr(%q)"}, {Text: "net.IP", Import: "net", Codec: "Inet", Stored: notNil, Literal: "net.ParseIP(%q)"}},
		Driver: "Inet", Java: "InetAddressType", Literals: []string{"string"}, Size: 16, Indexed: true, Literal: "'127.0.0.1'"},
}

// converted are the native types of well-known Go types that are converted by their own methods, by the import path and the name of the type.
var converted = map[string]string{
	"net/netip.AddrPort": "text", "net/netip.Prefix": "text", "github.com/shopspring/decimal.Decimal": "decimal",
}

// Converted returns the native type of a well-known Go type that is converted by its own methods, without type=; nil for any other Go type.
func Converted(importPath, name string) *Native {
	n, _ := Lookup(converted[importPath+"."+name])
	return n
}

// constructor is a type with arguments.
type constructor struct {
	args         int // the number of type arguments, without the size of a vector; 0: one or more
	driver, java string
}

var constructors = map[string]constructor{
	"list": {1, "List", "ListType"}, "set": {1, "Set", "SetType"}, "map": {2, "Map", "MapType"}, "tuple": {0, "Tuple", "TupleType"},
	"vector": {1, "Custom", "VectorType"}, "frozen": {1, "", "FrozenType"},
}

// aliases are alternative names of native types.
var aliases = map[string]string{"varchar": "text"}

// reserved are names that the server reserves for future types.
var reserved = []string{"bitstring", "byte", "complex", "empty", "enum", "interval", "macaddr"}

// Natives returns the native types. The caller must not change them.
func Natives() []Native { return natives }

// Lookup returns a native type by its name or by an alias; ok is false if there is none.
func Lookup(name string) (n *Native, ok bool) {
	if of, is := aliases[name]; is {
		name = of
	}
	i := slices.IndexFunc(natives, func(n Native) bool { return n.Name == name })
	if i < 0 {
		return nil, false
	}
	return &natives[i], true
}

// IsNative reports whether a name is the name or an alias of a native type.
func IsNative(name string) bool {
	_, ok := Lookup(name)
	return ok
}

// IsConstructor reports whether a name is the name of a type with arguments: list, set, map, tuple, vector or frozen.
func IsConstructor(name string) bool {
	_, ok := constructors[name]
	return ok
}

// IsReserved reports whether a name, in lower case, is forbidden for a user-defined type: a node that stores such a type cannot start again.
func IsReserved(name string) bool {
	return IsNative(name) || IsConstructor(name) || slices.Contains(reserved, name)
}

// StoredAs returns the native types that a Go type can be stored as, except counter, its default first.
func StoredAs(goType string) (out []*Native) {
	for i := range natives {
		if _, ok := natives[i].Holds(goType); ok && !natives[i].ColumnOnly {
			out = append(out, &natives[i])
		}
	}
	return out
}

// GoType returns a Go type as in the entry of its default native type; ok is false if no native type has it.
func GoType(text string) (g Go, ok bool) {
	for _, n := range StoredAs(text) {
		return n.Holds(text)
	}
	return Go{}, false
}

// Default returns the native type that a Go type is stored as without type=; nil if type= is required.
func Default(goType string) *Native {
	for _, n := range StoredAs(goType) {
		if !n.Explicit {
			return n
		}
	}
	return nil
}

// Holds returns the entry of a Go type of the native type; ok is false if the type does not have it.
func (n *Native) Holds(goType string) (g Go, ok bool) {
	for _, g := range n.Go {
		if g.Text == goType {
			return g, true
		}
	}
	return Go{}, false
}
