package site

import (
	"bytes"
	"go/doc/comment"
	"html/template"
	"regexp"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// comments renders the doc comments of a package.
type comments struct {
	pages map[string]string // pages of the package's structs, by Go name
}

func newComments(m Model, n *names) *comments {
	c := &comments{pages: map[string]string{}}
	for _, o := range m.Objects {
		if o.Struct.Path == m.Package.Path {
			c.pages[o.Struct.Name] = n.objects[o]
		}
	}
	for _, a := range m.Aggregates {
		c.pages[a.Struct.Name] = n.aggregates[a]
	}
	return c
}

// html renders a doc comment. Names of the model in brackets are links to their pages.
func (c *comments) html(doc string) template.HTML {
	if doc == "" {
		return ""
	}
	return c.print(c.parse(doc))
}

// synopsis renders the first sentence of a doc comment.
func (c *comments) synopsis(doc string) template.HTML {
	d := c.parse(doc)
	d.Content = d.Content[:min(1, len(d.Content))]
	for _, b := range d.Content {
		if p, ok := b.(*comment.Paragraph); ok {
			p.Text = firstSentence(p.Text)
		}
	}
	return c.print(d)
}

func (c *comments) parse(doc string) *comment.Doc {
	parser := comment.Parser{LookupSym: func(recv, name string) bool { return c.pages[name] != "" || c.pages[recv] != "" }}
	return parser.Parse(text(doc))
}

// print renders a doc comment.
func (c *comments) print(d *comment.Doc) template.HTML {
	d.Content = safeBlocks(d.Content)
	printer := comment.Printer{HeadingLevel: 3, HeadingID: func(*comment.Heading) string { return "" }, DocLinkURL: c.address}
	blocks := bytes.ReplaceAll(printer.HTML(d), []byte("<pre>"), []byte(`<pre tabindex="0">`)) // the keyboard scrolls them
	return template.HTML(blocks)                                                               //nolint:gosec // the printer escapes all texts, and safeBlocks removes links that are not to web pages
}

// sentenceEnd matches the end of a sentence that is followed by another one.
var sentenceEnd = regexp.MustCompile(`\.\s`)

// firstSentence returns the texts of a paragraph up to the end of its first sentence.
func firstSentence(in []comment.Text) (out []comment.Text) {
	for _, t := range in {
		plain, _ := t.(comment.Plain)
		if end := sentenceEnd.FindStringIndex(string(plain)); end != nil {
			return append(out, plain[:end[0]+1])
		}
		out = append(out, t)
	}
	return out
}

// address returns the page of a symbol: of this model, or of another package.
func (c *comments) address(l *comment.DocLink) string {
	if l.ImportPath != "" {
		return l.DefaultURL("https://pkg.go.dev/")
	}
	if l.Recv != "" {
		return c.pages[l.Recv]
	}
	return c.pages[l.Name]
}

// safeBlocks replaces headings with emphasised paragraphs, because a comment can be anywhere in the outline of a page. It replaces links
// to anything other than web pages with their texts.
func safeBlocks(in []comment.Block) (out []comment.Block) {
	for _, b := range in {
		switch b := b.(type) {
		case *comment.Heading:
			out = append(out, &comment.Paragraph{Text: []comment.Text{comment.Italic(flat(b.Text))}})
		case *comment.Paragraph:
			out = append(out, &comment.Paragraph{Text: safeText(b.Text)})
		case *comment.List:
			for _, i := range b.Items {
				i.Content = safeBlocks(i.Content)
			}
			out = append(out, b)
		default:
			out = append(out, b)
		}
	}
	return out
}

func safeText(in []comment.Text) (out []comment.Text) {
	for _, t := range in {
		if l, ok := t.(*comment.Link); ok && !strings.HasPrefix(l.URL, "https://") && !strings.HasPrefix(l.URL, "http://") {
			out = append(out, safeText(l.Text)...)
			continue
		}
		out = append(out, t)
	}
	return out
}

// flat returns a text without its markup.
func flat(in []comment.Text) string {
	var b strings.Builder
	for _, t := range in {
		switch t := t.(type) {
		case comment.Plain:
			b.WriteString(string(t))
		case comment.Italic:
			b.WriteString(string(t))
		case *comment.Link:
			b.WriteString(flat(t.Text))
		case *comment.DocLink:
			b.WriteString(flat(t.Text))
		}
	}
	return b.String()
}

// fieldDoc returns the doc comment of the field of an attribute.
func fieldDoc(at *model.Attribute) string {
	if at == nil || at.Field == nil {
		return ""
	}
	return at.Field.Doc
}
