package mermaid

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// Section is one diagram with its heading.
type Section struct {
	Heading string // plain text
	About   string // a sentence
	Text    string // source in the language of Mermaid
}

// MaxText is the length of the longest text that Mermaid draws, unless its option maxTextSize is changed.
const MaxText = 50_000

// Draw returns the diagrams of models in a notation of Mermaid: all diagrams, or one of them. Of the options, it uses the roots, the focus and the names of types.
// If a diagram of the whole model is longer than [MaxText], there is a diagram for each root instead.
func Draw(n diagram.Notation, models []diagram.Model, o diagram.Options) ([]Section, error) {
	chosen, err := diagram.Select(models, o)
	if err != nil {
		return nil, err
	}
	var out []Section
	for _, kind := range kinds {
		if n == diagram.Mermaid || n == kind.notation {
			out = append(out, kind.sections(models, chosen, o.Types, MaxText)...)
		}
	}
	for _, s := range out {
		if len(s.Text) > MaxText {
			return nil, fmt.Errorf("%s: the text has %d bytes, and Mermaid draws at most %d: choose roots with -roots, or write SVG", s.Heading, len(s.Text), MaxText)
		}
	}
	return out, nil
}

// kind is a kind of diagram.
type kind struct {
	notation diagram.Notation
	noun     string
	about    string
	draw     func(models []diagram.Model, roots []*model.Aggregate, types diagram.Types) string
}

var kinds = []kind{
	{diagram.MermaidClass, "Aggregates", "Each aggregate with its entities and value objects, its parts, its redundant aggregates, and the references between them.", classes},
	{diagram.MermaidER, "Tables", "Each table with its columns, the tables that are derived from it, and the references between them.", tables},
}

// sections returns one diagram, or one for each root if one would be longer than most.
func (k kind) sections(models []diagram.Model, roots []*model.Aggregate, types diagram.Types, most int) (out []Section) {
	all := k.section(models, roots, types, diagram.PackageNames(models))
	if len(all.Text) <= most || len(roots) == 1 {
		return []Section{all}
	}
	for _, r := range roots {
		out = append(out, k.section(models, []*model.Aggregate{r}, types, r.Struct.Name))
	}
	return out
}

func (k kind) section(models []diagram.Model, roots []*model.Aggregate, types diagram.Types, of string) Section {
	s := Section{Heading: k.noun + " of " + diagram.PlainText(of), About: k.about}
	s.Text = k.draw(models, roots, types)
	head, body, _ := strings.Cut(s.Text, "\n")
	s.Text = fmt.Sprintf("%s\n    accTitle: %s\n    accDescr: %s\n%s", head, escape(s.Heading), s.About, body)
	return s
}

// Page returns a Markdown page with diagrams.
func Page(sections []Section) string {
	out := "<!-- " + diagram.Mark + " -->\n"
	for _, s := range sections {
		out += "\n# " + markdown(s.Heading) + "\n\n" + s.About + "\n\n" + s.Fence()
	}
	return out
}

// Fence returns the diagram in a code fence of Markdown.
func (s Section) Fence() string { return "```mermaid\n" + s.Text + "```\n" }

// markdown escapes the characters that Markdown could read as markup.
func markdown(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_{}[]<>()#!|&~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
