package modelfolder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
)

// Store is the place of the generated store of a model.
type Store struct {
	Dir     string // its folder
	Package string // its package; "" if it is in the package of the model
	model   string // the folder of the model
}

// FindStore returns the place that schema.cql records, in the folder of a model. Without such a record it is the place of the file that was
// generated for the model; without one, the package of the model.
func FindStore(dir string) (*Store, error) {
	file := filepath.Join(dir, codegen.SchemaFile)
	text, err := readGenerated(file)
	if err != nil {
		return nil, err
	}
	switch r, err := codegen.RecordedStore(text); {
	case err != nil:
		return nil, fmt.Errorf("%s:2: %w", file, err)
	case r != nil:
		return &Store{filepath.Join(dir, filepath.FromSlash(r.Folder)), r.Package, dir}, nil
	}
	own := &Store{Dir: dir, model: dir}
	if exists(own.File()) {
		return own, nil
	}
	found, err := unrecorded(dir)
	return cmp.Or(found, own), err
}

// readGenerated reads a generated file. It returns nil if the file does not exist, or is not a regular file: the command that writes it reports the error.
func readGenerated(file string) ([]byte, error) {
	there, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !there.Mode().IsRegular():
		return nil, nil
	}
	return os.ReadFile(file)
}

// NewStore returns the place of a store in a folder, for the model of another folder or of the same one. pkg is the name of its package.
func NewStore(dir string, m *model.Model, folder, pkg string) (*Store, error) {
	switch {
	case !codegen.IsPackageName(pkg):
		return nil, fmt.Errorf("-package %s: a store needs the name of a package that other packages can import", pkg)
	case !sameFolder(dir, folder):
		return &Store{folder, pkg, dir}, nil
	case pkg != m.Package.Name:
		return nil, fmt.Errorf("-package %s: %s is the folder of package %s; choose another folder with -o, or -package %[3]s", pkg, folder, m.Package.Name)
	}
	return &Store{Dir: dir, model: dir}, nil
}

// storeError is the error of a folder with the store of a model in another folder. It is a [NoModelError], too.
type storeError struct{ dir, of string }

func (e *storeError) Error() string {
	return fmt.Sprintf("%s has the store of the model in package %s, and no model: run the command in the folder of that package", e.dir, e.of)
}

func (e *storeError) Unwrap() error { return NoModelError(e.of) }

// findModel returns an error that names the model of a folder with a store of another folder; nil for any other folder.
func findModel(dir string) error {
	text, err := readGenerated(filepath.Join(dir, load.Generated))
	if of := codegen.RecordedModel(text); err == nil && of != "" {
		return &storeError{dir, of}
	}
	return nil
}

// storeOfOther reports whether a file is the store of a model in another folder.
func storeOfOther(file string) bool {
	if filepath.Base(file) != load.Generated {
		return false
	}
	text, err := readGenerated(file)
	return err == nil && codegen.RecordedModel(text) != ""
}

func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	y, fault := os.Stat(b)
	return err == nil && fault == nil && os.SameFile(x, y)
}

// File returns the path of the generated file.
func (s *Store) File() string { return filepath.Join(s.Dir, load.Generated) }

// Driver returns the driver of the store; codegen.Gocql if there is no store.
func (s *Store) Driver() (string, error) {
	text, err := readGenerated(s.File())
	if err != nil {
		return "", err
	}
	return codegen.RecordedDriver(text), nil
}

// RecordedDriver returns the driver of the store of the model in a folder; codegen.Gocql if it has none.
func RecordedDriver(dir string) (string, error) {
	s, err := FindStore(dir)
	if err != nil {
		return "", err
	}
	return s.Driver()
}

// Name returns the name of the package of the store.
func (s *Store) Name(m *model.Model) string {
	if s.Package != "" {
		return s.Package
	}
	return m.Package.Name
}

// Record returns the line of schema.cql that says where the store is; "" for the package of the model.
func (s *Store) Record() (string, error) {
	if s.Package == "" {
		return "", nil
	}
	folder, err := relative(s.model, s.Dir)
	if err != nil {
		return "", err
	}
	return codegen.Recorded{Package: s.Package, Folder: folder}.Line() + "\n", nil
}

// relative returns the path from one folder to another, with slashes.
func relative(from, to string) (string, error) {
	a, err := realPath(from)
	if err != nil {
		return "", err
	}
	b, err := realPath(to)
	if err != nil {
		return "", err
	}
	r, err := filepath.Rel(a, b)
	return filepath.ToSlash(r), err
}

// realPath returns the absolute path of a folder without symbolic links. The last folders need not exist.
func realPath(dir string) (string, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if found, err := filepath.EvalSymlinks(at); err == nil || filepath.Dir(at) == at {
		return found, err
	}
	above, err := realPath(filepath.Dir(at))
	return filepath.Join(above, filepath.Base(at)), err
}

