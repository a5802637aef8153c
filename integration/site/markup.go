package site

import (
	"slices"
	"strings"
)

// Check returns the faults of the files of a site, which are given by their paths. Each fault begins with the file and the line.
func Check(files map[string][]byte) []string {
	s := read(files)
	titles := map[string]string{}
	for _, p := range s.pages {
		p.sameTree(files[p.path])
		p.names()
		p.content()
		p.document(titles)
		p.headings()
		p.usable()
	}
	s.links()
	s.requests(files)
	var all []string
	for _, p := range s.pages {
		all = append(all, p.faults...)
	}
	return append(all, s.faults...)
}

func words(text string) []string { return strings.Fields(text) }

// attributes has the HTML elements that pages may have, with their attributes. Each element may also have those in anywhere.
var attributes = map[string][]string{
	"html": words("lang"), "head": nil, "body": nil, "title": nil, "meta": words("charset name content http-equiv"), "link": words("rel href type"), "style": nil,
	"script": words("src type defer"), "header": nil, "footer": nil, "main": nil, "nav": nil, "section": nil, "article": nil, "aside": nil, "search": nil, "noscript": nil,
	"h1": nil, "h2": nil, "h3": nil, "h4": nil, "h5": nil, "h6": nil, "hgroup": nil, "p": nil, "div": nil, "span": nil, "pre": nil, "code": nil, "samp": nil, "kbd": nil, "var": nil, "hr": nil, "br": nil, "wbr": nil,
	"ul": nil, "ol": words("start"), "li": words("value"), "dl": nil, "dt": nil, "dd": nil, "figure": nil, "figcaption": nil, "blockquote": nil,
	"table": nil, "caption": nil, "colgroup": nil, "col": words("span"), "thead": nil, "tbody": nil, "tfoot": nil, "tr": nil, "td": words("colspan rowspan headers"), "th": words("colspan rowspan scope"),
	"a": words("href rel aria-current"), "em": nil, "strong": nil, "b": nil, "i": nil, "small": nil, "s": nil, "sub": nil, "sup": nil, "abbr": nil, "mark": nil, "time": words("datetime"), "bdi": nil,
	"details": words("open name"), "summary": nil, "img": words("src alt width height loading"),
	"form": nil, "label": words("for"), "input": words("type enterkeyhint placeholder autocomplete value checked name spellcheck"), "button": words("type"), "output": words("for"),
	"fieldset": nil, "legend": nil, "select": nil, "option": words("value selected"), "template": nil,
}

// anywhere has the attributes that each element may have, besides aria-* and data-*.
var anywhere = words("id class lang dir title hidden tabindex role translate")

// drawn has the elements of SVG that pictures consist of, and their attributes.
var (
	drawn      = words("svg g a rect line polyline polygon path circle ellipse text tspan title desc defs marker style use symbol")
	drawnAttrs = words("xmlns width height viewbox role x y x1 y1 x2 y2 cx cy r rx ry points d fill stroke stroke-width stroke-dasharray stroke-linejoin stroke-linecap font-family font-size font-weight font-style " +
		"text-anchor text-decoration dominant-baseline transform href opacity marker-end marker-start refx refy markerwidth markerheight orient preserveaspectratio focusable xml:space unicode-bidi direction textlength lengthadjust vector-effect")
)

// names finds unknown elements and attributes.
func (p *page) names() {
	p.root.all(func(e *element) {
		allowed, known := attributes[e.name]
		svg := e.name == "svg" || e.nearest("svg") != nil
		if svg {
			allowed, known = drawnAttrs, slices.Contains(drawn, e.name)
		}
		if !known {
			p.fault(e.line, "<%s> is not an element of the site", e.name)
			return
		}
		for _, a := range e.attrs {
			if !slices.Contains(allowed, a.Key) && !slices.Contains(anywhere, a.Key) && !strings.HasPrefix(a.Key, "aria-") && !strings.HasPrefix(a.Key, "data-") {
				p.fault(e.line, "<%s> has the unknown attribute %s", e.name, a.Key)
			}
		}
	})
}

var (
	phrasing = words("a abbr b bdi br button code em i img input kbd label mark output s samp script select small span strong sub sup svg template time var wbr")
	// parents has elements that are only allowed directly in others.
	parents = map[string][]string{
		"head": {"html"}, "body": {"html"}, "title": {"head"}, "meta": {"head"}, "link": {"head"}, "style": {"head"}, "li": words("ul ol"), "dt": words("dl div"), "dd": words("dl div"),
		"caption": {"table"}, "colgroup": {"table"}, "thead": {"table"}, "tbody": {"table"}, "tfoot": {"table"}, "tr": words("thead tbody tfoot"), "td": {"tr"}, "th": {"tr"}, "col": {"colgroup"},
		"figcaption": {"figure"}, "summary": {"details"}, "legend": {"fieldset"}, "option": {"select"}, "main": words("body div"),
	}
	// contents has elements that only some others are allowed in.
	contents = map[string][]string{
		"html": words("head body"), "ul": words("li"), "ol": words("li"), "dl": words("dt dd div"), "table": words("caption colgroup thead tbody tfoot"), "thead": {"tr"}, "tbody": {"tr"}, "tfoot": {"tr"},
		"tr": words("td th"), "colgroup": {"col"}, "select": {"option"}, "option": {}, "title": {}, "style": {}, "script": {}, "summary": append(words("h1 h2 h3 h4 h5 h6"), phrasing...),
		"hgroup": words("h1 h2 h3 h4 h5 h6 p"),
	}
	inline      = words("p h1 h2 h3 h4 h5 h6 span pre code samp kbd var em strong b i small s sub sup abbr mark time bdi label button legend output") // contain phrasing only
	interactive = words("a button input select label details")
)

// allowedContent returns the elements that are allowed in another, if not all are.
func allowedContent(name string) (only []string, limited bool) {
	if slices.Contains(inline, name) {
		return phrasing, true
	}
	only, limited = contents[name]
	return only, limited
}

// content finds elements in places where HTML does not allow them.
func (p *page) content() {
	p.root.all(func(e *element) {
		if e.nearest("svg") != nil {
			return
		}
		in := e.parent
		if only, limited := allowedContent(in.name); limited && !slices.Contains(only, e.name) {
			p.fault(e.line, "<%s> is not allowed in <%s>", e.name, in.name)
		}
		if only, limited := parents[e.name]; limited && !slices.Contains(only, in.name) {
			p.fault(e.line, "<%s> is not allowed in <%s>", e.name, in.name)
		}
		if out := e.nearest("a", "button", "summary"); slices.Contains(interactive, e.name) && out != nil {
			p.fault(e.line, "<%s> is not allowed in <%s>: both react to a click", e.name, out.name)
		}
		if e.name == "summary" && in.children[0] != e {
			p.fault(e.line, "<summary> is not the first element of <details>")
		}
	})
}
