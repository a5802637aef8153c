package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// info asks for the variable that describes a CQL type to MarshalCQL and UnmarshalCQL, as the driver would.
func (c *codecs) info(t *model.CQLType) string {
	t = thawed(t)
	if n, ok := c.done["info "+t.String()]; ok {
		return n
	}
	n := c.names.function("info"+camel(t.String()), &model.Struct{Name: "type=" + t.String()})
	c.done["info "+t.String()] = n
	c.infos = append(c.infos, variable{n, c.infoValue(t)})
	return n
}

func (c *codecs) infoValue(t *model.CQLType) string {
	driver := c.imports.pkg("github.com/gocql/gocql", "gocql")
	switch t = thawed(t); t.Name {
	case "vector":
		return "gen.CustomInfo(" + strconv.Quote(javaName(t)) + ")"
	case "list", "set":
		return fmt.Sprintf("%s.CollectionType{NativeType: gen.Info(%s), Elem: %s}", driver, driverType(driver, t), c.infoValue(t.Args[0]))
	case "map":
		return fmt.Sprintf("%s.CollectionType{NativeType: gen.Info(%s), Key: %s, Elem: %s}", driver, driverType(driver, t), c.infoValue(t.Args[0]), c.infoValue(t.Args[1]))
	case "tuple":
		var members []string
		for _, a := range t.Args {
			members = append(members, c.infoValue(a))
		}
		return fmt.Sprintf("%s.TupleTypeInfo{NativeType: gen.Info(%s), Elems: []%s.TypeInfo{%s}}", driver, driverType(driver, t), driver, strings.Join(members, ", "))
	}
	return "gen.Info(" + driverType(driver, t) + ")"
}

// thawed returns what is inside frozen<>, which the driver does not tell from a type that is not frozen.
func thawed(t *model.CQLType) *model.CQLType {
	for t.Name == "frozen" {
		t = t.Args[0]
	}
	return t
}

// driverType returns the driver's constant of a type.
func driverType(driver string, t *model.CQLType) string {
	return driver + ".Type" + cqlTypes[t.Name].driver
}

// cqlTypes are the names that the driver and the server's own code have for CQL's types.
var cqlTypes = map[string]struct{ driver, java string }{
	"ascii": {"Ascii", "AsciiType"}, "bigint": {"BigInt", "LongType"}, "blob": {"Blob", "BytesType"}, "boolean": {"Boolean", "BooleanType"},
	"date": {"Date", "SimpleDateType"}, "decimal": {"Decimal", "DecimalType"}, "double": {"Double", "DoubleType"}, "duration": {"Duration", "DurationType"},
	"float": {"Float", "FloatType"}, "inet": {"Inet", "InetAddressType"}, "int": {"Int", "Int32Type"}, "smallint": {"SmallInt", "ShortType"},
	"text": {"Varchar", "UTF8Type"}, "time": {"Time", "TimeType"}, "timestamp": {"Timestamp", "TimestampType"}, "timeuuid": {"TimeUUID", "TimeUUIDType"},
	"tinyint": {"TinyInt", "ByteType"}, "uuid": {"UUID", "UUIDType"}, "varint": {"Varint", "IntegerType"},
	"list": {"List", "ListType"}, "set": {"Set", "SetType"}, "map": {"Map", "MapType"}, "tuple": {"Tuple", "TupleType"}, "vector": {"Custom", "VectorType"},
}

// javaName writes a type as the server does where its protocol has no number for it.
func javaName(t *model.CQLType) string {
	const java = "org.apache.cassandra.db.marshal."
	if t.Name == "frozen" {
		return java + "FrozenType(" + javaName(t.Args[0]) + ")"
	}
	var args []string
	for _, a := range t.Args {
		args = append(args, javaName(a))
	}
	name := java + cqlTypes[t.Name].java
	switch {
	case t.Name == "vector":
		return fmt.Sprintf("%s(%s , %d)", name, args[0], t.Size)
	case args != nil:
		return name + "(" + strings.Join(args, ",") + ")"
	}
	return name
}
