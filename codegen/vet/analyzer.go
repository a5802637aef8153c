package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
)

// Analyzer reports the diagnostics of models, and faults in the CQL of packages that import a generated store.
var Analyzer = &analysis.Analyzer{
	Name:      "aml",
	Doc:       "report faults of AML models, and of CQL and queries in packages that import a generated store",
	URL:       "https://github.com/cassaml/cassaml/blob/main/docs/queries.md#in-go-code",
	Run:       func(pass *analysis.Pass) (any, error) { return nil, (&vetting{pass, reported(pass)}).run() },
	FactTypes: []analysis.Fact{(*Store)(nil)},
}

// vetting is the analysis of a package.
type vetting struct {
	*analysis.Pass
	report func(at token.Pos, r model.Rule, what, fix string)
}

func (v *vetting) run() error {
	if imports(v.Pkg, load.Markers) && len(v.Files) > 0 {
		if err := v.model(); err != nil {
			return err
		}
	}
	v.separate()
	if stores := v.stores(); len(stores) > 0 {
		v.queries(stores)
		v.discards()
	}
	return nil
}

func imports(p *types.Package, path string) bool {
	return slices.ContainsFunc(p.Imports(), func(i *types.Package) bool { return i.Path() == path })
}

// stores returns the stores of a package and of those that it imports.
func (v *vetting) stores() (out []*Store) {
	for _, p := range append(slices.Clone(v.Pkg.Imports()), v.Pkg) {
		s := &Store{}
		if v.ImportPackageFact(p, s) {
			out = append(out, s)
		}
	}
	return out
}

// separate exports the tables of a package with the generated store of a model in another package.
func (v *vetting) separate() {
	of := codegen.RecordedModel(v.text(v.generated()))
	for _, p := range v.Pkg.Imports() {
		if s := (&Store{}); p.Path() == of && v.ImportPackageFact(p, s) {
			v.ExportPackageFact(s)
		}
	}
}

// text returns the text of a file; nil for no file.
func (v *vetting) text(f *ast.File) []byte {
	if f == nil {
		return nil
	}
	text, err := v.ReadFile(v.Fset.Position(f.FileStart).Filename)
	if err != nil {
		return nil // the compiler has read it
	}
	return text
}

// recorded returns the package of the store of a model, as far as the store needs it to use the model; nil for the package of the model.
func (v *vetting) recorded(p *model.Package) *codegen.Package {
	folder := filepath.Dir(v.Fset.Position(v.Files[0].FileStart).Filename)
	text, err := os.ReadFile(filepath.Join(folder, codegen.SchemaFile))
	if err != nil {
		return nil
	}
	r, err := codegen.RecordedStore(text)
	if err != nil || r == nil { // aml generate reports the error
		return nil
	}
	return &codegen.Package{Path: path.Join(p.Path, r.Folder), Name: r.Package}
}

// model reports the diagnostics of the model of a package, and exports its tables if the package has a generated store.
func (v *vetting) model() error {
	p, err := load.Syntax(v.Fset, v.Pkg, v.Files, v.ReadFile)
	if err != nil {
		return err
	}
	m, faults := model.Build(p)
	if len(m.Aggregates) == 0 && len(faults) == 0 {
		return nil
	}
	if !model.Refused(faults) {
		s := schema.New(m)
		config := codegen.Config{Prefix: v.prefix(), Package: v.recorded(p)}
		if v.generated() != nil || config.Package != nil {
			v.ExportPackageFact(newStore(s))
		}
		more, err := codegen.Unfit(m, s, config)
		if err != nil {
			return err
		}
		faults = model.Sorted(slices.Concat(faults, more))
	}
	for _, d := range faults {
		v.report(v.place(d.Pos), d.Rule, d.What, d.Fix)
	}
	return nil
}

// generated returns the file of the generator; nil for none.
func (v *vetting) generated() *ast.File {
	i := slices.IndexFunc(v.Files, func(f *ast.File) bool {
		return filepath.Base(v.Fset.Position(f.FileStart).Filename) == load.Generated
	})
	if i < 0 {
		return nil
	}
	return v.Files[i]
}

// prefix returns the prefix of the names in the generated file: "Shop" if its store is ShopStore.
func (v *vetting) prefix() string {
	f := v.generated()
	if f == nil {
		return ""
	}
	for _, d := range f.Decls {
		if decl, ok := d.(*ast.GenDecl); ok && decl.Tok == token.TYPE && len(decl.Specs) > 0 {
			prefix, _ := strings.CutSuffix(decl.Specs[0].(*ast.TypeSpec).Name.Name, "Store")
			return prefix // the store is the first type
		}
	}
	return ""
}

// place returns the position of a diagnostic of a model in the files of the pass; the first file if it is in none of them.
func (v *vetting) place(at model.Pos) token.Pos {
	name, err := filepath.Abs(at.File)
	for _, f := range v.Files {
		file := v.Fset.File(f.FileStart)
		if own, fault := filepath.Abs(file.Name()); err != nil || fault != nil || own != name || at.Line < 1 || at.Line > file.LineCount() {
			continue
		}
		return file.LineStart(at.Line) + token.Pos(max(at.Col, 1)-1)
	}
	return v.Files[0].Package
}

// reported returns a function that reports faults as aml check prints them: CODE: what; how to fix it.
func reported(pass *analysis.Pass) func(token.Pos, model.Rule, string, string) {
	return func(at token.Pos, r model.Rule, what, fix string) {
		d := model.Diagnostic{Rule: r, What: what, Fix: fix}
		text, _ := strings.CutPrefix(d.String(), d.Pos.String()+": ")
		pass.Report(analysis.Diagnostic{Pos: at, Category: r.Code, Message: text, URL: fmt.Sprintf("https://github.com/cassaml/cassaml/blob/main/docs/%s.md", rulePage(r))})
	}
}

// rulePage returns the page of docs that describes a rule.
func rulePage(r model.Rule) string {
	if strings.HasPrefix(r.Code, "AML7") {
		return "queries"
	}
	return "diagnostics"
}
