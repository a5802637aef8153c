package gosource

import (
	"go/ast"
	"regexp"
	"strings"
)

// ReplaceParagraph replaces the first paragraph of the comment of a struct that matches when its lines are joined. A struct without one is not changed.
func (p *Package) ReplaceParagraph(of string, old *regexp.Regexp, text string) {
	d := p.find(of)
	if d == nil {
		return
	}
	for _, lines := range d.paragraphs() {
		var texts []string
		for _, l := range lines {
			texts = append(texts, strings.TrimPrefix(l.Text, "// "))
		}
		if old.MatchString(strings.Join(texts, " ")) {
			p.splice(d.name, d.offset(lines[0].Pos()), d.offset(lines[len(lines)-1].End()), "// "+text)
			return
		}
	}
}

// paragraphs returns the lines of each paragraph of the comment, without directives.
func (d *declaration) paragraphs() (out [][]*ast.Comment) {
	doc := d.spec.Doc
	if doc == nil {
		doc = d.gen.Doc
	}
	if doc == nil {
		return nil
	}
	within := false
	for _, l := range doc.List {
		before := within
		within = strings.HasPrefix(l.Text, "// ")
		switch {
		case within && before:
			out[len(out)-1] = append(out[len(out)-1], l)
		case within:
			out = append(out, []*ast.Comment{l})
		}
	}
	return out
}
