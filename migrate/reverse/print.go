package reverse

import (
	"bytes"
	"fmt"
	"go/format"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cassaml/cassaml/aml/model"
)

// markers are the types of package aml that structs embed.
var markers = map[model.Marker]string{model.AggregateMarker: "aml.Aggregate", model.ValueObjectMarker: "aml.ValueObject"}

// print returns the file: tables in order, each followed by the structs that it is the first to use.
func (w *writer) print(c Config, gaps []gap) ([]byte, error) {
	all := reachable(w.tables)
	var b bytes.Buffer
	title := "is a model of existing tables"
	if c.Keyspace != "" {
		title = "is the model of the existing keyspace " + c.Keyspace
	}
	fmt.Fprintf(&b, "// Package %s %s.\n", c.Package, title)
	printGaps(&b, "The keyspace differs from the model:", gaps, "")
	fmt.Fprintf(&b, "package %s\n\n//go:generate go tool aml generate\n\n", c.Package)
	printImports(&b, all)
	for _, s := range all {
		s.print(&b, gaps)
	}
	out, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format the model: %w", err)
	}
	return out, nil
}

// printGaps writes the gaps of a table as a comment.
func printGaps(b *bytes.Buffer, title string, gaps []gap, table string) {
	first := true
	for _, g := range gaps {
		if g.table != table {
			continue
		}
		if first {
			fmt.Fprintf(b, "//\n// %s\n//\n", title)
		}
		first = false
		fmt.Fprintf(b, "//   - %s\n", comment(g.text))
	}
}

// comment returns a text in one line.
func comment(s string) string { return strings.Join(strings.Fields(s), " ") }

func printImports(b *bytes.Buffer, all []*structure) {
	if len(all) == 0 {
		return
	}
	used := []string{"github.com/cassaml/cassaml/aml"}
	for _, s := range all {
		used = append(used, s.imports...)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	isOwn := func(path string) bool { return !strings.Contains(path, ".") }
	fmt.Fprintln(b, "import (")
	for _, path := range used {
		if isOwn(path) {
			fmt.Fprintf(b, "%q\n", path)
		}
	}
	fmt.Fprintln(b)
	for _, path := range used {
		if !isOwn(path) {
			fmt.Fprintf(b, "%q\n", path)
		}
	}
	fmt.Fprint(b, ")\n\n")
}

func (s *structure) print(b *bytes.Buffer, gaps []gap) {
	fmt.Fprintf(b, "// %s\n", comment(s.about))
	if s.table != "" {
		printGaps(b, "The table differs from the struct:", gaps, s.table)
	}
	fmt.Fprintf(b, "type %s struct {\n", s.name)
	if m := markers[s.marker]; m != "" {
		fmt.Fprintf(b, "%s %s\n\n", m, tagLiteral(s.tag))
	}
	for _, f := range s.fields {
		fmt.Fprintf(b, "%s %s %s\n", f.name, f.shape.text, tagLiteral(f.tag))
	}
	fmt.Fprint(b, "}\n\n")
}

// tagLiteral returns a struct tag as Go source; "" for an empty tag.
func tagLiteral(t model.Tag) string {
	text := tagText(t)
	if text == "" {
		return ""
	}
	text = "aml:" + strconv.Quote(text)
	if strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// goName returns the exported Go name of a CQL name: user_id => UserID. A name that cannot be exported gets the word as a prefix:
// 1st with Column => Column1st.
func goName(cql, word string) string {
	name := model.CamelCase(cql)
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		name = word + name
	}
	return name
}

// goNames returns a free Go name for each CQL name. CQL names that can be derived from their Go name have priority, so that UserID
// is the name of user_id and not of "userID".
func goNames(cql []string, word string, taken map[string]bool) map[string]string {
	out := map[string]string{}
	for _, derived := range []bool{true, false} {
		for _, n := range cql {
			if g := goName(n, word); derived == (model.SnakeCase(g) == n) {
				out[n] = unique(g, taken)
			}
		}
	}
	return out
}

// unique returns a free name, with a number if the name is taken.
func unique(name string, taken map[string]bool) string {
	out := name
	for i := 2; taken[out]; i++ {
		out = name + strconv.Itoa(i)
	}
	taken[out] = true
	return out
}

// reserve returns the names that a generated store declares in addition to those of the model.
func reserve(tables []string) map[string]bool {
	taken := map[string]bool{"Store": true, "Open": true, "OpenOn": true}
	for _, t := range tables {
		for _, suffix := range []string{"Table", "Metadata", "Delta"} {
			taken[model.CamelCase(t)+suffix] = true
		}
	}
	return taken
}

// PackageName returns the name of a Go package for a keyspace: Shop_2 => shop2, 2fa => k2fa.
func PackageName(keyspace string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(keyspace))
	if !token.IsIdentifier(name) {
		name = "k" + name
	}
	return name
}
