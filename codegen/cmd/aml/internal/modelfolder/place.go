package modelfolder

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/ownfile"
)

// usable returns an error if the store cannot be in its folder: something else has this path, or the go command does not build packages there.
func (s *Store) usable() error {
	if err := ownfile.CheckFolder(s.Dir); err != nil {
		return fmt.Errorf("%w, or choose another folder with -o", err)
	}
	folder, err := relative(s.model, s.Dir)
	if err != nil {
		return err
	}
	for _, name := range strings.Split(folder, "/") {
		if reason := unbuilt(name); reason != "" {
			return fmt.Errorf("%s: %s, so the store would not be built and checked with the module: choose another folder with -o", s.Dir, reason)
		}
	}
	return nil
}

// unbuilt returns the reason why the go command does not build the packages in a folder with a name; "" if it does.
func unbuilt(name string) string {
	switch {
	case name == "vendor":
		return "the go command reserves folders named vendor for copies of other modules"
	case ignored(name) && name != "." && name != "..":
		return "the go command ignores folders named testdata, and folders whose names begin with _ or ."
	}
	return ""
}

// ignored reports whether a pattern of the go command does not match a folder with a name, nor those below it.
func ignored(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor"
}

// errModel is the reason why a folder cannot have the store of a model in another folder.
var errModel = errors.New("has a model of its own, whose store belongs into that folder: choose another folder with -o")

// modelImport returns the position of the import of the types that a model embeds; token.NoPos for a file without it.
func modelImport(f *ast.File) token.Pos {
	for _, i := range f.Imports {
		if i.Path.Value == strconv.Quote(load.Markers) {
			return i.Pos()
		}
	}
	return token.NoPos
}
