package docscmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/codegen/site"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/lint"
)

// readMigrations reads a folder of migrations with the findings of aml migrate lint.
func readMigrations(dir string) ([]site.Migration, error) {
	files, err := migrationfolder.Read(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	found, err := lint.Lint(files)
	if err != nil {
		return nil, migrationfolder.AddFolder(dir, err)
	}
	var out []site.Migration
	for _, f := range files {
		out = append(out, newMigration(f, found))
	}
	return out, nil
}

// newMigration returns a file with its statements and directives in their order. A finding is at the last of them that begins at its
// line or before.
func newMigration(f folder.File, found []lint.Finding) site.Migration {
	m := site.Migration{Name: f.Name}
	for _, s := range f.Statements {
		step := site.Step{Line: s.Line, CQL: s.Text + ";"}
		if s.Func != "" {
			step = site.Step{Line: s.Line, Func: s.Func}
		}
		m.Steps = append(m.Steps, step)
	}
	for _, d := range f.Directives {
		if d.Verb != "func" {
			m.Steps = append(m.Steps, site.Step{Line: d.Line, Directive: strings.TrimSpace(d.Text)})
		}
	}
	sortSteps(m.Steps)
	for _, x := range found {
		if x.File != f.Name {
			continue
		}
		finding := site.Finding{Line: x.Line, Code: x.Code, Message: x.Message, Fix: x.Fix}
		if i := stepAt(m.Steps, x.Line); i >= 0 {
			m.Steps[i].Findings = append(m.Steps[i].Findings, finding)
		} else {
			m.Findings = append(m.Findings, finding)
		}
	}
	return m
}

// sortSteps sorts statements and directives by their lines; a directive at the end of a statement's first line comes after it.
func sortSteps(steps []site.Step) {
	slices.SortStableFunc(steps, func(a, b site.Step) int { return cmp.Compare(a.Line, b.Line) })
}

// stepAt returns the last step that begins at a line or before it; -1 for none.
func stepAt(steps []site.Step, line int) int {
	at := -1
	for i, s := range steps {
		if s.Line <= line {
			at = i
		}
	}
	return at
}
