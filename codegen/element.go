package codegen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// elements adds the methods that add one element to a set or a map, and that remove one, without reading the row.
func (b *viewer) elements(v *tableView, c *schema.Column) {
	if v.source.Addable(c) == "" {
		v.Sets = append(v.Sets, b.adding(v, c))
	}
	if v.source.Removable(c) == "" {
		v.Sets = append(v.Sets, b.removing(v, c))
	}
}

// adding returns the method that adds an element to a set, or puts an entry into a map.
func (b *viewer) adding(v *tableView, c *schema.Column) setView {
	at, t := c.Attribute, c.Attribute.Type
	doc, given := "adds one element to ", []*model.Attribute{parameterOf("Element", t.Elem)}
	switch {
	case t.Qualifier != nil:
		doc, given = "adds or replaces one element of ", []*model.Attribute{parameterOf("Value", t.Elem)}
	case t.Kind == model.MapType:
		doc, given = "adds or replaces one entry of ", []*model.Attribute{parameterOf("Key", t.Key), parameterOf("Value", t.Elem)}
	}
	s, names := b.element(v, c, doc, given)
	s.Name, s.Call = c.AddMethod(), "AddElement"
	value := b.collection(t, names)
	if s.Check = b.codecs.checkValue(t, "v", valuePath{format: at.GoName()}, 0); s.Check != nil {
		s.Encode, value = []string{"v := " + value}, "v"
	}
	s.Encode, s.Broken = append(s.Encode, b.codecs.encode("k", t, value, v.source.Aggregate.Struct)), broken(s.Check)
	b.names.distinct(v.source.Aggregate.Struct, v.Type, v.methods(), s.Name)
	return s
}

// removing returns the method that removes an element from a set, or an entry from a map.
func (b *viewer) removing(v *tableView, c *schema.Column) setView {
	t, of := c.Attribute.Type, v.source.Aggregate.Struct
	doc, given := "removes one element from ", []*model.Attribute{parameterOf("Element", t.Elem)}
	switch {
	case t.Qualifier != nil:
		given = t.Qualifier
	case t.Kind == model.MapType:
		doc, given = "removes one entry from ", []*model.Attribute{parameterOf("Key", t.Key)}
	}
	s, names := b.element(v, c, doc, given)
	s.Name, s.Call = c.RemoveMethod(), "RemoveElement"
	switch {
	case t.Qualifier != nil:
		s.Encode = []string{"var v " + b.imports.goType(t.Elem.Go)}
		for i, q := range t.Qualifier {
			s.Encode = append(s.Encode, fieldOf(q)+" = "+names[i])
		}
		s.Encode = append(s.Encode, b.codecs.encode("k", t, b.collection(t, []string{"v"}), of))
	case t.Kind == model.MapType:
		s.Encode = []string{"gen.EncodeEntryKey(k, " + names[0] + ", " + b.codecs.encoder(t.Key, of) + ")"}
	default:
		s.Encode = []string{b.codecs.encode("k", t, b.collection(t, names), of)}
	}
	b.names.distinct(of, v.Type, v.methods(), s.Name)
	return s
}

// element returns what the methods of a column's elements have in common, and the names of the parameters after the key.
func (b *viewer) element(v *tableView, c *schema.Column, doc string, given []*model.Attribute) (s setView, names []string) {
	key := v.source.Aggregate.Key()
	all := slices.Concat(key, given)
	b.imports.goType(c.Attribute.Type.Go) // imports the packages that the body uses, so that no parameter hides them
	names = b.names.parameters(all)
	for i := range names {
		for b.imports.taken(names[i]) || b.names.isDeclared(names[i]) {
			names[i] += "_"
		}
	}
	doc += strings.Join(c.Attribute.Path, ".") + ", in one request without a read"
	s = setView{Doc: doc, Params: b.parameterList(all, names), keyOf: b.keyCall(v, false, names[:len(key)]), Column: strconv.Quote(c.Name)}
	return s, names[len(key):]
}

// parameterOf returns an attribute with the name and the Go type of a parameter.
func parameterOf(name string, t *model.Type) *model.Attribute {
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
