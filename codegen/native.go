package codegen

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
)

// scalarCodec describes how a value without parts is written and read.
type scalarCodec struct {
	method   string // the method of Encoder and Decoder
	base     string // the Go type that the method accepts; "" if Go assigns without a conversion
	goType   string // the type of the value if it differs from base; "" for base itself
	function string // the suffix of Encode and Decode in the package of the driver, if there is no method
	adapter  string // the package of the driver
	own      string // the same, if the value's own methods convert it
	argument string // own: the argument of the functions after the value
	form     string // own: the next argument of the function that writes
	slice    bool   // the method accepts a slice of an array
}

// scalar returns how a scalar is written and read.
func (c *codecs) scalar(t *model.Type) scalarCodec {
	if t.Conversion != model.ByKind {
		return c.ownCodec(t)
	}
	if t.Kind == model.Vector {
		return scalarCodec{method: "Floats", slice: true}
	}
	n := native(t)
	n.adapter = c.driver.Adapter
	if n.base != "" && (t.Go.Named != nil || t.Go.Text != n.base) {
		n.goType = c.imports.goType(t.Go)
	}
	return n
}

// ownCodec returns how a value is converted by its own methods.
func (c *codecs) ownCodec(t *model.Type) scalarCodec {
	switch t.Conversion {
	case model.ByText:
		return scalarCodec{own: "Text", argument: "(*gen.Encoder)." + upperFirst(t.CQL)}
	case model.BySQL:
		return scalarCodec{own: "SQL", argument: strconv.Quote(t.CQL)}
	}
	own, order := "CQL", ""
	if t.Kind == model.Declared {
		switch name := t.Spelled.Unfrozen().Name; name {
		case "set", "map": // its order matters to the runtime
			own += upperFirst(name)
			if f := c.formOfElements(t); f != "" {
				order = ", " + f
			}
		}
		return scalarCodec{own: own, argument: c.info(t.Spelled), form: order}
	}
	return scalarCodec{own: own, argument: c.info(&cqltype.Type{Name: t.CQL})}
}

// encode returns the statement that writes x to the encoder e.
func (n scalarCodec) encode(e, x string) string {
	switch {
	case n.own != "":
		return "gen.Encode" + n.own + "(" + e + ", &" + x + ", " + n.argument + n.form + ")"
	case n.function != "":
		return n.adapter + ".Encode" + n.function + "(" + e + ", " + x + ")"
	case n.slice:
		x += "[:]"
	case n.goType != "":
		x = n.base + "(" + x + ")"
	}
	return e + "." + n.method + "(" + x + ")"
}

// decoded returns the expression that reads a value from the decoder d; ok is false if decodeInto must be used.
func (n scalarCodec) decoded(d string) (value string, ok bool) {
	switch {
	case n.own != "" || n.slice:
		return "", false
	case n.function != "":
		return n.adapter + ".Decode" + n.function + "(" + d + ")", true
	case n.goType != "":
		return n.goType + "(" + d + "." + n.method + "())", true
	}
	return d + "." + n.method + "()", true
}

// decodeInto returns the statement that reads into x, if the decoding function needs a pointer to the value or a slice of it.
func (n scalarCodec) decodeInto(d, x string) string {
	switch n.own {
	case "":
		return d + "." + n.method + "(" + x + "[:])"
	case "Text":
		return "gen.DecodeText(" + d + ", &" + x + ")"
	case "SQL":
		return "gen.DecodeSQL(" + d + ", &" + x + ", " + n.argument + ")"
	}
	return "gen.DecodeCQL(" + d + ", &" + x + ", " + n.argument + ")" // also of a set and of a map
}

// encoder returns the function of the runtime that accepts the value without a conversion; "" for none.
func (n scalarCodec) encoder() string { return n.value(n.adapter+".Encode", "(*gen.Encoder).") }

// decoder returns the function of the runtime that returns the value without a conversion; "" for none.
func (n scalarCodec) decoder() string { return n.value(n.adapter+".Decode", "(*gen.Decoder).") }

func (n scalarCodec) value(function, method string) string {
	switch {
	case n.function != "":
		return function + n.function
	case n.own != "" || n.slice || n.goType != "":
		return ""
	}
	return method + n.method
}

// native returns how a value of a Go type is converted, independent of its CQL type. The functions of the package of the driver convert
// its types, which the codec of the runtime does not support.
func native(t *model.Type) scalarCodec {
	g, _ := t.Native()
	switch {
	case t.Go.Kind == model.UUID && (t.Go.Named == nil || t.Go.Named.Path != gocqlPath):
		return scalarCodec{method: g.Codec, base: "[16]byte"}
	case g.Import == gocqlPath:
		return scalarCodec{function: g.Codec}
	case g.Import != "":
		return scalarCodec{method: g.Codec}
	}
	return scalarCodec{method: g.Codec, base: cmp.Or(g.As, g.Text)}
}

// words returns the name of a type as a part of a Go name, and imports nothing: *big.Int => bigInt, geo.Unit => geoUnit, and
// for a type of the package itself only its name.
func (i *imports) words(g *model.GoType) string {
	text := spell(g, func(path, pkg, name string) string {
		if i.own(path) {
			pkg = ""
		}
		return pkg + name
	})
	return strings.NewReplacer("*", "", "[]", "SliceOf", "[", "", "]", "", ",", "", " ", "").Replace(text)
}

// info returns the variable that describes a CQL type to MarshalCQL and UnmarshalCQL, as the driver does.
func (c *codecs) info(t *cqltype.Type) string {
	t = t.Unfrozen()
	if n, ok := c.done["info "+t.String()]; ok {
		return n
	}
	n := c.names.function("info"+camel(t.String()), &model.Struct{Name: "type=" + t.String()})
	c.done["info "+t.String()] = n
	c.infos = append(c.infos, variable{n, c.newInfo(t)})
	return n
}

// newInfo returns the driver's description of a type. Apache's driver makes it from the text of the type.
func (c *codecs) newInfo(t *cqltype.Type) string {
	if c.driver.path == apachePath {
		return "apachedriver.Info(" + strconv.Quote(t.String()) + ")"
	}
	return c.imports.pkg(gocqlPath, "gocql") + ".TypeInfo(" + c.infoValue(t) + ")"
}

func (c *codecs) infoValue(t *cqltype.Type) string {
	gocql := c.imports.pkg(gocqlPath, "gocql")
	switch t = t.Unfrozen(); t.Name {
	case "vector":
		return "gocqldriver.CustomInfo(" + strconv.Quote(t.JavaName()) + ")"
	case "list", "set":
		return fmt.Sprintf("%s.CollectionType{NativeType: gocqldriver.NativeInfo(%s), Elem: %s}", gocql, driverType(gocql, t), c.infoValue(t.Args[0]))
	case "map":
		return fmt.Sprintf("%s.CollectionType{NativeType: gocqldriver.NativeInfo(%s), Key: %s, Elem: %s}", gocql, driverType(gocql, t), c.infoValue(t.Args[0]), c.infoValue(t.Args[1]))
	case "tuple":
		var members []string
		for _, a := range t.Args {
			members = append(members, c.infoValue(a))
		}
		return fmt.Sprintf("%s.TupleTypeInfo{NativeType: gocqldriver.NativeInfo(%s), Elems: []%s.TypeInfo{%s}}", gocql, driverType(gocql, t), gocql, strings.Join(members, ", "))
	}
	return "gocqldriver.Info(" + driverType(gocql, t) + ")"
}

// driverType returns the driver's constant of a type.
func driverType(gocql string, t *cqltype.Type) string { return gocql + ".Type" + t.DriverType() }
