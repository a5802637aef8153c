package corpus

import (
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Source prints the model as a Go file.
func (m *Model) Source() []byte {
	text, _ := m.print()
	return text
}

// Line returns the line of a place in the source of the model.
func (m *Model) Line(p Place) int {
	_, lines := m.print()
	return lines[p]
}

// printer prints a model and records the line of each place.
type printer struct {
	strings.Builder
	line  int
	lines map[Place]int
}

func (p *printer) put(text string, at ...Place) {
	p.line++
	for _, x := range at {
		p.lines[x] = p.line
	}
	p.WriteString(text + "\n")
}

func (m *Model) print() ([]byte, map[Place]int) {
	body := &printer{lines: map[Place]int{}}
	for _, s := range m.Structs {
		body.structure(s)
	}
	text := body.String()
	if strings.Contains(text, "Mood") {
		text += "\ntype Mood string\n"
	}
	if m.grades {
		text += "\ntype Grade string\n\nconst (\n\tGradeA Grade = \"a\"\n\tGradeB Grade = \"b\"\n)\n"
	}
	head := m.head(text)
	before := strings.Count(head, "\n")
	for at := range body.lines {
		body.lines[at] += before
	}
	out, err := format.Source([]byte(head + text))
	if err != nil {
		panic(fmt.Sprintf("corpus: model %s is no Go: %v\n%s", m.Name, err, head+text))
	}
	return out, body.lines
}

// libraries are the packages that a model can import, by name.
var libraries = map[string]string{
	"aml": "github.com/cassaml/cassaml/aml", "gocql": "github.com/gocql/gocql", "inf": "gopkg.in/inf.v0", "time": "time",
	"big": "math/big", "net": "net", "netip": "net/netip", "sql": "database/sql", "kinds": Module + "/kinds",
}

// head prints the package clause and the imports that a body needs.
func (m *Model) head(body string) string {
	var lines []string
	for name, path := range libraries {
		if used(body, name) {
			lines = append(lines, "\t"+strconv.Quote(path))
		} else if strings.Contains(body, "=kinds.") { // only a tag refers to it
			if name == "kinds" {
				lines = append(lines, "\t_ "+strconv.Quote(path))
			}
		}
	}
	slices.Sort(lines)
	return "package " + m.Name + "\n\nimport (\n" + strings.Join(lines, "\n") + "\n)\n\n"
}

// used reports whether code outside a tag refers to a package.
func used(body, name string) bool {
	for line := range strings.SplitSeq(body, "\n") {
		code, _, _ := strings.Cut(line, "`")
		for _, before := range []string{" ", "\t", "[", "]", "*", "("} {
			if strings.Contains(code, before+name+".") {
				return true
			}
		}
	}
	return false
}

func (p *printer) structure(s *Struct) {
	p.put("type "+s.Name+s.Params+" struct {", Place{Struct: s})
	if s.Marker != Plain {
		p.put("\t"+string(s.Marker)+s.Tag.literal(), Place{Struct: s, Marker: true})
	}
	for _, m := range s.Also {
		p.put("\t"+string(m), Place{Struct: s, Again: true})
	}
	for _, f := range s.Fields {
		p.put("\t"+f.String(), Place{Struct: s, Field: f})
	}
	p.put("}")
	p.put("")
	for _, m := range s.Methods {
		p.put("func (x *" + s.Name + ") " + m)
		p.put("")
	}
}

// String returns the field as a line of Go.
func (f *Field) String() string {
	out := f.Type.String()
	if !f.Embedded {
		out = f.Name + " " + out
	}
	if f.Raw != "" {
		out += " `" + f.Raw + "`"
	} else {
		out += f.Tag.literal()
	}
	if f.Comment != "" {
		out += " " + f.Comment
	}
	return out
}

// literal returns the tag as a Go literal.
func (t *Tag) literal() string {
	if t == nil {
		return ""
	}
	return " `aml:" + strconv.Quote(t.String()) + "`"
}

// String returns the tag.
func (t *Tag) String() string {
	parts := []string{t.name()}
	for _, o := range t.Options {
		parts = append(parts, o.String())
	}
	return strings.Join(parts, ",")
}

// name returns the name, in quotes if it would otherwise be parsed as an option or rejected.
func (t *Tag) name() string {
	switch {
	case t.Bare, t.Name == "-":
		return t.Name
	case slices.Contains(options, t.Name), strings.ContainsFunc(t.Name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }):
		return inQuotes(t.Name)
	}
	return quote(t.Name)
}

// String returns the option.
func (o Option) String() string {
	if o.Value == "" {
		return o.Key
	}
	if o.Key == "type" {
		return o.Key + "=" + o.Value
	}
	return o.Key + "=" + quote(o.Value)
}

// quote quotes text that needs it in a tag.
func quote(v string) string {
	if !strings.ContainsAny(v, "',{}<>= ") {
		return v
	}
	return inQuotes(v)
}

func inQuotes(v string) string { return "'" + strings.ReplaceAll(v, "'", "''") + "'" }

// cut splits key=value.
func cut(option string) (key, value string) {
	key, value, _ = strings.Cut(option, "=")
	return key, value
}
