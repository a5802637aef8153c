package site

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/explain"
)

//go:embed template
var embedded embed.FS

// ScriptMark is the first line of each style sheet and script.
const ScriptMark = "/* " + diagram.Mark + " */"

// Generator is the content of the meta element generator, which each page has.
const Generator = "aml"

// Policy is the content security policy of each page: the site loads its own files only.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

// Build returns the files of a site by name. All are in one folder. The first page is index.html.
func Build(in Input) (map[string][]byte, error) {
	in.Models = slices.Clone(in.Models)
	for i, m := range in.Models {
		in.Models[i].Explained = explain.New(m.Model.Model, m.Schema)
	}
	labels := packageLabels(in.Models)
	s := &site{input: in, title: titleOfSite(in, labels), names: newNames(in.Models, labels), taken: map[string]bool{}}
	for i, m := range in.Models {
		s.builders = append(s.builders, s.builder(m, labels[i]))
	}
	if err := s.diagramPages(); err != nil {
		return nil, err
	}
	s.modelPages()
	s.add(&page{File: "notation.html", Title: "Notation", Template: "notation", View: notationView()})
	for _, x := range s.main() {
		s.find(x.Name, "page", x.Href, "")
	}
	return s.render()
}

// packageLabels returns a name for each package that none of the others has.
func packageLabels(models []Model) []string {
	var drawn []diagram.Model
	for _, m := range models {
		drawn = append(drawn, m.Model)
	}
	return diagram.PackageLabels(drawn)
}

const fewPackages = 3 // whose names are the title of a site

// titleOfSite returns the title of a site: the names of its packages or, if they are many, the folder that contains them.
func titleOfSite(in Input, labels []string) string {
	if in.Title != "" {
		return name(in.Title)
	}
	if len(labels) > fewPackages {
		if folder := commonFolder(in.Models); folder != "" {
			return name(fmt.Sprintf("%d packages of %s", len(labels), folder))
		}
	}
	return name(strings.Join(labels, ", "))
}

// commonFolder returns the end of the longest path that contains all packages.
func commonFolder(models []Model) string {
	common := strings.Split(models[0].Package.Path, "/")
	for _, m := range models[1:] {
		path := strings.Split(m.Package.Path, "/")
		for i := range common {
			if i >= len(path) || path[i] != common[i] {
				common = common[:i]
				break
			}
		}
	}
	if len(common) == 0 {
		return ""
	}
	return common[len(common)-1]
}

// modelPages adds the pages about the models.
func (s *site) modelPages() {
	first, queries, migrations := &firstView{}, &queriesView{}, &migrationsView{}
	for _, b := range s.builders {
		for _, a := range b.Aggregates {
			s.add(b.aggregatePage(a))
		}
		for _, t := range b.Schema.Tables {
			s.add(b.tablePage(t))
		}
		first.Packages = append(first.Packages, b.packageView())
		queries.Packages = append(queries.Packages, b.queries())
		if b.Migrations != nil {
			migrations.Packages = append(migrations.Packages, b.migrations())
		}
	}
	if d, ok := s.pages[0].View.(*diagramView); ok {
		first.Pictures = d.Pictures[:1]
	}
	s.add(&page{File: "index.html", Title: s.title, Template: "index", View: first})
	s.add(&page{File: "queries.html", Title: "Queries", Template: "queries", View: queries})
	if migrations.Packages != nil {
		s.add(&page{File: "migrations.html", Title: "Migrations", Template: "migrations", View: migrations})
	}
}

// layout has the values that the frame of a page prints.
type layout struct {
	Site, Title, File string
	Generator, Policy string
	Nav               navigation
	Body              template.HTML
}

// render renders all pages, and adds the files that they use.
func (s *site) render() (map[string][]byte, error) {
	t, err := template.New("").Funcs(template.FuncMap{"cql": highlight}).ParseFS(embedded, "template/*.tmpl")
	if err != nil {
		return nil, fmt.Errorf("site: read the templates: %w", err)
	}
	out := map[string][]byte{}
	for _, p := range s.pages {
		var body, whole bytes.Buffer
		if err := t.ExecuteTemplate(&body, p.Template, p.View); err != nil {
			return nil, fmt.Errorf("site: render %s: %w", p.File, err)
		}
		l := layout{Site: s.title, Title: p.Title, File: p.File, Generator: Generator, Policy: Policy, Nav: s.navigation(p), Body: template.HTML(body.String())} //nolint:gosec // rendered by a template
		if err := t.ExecuteTemplate(&whole, "layout", l); err != nil {
			return nil, fmt.Errorf("site: render %s: %w", p.File, err)
		}
		out[p.File] = whole.Bytes()
	}
	for f, mark := range map[string]string{"site.css": ScriptMark, "site.js": ScriptMark, "search.js": ScriptMark, "diagram.js": ScriptMark, "icon.svg": "<!-- " + diagram.Mark + " -->"} {
		text, err := embedded.ReadFile("template/" + f)
		if err != nil {
			return nil, fmt.Errorf("site: %w", err)
		}
		out[f] = append([]byte(mark+"\n"), text...)
	}
	index, err := json.Marshal(s.found)
	if err != nil {
		return nil, fmt.Errorf("site: the names of the search: %w", err)
	}
	out["names.js"] = []byte(ScriptMark + "\nwindow.amlNames = " + string(index) + ";\n")
	return out, nil
}
