package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
)

// info asks for the variable that describes a CQL type to MarshalCQL and UnmarshalCQL, as the driver would.
func (c *codecs) info(t *cqltype.Type) string {
	t = t.Unfrozen()
	if n, ok := c.done["info "+t.String()]; ok {
		return n
	}
	n := c.names.function("info"+camel(t.String()), &model.Struct{Name: "type=" + t.String()})
	c.done["info "+t.String()] = n
	c.infos = append(c.infos, variable{n, c.infoValue(t)})
	return n
}

func (c *codecs) infoValue(t *cqltype.Type) string {
	gocql := c.imports.pkg(driver, "gocql")
	switch t = t.Unfrozen(); t.Name {
	case "vector":
		return "gen.CustomInfo(" + strconv.Quote(t.JavaName()) + ")"
	case "list", "set":
		return fmt.Sprintf("%s.CollectionType{NativeType: gen.Info(%s), Elem: %s}", gocql, driverType(gocql, t), c.infoValue(t.Args[0]))
	case "map":
		return fmt.Sprintf("%s.CollectionType{NativeType: gen.Info(%s), Key: %s, Elem: %s}", gocql, driverType(gocql, t), c.infoValue(t.Args[0]), c.infoValue(t.Args[1]))
	case "tuple":
		var members []string
		for _, a := range t.Args {
			members = append(members, c.infoValue(a))
		}
		return fmt.Sprintf("%s.TupleTypeInfo{NativeType: gen.Info(%s), Elems: []%s.TypeInfo{%s}}", gocql, driverType(gocql, t), gocql, strings.Join(members, ", "))
	}
	return "gen.Info(" + driverType(gocql, t) + ")"
}

// driverType returns the driver's constant of a type.
func driverType(gocql string, t *cqltype.Type) string { return gocql + ".Type" + t.DriverType() }
