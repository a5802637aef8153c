package load

import (
	"context"
	"go/token"
	"go/types"

	"github.com/cassaml/cassaml/aml/model"
)

// Files has the files of a package in memory, and the types of the packages that they import. It loads the package with other texts of these
// files without the go command.
type Files struct {
	Path    string            // the import path of the package
	Texts   map[string][]byte // the keys are file names; the generated file and test files are left out
	Fset    *token.FileSet    // positions in the imported packages
	Imports types.Importer
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
	return &Files{Path: root.PkgPath, Texts: l.sources, Fset: l.fset, Imports: l}, nil
}

// Package loads the package with other texts of its files. They can import the packages that the files import.
func (f *Files) Package(texts map[string][]byte) (*model.Package, error) {
	return Source(f.Fset, f.Path, texts, f.Imports)
}
