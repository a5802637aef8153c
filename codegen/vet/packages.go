package vet

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen"
)

// Packages returns the diagnostics of the packages that patterns of the go command match, with their tests, in the order of the files.
// The error lists the faults of packages that do not compile. Only these packages are read as source: the build cache has the types of
// the others.
func Packages(ctx context.Context, patterns ...string) ([]model.Diagnostic, error) {
	asked, err := read(ctx, true, patterns)
	if err != nil {
		return nil, err
	}
	v := &vetted{facts: map[string]*Store{}}
	if err := v.imported(ctx, asked); err != nil {
		return nil, err
	}
	// A package after those that it imports.
	packages.Visit(asked, nil, func(p *packages.Package) {
		if err == nil && len(p.Syntax) > 0 && slices.Contains(asked, p) {
			err = v.run(p, &v.found)
		}
	})
	return model.Sorted(v.found), err
}

// read reads packages as source.
func read(ctx context.Context, tests bool, patterns []string) ([]*packages.Package, error) {
	found, err := packages.Load(&packages.Config{Context: ctx, Mode: packages.LoadSyntax, Tests: tests}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("vet: list packages: %w", err)
	}
	seen, lines := map[string]bool{}, []string(nil)
	for _, p := range found {
		for _, e := range p.Errors {
			if text := local(errorText(p, e)); !seen[text] && !strings.HasPrefix(e.Msg, "# ") { // an error of the compiler, which the type checker repeats
				seen[text], lines = true, append(lines, text)
			}
		}
	}
	switch {
	case len(lines) > 0:
		return nil, fmt.Errorf("%s", strings.Join(lines, "\n"))
	case len(found) == 0:
		return nil, fmt.Errorf("vet: no packages: %s matches none", strings.Join(patterns, " "))
	}
	return found, nil
}

// errorText returns the text of an error of a package. The go command has no place for a test that imports a package which imports the tested one,
// such as the store of a model in another package.
func errorText(p *packages.Package, e packages.Error) string {
	cycle := regexp.MustCompile(`^import cycle not allowed in test: import stack: \[\S+ (\S+)`).FindStringSubmatch(e.Msg)
	if cycle == nil {
		return e.Error()
	}
	for _, f := range p.Syntax {
		for _, i := range f.Imports {
			if i.Path.Value == strconv.Quote(cycle[1]) {
				return fmt.Sprintf("%s: import cycle: this test is in package %s, and %s depends on that package; write the test in package %[2]s_test", p.Fset.Position(i.Path.Pos()), p.Name, cycle[1])
			}
		}
	}
	return e.Error()
}

// local returns a path, or a text that begins with one, relative to the working directory if it is below that.
func local(path string) string {
	if wd, err := os.Getwd(); err == nil {
		return strings.TrimPrefix(path, wd+string(filepath.Separator))
	}
	return path
}

// imported reads the models and stores that packages import, for their facts.
func (v *vetted) imported(ctx context.Context, by []*packages.Package) error {
	paths := importedModels(by)
	if len(paths) == 0 {
		return nil
	}
	found, err := read(ctx, false, paths)
	if err != nil {
		return err
	}
	if more := recordedModels(found); len(more) > 0 {
		if found, err = read(ctx, false, append(paths, more...)); err != nil {
			return err
		}
	}
	packages.Visit(found, nil, func(p *packages.Package) {
		if err == nil && slices.Contains(found, p) {
			err = v.run(p, nil)
		}
	})
	return err
}

// importedModels returns the import paths of packages with models or stores that other packages import, and that are not among them.
func importedModels(in []*packages.Package) (out []string) {
	own := map[string]bool{}
	for _, p := range in {
		own[p.PkgPath] = true
	}
	for _, p := range in {
		if p.Types == nil {
			continue
		}
		for _, i := range p.Types.Imports() {
			if !own[i.Path()] && (imports(i, load.Markers) || imports(i, queryTypes)) {
				own[i.Path()], out = true, append(out, i.Path())
			}
		}
	}
	return out
}

// recordedModels returns the import paths of the models whose stores are in these packages, and that are not among them.
func recordedModels(in []*packages.Package) (out []string) {
	for _, p := range in {
		i := slices.IndexFunc(p.GoFiles, func(file string) bool { return filepath.Base(file) == load.Generated })
		if i < 0 {
			continue
		}
		text, err := os.ReadFile(p.GoFiles[i])
		of := codegen.RecordedModel(text)
		if err == nil && of != "" && !slices.ContainsFunc(in, func(p *packages.Package) bool { return p.PkgPath == of }) {
			out = append(out, of)
		}
	}
	return out
}

// vetted has the facts and diagnostics of the packages that have been analyzed.
type vetted struct {
	facts map[string]*Store // keys are import paths
	found []model.Diagnostic
}

// run analyzes a package and adds its diagnostics to a list; nil: only its facts are needed.
func (v *vetted) run(p *packages.Package, to *[]model.Diagnostic) error {
	pass := &analysis.Pass{Analyzer: Analyzer, Fset: p.Fset, Files: p.Syntax, Pkg: p.Types, TypesInfo: p.TypesInfo, ReadFile: os.ReadFile,
		ImportPackageFact: func(of *types.Package, fact analysis.Fact) bool {
			s, ok := v.facts[of.Path()]
			if ok {
				*fact.(*Store) = *s
			}
			return ok
		},
		ExportPackageFact: func(fact analysis.Fact) { v.facts[p.PkgPath] = fact.(*Store) },
	}
	return (&vetting{pass, func(at token.Pos, r model.Rule, what, fix string) {
		if to != nil {
			pos := p.Fset.Position(at)
			*to = append(*to, model.Diagnostic{Pos: model.Pos{File: local(pos.Filename), Line: pos.Line, Col: pos.Column}, Rule: r, What: what, Fix: fix})
		}
	}}).run()
}
