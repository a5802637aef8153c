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

// print writes the file: tables in their order, each followed by the structs that it is the first to need.
func (w *writer) print(c Config, gaps []gap) ([]byte, error) {
	all := reachable(w.tables)
	var b bytes.Buffer
	title := "is a model of tables that were there before it"
	if c.Keyspace != "" {
		title = "is the model of keyspace " + c.Keyspace + ", as it was found"
	}
	fmt.Fprintf(&b, "// Package %s %s.\n", c.Package, title)
	printGaps(&b, "It is without these, which are in the keyspace:", gaps, "")
	fmt.Fprintf(&b, "package %s\n\n//go:generate go tool aml generate\n\n", c.Package)
	printImports(&b, all)
	for _, s := range all {
		s.print(&b, gaps)
	}
	out, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format what was written: %w", err)
	}
	return out, nil
}

// printGaps writes those that are told of a table into a comment.
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

// comment keeps a text on one line of a comment.
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
		printGaps(b, "The struct is without these:", gaps, s.table)
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

// tagLiteral writes a struct tag as Go source; "" for none.
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

// goName returns the exported Go name of a CQL name: user_id => UserID. What gives none is named after the word: 1st with
// Column => Column1st.
func goName(cql, word string) string {
	name := model.CamelCase(cql)
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		name = word + name
	}
	return name
}

// goNames returns each of some CQL names a Go name that is not taken. Those from which the CQL name follows come first, so
// that of user_id and "userID" the former is UserID.
func goNames(cql []string, word string, taken map[string]bool) map[string]string {
	out := map[string]string{}
	for _, follows := range []bool{true, false} {
		for _, n := range cql {
			if g := goName(n, word); follows == (model.SnakeCase(g) == n) {
				out[n] = unique(g, taken)
			}
		}
	}
	return out
}

// unique takes a name, with a number where it is taken.
func unique(name string, taken map[string]bool) string {
	out := name
	for i := 2; taken[out]; i++ {
		out = name + strconv.Itoa(i)
	}
	taken[out] = true
	return out
}

// reserve takes the names that a generated store declares beside those of the model.
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
