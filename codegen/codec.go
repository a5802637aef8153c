package codegen

import (
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
)

// Function is a generated function of the codec: its doc, its signature after "func ", and the lines of its body.
type Function struct {
	Doc       string
	Signature string
	Body      []string
}

// codecs writes the functions that encode and decode structs. Each is written when its name is first requested.
type codecs struct {
	driver  *driver
	imports *imports
	names   *names
	done    map[string]string // the purpose of a function or variable -> its name
	queue   []func() Function
	out     []Function
	infos   []variable
	structs []*model.Struct // those whose fields the functions use
}

// variable is a package-level variable of the generated file.
type variable struct{ Name, Value string }

// flush writes all requested functions, and those that they request.
func (c *codecs) flush() []Function {
	for len(c.queue) > 0 {
		next := c.queue[0]
		c.queue = c.queue[1:]
		c.out = append(c.out, next())
	}
	return c.out
}

// request returns the name of a function. The first call writes the function.
func (c *codecs) request(purpose, name string, of *model.Struct, write func(name string) Function) string {
	if n, ok := c.done[purpose]; ok {
		return n
	}
	n := c.names.function(name, of)
	c.done[purpose] = n
	c.queue = append(c.queue, func() Function { return write(n) })
	return n
}

// structName returns the part of a function's name for a struct.
func (c *codecs) structName(s *model.Struct) string {
	if c.imports.own(s.Path) {
		return camel(s.Name)
	}
	return upperFirst(s.Pkg) + camel(s.Name)
}

// structKey returns a key for a struct and the way in which it is stored: each of the two ways has its own key.
func structKey(o *model.Object) string {
	if o.UDT == "" {
		return "tuple " + o.Struct.Path + "." + o.Struct.Name
	}
	return o.Struct.Path + "." + o.Struct.Name
}

// rowObject returns the attributes of a table's rows in the form of the attributes of a type.
func rowObject(s *model.Struct, attributes []*model.Attribute) *model.Object {
	return &model.Object{Struct: s, UDT: "row", Attributes: attributes}
}

// encodeStruct returns the name of the function that writes the attributes of a struct in order.
func (c *codecs) encodeStruct(o *model.Object, goType string) string {
	c.uses(o.Struct)
	return c.request("encode "+structKey(o), "encode"+c.structName(o.Struct), o.Struct, func(name string) Function {
		f := Function{Signature: name + "(e *gen.Encoder, v *" + goType + ")"}
		for _, a := range o.Attributes {
			f.Body = append(f.Body, c.encodeAttribute(a, o, goType))
		}
		return f
	})
}

// decodeStruct returns the name of the function that reads them.
func (c *codecs) decodeStruct(o *model.Object, goType string) string {
	c.uses(o.Struct)
	return c.request("decode "+structKey(o), "decode"+c.structName(o.Struct), o.Struct, func(name string) Function {
		f := Function{Signature: name + "(d *gen.Decoder, v *" + goType + ")"}
		for _, a := range o.Attributes {
			f.Body = append(f.Body, c.decodeAttribute(a, o))
		}
		f.Body = append(f.Body, c.checkChoices(o)...)
		return f
	})
}

// encode returns the statement that writes the value x to the encoder e.
func (c *codecs) encode(e string, t *model.Type, x string, of *model.Struct) string {
	if s, ok := newShape(t); ok {
		args := []string{e, s.reference + x}
		if t.Qualifier != nil {
			args = append(args, c.qualify(t))
		}
		args = append(args, c.encoders(s, of)...)
		if f := c.formOfElements(t); f != "" && !t.Nullable {
			args = append(args, f)
		}
		return "gen.Encode" + s.encode + "(" + strings.Join(args, ", ") + ")"
	}
	return c.scalar(t).encode(e, x)
}

// decode returns the statement that reads a value into x.
func (c *codecs) decode(t *model.Type, x string, of *model.Struct) string {
	if value, ok := c.decoded(t, of); ok {
		return x + " = " + value
	}
	if s, ok := newShape(t); ok {
		return "gen.Decode" + s.decode + "(d, &" + x + ", " + strings.Join(c.decoders(s, of), ", ") + ")"
	}
	return c.scalar(t).decodeInto("d", x)
}

