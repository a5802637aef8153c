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
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if root == "" || err != nil {
		return nil, nil //nolint:nilerr // the go command reports it
	}
	below, err := filepath.Rel(root, model)
	if err != nil {
		return nil, err
	}
	of := path.Join(modfile.ModulePath(text), filepath.ToSlash(below))
	var found *Store
	err = filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir // a folder that cannot be read, or that was removed
		case e.IsDir() && file != root && leftOut(file, model):
			return fs.SkipDir
		case e.IsDir() || e.Name() != load.Generated:
			return nil
		}
		s, err := storeIn(file, dir, of)
		if err == nil && s != nil && found != nil {
			err = fmt.Errorf("%s and %s are stores of the model in package %s, and %s records neither: delete one of them", found.File(), s.File(), of, filepath.Join(dir, codegen.SchemaFile))
		}
		if s != nil {
			found = s
		}
		return err
	})
	return found, err
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
