package site

import "github.com/cassaml/cassaml/codegen/diagram"

// migrationsView is the page of the migrations.
type migrationsView struct{ Packages []packageMigrations }

type packageMigrations struct {
	Label string // "" in a site of one package
	Files []fileView
}

// fileView is a file of migrations.
type fileView struct {
	ID, Name string
	Steps    []Step
	Findings []Finding
}

func (b *builder) migrations() packageMigrations {
	v := packageMigrations{Label: b.shownLabel()}
	for _, m := range b.Migrations {
		f := fileView{ID: "migration-" + anchor(b.label) + "-" + anchor(m.Name), Name: name(m.Name), Findings: plainFindings(m.Findings)}
		for _, s := range m.Steps {
			f.Steps = append(f.Steps, Step{s.Line, text(s.CQL), text(s.Func), text(s.Directive), plainFindings(s.Findings)})
		}
		v.Files = append(v.Files, f)
		b.find(f.Name, "migration", "migrations.html#"+f.ID, v.Label)
		b.findFindings(f)
	}
	return v
}

// findFindings adds the findings of a file to the search.
func (b *builder) findFindings(f fileView) {
	all := f.Findings
	for _, s := range f.Steps {
		all = append(all, s.Findings...)
	}
	for _, x := range all {
		b.find(x.Code+" "+x.Message, "finding", "migrations.html#"+f.ID, f.Name)
	}
}

func plainFindings(in []Finding) (out []Finding) {
	for _, f := range in {
		out = append(out, Finding{f.Line, name(f.Code), text(f.Message), text(f.Fix)})
	}
	return out
}

// signsView is the page of the notation.
type signsView struct{ Notations []signList }

type signList struct {
	Title string
	Signs []diagram.Sign
}

func notationView() *signsView {
	return &signsView{[]signList{
		{"Diagrams of aggregates", diagram.Signs(diagram.AML)},
		{"Diagrams of tables", diagram.Signs(diagram.Chebotko)},
	}}
}
