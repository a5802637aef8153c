package load

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// dependencies reads the types of imported packages from the export data of the build cache.
func (l *loader) dependencies(ctx context.Context) error {
	l.imports = map[string]*types.Package{}
	paths := l.imported()
	if len(paths) == 0 {
		return nil
	}
	found, err := l.list(ctx, packages.NeedName|packages.NeedExportFile, paths)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(found, broken) {
		return l.export(found)
	}
	if types := l.withStaleStores(ctx, paths); types != nil {
		l.imports = types
		return nil
	}
	// Only with their imports do the errors of dependencies have positions in the sources. The go command takes longer for them.
	found, err = l.list(ctx, packages.NeedName|packages.NeedTypes|packages.NeedExportFile|packages.NeedImports, paths)
	if err != nil {
		return err
	}
	removeConsequences(found)
	for _, p := range found {
		l.faults = append(l.faults, l.dependency(p.PkgPath, p.Errors)...)
		l.imports[p.PkgPath] = p.Types
	}
	return l.failed()
}

// withStaleStores returns the types of packages in which only the generated files do not compile, because their models have changed since:
// the model of another package does not depend on these files. It returns nil if any other file does not compile.
func (l *loader) withStaleStores(ctx context.Context, paths []string) map[string]*types.Package {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedTypes | packages.NeedExportFile | packages.NeedImports | packages.NeedDeps
	found, err := l.list(ctx, mode, paths)
	if err != nil {
		return nil
	}
	only := true
	packages.Visit(found, nil, func(p *packages.Package) {
		for _, e := range places(p.Errors) {
			only = only && inGenerated(e)
		}
	})
	out := map[string]*types.Package{}
	for _, p := range found {
		if only = only && p.Types != nil; only {
			out[p.PkgPath] = p.Types
		}
	}
	if !only {
		return nil
	}
	return out
}

// inGenerated reports whether an error of the compiler is in a generated file.
func inGenerated(e packages.Error) bool {
	name, _, _ := strings.Cut(e.Pos, ":")
	return filepath.Base(name) == Generated
}

// list returns packages as the go command lists them.
func (l *loader) list(ctx context.Context, mode packages.LoadMode, paths []string) ([]*packages.Package, error) {
	found, err := packages.Load(&packages.Config{Context: ctx, Mode: mode, Dir: l.dir, Fset: l.fset}, paths...)
	if err != nil {
		return nil, fmt.Errorf("load: read the dependencies of %s: %w", l.dir, cause(ctx, err))
	}
	return found, nil
}

// broken reports whether a package has no export data, because it or one of its imports does not compile.
func broken(p *packages.Package) bool { return len(p.Errors) > 0 || p.ExportFile == "" }

// export reads the types of packages. The export data of a package has all types that it refers to.
func (l *loader) export(found []*packages.Package) error {
	all := map[string]*types.Package{} // also those that the packages import
	for _, p := range found {
		t, err := l.exported(p, all)
		if err != nil {
			return fmt.Errorf("load: read the types of %s: %w", p.PkgPath, err)
		}
		l.imports[p.PkgPath] = t
	}
	return nil
}

func (l *loader) exported(p *packages.Package, all map[string]*types.Package) (*types.Package, error) {
	f, err := os.Open(p.ExportFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(f) //nolint:staticcheck // deprecated for Go 1.29; until Go 1.27 the compiler writes an archive
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, l.fset, all, p.PkgPath)
}

// dependency reports the faults of a dependency at its imports.
func (l *loader) dependency(path string, errs []packages.Error) []fault {
	var out []fault
	for _, f := range l.files {
		for _, i := range f.Imports {
			if p, err := strconv.Unquote(i.Path.Value); err != nil || p != path {
				continue
			}
			for _, e := range places(errs) {
				out = append(out, fault{l.pos(i.Path.Pos()), "import " + path + ": " + dependencyText(e)})
			}
		}
	}
	return out
}

// removeConsequences removes errors that result from missing modules: undefined names in the packages that import them.
func removeConsequences(found []*packages.Package) {
	missing := func(e packages.Error) bool { return e.Kind == packages.ListError && !strings.HasPrefix(e.Msg, "# ") }
	if !slices.ContainsFunc(found, func(p *packages.Package) bool { return slices.ContainsFunc(p.Errors, missing) }) {
		return
	}
	for _, p := range found {
		p.Errors = slices.DeleteFunc(p.Errors, func(e packages.Error) bool {
			return e.Kind == packages.TypeError &&
				(strings.HasPrefix(e.Msg, "undefined: ") || strings.HasPrefix(e.Msg, "could not import ") || strings.HasSuffix(e.Msg, " and not used"))
		})
	}
}

// places removes compiler output of the go command that the compiler's own errors repeat with positions.
func places(errs []packages.Error) []packages.Error {
	if !slices.ContainsFunc(errs, func(e packages.Error) bool { return e.Kind == packages.TypeError }) {
		return errs
	}
	return slices.DeleteFunc(slices.Clone(errs), func(e packages.Error) bool { return strings.HasPrefix(e.Msg, "# ") })
}

// dependencyText returns one line; an error in the dependency's own source has its position there.
func dependencyText(e packages.Error) string {
	if e.Kind != packages.TypeError || e.Pos == "" {
		return oneLine(e.Msg)
	}
	text := e.Pos + ": " + oneLine(e.Msg)
	if inGenerated(e) {
		text += "; run aml generate in that folder first"
	}
	return text
}
