package diagram_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/diagram/geometry"
	"github.com/cassaml/cassaml/codegen/explain"
)

// hostile are names that a picture must not execute, and that must not spoil it.
var hostile = []string{
	`<script>alert(1)</script>`, `"><a href="javascript:alert(1)">`, `&amp;&#x3c;b&gt;`, `'onload='alert(1)`, `]]><!--`, "a\x00b\x1bc\nd\x7f", "\u202eright to left\u2066",
	"\u05e9\u05dc\u05d5\u05dd", strings.Repeat("very long ", 400), strings.Repeat("W", 1000), "\xff\xfe", "",
}

// rename sets every name in a model to the same text.
func rename(m *model.Model, s string) {
	m.Package.Name = s
	attributes := func(in []*model.Attribute) {
		for _, at := range in {
			at.Path, at.Name = []string{s}, s
			if at.Type.Kind == model.Scalar {
				at.Type.CQL = s
			}
			for _, q := range at.Type.Qualifier {
				q.Path = []string{s}
			}
		}
	}
	structs := map[*model.Struct]bool{}
	for _, a := range m.Aggregates {
		structs[a.Struct] = true
		a.Table, a.Properties.Comment, a.Properties.TTLName = s, s, s
		attributes(a.Attributes)
		for _, g := range a.Disjunctions {
			g.Name = s
		}
		for _, g := range a.Alternatives {
			g.Name = s
		}
		if r := a.Redundancy; r != nil && r.When != nil {
			r.OneOf = []model.Constant{{Name: s, Value: s}, {Value: s}}
		}
	}
	for _, o := range m.Objects {
		structs[o.Struct] = true
		attributes(o.Attributes)
		o.UDT = s
	}
	for _, v := range m.Views {
		structs[v.Struct] = true
		attributes(v.Attributes)
	}
	for x := range structs {
		x.Name = s
	}
}

func TestHostileNames(t *testing.T) {
	for _, s := range hostile {
		d := market(t)
		for _, a := range d.Aggregates {
			a.Struct.Path += "/" + a.Struct.Name // two aggregates are never the same
		}
		d.Explained = explain.New(d.Model, d.Schema)
		for _, table := range d.Explained.Tables {
			for _, o := range table.Operations {
				o.Name = s
			}
		}
		for _, table := range d.Schema.Tables {
			table.Name = s
			for _, c := range table.Columns {
				c.Name, c.Type.Name = s, s
			}
		}
		for _, n := range []diagram.Notation{diagram.AML, diagram.AMLMembers, diagram.Chebotko} {
			if n == diagram.AML {
				rename(d.Model, s)
			}
			drawings, err := diagram.Draw(n, []diagram.Model{d}, diagram.Options{Link: func(diagram.Node) string { return "page.html?" + s }})
			require.NoError(t, err)
			require.Empty(t, geometry.Faults(drawings[0].Picture), "%q %s", s, n)
			wellFormed(t, drawings[0].SVG(false))
		}
	}
}

// wellFormed checks that an SVG has only the elements and attributes that this package writes.
func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	elements := []string{"svg", "title", "desc", "rect", "circle", "polyline", "path", "text", "a"}
	attributes := []string{
		"xmlns", "width", "height", "viewBox", "role", "aria-label", "font-family", "fill", "stroke", "x", "y", "cx", "cy", "r", "points", "d",
		"stroke-width", "stroke-dasharray", "font-size", "font-weight", "font-style", "text-decoration", "href", "tabindex", "aria-hidden", "textLength", "lengthAdjust",
	}
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			require.Contains(t, elements, x.Name.Local)
			for _, a := range x.Attr {
				require.Contains(t, attributes, a.Name.Local)
				if a.Name.Local == "href" {
					require.True(t, strings.HasPrefix(a.Value, "page.html?"), a.Value)
				}
			}
		case xml.Comment:
			require.Equal(t, " "+diagram.Mark+" ", string(x))
		case xml.CharData:
			require.False(t, slices.ContainsFunc([]rune(string(x)), func(r rune) bool { return r == '\u202e' || r == '\u2066' || r < ' ' && r != '\n' }))
			require.LessOrEqual(t, len([]rune(string(x))), 200)
		}
	}
}
