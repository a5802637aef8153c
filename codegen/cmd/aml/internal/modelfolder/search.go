package modelfolder

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen"
)

// unrecorded returns the store in another package of the module that was generated for the model of a folder; nil for none. schema.cql
// records it, but that file may have been deleted or restored.
func unrecorded(dir string) (*Store, error) {
	model, err := realPath(dir)
	if err != nil {
		return nil, err
	}
	root := moduleFolder(dir)
	of := packagePath(root, model)
	if of == "" {
		return nil, nil
	}
	var found *Store
	err = walkGenerated(root, model, func(file string) error {
		s, err := storeIn(file, dir, of)
		switch {
		case err != nil || s == nil:
			return err
		case found != nil:
			return fmt.Errorf("%s and %s are stores of the model in package %s, and %s records neither: delete one of them", found.File(), s.File(), of, filepath.Join(dir, codegen.SchemaFile))
		}
		found = s
		return nil
	})
	return found, err
}

// packagePath returns the import path of the package in a folder of a module; "" if the module cannot be read, which the go command reports.
func packagePath(root, folder string) string {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	below, fault := filepath.Rel(root, folder)
	if root == "" || err != nil || fault != nil {
		return ""
	}
	return path.Join(modfile.ModulePath(text), filepath.ToSlash(below))
}

// walkGenerated calls a function for each generated file of a module that can be the store of the model in a folder.
func walkGenerated(root, model string, do func(file string) error) error {
	return filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir // a folder that cannot be read, or that was removed
		case e.IsDir() && file != root && leftOut(file, model):
			return fs.SkipDir
		case e.IsDir() || e.Name() != load.Generated:
			return nil
		}
		return do(file)
	})
}

// leftOut reports whether no store of a model is in a folder or below it: the go command ignores the folder, or it is of another module.
func leftOut(folder, model string) bool {
	if strings.HasPrefix(model+string(filepath.Separator), folder+string(filepath.Separator)) {
		return false
	}
	return ignored(filepath.Base(folder)) || exists(filepath.Join(folder, "go.mod"))
}

// storeIn returns the store in a generated file; nil if it is not of the model in package of, which is in the folder dir.
func storeIn(file, dir, of string) (*Store, error) {
	text, err := readGenerated(file)
	if err != nil || codegen.RecordedModel(text) != of {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly)
	if err != nil {
		return nil, err
	}
	folder, err := relative(dir, filepath.Dir(file))
	return &Store{filepath.Join(dir, filepath.FromSlash(folder)), f.Name.Name, dir}, err
}