// Resolve checks that the store of a model can be in its place, and returns its package for the generator; nil for the package of the model.
func (s *Store) Resolve(ctx context.Context, m *model.Model) (*codegen.Package, error) {
	if s.Package == "" {
		return nil, s.unoccupied("")
	}
	if m.Package.Name == "main" {
		return nil, fmt.Errorf("package %s is a program, which the package of a store cannot import: move the model to a package of its own", m.Package.Path)
	}
	if err := s.usable(); err != nil {
		return nil, err
	}
	p := &codegen.Package{Name: s.Package}
	var err error
	if p.Path, err = s.importPath(m); err != nil {
		return nil, err
	}
	if err := s.unoccupied(m.Package.Path); err != nil {
		return nil, err
	}
	if err := s.acyclic(ctx, m, p.Path); err != nil {
		return nil, err
	}
	p.Names, err = s.names()
	return p, err
}

// importPath returns the import path of the folder, which must be in the module of the model.
func (s *Store) importPath(m *model.Model) (string, error) {
	folder, err := relative(s.model, s.Dir)
	if err != nil {
		return "", err
	}
	if own, other := moduleFolder(s.model), moduleFolder(s.Dir); own != other {
		return "", fmt.Errorf("%s is not in the module of the model (%s): choose a folder of this module with -o", s.Dir, filepath.Join(own, "go.mod"))
	}
	at := path.Join(m.Package.Path, folder)
	if err := module.CheckImportPath(at); err != nil {
		return "", fmt.Errorf("%s: no package can import it: %w; choose another folder with -o", s.Dir, err)
	}
	return at, nil
}

// moduleFolder returns the folder of the go.mod file that a folder belongs to; "" for none.
func moduleFolder(dir string) string {
	at, err := realPath(dir)
	for err == nil {
		if exists(filepath.Join(at, "go.mod")) {
			return at
		}
		above := filepath.Dir(at)
		if above == at {
			break
		}
		at = above
	}
	return ""
}

// unoccupied returns an error if the generated file is the store of another model, or if the model already has a store in another place. of
// is the model's import path, or "" if the store is in the package of the model.
func (s *Store) unoccupied(of string) error {
	text, err := readGenerated(s.File())
	if err != nil {
		return err
	}
	if is := codegen.RecordedModel(text); len(text) > 0 && is != of {
		if is == "" {
			is = "a model in that folder"
		}
		return fmt.Errorf("%s is the store of %s: a folder has one store, so choose another folder with -o, or delete the file if that model is gone", s.File(), is)
	}
	earlier, err := FindStore(s.model)
	if err != nil {
		return err
	}
	places := []*Store{earlier}
	if of != "" {
		places = append(places, &Store{Dir: s.model})
	}
	for _, p := range places {
		if exists(p.File()) && !sameFolder(p.Dir, s.Dir) {
			return fmt.Errorf("%s is a store of the same model: delete it, and then write the store to %s", p.File(), s.Dir)
		}
	}
	return nil
}

// acyclic returns an error if the model depends on the package in which its store is to be written. Once the store exists, a model that
// depends on it cannot be loaded.
func (s *Store) acyclic(ctx context.Context, m *model.Model, store string) error {
	if !exists(s.Dir) || exists(s.File()) {
		return nil
	}
	return commandline.Uninterrupted(ctx, func() error {
		at, through, err := load.Import(ctx, m.Package.Dir, store)
		if err != nil || through == "" {
			return err
		}
		if through != store {
			through += ", which depends on " + store
		}
		return fmt.Errorf("%s: the model imports %s, the package of its store, which imports the model: move this code to another package, or choose another folder with -o", at, through)
	})
}

// names returns the package-level declarations of the package in the folder, without tests and the generated file.
func (s *Store) names() (map[string]model.Pos, error) {
	out := map[string]model.Pos{}
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == load.Generated {
			continue
		}
		if ok, err := build.Default.MatchFile(s.Dir, name); err != nil || !ok {
			continue // the go command reports the error
		}
		if err := s.declared(filepath.Join(s.Dir, name), out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// declared adds the package-level declarations of a file.
func (s *Store) declared(file string, to map[string]model.Pos) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	place := func(p token.Pos) model.Pos {
		at := fset.Position(p)
		return model.Pos{File: at.Filename, Line: at.Line, Col: at.Column}
	}
	if at := modelImport(f); at.IsValid() {
		return fmt.Errorf("%s: the package in %s %w", place(at), s.Dir, errModel)
	}
	if f.Name.Name != s.Package {
		return fmt.Errorf("%s: the package in %s is %s, and -package is %s: use one name", place(f.Name.Pos()), s.Dir, f.Name.Name, s.Package)
	}
	for _, name := range declarations(f) {
		to[name.Name] = place(name.Pos())
	}
	return nil
}

// declarations returns the names that a file declares in its package.
func declarations(f *ast.File) (out []*ast.Ident) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				out = append(out, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					out = append(out, spec.Name)
				case *ast.ValueSpec:
					out = append(out, spec.Names...)
				}
			}
		}
	}
	return out
}

// exists reports whether there is a file or a folder.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
