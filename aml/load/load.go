package load

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/cassaml/cassaml/aml/model"
)

// Load reads the package in dir, without its test files. Its own files are parsed and type-checked without function bodies, and again
// with them if a tag has a path through a method; only the types of its dependencies are read. If the package does not compile, the error is a *SourceError. Undeclared names
// are not an error if no struct of the model uses them: service code in the same package can use the store before it has been
// generated.
func Load(ctx context.Context, dir string) (*model.Package, error) {
	root, err := list(ctx, dir)
	if err != nil {
		return nil, err
	}
	l := newLoader(token.NewFileSet(), root.PkgPath, root.Dir)
	if err := l.read(root.GoFiles); err != nil {
		return nil, err
	}
	if err := l.dependencies(ctx); err != nil {
		return nil, err
	}
	return l.check(root.Name)
}

// Source reads a package from files in memory, by name, without the go command. Path is its import path. Imports returns the
// types of the packages that it imports. Fset contains their positions; Source adds the positions of the files.
func Source(fset *token.FileSet, path string, files map[string][]byte, imports types.Importer) (*model.Package, error) {
	l := newLoader(fset, path, "")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		l.parse(name, files[name])
	}
	if err := l.failed(); err != nil {
		return nil, err
	}
	if len(l.files) == 0 {
		return nil, fmt.Errorf("load: package %s has no files", path)
	}
	l.imports = map[string]*types.Package{}
	for _, i := range l.imported() {
		if p, err := imports.Import(i); err == nil { // else the type checker reports it
			l.imports[i] = p
		}
	}
	return l.check(l.files[0].Name.Name)
}

// Syntax reads a package that has been parsed, with comments, and type-checked, such as the package of an analyzer. Test files are left out.
// Read returns the content of a file.
func Syntax(fset *token.FileSet, pkg *types.Package, files []*ast.File, read func(name string) ([]byte, error)) (*model.Package, error) {
	l := newLoader(fset, pkg.Path(), "")
	for _, f := range files {
		name := fset.Position(f.FileStart).Filename
		if filepath.Base(name) == Generated || strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := read(name)
		if err != nil {
			return nil, fmt.Errorf("load: %w", err)
		}
		l.sources[name], l.files = src, append(l.files, f)
		ast.Inspect(f, l.index)
	}
	l.imports = map[string]*types.Package{}
	for _, i := range pkg.Imports() {
		l.imports[i.Path()] = i
	}
	return l.check(pkg.Name())
}

// list returns the files of the package from the go command, without compilation.
func list(ctx context.Context, dir string) (*packages.Package, error) {
	if i, err := os.Stat(dir); err != nil || !i.IsDir() {
		return nil, fmt.Errorf("load: %s is not a folder", dir)
	}
	generated, err := filepath.Abs(filepath.Join(dir, Generated))
	if err != nil {
		return nil, fmt.Errorf("load: find %s: %w", dir, err)
	}
	config := &packages.Config{Context: ctx, Mode: packages.NeedName | packages.NeedFiles, Dir: dir}
	if _, err := os.Stat(generated); err == nil {
		config.Overlay = map[string][]byte{generated: []byte(ignored)}
	}
	found, err := packages.Load(config, ".")
	if err != nil {
		return nil, fmt.Errorf("load: list the package in %s: %w", dir, cause(ctx, err))
	}
	p := found[0]
	if len(p.GoFiles) == 0 {
		return nil, noPackage(dir, p)
	}
	p.Dir = filepath.Dir(p.GoFiles[0])
	return p, nil
}

// Dirs returns the folders of packages by their import paths, resolved in dir. A package without Go files is
// omitted.
func Dirs(ctx context.Context, dir string, paths []string) (map[string]string, error) {
	out := map[string]string{}
	if len(paths) == 0 {
		return out, nil
	}
	found, err := packages.Load(&packages.Config{Context: ctx, Mode: packages.NeedName | packages.NeedFiles, Dir: dir}, paths...)
	if err != nil {
		return nil, fmt.Errorf("load: list packages: %w", cause(ctx, err))
	}
	for _, p := range found {
		if len(p.GoFiles) > 0 {
			out[p.PkgPath] = filepath.Dir(p.GoFiles[0])
		}
	}
	return out, nil
}

// ignored replaces the generated file for the go command: its real content may belong to another package, or may not be valid
// Go.
const ignored = "//go:build ignore\n\npackage ignore\n"

// check type-checks the package and reads its structs.
func (l *loader) check(name string) (*model.Package, error) {
	if s := l.tooLarge(name); s != nil {
		return &model.Package{Path: l.path, Name: name, Dir: l.dir, Names: map[string]model.Pos{}, Structs: []*model.Struct{s}}, nil
	}
	config := types.Config{Importer: l, Error: l.classify, IgnoreFuncBodies: true, FakeImportC: true}
	pkg, _ := config.Check(l.path, l.fset, l.files, &types.Info{Uses: l.uses}) // classify has received every error
	if err := l.failed(); err != nil {
		return nil, err // types that the type checker refuses can be infinite
	}
	p := &model.Package{Path: l.path, Name: name, Dir: l.dir, Names: map[string]model.Pos{}}
	declared := l.inOrder(pkg.Scope())
	inModel := slices.ContainsFunc(declared, func(n types.Object) bool {
		t, ok := n.(*types.TypeName)
		return ok && !t.IsAlias() && l.marked(t) != nil
	})
	for _, n := range declared {
		p.Names[n.Name()] = l.pos(n.Pos())
		if t, ok := n.(*types.TypeName); ok && !t.IsAlias() {
			if s := cmp.Or(l.marked(t), l.inherited(t, inModel)); s != nil {
				p.Structs = append(p.Structs, s)
			}
		}
	}
	l.reads(p.Structs)
	p.Others = l.importedRoots()
	for _, f := range l.files {
		p.Ignores = append(p.Ignores, l.ignores(f)...)
	}
	p.Doc = l.packageDoc()
	return p, l.failed()
}

// importedRoots returns the roots of imported packages, which associations can refer to.
func (l *loader) importedRoots() []*model.Struct {
	var out []*model.Struct
	for _, path := range l.imported() {
		p := l.imports[path]
		if p == nil || !slices.ContainsFunc(p.Imports(), func(i *types.Package) bool { return i.Path() == Markers }) {
			continue
		}
		for _, n := range p.Scope().Names() {
			if t, ok := p.Scope().Lookup(n).(*types.TypeName); ok && t.Exported() && !t.IsAlias() {
				if s := l.marked(t); s != nil && s.Marker == model.AggregateMarker {
					out = append(out, s)
				}
			}
		}
	}
	return out
}
