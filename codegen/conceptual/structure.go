package conceptual

import (
	"bytes"
	"fmt"
	"go/format"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// structure is a struct of the model.
type structure struct {
	name   string
	about  []string // sentences of its comment: the decisions
	ignore []string // warnings that are accepted, with the reason
	marker string   // Aggregate, Entity or ValueObject; "" for a tuple
	tag    string
	prefix string // the beginning of the names of its columns outside the key
	fields []*field
}

// field is a field of a struct.
type field struct {
	name, typ, tag string
	about          []string // decisions
	note           string   // a remark beside it
}

// add adds a field. A name that the struct has already gets a number.
func (s *structure) add(f *field) *field {
	name := f.name
	for i := 2; slices.ContainsFunc(s.fields, func(o *field) bool { return o.name == f.name }); i++ {
		f.name = fmt.Sprint(name, i)
	}
	column, options, more := strings.Cut(f.tag, ",")
	if column == "" {
		column = s.prefix + model.SnakeCase(f.name)
	}
	if f.tag = column; options != column { // a name that is also the only option needs no quotes: version,version
		f.tag = tagName(column)
	}
	if more {
		f.tag += "," + options
	}
	s.fields = append(s.fields, f)
	return f
}

// tagName returns a name as a tag has it: in quotes if it is also an option.
func tagName(name string) string { return model.Tag{Name: name}.String() }

// group returns a name for a group of fields that neither a field nor another group has.
func (s *structure) group(name string) string {
	out := name
	has := func(f *field) bool {
		return f.name == out || slices.Contains(strings.FieldsFunc(f.tag, func(r rune) bool { return r == ',' || r == '=' }), out)
	}
	for i := 2; slices.ContainsFunc(s.fields, has); i++ {
		out = fmt.Sprint(name, i)
	}
	return out
}

// source returns the Go source of structs.
func source(pkg, file string, all []*structure) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Package %s has the model that aml import -mermaid %s has written. It is a first model: each decision is a comment, which names its\n"+
		"// rule and an alternative. Delete the comments when you have decided.\npackage %s\n\n", pkg, filepath.Base(file), pkg)
	var body bytes.Buffer
	for _, s := range all {
		s.print(&body)
	}
	var std, other []string
	for _, i := range []struct{ use, path string }{{"time.", "time"}, {"gocql.", "github.com/gocql/gocql"}, {"inf.", "gopkg.in/inf.v0"}} {
		switch {
		case !strings.Contains(body.String(), " "+i.use) && !strings.Contains(body.String(), "*"+i.use) && !strings.Contains(body.String(), "]"+i.use):
		case strings.Contains(i.path, "."):
			other = append(other, i.path)
		default:
			std = append(std, i.path)
		}
	}
	b.WriteString("import (\n")
	for _, p := range std {
		fmt.Fprintf(&b, "\t%q\n", p)
	}
	if std != nil {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\t%q\n", "github.com/cassaml/cassaml/aml")
	for _, p := range other {
		fmt.Fprintf(&b, "\t%q\n", p)
	}
	b.WriteString(")\n\n//go:generate go tool aml generate\n")
	b.Write(body.Bytes())
	return format.Source(b.Bytes())
}

func (s *structure) print(b *bytes.Buffer) {
	b.WriteString("\n")
	for i, text := range s.about {
		if i > 0 {
			b.WriteString("//\n")
		}
		printComment(b, "", text)
	}
	if s.ignore != nil {
		b.WriteString("//\n")
	}
	for _, w := range s.ignore {
		fmt.Fprintf(b, "//aml:ignore %s\n", w)
	}
	fmt.Fprintf(b, "type %s struct {\n", s.name)
	if s.marker != "" {
		fmt.Fprintf(b, "\taml.%s `aml:\"%s\"`\n\n", s.marker, s.tag)
	}
	for _, f := range s.fields {
		for _, text := range f.about {
			printComment(b, "\t", text)
		}
		fmt.Fprintf(b, "\t%s %s", f.name, f.typ)
		if f.tag != "" {
			fmt.Fprintf(b, " `aml:\"%s\"`", f.tag)
		}
		if f.note != "" {
			b.WriteString(" // " + f.note)
		}
		b.WriteString("\n")
	}
	b.WriteString("}\n")
}

const commentWidth = 120

// printComment writes a text as lines of a comment.
func printComment(b *bytes.Buffer, indent, text string) {
	line := indent + "//"
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > commentWidth {
			b.WriteString(line + "\n")
			line = indent + "//"
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

// goName returns the exported Go name of a name in a diagram: LINE-ITEM => LineItem, custNumber => CustNumber.
func goName(name string) string {
	if name == strings.ToUpper(name) {
		name = strings.ToLower(name)
	}
	out := model.CamelCase(model.SnakeCase(strings.ReplaceAll(name, "-", "_")))
	if out == "" || out[0] < 'A' || out[0] > 'Z' {
		out = "X" + out
	}
	return out
}

// plural returns the plural of an English noun, as far as its last letters show it.
func plural(name string) string {
	lower := strings.ToLower(name)
	switch {
	case strings.HasSuffix(lower, "ies"):
		return name
	case strings.HasSuffix(lower, "s"), strings.HasSuffix(lower, "x"), strings.HasSuffix(lower, "ch"), strings.HasSuffix(lower, "sh"):
		return name + "es"
	case strings.HasSuffix(lower, "y") && !strings.HasSuffix(lower, "ay") && !strings.HasSuffix(lower, "ey") && !strings.HasSuffix(lower, "oy"):
		return name[:len(name)-1] + "ies"
	}
	return name + "s"
}

// tableName returns the name of the table of a struct.
func tableName(name string) string { return model.SnakeCase(plural(name)) }
