package codegen

import (
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// elements adds the methods that add one element to a collection, and that remove one.
func (b *viewer) elements(v *tableView, c *schema.Column) {
	if !c.IsList() {
		b.element(v, c, v.source.Addable(c), adding)
		b.element(v, c, v.source.Removable(c), removing)
		return
	}
	way := v.source.Extendable(c)
	b.element(v, c, way, appending)
	b.element(v, c, way, prepending)
}

// element is a method for one element.
type element struct {
	name  string
	call  string // begins the constant of package gen
	doc   string // adds one element to
	given []*model.Attribute
	key   bool // only the key of an entry is given
}

// appending returns the method that adds an element at the end of a list.
func appending(c *schema.Column) element {
	return element{name: c.AppendMethod(), call: "Append", doc: "adds one element at the end of", given: []*model.Attribute{newParameter("Element", c.Attribute.Type.Elem)}}
}

// prepending returns the method that adds an element at the beginning of a list.
func prepending(c *schema.Column) element {
	e := appending(c)
	e.name, e.call, e.doc = c.PrependMethod(), "Prepend", "adds one element at the beginning of"
	return e
}

// adding returns the method that adds an element to a set, or puts an entry into a map.
func adding(c *schema.Column) element {
	t := c.Attribute.Type
	e := element{name: c.AddMethod(), call: "Add", doc: "adds one element to", given: []*model.Attribute{newParameter("Element", t.Elem)}}
	switch {
	case t.Qualifier != nil:
		e.doc, e.given = "adds or replaces one element of", []*model.Attribute{newParameter("Value", t.Elem)}
	case t.Kind == model.MapType:
		e.doc, e.given = "adds or replaces one entry of", []*model.Attribute{newParameter("Key", t.Key), newParameter("Value", t.Elem)}
	}
	return e
}

// removing returns the method that removes an element from a set, or an entry from a map.
func removing(c *schema.Column) element {
	t := c.Attribute.Type
	e := element{name: c.RemoveMethod(), call: "Remove", doc: "removes one element from", given: []*model.Attribute{newParameter("Element", t.Elem)}}
	switch {
	case t.Qualifier != nil:
		e.given, e.key = t.Qualifier, true
	case t.Kind == model.MapType:
		e.doc, e.given, e.key = "removes one entry from", []*model.Attribute{newParameter("Key", t.Key)}, true
	}
	return e
}

// once reports whether the write is sent once: a repeated one would add the element again.
func (e element) once() bool { return e.call == "Append" || e.call == "Prepend" }

// element adds a method for one element, if there is one.
func (b *viewer) element(v *tableView, c *schema.Column, way schema.Way, of func(*schema.Column) element) {
	if way.No != "" {
		return
	}
	e := of(c)
	s, names := b.given(v, c, e.given)
	s.Name, s.Call, s.What, s.Broken = e.name, "WriteElement", "gen."+e.call+"Element, ", "nil"
	s.Once = e.once()
	s.Doc = e.doc + " " + strings.Join(c.Attribute.Path, ".") + wayDoc(way, e)
	if way.Reads == "" && e.call != "Remove" {
		s.Doc += missingRow(v.source, c)
	}
	if way.Reads != "" {
		s.Call, s.Broken = "ChangeElement", ""
	}
	b.encodeElement(&s, c, e, names, v.source.Aggregate.Struct)
	b.names.distinct(v.source.Aggregate.Struct, v.Type, v.methods(), s.Name)
	v.Sets = append(v.Sets, s)
}

// wayDoc returns the end of the comment of a method for one element.
func wayDoc(way schema.Way, e element) string {
	once := ""
	if e.once() {
		once = "; a repeated call adds it again"
	}
	if way.Reads != "" {
		return ", after a read of the row: " + way.Reads + once
	}
	return ", in one request without a read" + once
}

// encodeElement writes the element after the key. A method that reads the row checks the elements of the row.
func (b *viewer) encodeElement(s *setView, c *schema.Column, e element, names []string, of *model.Struct) {
	t := c.Attribute.Type
	switch {
	case e.key && t.Qualifier != nil:
		s.Encode = []string{"var v " + b.imports.goType(t.Elem.Go)}
		for i, q := range t.Qualifier {
			s.Encode = append(s.Encode, fieldText(q)+" = "+names[i])
		}
		s.Encode = append(s.Encode, b.codecs.encode("k", t, b.collection(t, []string{"v"}), of))
	case e.key:
		s.Encode = []string{"gen.EncodeEntryKey(k, " + names[0] + ", " + b.codecs.encoder(t.Key, of) + ")"}
	case t.Kind != model.MapType && !isStruct(t.Elem) && !constrainedType(t.Elem):
		key, one := s.keyOf, ", "+names[0]+", "+b.codecs.encoder(t.Elem, of)+")"
		s.keyOf = func(table string) string { return "gen.AppendOne(" + key(table) + one }
	default:
		value := b.collection(t, names)
		if s.Broken != "" {
			s.Check = b.codecs.checkValue(t, "v", valuePath{format: c.Attribute.GoName()}, 0)
			s.Broken = broken(s.Check)
		}
		if s.Check != nil {
			s.Encode, value = []string{"v := " + value}, "v"
		}
		s.Encode = append(s.Encode, b.codecs.encode("k", t, value, of))
	}
}

// members adds the methods that set one field of a UDT.
func (b *viewer) members(v *tableView, c *schema.Column) {
	for i, m := range c.Members() {
		if m.Hidden() || v.source.MemberSettable(c, i) != "" {
			continue
		}
		path := append(append([]string(nil), c.Attribute.Path...), m.Path...)
		s, names := b.given(v, c, []*model.Attribute{m})
		s.Name, s.Call, s.Column = c.SetMember(m), "SetMember", s.Column+", "+strconv.Itoa(i)
		s.Doc = "writes only " + strings.Join(path, ".") + ", in one request without a read" + missingRow(v.source, c)
		s.Check = b.codecs.checkAt(m, names[0], valuePath{format: c.Attribute.GoName() + "." + m.GoName()})
		s.Broken = broken(s.Check)
		b.value(&s, m.Type, names[0], v.source.Aggregate.Struct)
		b.names.distinct(v.source.Aggregate.Struct, v.Type, v.methods(), s.Name)
		v.Sets = append(v.Sets, s)
	}
}

// given returns the common part of the methods for parts of a column, and the names of the parameters after the key.
func (b *viewer) given(v *tableView, c *schema.Column, given []*model.Attribute) (s setView, names []string) {
	a := v.source.Aggregate
	key, static := a.Key(), c.Kind == schema.Static && !v.source.Statics
	if static {
		key = a.Identifier
	}
	all := append(append([]*model.Attribute(nil), key...), given...)
	b.imports.goType(c.Attribute.Type.Go) // imports the packages that the body uses, so that no parameter hides them
	names = b.names.parameters(all)
	for i := range names {
		for b.imports.isTaken(names[i]) || b.names.isDeclared(names[i]) {
			names[i] += "_"
		}
	}
	s = setView{Params: b.parameterList(all, names), partition: static, keyOf: keyCall(static, names[:len(key)]), Column: strconv.Quote(c.Name)}
	return s, names[len(key):]
}

// newParameter returns an attribute with the name and the Go type of a parameter.
func newParameter(name string, t *model.Type) *model.Attribute {
	return &model.Attribute{Path: []string{name}, Type: t, Field: &model.Field{Type: t.Go}}
}

// collection returns a collection of one element: of an entry its key and its value are given, of any other element the element.
func (b *viewer) collection(t *model.Type, element []string) string {
	content := strings.Join(element, ": ")
	if t.Kind == model.Set && t.Go.Kind == model.Map {
		content += ": {}"
	}
	return b.imports.goType(t.Go) + "{" + content + "}"
}
