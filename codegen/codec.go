package codegen

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Function is a generated function of the codec: its doc, its signature after "func ", and the lines of its body.
type Function struct {
	Doc       string
	Signature string
	Body      []string
}

// codecs writes the functions that turn structs into bytes and back, each when it is first asked for.
type codecs struct {
	imports *imports
	names   *names
	done    map[string]string // what a function is for -> its name
	queue   []func() Function
	out     []Function
}

// flush writes all functions asked for, and those that they ask for in turn.
func (c *codecs) flush() []Function {
	for len(c.queue) > 0 {
		next := c.queue[0]
		c.queue = c.queue[1:]
		c.out = append(c.out, next())
	}
	return c.out
}

// ask gives the name of a function and has it written once.
func (c *codecs) ask(purpose, name string, of *model.Struct, write func(name string) Function) string {
	if n, ok := c.done[purpose]; ok {
		return n
	}
	n := c.names.function(name, of)
	c.done[purpose] = n
	c.queue = append(c.queue, func() Function { return write(n) })
	return n
}

// structName gives the part of a function's name that stands for a struct.
func (c *codecs) structName(s *model.Struct) string {
	if s.Path == c.imports.self {
		return upperFirst(s.Name)
	}
	return upperFirst(s.Pkg) + s.Name
}

func structKey(s *model.Struct) string { return s.Path + "." + s.Name }

// encodeStruct asks for the function that writes the attributes of a struct in order.
func (c *codecs) encodeStruct(s *model.Struct, attributes []*model.Attribute) string {
	return c.ask("encode "+structKey(s), "encode"+c.structName(s), s, func(name string) Function {
		f := Function{Signature: name + "(e *gen.Encoder, v *" + c.imports.structType(s) + ")"}
		for _, a := range attributes {
			f.Body = append(f.Body, c.encode(a.Type, "v."+strings.Join(a.Path, "."), s))
		}
		return f
	})
}

// decodeStruct asks for the function that reads them.
func (c *codecs) decodeStruct(s *model.Struct, attributes []*model.Attribute) string {
	return c.ask("decode "+structKey(s), "decode"+c.structName(s), s, func(name string) Function {
		f := Function{Signature: name + "(d *gen.Decoder, v *" + c.imports.structType(s) + ")"}
		for _, a := range attributes {
			f.Body = append(f.Body, c.decode(a.Type, "v."+strings.Join(a.Path, "."), s))
		}
		return f
	})
}

// encode gives the statement that writes the value x.
func (c *codecs) encode(t *model.Type, x string, of *model.Struct) string {
	switch {
	case t.Kind == model.Composed && t.Nullable:
		return "gen.EncodeStruct(e, " + x + ", " + c.encodeStruct(t.Object.Struct, t.Object.Attributes) + ")"
	case t.Kind == model.Composed:
		return "gen.EncodeStruct(e, &" + x + ", " + c.encodeStruct(t.Object.Struct, t.Object.Attributes) + ")"
	case t.Kind != model.Scalar:
		return c.encodeCollection(t, x, of)
	case t.Nullable:
		return "gen.EncodeNullable(e, " + x + ", " + c.encoder(notNull(t), of) + ")"
	}
	n := native(t)
	if n.function != "" {
		return "gen.Encode" + n.function + "(e, " + x + ")"
	}
	return "e." + n.method + "(" + n.convert(t.Go, x) + ")"
}

func (c *codecs) encodeCollection(t *model.Type, x string, of *model.Struct) string {
	var verb string
	switch {
	case t.Kind == model.MapType && t.Elem.Kind == model.Composed:
		return "gen.EncodeMapOfStructs(e, " + x + ", " + c.encoder(t.Key, of) + ", " + c.encodeStruct(t.Elem.Object.Struct, t.Elem.Object.Attributes) + ")"
	case t.Kind == model.MapType:
		return "gen.EncodeMap(e, " + x + ", " + c.encoder(t.Key, of) + ", " + c.encoder(t.Elem, of) + ")"
	case t.Kind == model.Set && t.Go.Kind == model.Map:
		return "gen.EncodeSet(e, " + x + ", " + c.encoder(t.Elem, of) + ")"
	case t.Kind == model.Set:
		verb = "Unique"
	}
	if t.Elem.Kind == model.Composed {
		return "gen.Encode" + verb + "Structs(e, " + x + ", " + c.encodeStruct(t.Elem.Object.Struct, t.Elem.Object.Attributes) + ")"
	}
	if verb == "" {
		verb = "List"
	}
	return "gen.Encode" + verb + "(e, " + x + ", " + c.encoder(t.Elem, of) + ")"
}

