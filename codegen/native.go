package codegen

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// nativeCodec says how the runtime writes and reads a scalar.
type nativeCodec struct {
	method   string // of Encoder and Decoder
	base     string // the Go type that the method takes; "" where Go assigns without a conversion
	function string // of package gen, after Encode and Decode, where no method serves
}

// fits says whether a method takes a Go type without a conversion.
func (n nativeCodec) fits(g *model.GoType) bool {
	return n.method != "" && (n.base == "" || g.Named == nil && g.Text == n.base)
}

func native(t *model.Type) nativeCodec {
	if t.Kind != model.Scalar {
		return nativeCodec{}
	}
	switch t.Go.Kind {
	case model.String:
		return nativeCodec{method: upperFirst(t.CQL), base: "string"}
	case model.Time:
		return nativeCodec{method: map[string]string{"timestamp": "Timestamp", "date": "Date", "time": "ClockTime"}[t.CQL]}
	case model.UUID:
		if t.CQL == "timeuuid" {
			return nativeCodec{function: "TimeUUID"}
		}
	case model.Bytes:
		return nativeCodec{method: "Blob", base: "[]byte"}
	}
	return nativeCodecs[t.Go.Kind]
}

var nativeCodecs = map[model.GoKind]nativeCodec{
	model.Bool:        {method: "Boolean", base: "bool"},
	model.Int8:        {method: "Tinyint", base: "int8"},
	model.Int16:       {method: "Smallint", base: "int16"},
	model.Int32:       {method: "Int", base: "int32"},
	model.Int64:       {method: "Bigint", base: "int64"},
	model.Int:         {method: "Bigint", base: "int64"},
	model.Float32:     {method: "Float", base: "float32"},
	model.Float64:     {method: "Double", base: "float64"},
	model.GoDuration:  {method: "Time"},
	model.UUID:        {function: "UUID"},
	model.CQLDuration: {function: "Duration"},
	model.IP:          {method: "Inet"},
	model.Addr:        {method: "Addr"},
	model.BigInt:      {method: "Varint"},
	model.InfDec:      {method: "Decimal"},
}

// defaultCQL gives the CQL type that a Go kind has without type=; "" where there is no choice.
func defaultCQL(k model.GoKind) string {
	return map[model.GoKind]string{model.String: "text", model.Time: "timestamp", model.UUID: "uuid"}[k]
}

// convert writes x as what the method takes.
func (n nativeCodec) convert(g *model.GoType, x string) string {
	if n.base == "" || n.fits(g) {
		return x
	}
	return n.base + "(" + x + ")"
}

// words writes a type without the marks that a Go name cannot have, and imports nothing: *big.Int => bigInt, geo.Unit =>
// geoUnit, a type of the package itself by its name alone.
func (i *imports) words(g *model.GoType) string {
	text := spell(g, func(path, pkg, name string) string {
		if path == i.self {
			pkg = ""
		}
		return pkg + name
	})
	return strings.NewReplacer("*", "", "[]", "SliceOf", "[", "", "]", "").Replace(text)
}
