package conceptual

import "strings"

// typeNames has the types of attributes for messages.
const typeNames = "string, text, varchar(n), char, int, integer, smallint, tinyint, bigint, long, float, double, decimal, numeric, money, boolean, date, time, " +
	"datetime, timestamp, uuid, blob, bytes and json"

var sized = pattern(`\(.*\)$`)

// goType returns the Go type of an attribute and its option type=, if it needs one. known is false if there is none.
func goType(name string) (text, option string, known bool) {
	switch strings.ToLower(sized().ReplaceAllString(name, "")) {
	case "string", "text", "varchar", "char", "json":
		return "string", "", true
	case "int", "integer":
		return "int32", "", true
	case "smallint":
		return "int16", "", true
	case "tinyint":
		return "int8", "", true
	case "bigint", "long":
		return "int64", "", true
	case "float":
		return "float32", "", true
	case "double":
		return "float64", "", true
	case "decimal", "numeric", "money":
		return "*inf.Dec", "", true
	case "bool", "boolean":
		return "bool", "", true
	case "date":
		return "time.Time", "date", true
	case "time":
		return "time.Duration", "time", true
	case "datetime", "timestamp":
		return "time.Time", "", true
	case "uuid", "guid":
		return "gocql.UUID", "", true
	case "blob", "bytes", "binary":
		return "[]byte", "", true
	}
	return "", "", false
}