// decode gives the statement that reads into x.
func (c *codecs) decode(t *model.Type, x string, of *model.Struct) string {
	switch {
	case t.Kind == model.Composed && t.Nullable:
		return x + " = gen.DecodePointer(d, " + c.decodeStruct(t.Object.Struct, t.Object.Attributes) + ")"
	case t.Kind == model.Composed:
		return "gen.DecodeStruct(d, &" + x + ", " + c.decodeStruct(t.Object.Struct, t.Object.Attributes) + ")"
	case t.Kind != model.Scalar:
		return x + " = " + c.decodeCollection(t, of)
	case t.Nullable:
		return x + " = gen.DecodeNullable(d, " + c.decoder(notNull(t), of) + ")"
	}
	return x + " = " + c.decodeScalar(t)
}

func (c *codecs) decodeScalar(t *model.Type) string {
	n := native(t)
	if n.function != "" {
		return "gen.Decode" + n.function + "(d)"
	}
	call := "d." + n.method + "()"
	if n.fits(t.Go) {
		return call
	}
	return c.imports.goType(t.Go) + "(" + call + ")"
}

func (c *codecs) decodeCollection(t *model.Type, of *model.Struct) string {
	switch {
	case t.Kind == model.MapType && t.Elem.Kind == model.Composed:
		return "gen.DecodeMapOfStructs(d, " + c.decoder(t.Key, of) + ", " + c.decodeStruct(t.Elem.Object.Struct, t.Elem.Object.Attributes) + ")"
	case t.Kind == model.MapType:
		return "gen.DecodeMap(d, " + c.decoder(t.Key, of) + ", " + c.decoder(t.Elem, of) + ")"
	case t.Kind == model.Set && t.Go.Kind == model.Map:
		return "gen.DecodeSet(d, " + c.decoder(t.Elem, of) + ")"
	case t.Elem.Kind == model.Composed:
		return "gen.DecodeStructs(d, " + c.decodeStruct(t.Elem.Object.Struct, t.Elem.Object.Attributes) + ")"
	}
	return "gen.DecodeList(d, " + c.decoder(t.Elem, of) + ")"
}

// encoder gives a function value that writes an element: a method of the encoder, or a function of its own where Go
// needs a conversion or the element is a collection.
func (c *codecs) encoder(t *model.Type, of *model.Struct) string {
	if n := native(t); n.fits(t.Go) {
		return "(*gen.Encoder)." + n.method
	} else if n.function != "" {
		return "gen.Encode" + n.function
	}
	return c.ask("encode element "+c.elementKey(t), "encode"+c.elementName(t), of, func(name string) Function {
		return Function{Signature: name + "(e *gen.Encoder, v " + c.imports.goType(t.Go) + ")", Body: []string{c.encode(t, "v", of)}}
	})
}

// decoder gives a function value that reads an element.
func (c *codecs) decoder(t *model.Type, of *model.Struct) string {
	if n := native(t); n.fits(t.Go) {
		return "(*gen.Decoder)." + n.method
	} else if n.function != "" {
		return "gen.Decode" + n.function
	}
	return c.ask("decode element "+c.elementKey(t), "decode"+c.elementName(t), of, func(name string) Function {
		f := Function{Signature: name + "(d *gen.Decoder) " + c.imports.goType(t.Go)}
		switch t.Kind {
		case model.Scalar:
			f.Body = []string{"return " + c.decodeScalar(t)}
		case model.Composed:
			f.Body = []string{"var v " + c.imports.goType(t.Go), c.decode(t, "v", of), "return v"}
		default:
			f.Body = []string{"return " + c.decodeCollection(t, of)}
		}
		return f
	})
}

// elementKey tells the types of elements apart, in Go and in CQL.
func (c *codecs) elementKey(t *model.Type) string {
	return c.imports.goType(t.Go) + " as " + t.String()
}

// elementName gives the part of a function's name that stands for the type of an element: []Color => ListOfColor.
func (c *codecs) elementName(t *model.Type) string {
	switch {
	case t.Kind == model.Composed:
		return c.structName(t.Object.Struct) + "Value"
	case t.Go.Named != nil && t.Go.Named.Path != "":
		return upperFirst(c.imports.words(t.Go)) + kindName(t)
	case t.Kind == model.List:
		return "ListOf" + c.elementName(t.Elem)
	case t.Kind == model.Set && t.Go.Kind == model.Map:
		return "SetOf" + c.elementName(t.Elem)
	case t.Kind == model.Set:
		return "UniqueOf" + c.elementName(t.Elem)
	case t.Kind == model.MapType:
		return "MapOf" + c.elementName(t.Key) + "To" + c.elementName(t.Elem)
	}
	return upperFirst(c.imports.words(t.Go)) + kindName(t)
}

// kindName tells two CQL types of one Go type apart.
func kindName(t *model.Type) string {
	if d := defaultCQL(t.Go.Kind); t.Kind == model.Scalar && d != "" && t.CQL != d {
		return upperFirst(t.CQL)
	}
	return ""
}

func notNull(t *model.Type) *model.Type {
	o := *t
	o.Nullable = false
	return &o
}
