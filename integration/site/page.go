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
	text     string // all text in it, without that of scripts and styles
}

// page is a file of HTML.
type page struct {
	path   string
	root   *element // of the whole text; its child is html
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

// within returns the nearest element around e with one of the names, or nil.
func (e *element) within(names ...string) *element {
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

// parse reads a page as its source has it: every element that is not void must have an end tag, in the right order.
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
			at.addText(t.Data)
		case html.StartTagToken, html.SelfClosingTagToken:
			e := &element{name: t.Data, line: began, attrs: t.Attr, parent: at}
			at.children = append(at.children, e)
			p.twice(e, raw)
			if kind == html.StartTagToken && !isVoid[e.name] {
				at = e
			} else if !isVoid[e.name] && e.within("svg") == nil {
				p.fault(began, "<%s/> does not close the element outside of svg", e.name)
			}
		case html.EndTagToken:
			if at.name != t.Data {
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

var attribute = regexp.MustCompile(`[\s/]([^\s=>"'/]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?`)

// twice finds attributes that the text of a tag has twice: the tokenizer returns the first one.
func (p *page) twice(e *element, tag string) {
	seen := map[string]bool{}
	for _, a := range attribute.FindAllStringSubmatch(tag, -1) {
		name := strings.ToLower(a[1])
		if seen[name] {
			p.fault(e.line, "<%s> has %s twice", e.name, name)
		}
		seen[name] = true
	}
}

// addText adds text to an element and the elements around it.
func (e *element) addText(text string) {
	if e.name == "script" || e.name == "style" {
		return
	}
	for ; e != nil; e = e.parent {
		e.text += text
	}
}

// sameTree finds where a browser makes another tree of the page than its source has: elements that it adds, moves or closes.
func (p *page) sameTree(data []byte) {
	doc, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		p.fault(1, "%v", err)
		return
	}
	var made []string
	var walk func(n *html.Node, depth int)
	walk = func(n *html.Node, depth int) {
		for c := range n.ChildNodes() {
			if c.Type == html.ElementNode {
				made = append(made, fmt.Sprintf("%d %s", depth, strings.ToLower(c.Data)))
				walk(c, depth+1)
			}
		}
	}
	walk(doc, 0)
	i := 0
	p.root.all(func(e *element) {
		depth := 0
		for up := e.parent; up.parent != nil; up = up.parent {
			depth++
		}
		switch written := fmt.Sprintf("%d %s", depth, e.name); {
		case i < 0 || i < len(made) && made[i] == written:
			i++
		case i < len(made):
			p.fault(e.line, "a browser makes <%s> of depth %s from <%s> of depth %d", made[i][strings.Index(made[i], " ")+1:], made[i][:strings.Index(made[i], " ")], e.name, depth)
			i = -1 << 31 // the first difference explains the others
		}
	})
	if i >= 0 && i < len(made) {
		p.fault(1, "a browser adds %q", made[i:])
	}
}
