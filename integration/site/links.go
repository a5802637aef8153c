package site

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// files are the parsed files of a site.
type files struct {
	pages  []*page // sorted by path
	byPath map[string]*page
	exists map[string]bool
	faults []string // found outside the elements of a page
}

func read(all map[string][]byte) *files {
	s := &files{byPath: map[string]*page{}, exists: map[string]bool{}}
	for name, data := range all {
		s.exists[name] = true
		if path.Ext(name) == ".html" {
			p := parse(name, data)
			s.pages, s.byPath[name] = append(s.pages, p), p
		}
	}
	slices.SortFunc(s.pages, func(a, b *page) int { return strings.Compare(a.path, b.path) })
	return s
}

// ids returns the ids of a page. It finds those that are empty, have spaces, or are used twice.
func (p *page) ids() map[string]bool {
	ids := map[string]bool{}
	p.root.all(func(e *element) {
		id, ok := e.get("id")
		if !ok {
			return
		}
		if id == "" || strings.ContainsAny(id, " \t\n") || ids[id] {
			p.fault(e.line, "id=%q is empty, has spaces, or is used twice", id)
		}
		ids[id] = true
	})
	return ids
}

// loads has the attributes with an address that a browser requests without a click.
var loads = map[string][]string{"script": {"src"}, "link": {"href"}, "img": {"src", "srcset"}, "use": {"href", "xlink:href"}, "image": {"href", "xlink:href"}, "source": {"src", "srcset"}, "iframe": {"src"}, "object": {"data"}}

// links follows each address of each page.
func (s *files) links() {
	addresses := words("href src xlink:href action srcset data poster")
	reached := map[string]bool{"index.html": true}
	anchors := map[string]map[string]bool{}
	for _, p := range s.pages {
		anchors[p.path] = p.anchors()
	}
	for _, p := range s.pages {
		p.root.all(func(e *element) {
			for _, key := range addresses {
				address, ok := e.get(key)
				if !ok {
					continue
				}
				target, why := s.resolve(p, e, key, address, anchors)
				if why != "" {
					p.fault(e.line, "<%s %s=%q>: %s", e.name, key, address, why)
				}
				reached[target] = reached[target] || target != p.path
			}
		})
	}
	for _, p := range s.pages {
		if !reached[p.path] {
			p.fault(1, "no page links to this one")
		}
	}
}

// anchors returns the ids that a link can refer to.
func (p *page) anchors() map[string]bool {
	ids := map[string]bool{"": true}
	p.root.all(func(e *element) {
		if id, ok := e.get("id"); ok {
			ids[id] = true
		}
	})
	return ids
}

// resolve returns the file that an address refers to, or the reason why the address is invalid.
func (s *files) resolve(p *page, e *element, key, address string, anchors map[string]map[string]bool) (target, why string) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err.Error()
	}
	if u.Scheme != "" || u.Host != "" {
		switch {
		case e.name != "a" || slices.Contains(loads[e.name], key):
			return "", "is requested from another host"
		case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto":
			return "", "has a scheme that is not that of a page"
		}
		return "", ""
	}
	if strings.HasPrefix(u.Path, "/") {
		return "", "begins with a slash: the site must work in every folder"
	}
	target = p.path
	if u.Path != "" {
		target = path.Join(path.Dir(p.path), u.Path)
		if strings.HasSuffix(u.Path, "/") {
			return "", "refers to a folder, which has no page when the site is opened from disk"
		}
	}
	if !s.exists[target] {
		return "", "the site has no " + target
	}
	if ids, isPage := anchors[target]; isPage && !ids[u.Fragment] {
		return target, fmt.Sprintf("%s has no id %q", target, u.Fragment)
	}
	return target, ""
}

var (
	stylesheetAddress = regexp.MustCompile(`(?i)@import|url\(|image-set\(|@font-face`)
	// scriptRequest has the calls by which a script requests something or makes elements of a text.
	scriptRequest = regexp.MustCompile(`\b(fetch|importScripts|import|eval|Function|insertAdjacentHTML|write|writeln)\s*\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\.(innerHTML|outerHTML|srcdoc)\b`)
)

// requests finds addresses in styles and scripts, and pictures that are not well-formed.
func (s *files) requests(all map[string][]byte) {
	for _, name := range sortedKeys(all) {
		data := all[name]
		switch path.Ext(name) {
		case ".css":
			s.addresses(name, string(data), stylesheetAddress)
		case ".js":
			s.addresses(name, string(data), scriptRequest)
		case ".svg":
			for d := xml.NewDecoder(strings.NewReader(string(data))); ; {
				if _, err := d.Token(); err != nil {
					if err != io.EOF {
						s.faults = append(s.faults, fmt.Sprintf("%s: %v", name, err))
					}
					break
				}
			}
		case ".html":
			s.addresses(name, textsBetween(string(data), "<style", "</style>"), stylesheetAddress)
			s.addresses(name, textsBetween(string(data), "<script", "</script>"), scriptRequest)
		}
	}
}

func (s *files) addresses(name, text string, forbidden *regexp.Regexp) {
	for i, line := range strings.Split(text, "\n") {
		if found := forbidden.FindString(line); found != "" && !strings.Contains(line, `url(#`) {
			s.faults = append(s.faults, fmt.Sprintf("%s:%d: has %s", name, i+1, found))
		}
	}
}

// textsBetween returns the texts between two marks, and a line break for each line outside of them, so that lines can be counted.
func textsBetween(text, from, to string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, from)
		b.WriteString(strings.Repeat("\n", strings.Count(before, "\n")))
		if !found {
			return b.String()
		}
		inner, after, _ := strings.Cut(rest, to)
		b.WriteString(inner)
		text = after
	}
}

func sortedKeys(all map[string][]byte) []string {
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
