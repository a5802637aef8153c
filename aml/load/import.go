package load

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"

	"github.com/cassaml/cassaml/aml/model"
)

// Import returns the import of the package in dir through which it depends on another package: its position and its path, which is "" if the
// package does not depend on the other one. The packages need not compile.
func Import(ctx context.Context, dir, on string) (at model.Pos, path string, err error) {
	found, err := packages.Load(&packages.Config{
		Context: ctx, Dir: dir, Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps,
	}, ".")
	if err != nil {
		return at, "", fmt.Errorf("load: list the imports of %s: %w", dir, cause(ctx, err))
	}
	for _, path := range slices.Sorted(maps.Keys(found[0].Imports)) {
		if dependsOn(found[0].Imports[path], on) {
			return importPosition(found[0].GoFiles, path), path, nil
		}
	}
	return at, "", nil
}

func dependsOn(p *packages.Package, on string) (found bool) {
	packages.Visit([]*packages.Package{p}, func(x *packages.Package) bool {
		found = found || x.PkgPath == on
		return !found
	}, nil)
	return found
}

// importPosition returns the position of the first import of a package.
func importPosition(files []string, path string) model.Pos {
	for _, name := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.ImportsOnly)
		if err != nil {
			continue // the compiler reports it
		}
		for _, i := range f.Imports {
			if i.Path.Value == strconv.Quote(path) {
				return place(fset.Position(i.Path.Pos()))
			}
		}
	}
	return model.Pos{}
}
