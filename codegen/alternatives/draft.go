package alternatives

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/alternatives/gosource"
	"github.com/cassaml/cassaml/codegen/internal/article"
)

// draft is a package that is edited to have one design.
type draft struct {
	*Relationship
	*gosource.Package
	versioned bool
}

// begin removes the form that the relationship has in the model, and everything that exists only for it.
func (d *draft) begin() {
	for of, field := range d.fields {
		d.RemoveField(of, field)
	}
	for _, f := range d.copies {
		d.RemoveField(d.Element.Struct, f.Name)
	}
	for _, name := range d.removed {
		d.Remove(name)
	}
	for _, s := range d.sides() {
		if s.Version != "" && !d.keepsVersion(s) {
			d.RemoveField(s.Struct, s.Version)
		}
		if s.tag.Has("large") { // it is refused for the designs that write one partition
			t := s.tag
			t.Options = slices.DeleteFunc(slices.Clone(t.Options), func(o model.Option) bool { return o.Key == "large" })
			d.SetMarker(s.Struct, "Aggregate", t.String())
		}
	}
}

func (d *draft) sides() []*Side { return []*Side{d.Root, d.Element} }

// asRoot makes a side the root of an aggregate, with its own table.
func (d *draft) asRoot(s *Side) {
	if !s.Aggregate {
		d.SetMarker(s.Struct, "Aggregate", model.Tag{Name: tableName(s.Table)}.String())
		d.describe(s, "a root")
		for _, k := range s.Key {
			d.SetTag(s.Struct, k.Name, k.tag(keyOptions("identifier")))
		}
	}
	d.version(s)
}

// version adds the version of a root.
func (d *draft) version(s *Side) {
	if d.keepsVersion(s) && s.Version == "" {
		d.addVersion(s)
	}
}

func (d *draft) addVersion(s *Side) {
	d.AddField(s.Struct, field("Version", "int64", "version,version"))
}

// leaveVersion removes the version of an element that is not a root. Its root has one if the element needs it.
func (d *draft) leaveVersion() {
	if d.Element.Aggregate && d.Element.Version != "" && d.keepsVersion(d.Element) {
		d.RemoveField(d.Element.Struct, d.Element.Version)
	}
	if d.versionedRoot() && !d.keepsVersion(d.Root) {
		d.addVersion(d.Root)
	}
}

// asElement makes the element a value of the root. With unique its key is different in all roots.
func (d *draft) asElement(unique bool) {
	e := d.Element
	options := []string{}
	if e.Aggregate {
		d.describe(e, "an element of "+d.Root.Struct)
	}
	switch {
	case unique:
		d.SetMarker(e.Struct, "Entity", e.valueTag())
		options = []string{"identifier", "unique"}
	case e.Aggregate:
		d.SetMarker(e.Struct, "ValueObject", e.valueTag())
	case e.entity():
		options = []string{"identifier"}
	}
	d.leaveVersion()
	for _, k := range e.Key {
		d.SetTag(e.Struct, k.Name, k.tag(options, k.required()...))
	}
}

// valueTag returns the tag of the marker of a side that is a value.
func (s *Side) valueTag() string { return model.Tag{Name: s.Type}.String() }

// entity reports whether the side is an entity of the other side.
func (s *Side) entity() bool {
	return !s.Aggregate && slices.ContainsFunc(s.Key, func(k Field) bool { return k.attribute.Tag.Has("identifier") })
}

// keyOptions returns the options of a key of a table.
func keyOptions(place string) []string { return []string{place} }

// required returns the option of a field whose empty value cannot be in the partition key of a table.
func (f *Field) required() []string {
	if f.Text {
		return []string{"required"}
	}
	return nil
}

// placing are the options of a field that depend on the place of its struct.
var placing = []string{"identifier", "discriminator", "asc", "desc", "unique", "required", "index", "static", "final", "from", "was", "copy"}

// referring are the options of a field that refers to another root.
var referring = []string{"association", "checked", "ondelete", "rows"}

// tag returns the tag of a key field with other options for its place.
func (f *Field) tag(options []string, more ...string) string {
	t := model.Tag{Name: f.Column}
	for _, o := range slices.Concat(options, more) {
		t.Options = append(t.Options, model.Option{Key: o})
	}
	for _, o := range f.attribute.Tag.Options {
		if !slices.Contains(placing, o.Key) {
			t.Options = append(t.Options, o)
		}
	}
	return t.String()
}

// copied are the options of a field that describe its type, so that a copy has them, too.
var copied = []string{"composition", "qualifier", "type"}

// copy returns the declaration of a copy of a field.
func (f *Field) copy(options ...model.Option) string {
	t := model.Tag{Name: f.Column, Options: options}
	for _, o := range f.attribute.Tag.Options {
		set := o.Key == "unique" && f.attribute.Type.Kind == model.Set
		if slices.Contains(copied, o.Key) || set {
			t.Options = append(t.Options, o)
		}
	}
	return field(f.Name, f.Type, t.String())
}

