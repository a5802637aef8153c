package model

import (
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/internal/lex"
)

// nearestField suggests the attribute that was probably meant: by the name of its column, or by a similar Go name.
func nearestField(name string, in []*Attribute) string {
	var names []string
	for _, a := range in {
		if a.Name == name && name != "" { // the name of the column, not of the field
			return ", did you mean " + a.GoName() + "?"
		}
		names = append(names, a.GoName())
	}
	best := Nearest(name, names)
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}

// Nearest returns the name that was probably meant by one that does not exist, in any case; "" for none.
func Nearest(name string, in []string) string {
	best, distance := "", suggestionDistance(name)
	for _, n := range in {
		if d := lex.EditDistance(strings.ToLower(name), strings.ToLower(n)); d < distance {
			best, distance = n, d
		}
	}
	return best
}

// nearestMethod suggests the method that was probably meant.
func nearestMethod(name string, of *Struct) string {
	var methods []*Attribute
	for _, m := range of.Methods {
		methods = append(methods, &Attribute{Path: []string{m.Name + "()"}})
	}
	return nearestField(name, methods)
}

// nativeGoType returns the Go type to use for a native CQL type; "" for none.
func nativeGoType(native string) string {
	if n, ok := cqltype.Lookup(native); ok && !n.ColumnOnly {
		return n.Go[0].Text
	}
	return ""
}

// libraryPointer returns the pointer to a library type that has a CQL type only as a pointer, such as *inf.Dec; "" for any other type.
func libraryPointer(g *GoType) string {
	if g.Named == nil {
		return ""
	}
	pointer := "*" + g.Named.Pkg + "." + g.Named.Name
	for _, n := range cqltype.Natives() {
		if h, ok := n.Holds(pointer); ok && h.Import == g.Named.Path {
			return "*" + g.Text
		}
	}
	return ""
}

// cTypes are the Go types of the numbers and strings of C.
var cTypes = map[string]string{
	"C.char": "int8", "C.schar": "int8", "C.uchar": "int16", "C.short": "int16", "C.ushort": "int32", "C.int": "int32", "C.uint": "int64",
	"C.long": "int64", "C.longlong": "int64", "C.ulong": "int64", "C.ulonglong": "int64", "C.size_t": "int64", "C.float": "float32",
	"C.double": "float64", "C.int8_t": "int8", "C.int16_t": "int16", "C.int32_t": "int32", "C.int64_t": "int64", "C.uint8_t": "int16",
	"C.uint16_t": "int32", "C.uint32_t": "int64", "C.uint64_t": "int64", "C.bool": "bool",
	"*C.char": "string",
}

// replacement returns the suggested replacement of a Go type that has no CQL type.
func replacement(g *GoType) string {
	const out = "omit the field with aml:\"-\""
	switch g.Kind {
	case Uint8:
		return "use []byte for bytes, or int16 for a number"
	case Uint16:
		return "use int32: CQL has no unsigned integers"
	case Uint32:
		return "use int64: CQL has no unsigned integers"
	case Uint64:
		return "use int64, or *big.Int for larger values: CQL has no unsigned integers"
	case Complex:
		return "use two float64 fields, or a composition of them"
	case Interface:
		return "use the type of its values, an xor= group of pointers for values of several types, or []byte and your own encoding"
	case NoData:
		return out + ": it holds no data"
	case CType:
		if use := cTypes[g.Text]; use != "" {
			return "use " + use + ", and convert it where you call C"
		}
		return "use a Go type, and convert it where you call C"
	}
	if strings.HasPrefix(g.Text, "struct{") {
		return "declare a type for the struct, and add composition"
	}
	return "use a type from the table in the documentation of package aml, add MarshalCQL and type=, or " + out
}

// typeWordsMeant are words for types in other languages and databases.
var typeWordsMeant = map[string]string{
	"string": "text", "str": "text", "char": "text", "nvarchar": "text", "character": "text", "clob": "text", "json": "text",
	"integer": "int", "int32": "int", "int4": "int", "long": "bigint", "int64": "bigint", "int8": "bigint", "bigserial": "bigint", "serial": "int",
	"short": "smallint", "int16": "smallint", "bool": "boolean", "datetime": "timestamp", "timestamptz": "timestamp", "real": "float",
	"float32": "float", "float64": "double", "bytes": "blob", "bytea": "blob", "binary": "blob", "varbinary": "blob", "numeric": "decimal",
	"number": "decimal", "guid": "uuid", "interval": "duration", "ip": "inet",
}

// meantType returns the CQL type to write instead of a text that names no type.
func meantType(text string) string {
	word := strings.ToLower(text)
	bare, _, long := strings.Cut(word, "(")
	if t, err := parseSpelled(bare); long && err == nil {
		return "write type=" + t.String() + ": a CQL type has no length"
	}
	for _, w := range strings.FieldsFunc(bare, func(r rune) bool { return !isWord(r) }) {
		if cqltype.IsNative(w) || cqltype.IsConstructor(w) {
			continue
		}
		if meant := nearestType(w); meant != "" {
			return "write type=" + strings.Replace(bare, w, meant, 1)
		}
	}
	return "write a CQL type, such as type=ascii or type=map<text, int>"
}

// nearestType returns the native type that was probably meant; "" for none.
func nearestType(word string) string {
	if meant := typeWordsMeant[word]; meant != "" {
		return meant
	}
	best, distance := "", suggestionDistance(word)
	for _, n := range cqltype.Natives() {
		if d := lex.EditDistance(word, n.Name); !n.ColumnOnly && (d < distance || d == distance && best != "" && n.Name < best) {
			best, distance = n.Name, d
		}
	}
	return best
}
