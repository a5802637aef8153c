package load

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Sources returns the folders that a model in dir is read from: its own, the folders of the imported packages that are not in the
// module cache, and the folders of their go.mod files. The packages need not compile.
func Sources(ctx context.Context, dir string) ([]string, error) {
	found, err := packages.Load(&packages.Config{
		Context: ctx, Dir: dir, Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
	}, ".")
	if err != nil {
		return nil, fmt.Errorf("load: list the packages of %s: %w", dir, cause(ctx, err))
	}
	folders := map[string]bool{}
	packages.Visit(found, func(p *packages.Package) bool {
		m := p.Module
		if m == nil || !m.Main && (m.Replace == nil || m.Replace.Version != "") {
			return m != nil // the standard library, or a release of a module, which nobody edits
		}
		for _, f := range p.GoFiles {
			folders[filepath.Dir(f)] = true
		}
		if m.GoMod != "" {
			folders[filepath.Dir(m.GoMod)] = true
		}
		return true
	}, nil)
	return slices.Sorted(maps.Keys(folders)), nil
}
