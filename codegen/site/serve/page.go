package serve

import (
	"bytes"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strings"

	_ "embed"
)

// Paths of the server. A site has no files there.
const (
	own        = ".aml/"
	eventsPath = own + "events"
	scriptPath = own + "reload.js"
	lastPath   = own + "last/" // the last site without an error
)

// state is the content of the server. It does not change; a build replaces it.
type state struct {
	id       string
	files    map[string][]byte // result of the last build without an error
	err      error             // result of the last build
	replaced chan struct{}     // closed when there is another state
}

//go:embed page.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is a page of the server itself.
type page struct {
	Title, Text string
	Lines       []string // the faults
	Link, Label string
	Style       template.CSS
	State       string
}

// faultPage returns a page with the faults of the model.
func (st *state) faultPage(name string) []byte {
	p := page{Title: "The model has faults", Text: "This page reloads when a file of the model is saved.", Lines: strings.Split(st.err.Error(), "\n"), State: st.id}
	if len(st.files) > 0 {
		p.Link, p.Label = "/"+lastPath+name, "The last site without faults"
	}
	return p.render()
}

// missingPage is the answer to a path that the site does not have.
func (st *state) missingPage(name string) []byte {
	p := page{Title: "No such page", Text: "The site has no page " + name + ". It may have been renamed in the model.", Link: "/", Label: "The first page", State: st.id}
	return p.render()
}

func (p page) render() []byte {
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		panic(err) // the template has these fields
	}
	return b.Bytes()
}

var policyMeta = regexp.MustCompile(`(<meta http-equiv="Content-Security-Policy" content=")([^"]*)(")`)

// live returns a page of the site with the script that reloads it, and a policy that allows the script and its stream of events.
func live(data []byte, id string) []byte {
	text := policyMeta.ReplaceAllStringFunc(string(data), func(meta string) string {
		part := policyMeta.FindStringSubmatch(meta)
		policy := html.UnescapeString(part[2])
		return part[1] + html.EscapeString(allowOwn(allowOwn(policy, "script-src"), "connect-src")) + part[3]
	})
	script := `<script src="/` + scriptPath + `" data-state="` + html.EscapeString(id) + `" defer></script>`
	head, rest, found := strings.Cut(text, "</head>")
	if !found {
		return data
	}
	return []byte(head + script + "</head>" + rest)
}

// allowOwn adds the server of the page to the sources of a directive.
func allowOwn(policy, directive string) string {
	var out []string
	done := false
	for d := range strings.SplitSeq(policy, ";") {
		words := strings.Fields(d)
		if len(words) == 0 {
			continue
		}
		if words[0] == directive && !done {
			done = true
			words = slices.DeleteFunc(words, func(w string) bool { return w == "'none'" || w == "'self'" })
			words = append(words, "'self'")
		}
		out = append(out, strings.Join(words, " "))
	}
	if !done {
		out = append(out, directive+" 'self'")
	}
	return strings.Join(out, "; ")
}
