package site

import (
	"html"
	"slices"
	"strconv"
	"strings"
)

// policy has the directives that each page must have in its Content-Security-Policy: a page must not request anything from elsewhere.
var policy = []string{"default-src 'none'", "base-uri 'none'", "form-action 'none'"}

// document checks the elements that each page has once: the language, a title that no other page has, the encoding, the policy.
func (p *page) document(titles map[string]string) {
	count := map[string]int{}
	encoding, viewport, rules := false, false, ""
	p.root.all(func(e *element) {
		if e.nearest("svg") != nil {
			return
		}
		count[e.name]++
		charset, _ := e.get("charset")
		encoding = encoding || strings.EqualFold(charset, "utf-8")
		if name, _ := e.get("name"); name == "viewport" {
			viewport = true
		}
		if kind, _ := e.get("http-equiv"); strings.EqualFold(kind, "Content-Security-Policy") {
			rules, _ = e.get("content")
			rules = html.UnescapeString(rules)
		} else if rules == "" && slices.Contains(words("script style link"), e.name) {
			p.fault(e.line, "<%s> is before the Content-Security-Policy, which does not apply to it", e.name)
		}
		if e.name == "html" && !e.has("lang") {
			p.fault(e.line, "<html> has no lang")
		}
		if e.name == "title" {
			title := e.text()
			if other, taken := titles[title]; title == "" || taken && !strings.Contains(title, "…") { // a long name has been cut
				p.fault(e.line, "the title %q is empty, or that of %s", title, other)
			}
			titles[title] = p.path
		}
	})
	for _, name := range words("html head body title main h1") {
		if count[name] != 1 {
			p.fault(1, "%d elements <%s>: a page has one", count[name], name)
		}
	}
	if !encoding || !viewport {
		p.fault(1, "no <meta charset=\"utf-8\"> or no <meta name=\"viewport\">")
	}
	p.policy(rules)
}

func (p *page) policy(rules string) {
	for _, d := range policy {
		if !slices.ContainsFunc(strings.Split(rules, ";"), func(r string) bool { return strings.Join(words(r), " ") == d }) {
			p.fault(1, "the Content-Security-Policy %q has no %s", rules, d)
		}
	}
	for rule := range strings.SplitSeq(rules, ";") {
		for _, source := range words(rule) {
			if strings.Contains(source, "*") || strings.Contains(source, "http") || source == "'unsafe-eval'" || source == "'unsafe-inline'" && strings.HasPrefix(strings.TrimSpace(rule), "script") {
				p.fault(1, "the Content-Security-Policy allows %q", strings.TrimSpace(rule))
			}
		}
	}
}

// headings finds headings of the content that skip a level, and headings without text.
func (p *page) headings() {
	level := 0
	p.root.all(func(e *element) {
		if len(e.name) != 2 || e.name[0] != 'h' || e.name[1] < '1' || e.name[1] > '6' || e.nearest("nav") != nil {
			return
		}
		n, _ := strconv.Atoi(e.name[1:])
		if n > level+1 {
			p.fault(e.line, "<%s> after <h%d> skips a level", e.name, level)
		}
		level = n
		if e.text() == "" {
			p.fault(e.line, "<%s> has no text", e.name)
		}
	})
}

// references has the attributes whose values are ids of the page.
var references = words("for aria-labelledby aria-describedby aria-controls aria-owns aria-activedescendant headers")

// usable finds the elements that a reader with a screen reader or a keyboard cannot use.
func (p *page) usable() {
	ids := p.ids()
	p.root.all(func(e *element) {
		for _, a := range e.attrs {
			if slices.Contains(references, a.Key) {
				for _, id := range words(a.Val) {
					if !ids[id] {
						p.fault(e.line, "%s=%q: no element has this id", a.Key, id)
					}
				}
			}
			if n, err := strconv.Atoi(a.Val); a.Key == "tabindex" && (err != nil || n > 0) {
				p.fault(e.line, "tabindex=%q changes the order of the keyboard: use 0 or -1", a.Val)
			}
		}
		if why := e.nameless(p); why != "" {
			p.fault(e.line, "<%s> %s", e.name, why)
		}
	})
}

// nameless returns what an element lacks that a screen reader reads, or "".
func (e *element) nameless(p *page) string {
	label := e.has("aria-label") || e.has("aria-labelledby")
	hidden, _ := e.get("aria-hidden")
	if hidden == "true" {
		return ""
	}
	switch e.name {
	case "a", "button", "summary", "th":
		if !label && e.text() == "" && !(e.name == "th" && e.nearest("thead") == nil) {
			return "has neither text nor an aria-label"
		}
		if _, scoped := e.get("scope"); e.name == "th" && !scoped {
			return "has no scope"
		}
		if kind, _ := e.get("type"); e.name == "button" && kind != "button" && kind != "submit" {
			return "has no type"
		}
	case "img":
		if _, ok := e.get("alt"); !ok {
			return "has no alt"
		}
	case "svg":
		titled := slices.ContainsFunc(e.children, func(c *element) bool { return c.name == "title" && c.text() != "" })
		if !label && !titled {
			return "has neither a title nor an aria-label, and is not hidden"
		}
	case "input", "select":
		if !label && e.nearest("label") == nil && !p.labels(e) {
			return "has no label"
		}
	case "nav":
		if !label {
			return "has no aria-label"
		}
	}
	return ""
}

// labels reports whether the page has a label for an element.
func (p *page) labels(of *element) (found bool) {
	id, _ := of.get("id")
	p.root.all(func(e *element) {
		target, ok := e.get("for")
		found = found || e.name == "label" && ok && target == id
	})
	return found
}
