package modelfolder

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
)

// Expanded are the folders that a command line names.
type Expanded struct {
	Dirs  []string
	found map[string]bool // folders that dir/... finds, which need not have a model
	other []string        // the folders of other modules, which dir/... leaves out
}

// Expand replaces dir/... with the folders below it that have Go files, except those that the go command ignores. Folders of other modules
// are left out, unless the workspace (go.work) has the module. A folder that several arguments name is returned once.
func Expand(c *cobra.Command, args []string) (out *Expanded, err error) {
	err = commandline.Uninterrupted(c.Context(), func() (err error) { // it can start the go command
		out, err = expandFolders(c.Context(), args)
		return err
	})
	return out, err
}

func expandFolders(ctx context.Context, args []string) (*Expanded, error) {
	out := &Expanded{found: map[string]bool{}}
	first := map[string]string{} // the name under which a folder is returned, by absolute path
	add := func(dir string, found bool) {
		path, err := filepath.Abs(dir)
		if err != nil {
			path = filepath.Clean(dir)
		}
		if name, again := first[path]; again {
			out.found[name] = out.found[name] && found
			return
		}
		first[path], out.found[dir] = dir, found
		out.Dirs = append(out.Dirs, dir)
	}
	for _, a := range args {
		root, tree := CutTree(a)
		if !tree {
			add(a, false)
			continue
		}
		t := &packageTree{ctx: ctx, root: root}
		found, err := t.packages()
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			add(d, true)
		}
		out.other = append(out.other, t.other...)
	}
	return out, nil
}

// CutTree returns the folder of an argument without the end /..., and reports whether it has this end.
func CutTree(arg string) (dir string, tree bool) {
	root, tree := strings.CutSuffix(filepath.ToSlash(arg), "...")
	return filepath.FromSlash(cmp.Or(strings.TrimSuffix(root, "/"), ".")), tree
}
