package gosource

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Package has the files of a Go package, which can be edited.
type Package struct {
	texts map[string]string
	used  map[string]map[string]bool // the names before a dot in each file before the first edit
	named map[string]string          // the import specs that the files use then, by the name of the package
	err   error
}

// New returns a package with the texts of its files, by name.
func New(texts map[string]string) *Package {
	p := &Package{texts: maps.Clone(texts), used: map[string]map[string]bool{}, named: map[string]string{}}
	for _, name := range p.Files() {
		f := p.parse(name)
		if f == nil {
			return p
		}
		p.used[name] = f.used()
		for _, i := range f.Imports {
			if known, spec := importName(i); p.used[name][known] {
				p.named[known] = spec
			}
		}
	}
	return p
}

// Files returns the names of the files, sorted.
func (p *Package) Files() []string { return slices.Sorted(maps.Keys(p.texts)) }

// Texts returns the formatted files. Imports that no file uses any more are removed, and those that moved fields need are added.
func (p *Package) Texts() (map[string]string, error) {
	out := map[string]string{}
	for _, name := range p.Files() {
		p.correctImports(name)
		if p.err != nil {
			return nil, p.err
		}
		text, err := format.Source([]byte(p.texts[name]))
		if err != nil {
			return nil, fmt.Errorf("gosource: format %s: %w", name, err)
		}
		out[name] = string(text)
	}
	return out, p.err
}

// fail records the first error.
func (p *Package) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("gosource: "+format, args...)
	}
}

// file is a parsed file.
type file struct {
	*ast.File
	fset *token.FileSet
}

func (f *file) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (p *Package) parse(name string) *file {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, p.texts[name], parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		p.fail("%w", err)
		return nil
	}
	return &file{f, fset}
}

// splice replaces a range of bytes of a file.
func (p *Package) splice(name string, from, to int, text string) {
	p.texts[name] = p.texts[name][:from] + text + p.texts[name][to:]
}

// importName returns the name by which a file knows an import, and the import as it is declared. Without a declared name it is the usual one for the path.
func importName(i *ast.ImportSpec) (name, spec string) {
	full, err := strconv.Unquote(i.Path.Value)
	if err != nil {
		return "", ""
	}
	if i.Name != nil {
		return i.Name.Name, i.Name.Name + " " + i.Path.Value
	}
	name = path.Base(full)
	if major, ok := strings.CutPrefix(name, "v"); ok && path.Dir(full) != "." {
		if _, err := strconv.Atoi(major); err == nil {
			name = path.Base(path.Dir(full))
		}
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "go-"), ".v") // gopkg.in/yaml.v3
	return name, i.Path.Value
}

// used returns the names before a dot: each package that the file uses has one of them.
func (f *file) used() map[string]bool {
	used := map[string]bool{}
	ast.Inspect(f.File, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	return used
}

// correctImports adds the imports that a file needs and removes those that it does not use any more. An import whose name the file did not use before is kept: its package can have another name.
func (p *Package) correctImports(name string) {
	f := p.parse(name)
	if f == nil {
		return
	}
	used := f.used()
	for _, i := range slices.Backward(f.Imports) {
		known, _ := importName(i)
		if !used[known] && p.used[name][known] {
			from, to := lines(p.texts[name], f.offset(i.Pos()), f.offset(i.End()))
			p.splice(name, from, to, "")
		}
		delete(used, known)
	}
	at := f.offset(f.Name.End())
	for _, known := range slices.Backward(slices.Sorted(maps.Keys(used))) {
		if spec := p.named[known]; spec != "" {
			p.splice(name, at, at, "\n\nimport "+spec)
		}
	}
}

// lines extends a range of bytes to whole lines.
func lines(text string, from, to int) (int, int) {
	from = strings.LastIndexByte(text[:from], '\n') + 1
	if end := strings.IndexByte(text[to:], '\n'); end >= 0 {
		return from, to + end + 1
	}
	return from, len(text)
}