// decoded returns the expression of a decoded value; ok is false if the decoding function needs a pointer.
func (c *codecs) decoded(t *model.Type, of *model.Struct) (value string, ok bool) {
	s, ok := newShape(t)
	switch {
	case !ok:
		return c.scalar(t).decoded("d")
	case s.reference != "":
		return "", false
	}
	return "gen.Decode" + s.decode + "(" + strings.Join(append([]string{"d"}, c.decoders(s, of)...), ", ") + ")", true
}

// qualify returns the name of the function that writes the qualifiers of an element: its fields as one key.
func (c *codecs) qualify(t *model.Type) string {
	o, goType := t.Elem.Object, c.imports.goType(t.Elem.Go)
	var names string
	for _, a := range t.Qualifier {
		names += a.GoName()
	}
	return c.request("qualify "+structKey(o)+"."+names, "qualify"+c.structName(o.Struct)+"By"+names, o.Struct, func(name string) Function {
		f := Function{Signature: name + "(e *gen.Encoder, v *" + goType + ")"}
		for _, a := range t.Qualifier {
			f.Body = append(f.Body, c.encode("e", a.Type, fieldText(a), o.Struct))
		}
		if len(f.Body) > 1 { // several are a tuple
			f.Body = append([]string{"gen.EncodeStruct(e, v, func(e *gen.Encoder, v *" + goType + ") {"}, append(f.Body, "})")...)
		}
		return f
	})
}

// encoders returns the functions that write the parts of a value.
func (c *codecs) encoders(s shape, of *model.Struct) (out []string) {
	for i, t := range s.parts {
		if s.inner && i == len(s.parts)-1 {
			out = append(out, c.encodeStruct(t.Object, c.imports.goType(t.Go)))
		} else {
			out = append(out, c.encoder(t, of))
		}
	}
	return out
}

// decoders returns the functions that read the parts of a value.
func (c *codecs) decoders(s shape, of *model.Struct) (out []string) {
	for i, t := range s.parts {
		if s.inner && i == len(s.parts)-1 {
			out = append(out, c.decodeStruct(t.Object, c.imports.goType(t.Go)))
		} else {
			out = append(out, c.decoder(t, of))
		}
	}
	return out
}

// encoder returns a function value that writes an element: one of the runtime, or a generated function if Go needs a conversion
// or the element is a collection.
func (c *codecs) encoder(t *model.Type, of *model.Struct) string {
	if _, composite := newShape(t); !composite {
		if f := c.scalar(t).encoder(); f != "" {
			return f
		}
	}
	return c.request("encode element "+c.elementKey(t), "encode"+c.elementName(t), of, func(name string) Function {
		return Function{Signature: name + "(e *gen.Encoder, v " + c.imports.goType(t.Go) + ")", Body: []string{c.encode("e", t, "v", of)}}
	})
}

// key returns an encoder that holds the value v.
func (c *codecs) key(t *model.Type, of *model.Struct) string {
	return "gen.Key(v, " + c.encoder(t, of) + ")"
}

// decoder returns a function value that reads an element.
func (c *codecs) decoder(t *model.Type, of *model.Struct) string {
	if _, composite := newShape(t); !composite {
		if f := c.scalar(t).decoder(); f != "" {
			return f
		}
	}
	return c.request("decode element "+c.elementKey(t), "decode"+c.elementName(t), of, func(name string) Function {
		f := Function{Signature: name + "(d *gen.Decoder) " + c.imports.goType(t.Go)}
		if value, ok := c.decoded(t, of); ok {
			f.Body = []string{"return " + value}
		} else {
			f.Body = []string{"var v " + c.imports.goType(t.Go), c.decode(t, "v", of), "return v"}
		}
		return f
	})
}

// elementKey returns a key for the type of an element, in Go and in CQL.
func (c *codecs) elementKey(t *model.Type) string {
	return c.imports.goType(t.Go) + " as " + t.String()
}

// elementName returns the part of a function's name for the type of an element: []Color => ListOfColor.
func (c *codecs) elementName(t *model.Type) string {
	switch {
	case isStruct(t):
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
	case t.Kind == model.Vector:
		return camel(t.String())
	}
	return upperFirst(c.imports.words(t.Go)) + kindName(t)
}

// kindName returns the part of a name that distinguishes two CQL types of one Go type.
func kindName(t *model.Type) string {
	switch d := cqltype.Default(t.Go.Kind.Native()); {
	case t.Conversion != model.ByKind:
		return camel(t.String())
	case t.Kind == model.Scalar && d != nil && t.CQL != d.Name:
		return upperFirst(t.CQL)
	}
	return ""
}
