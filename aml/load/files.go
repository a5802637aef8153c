package load

import (
	"context"
	"go/token"

	"github.com/cassaml/cassaml/aml/model"
)

// Files has the files of a package in memory, and the types of the packages that they import. It loads packages with other texts of these files
// without the go command.
type Files struct {
	Path  string            // the import path of the package
	Dir   string            // the folder of its files
	Texts map[string][]byte // the keys are file names; the generated file and test files are left out

	loader *loader
}

// Read reads the files of the package in dir and compiles the packages that they import.
func Read(ctx context.Context, dir string) (*Files, error) {
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
	return &Files{Path: root.PkgPath, Dir: root.Dir, Texts: l.sources, loader: l}, nil
}

// Package loads the package with other texts of its files. They can import the packages that the files import.
func (f *Files) Package(texts map[string][]byte) (*model.Package, error) {
	return Source(f.loader.fset, f.Path, texts, f.loader)
}
