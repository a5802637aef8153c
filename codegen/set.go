package codegen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Key returns the call that encodes the key, and without Encode also the value, in a method of the table.
func (s setView) Key() string { return s.keyOf("t") }

// BatchKey returns the same in a method of a batch.
func (s setView) BatchKey() string { return s.keyOf("t.table") }

// Comment returns the comment of the method.
func (s setView) Comment() string { return doc("%s %s.", s.Name, s.Doc) }

// sets adds the Set methods of a root: one for every field that can be written without reading the row. After them it adds the
// methods for the fields of UDTs, and for the elements of sets, maps and lists.
func (b *viewer) sets(v *tableView) {
	if !v.Root() || v.Versioned != nil {
		return
	}
	for _, c := range v.source.Ordered() {
		if v.source.Settable(c) == "" {
			v.Sets = append(v.Sets, b.set(v, c))
		}
	}
	for _, c := range v.source.Ordered() {
		b.members(v, c)
		if c.HasElements() {
			b.elements(v, c)
		}
	}
}

func (b *viewer) set(v *tableView, c *schema.Column) setView {
	a, at := v.source.Aggregate, c.Attribute
	key, static, doc := a.Key(), c.Kind == schema.Static, "writes only "+strings.Join(at.Path, ".")+", in one request without a read"
	if static {
		key, doc = a.Identifier, doc+"; every row of the partition has it"
	}
	doc += missingRow(v.source, c)
	all := append(append([]*model.Attribute(nil), key...), at)
	b.imports.goType(at.Field.Type) // imports the packages that the body uses, so that no parameter hides them
	names := b.names.parameters(all)
	for i := range names {
		if b.imports.isTaken(names[i]) {
			names[i] += "_"
		}
	}
	value := names[len(names)-1]
	s := setView{Name: "Set" + at.GoName(), Doc: doc, Params: b.parameterList(all, names), partition: static, keyOf: keyCall(static, names[:len(key)]),
		Check: b.codecs.checkAttribute(at, value), Call: "SetColumn", Column: strconv.Quote(c.Name)}
	s.Broken = broken(s.Check)
	b.value(&s, at.Type, value, a.Struct)
	b.names.distinct(a.Struct, v.Type, ownMethods, s.Name)
	return s
}

// missingRow returns the end of the comment of a method that writes a column without a read: its effect if there is no row. It is "" if
// the method writes a value of a partition, or if no other field is required.
func missingRow(t *schema.Table, c *schema.Column) string {
	if c.Kind == schema.Static && !t.Statics {
		return ""
	}
	for _, other := range t.Ordered() {
		if at := other.Attribute; other != c && at != nil && at.Mandatory && !other.InKey() && (other.Kind != schema.Static || t.Statics) {
			return "; if there is no row with this key, it makes one without its required fields"
		}
	}
	return ""
}

// value adds the value of a method's parameter: to the call that encodes the key, if one function of the runtime writes it.
func (b *viewer) value(s *setView, t *model.Type, value string, of *model.Struct) {
	if then, f := b.suffix(t, of); f != "" {
		key := s.keyOf
		s.keyOf = func(table string) string { return "gen." + then + "(" + key(table) + ", " + value + ", " + f + ")" }
		return
	}
	s.Encode = []string{b.codecs.encode("k", t, value, of)}
}

// suffix returns the function of package gen that writes a value after a key, and the function that writes the value, or each of
// its elements, or "".
func (b *viewer) suffix(t *model.Type, of *model.Struct) (then, f string) {
	s, composite := newShape(t)
	switch {
	case !composite:
		return "AppendValue", b.codecs.scalar(t).encoder()
	case s.inner || b.codecs.formOfElements(t) != "" || s.encode != "List" && s.encode != "Unique":
		return "", ""
	}
	return "Append" + s.encode, b.codecs.encoder(t.Elem, of)
}

// broken returns the argument with the errors of a value.
func broken(check []string) string {
	if check == nil {
		return "nil"
	}
	return "f"
}

// PartitionMethod reports whether a method encodes only the partition key.
func (v *tableView) PartitionMethod() bool {
	return slices.ContainsFunc(v.Sets, func(s setView) bool { return s.partition })
}

// keyCall returns the call that encodes a key, by a method of a table.
func keyCall(static bool, names []string) func(table string) string {
	method := "key"
	if static {
		method = "partition"
	}
	return func(table string) string { return table + "." + method + "(" + strings.Join(names, ", ") + ")" }
}
