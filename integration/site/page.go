package site

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// element is an element of a page as its source has it.
type element struct {
	name     string
	line     int
	attrs    []html.Attribute
	parent   *element
	children []*element
	own      []string // its text without the text of its children
}

// page is a file of HTML.
type page struct {
	path   string
	root   *element // contains the whole text; its child is html
	faults []string
}

func (p *page) fault(line int, format string, args ...any) {
	p.faults = append(p.faults, fmt.Sprintf("%s:%d: ", p.path, line)+fmt.Sprintf(format, args...))
}

// get returns an attribute.
func (e *element) get(name string) (value string, ok bool) {
	for _, a := range e.attrs {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// has reports whether the element has an attribute with a value.
func (e *element) has(name string) bool {
	value, _ := e.get(name)
	return strings.TrimSpace(value) != ""
}

// nearest returns the nearest element around e with one of the names, or nil.
func (e *element) nearest(names ...string) *element {
	for p := e.parent; p != nil; p = p.parent {
		if slices.Contains(names, p.name) {
			return p
		}
	}
	return nil
}

// all calls a function for each element in the order of the source.
func (e *element) all(do func(*element)) {
	for _, c := range e.children {
		do(c)
		c.all(do)
	}
}

// isVoid has the elements without an end tag.
var isVoid = map[string]bool{"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true, "link": true, "meta": true, "source": true, "track": true, "wbr": true}

// parse reads a page as its source has it: elements that are not void must have an end tag, in the right order.
func parse(path string, data []byte) *page {
	p := &page{path: path, root: &element{}}
	at, line := p.root, 1
	for z := html.NewTokenizer(bytes.NewReader(data)); ; {
		kind := z.Next()
		began, raw := line, string(z.Raw())
		line += strings.Count(raw, "\n")
		t := z.Token()
		switch kind {
		case html.ErrorToken:
			for ; at.parent != nil; at = at.parent {
				p.fault(at.line, "<%s> has no end tag", at.name)
			}
			return p
		case html.TextToken:
			at.own = append(at.own, t.Data)
		case html.StartTagToken, html.SelfClosingTagToken:
			at = at.parentFor(t.Data)
			e := &element{name: t.Data, line: began, attrs: t.Attr, parent: at}
			at.children = append(at.children, e)
			p.checkDuplicates(e, raw)
			if kind == html.StartTagToken && !isVoid[e.name] {
				at = e
			} else if !isVoid[e.name] && e.nearest("svg") == nil {
				p.fault(began, "<%s/> does not close the element outside of svg", e.name)
			}
		case html.EndTagToken:
			if at = at.closing(t.Data); at.name != t.Data {
				p.fault(began, "</%s> where <%s> of line %d is open", t.Data, at.name, at.line)
				continue
			}
			at = at.parent
		case html.DoctypeToken:
			if at != p.root || !strings.EqualFold(t.Data, "html") {
				p.fault(began, "the document type is not html")
			}
		}
	}
}

// parentFor returns the element that a start tag is in. Paragraphs and items of lists may have no end tag, and paragraphs and items of doc
// comments have none.
func (e *element) parentFor(name string) *element {
	if e.name == "p" && !slices.Contains(phrasing, name) || e.name == "li" && name == "li" {
		return e.parent.parentFor(name)
	}
	return e
}

// closing returns the element that an end tag closes.
func (e *element) closing(name string) *element {
	if e.name != name && (e.name == "p" || e.name == "li") && e.nearest(name) != nil {
		return e.parent.closing(name)
	}
	return e
}

var attribute = regexp.MustCompile(`[\s/]([^\s=>"'/]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?`)

// checkDuplicates reports attributes that the text of a tag has twice: the tokenizer returns the first one.
func (p *page) checkDuplicates(e *element, tag string) {
	if strings.Count(tag, "=") < 2 {
		return
	}
	seen := map[string]bool{}
	for _, a := range attribute.FindAllStringSubmatch(tag, -1) {
		name := strings.ToLower(a[1])
		if seen[name] {
			p.fault(e.line, "<%s> has %s twice", e.name, name)
		}
		seen[name] = true
	}
}

// text returns the text of the element and of those in it, without scripts and styles.
func (e *element) text() string {
	if e.name == "script" || e.name == "style" {
		return ""
	}
	text := strings.Join(e.own, "")
	for _, c := range e.children {
		text += c.text()
	}
	return strings.TrimSpace(text)
}

// sameTree finds differences between the source of a page and the tree that a browser builds: elements that it adds, moves or closes.
func (p *page) sameTree(data []byte) {
	doc, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		p.fault(1, "%v", err)
		return
	}
	if line, what := p.root.differs(doc); what != "" {
		p.fault(line, "%s", what) // the first difference explains the others
	}
}

// differs returns the first difference between the elements in e and those that a browser creates.
func (e *element) differs(made *html.Node) (line int, what string) {
	i := 0
	for n := range made.ChildNodes() {
		if n.Type != html.ElementNode {
			continue
		}
		if i == len(e.children) {
			return e.line, fmt.Sprintf("a browser adds <%s> to <%s>", n.Data, e.name)
		}
		c := e.children[i]
		if c.name != strings.ToLower(n.Data) {
			return c.line, fmt.Sprintf("a browser makes <%s> where <%s> is written", n.Data, c.name)
		}
		if line, what = c.differs(n); what != "" {
			return line, what
		}
		i++
	}
	if i < len(e.children) {
		return e.children[i].line, fmt.Sprintf("a browser moves <%s> out of <%s>", e.children[i].name, e.name)
	}
	return 0, ""
}
