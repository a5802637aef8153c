package load

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"slices"
	"strconv"

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
	// Only with their imports do the errors of dependencies have positions in the sources. The go command takes longer for them.
	found, err = l.list(ctx, packages.NeedName|packages.NeedTypes|packages.NeedExportFile|packages.NeedImports, paths)
	if err != nil {
		return err
	}
	rootsOf(found)
	for _, p := range found {
		l.faults = append(l.faults, l.dependency(p.PkgPath, p.Errors)...)
		l.imports[p.PkgPath] = p.Types
	}
	return l.failed()
}

// list returns packages as the go command lists them.
func (l *loader) list(ctx context.Context, mode packages.LoadMode, paths []string) ([]*packages.Package, error) {
	found, err := packages.Load(&packages.Config{Context: ctx, Mode: mode, Dir: l.dir, Fset: l.fset}, paths...)
	if err != nil {
		return nil, fmt.Errorf("load: read the dependencies of %s: %w", l.dir, because(ctx, err))
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

func (l *loader) imported() []string {
	seen := map[string]bool{"unsafe": true, "C": true}
	var out []string
	for _, f := range l.files {
		for _, i := range f.Imports {
			if path, err := strconv.Unquote(i.Path.Value); err == nil && !seen[path] {
				seen[path] = true
				out = append(out, path)
			}
		}
	}
	return out
}

// Import returns a dependency to the type checker.
func (l *loader) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := l.imports[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("missing types of %s", path)
}