// field returns the declaration of a field.
func field(name, goType, tag string) string {
	if tag == "" {
		return name + " " + goType
	}
	return fmt.Sprintf("%s %s `aml:%q`", name, goType, tag)
}

// newTag returns a tag.
func newTag(name string, options ...string) string {
	t := model.Tag{Name: name}
	for _, o := range options {
		key, value, valued := strings.Cut(o, "=")
		t.Options = append(t.Options, model.Option{Key: key, Value: value, Valued: valued})
	}
	return t.String()
}

// plain returns an option without a value.
func plain(key string) model.Option { return model.Option{Key: key} }

// structure returns the declaration of a struct with a comment and a marker; without a table it has no marker.
func structure(name, comment, marker string, fields ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s %s\ntype %s struct {\n", name, comment, name)
	if marker != "" {
		fmt.Fprintf(&b, "\taml.Aggregate `aml:%q`\n\n", marker)
	}
	for _, f := range fields {
		b.WriteString("\t" + f + "\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// tableName returns the name of a new table: Cassandra allows only letters, digits and _ in it.
func tableName(parts ...string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, strings.Join(parts, "_"))
}

// limit returns the option max= of the relationship.
func (d *draft) limit() []string {
	if d.Max == 0 {
		return nil
	}
	return []string{fmt.Sprintf("max=%d", d.Max)}
}

// rows returns the option rows= of a table that has the elements of a root in one partition.
func (d *draft) rows() []string {
	if d.Max == 0 {
		return nil
	}
	return []string{fmt.Sprintf("rows=%d", d.Max)}
}

// collection returns the name and the column of the field of the root that has the elements.
func (d *draft) collection() (name, column string) {
	if d.Form == Embedded {
		return d.fields[d.Root.Struct], d.Element.Table
	}
	return plural(d.Element.Struct), model.SnakeCase(plural(d.Element.Struct))
}

// referenceName returns the name of the field that refers to a field of the key of a side, and its column.
func (s *Side) referenceName(k *Field) (name, column string) {
	return s.Struct + k.Name, model.SnakeCase(s.Struct) + "_" + k.Column
}

// referencesName returns the name of the field that refers to several of a side, whose key is one field.
func (s *Side) referencesName() string {
	name, _ := s.referenceName(s.single())
	return plural(name)
}

// plural returns the name of several.
func plural(name string) string {
	for _, end := range []string{"s", "x", "z", "ch", "sh"} {
		if strings.HasSuffix(name, end) {
			return name + "es"
		}
	}
	if rest, ok := strings.CutSuffix(name, "y"); ok && rest != "" && !strings.ContainsAny(rest[len(rest)-1:], "aeiouAEIOU") {
		return rest + "ies"
	}
	return name + "s"
}

// reference returns the fields of a holder that refer to a side.
func (s *Side) reference(place string, options ...string) (out []string) {
	for i := range s.Key {
		k := &s.Key[i]
		target := s.Struct
		if len(s.Key) > 1 {
			target += "." + k.Name
		}
		name, column := s.referenceName(k)
		all := slices.Concat([]string{"association=" + target}, options, k.cqlType())
		if place != "" {
			all = append([]string{place}, all...)
		}
		if place == "discriminator" {
			all = append(all, k.required()...)
		}
		out = append(out, field(name, k.Type, newTag(column, all...)))
	}
	return out
}

// cqlType returns the option of a field whose Go type has another CQL type by default.
func (f *Field) cqlType() []string {
	if o, ok := f.attribute.Tag.Option("type"); ok {
		return []string{"type=" + o.Value}
	}
	return nil
}

// references returns the field of a holder that refers to several of a side.
func (s *Side) references(options ...string) string {
	k := s.single()
	_, column := s.referenceName(k)
	return field(s.referencesName(), "[]"+k.Type, newTag(plural(column), slices.Concat([]string{"unique", "association=" + s.Struct}, options, k.cqlType())...))
}

// summary returns the name of the struct with the fields of the root that a row of an element has.
func (d *draft) summary() string { return d.Root.Struct + "Of" + d.Element.Struct }

// addSummary declares the struct with the key of the root and its fields of one value. A reference is a value in it, because the root itself refers.
func (d *draft) addSummary() {
	var fields []string
	for _, f := range slices.Concat(d.Root.Key, d.Root.Others) {
		if f.Scalar {
			fields = append(fields, field(f.Name, f.Type, newTag(f.Column, f.cqlType()...)))
		}
	}
	d.Add(d.Root.Struct, structure(d.summary(), fmt.Sprintf("has the fields of %s that the row of %s contains.", article.With(d.Root.Struct), article.With(d.Element.Struct)), "", fields...))
}
