package diff

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
)

// Conversion is a change of the type of a value. Where the new type has a value for each one of the old type, it is written
// for the user.
type Conversion struct {
	From, To string // types of Go
	What     string // "points_2, of type int, follows from points, of type text"
	Result   string // the expression that converts v; "" where the user has to write the conversion
	imports  []string
}

// goTypes are the types of Go that the driver reads and writes native types as.
var goTypes = map[string]struct{ text, imported string }{
	"ascii": {"string", ""}, "text": {"string", ""}, "boolean": {"bool", ""}, "blob": {"[]byte", ""},
	"tinyint": {"int8", ""}, "smallint": {"int16", ""}, "int": {"int32", ""}, "bigint": {"int64", ""}, "counter": {"int64", ""},
	"float": {"float32", ""}, "double": {"float64", ""}, "varint": {"*big.Int", "math/big"}, "decimal": {"*inf.Dec", "gopkg.in/inf.v0"},
	"timestamp": {"time.Time", "time"}, "date": {"time.Time", "time"}, "time": {"time.Duration", "time"},
	"duration": {"gocql.Duration", driver}, "uuid": {"gocql.UUID", driver}, "timeuuid": {"gocql.UUID", driver}, "inet": {"net.IP", "net"},
}

const driver = "github.com/gocql/gocql"

// conversion returns how a column becomes another of another type, nil where one of the types has no Go type.
func conversion(was, c *schema.Column) *Conversion {
	from, to := goTypes[native(was.Type)], goTypes[native(c.Type)]
	if from.text == "" || to.text == "" {
		return nil
	}
	return &Conversion{
		From: from.text, To: to.text, Result: widened(native(was.Type), native(c.Type)),
		What:    fmt.Sprintf("%s, of type %s, follows from %s, of type %s", c.Name, c.Type, was.Name, was.Type),
		imports: []string{from.imported, to.imported},
	}
}

// wider lists the types that have a value for each one of a type: int => bigint, varint, decimal, double.
var wider = map[string][]string{
	"tinyint":  {"smallint", "int", "bigint", "varint", "decimal", "float", "double"},
	"smallint": {"int", "bigint", "varint", "decimal", "float", "double"},
	"int":      {"bigint", "varint", "decimal", "double"},
	"bigint":   {"varint", "decimal"},
	"varint":   {"decimal"},
	"float":    {"double"},
	"ascii":    {"text"},
	"timeuuid": {"uuid"},
}

// widened returns the expression that makes of v the same value of a wider type, "" where the other type is none.
func widened(from, to string) string {
	switch {
	case !slices.Contains(wider[from], to):
		return ""
	case from == "varint":
		return "inf.NewDecBig(v, 0)"
	case to == "varint":
		return "big.NewInt(int64(v))"
	case to == "decimal":
		return "inf.NewDec(int64(v), 0)"
	case goTypes[from].text == goTypes[to].text:
		return "v"
	}
	return goTypes[to].text + "(v)"
}
