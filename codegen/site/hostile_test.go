package site_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/site"
	check "github.com/cassaml/cassaml/integration/site"
	"github.com/cassaml/cassaml/internal/models"
)

// hostile are texts that must be shown as they are: they must not be executed, reverse the text after them, or make a page unreadable.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onclick='alert(1)`, `javascript:alert(1)`, `]]></svg><iframe src="//evil.example">`,
	"\u202egnp.exe\u2066", "a\x00b\x1b[31m", "{{.Site}}<!--", "</title><base href='//evil.example/'>", strings.Repeat("m", 25_000), "\xff\xfe",
	"see [x]\n\n[x]: file:///etc/passwd", "[x](javascript:alert(1)) [x]: javascript:alert(1)\n\n[x]: javascript:alert(2)\n\n# <b>heading</b>\n\n  - <i>item\n\n\t</code><style>*{}</style>",
}

// inside are the addresses of the site itself.
var inside = regexp.MustCompile(`^([a-z0-9-]+\.(html|css|js|svg))?(#[A-Za-z0-9_-]+)?$`)

// No text of a model adds an element, an attribute or an address to the pages, or a character that changes the direction of a text.
func TestHostileTexts(t *testing.T) {
	imports, err := models.Load(".", "github.com/gocql/gocql", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	allowed := map[string]bool{}
	var sources []string
	for _, dir := range []string{"../../examples/quickstart/shop", "../../integration/models/paper", "../../integration/models/member"} {
		source, err := os.ReadFile(dir + "/model.go")
		require.NoError(t, err)
		sources = append(sources, string(source))
		for name, page := range build(t, newModel(t, imports, string(source))) {
			if strings.HasSuffix(name, ".html") {
				each(t, page, func(mark string, _ html.Attribute) { allowed[mark] = true })
			}
		}
	}
	for _, extra := range []string{"i", "ol", "pre", "li value", "ul class", "p class", "ul", "li", "dl", "dd", "dt", "dl class"} { // of doc comments
		allowed[extra] = true
	}
	for i, text := range hostile {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			in := newModel(t, imports, sources[i%len(sources)])
			spoil(in.Model.Model, text)
			in.Schema = schema.New(in.Model.Model)
			in.Migrations = []site.Migration{{Name: text, Steps: []site.Step{
				{CQL: text}, {Func: text}, {Directive: text, Findings: []site.Finding{{Code: text, Message: text, Fix: text}}}}}}
			files, err := site.Build(site.Input{Title: text, Models: []site.Model{in}})
			require.NoError(t, err)
			assert.Empty(t, check.Check(files), "links, anchors and markup")
			for name, page := range files {
				assert.NotContains(t, string(page), "</script><", name)
				if !strings.HasSuffix(name, ".html") {
					continue
				}
				each(t, page, func(mark string, a html.Attribute) {
					if !allowed[mark] {
						t.Errorf("%s has %s", name, mark)
					}
					if a.Key == "href" || a.Key == "src" {
						assert.True(t, inside.MatchString(a.Val), "%s: %s", name, a.Val)
					}
				})
				assert.Equal(t, -1, bytes.IndexFunc(page, func(r rune) bool {
					return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
				}), name)
			}
			assert.Less(t, len(files["index.html"]), 300_000)
		})
	}
}

func newModel(t *testing.T, imports *models.Imports, source string) site.Model {
	t.Helper()
	m, faults := model.Build(imports.Source(t, "example.com/shop", source))
	require.False(t, model.Refused(faults), "%v", faults)
	return site.Model{Model: diagram.Model{Model: m, Schema: schema.New(m)}}
}

// spoil replaces all texts of a model that a page can show.
func spoil(m *model.Model, text string) {
	p := m.Package
	given := text
	text = strings.ToValidUTF8(text, "?") // as in names of Go, whose source is UTF-8
	p.Name, p.Path, p.Doc = text, text, text
	for i := range p.Ignores {
		p.Ignores[i].Code, p.Ignores[i].Reason, p.Ignores[i].Pos.File = given, given, given
	}
	attributes := func(in []*model.Attribute, i int) {
		for j, at := range in {
			at.Name = fmt.Sprint(text, i, j)
			at.Path = []string{fmt.Sprint(text, i, j)}
			at.Was = text
			if at.Field != nil {
				at.Field.Doc, at.Field.Type.Text = text, text
			}
		}
	}
	for i, a := range m.Aggregates {
		a.Struct.Name, a.Struct.Doc, a.Table, a.Was = fmt.Sprint(text, i), text, fmt.Sprint(text, i), text
		for j, u := range a.Uniques {
			u.Name, u.Table = fmt.Sprint(text, i, j), fmt.Sprint(text, i, j, "unique")
		}
		a.Properties.Comment, a.Properties.With = text, text
		attributes(a.Attributes, i)
	}
	for _, v := range m.Views {
		v.Struct.Name, v.Struct.Doc = text, text
	}
	for i, o := range m.Objects {
		o.Struct.Name, o.Struct.Doc, o.UDT = fmt.Sprint(text, i), text, fmt.Sprint(text, i)
		attributes(o.Attributes, 10+i)
	}
}

// each calls a function for each element of a page, and for each of its attributes: "a", "a href".
func each(t *testing.T, page []byte, do func(mark string, a html.Attribute)) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	require.NoError(t, err)
	for n := range root.Descendants() {
		switch n.Type {
		case html.ElementNode:
			do(n.Data, html.Attribute{})
			for _, a := range n.Attr {
				do(n.Data+" "+a.Key, a)
			}
		case html.CommentNode:
			t.Errorf("a comment: %s", n.Data)
		default:
		}
	}
}
