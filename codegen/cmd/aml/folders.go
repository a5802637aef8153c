package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// expand replaces dir/... with the folders below it that have Go files, except those that the go command ignores. The returned
// map reports whether a folder was found in this way: it need not have a model. A folder that several arguments name is returned once.
func expand(ctx context.Context, args []string) (dirs []string, all map[string]bool, err error) {
	all = map[string]bool{}
	first := map[string]string{} // by absolute path: the name under which a folder is returned
	add := func(dir string, found bool) {
		path, err := filepath.Abs(dir)
		if err != nil {
			path = filepath.Clean(dir)
		}
		if name, again := first[path]; again {
			all[name] = all[name] && found
			return
		}
		first[path], all[dir] = dir, found
		dirs = append(dirs, dir)
	}
	for _, a := range args {
		root, tree := strings.CutSuffix(filepath.ToSlash(a), "...")
		if !tree {
			add(a, false)
			continue
		}
		found, err := packagesBelow(ctx, filepath.FromSlash(cmpDot(strings.TrimSuffix(root, "/"))))
		if err != nil {
			return nil, nil, err
		}
		for _, d := range found {
			add(d, true)
		}
	}
	return dirs, all, nil
}

func cmpDot(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// packagesBelow returns the folders of a module's packages in a folder and below it.
func packagesBelow(ctx context.Context, root string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		name := e.Name()
		switch {
		case e.IsDir() && path != root && leftOut(path, name):
			return fs.SkipDir
		case !e.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			if d := filepath.Dir(path); !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
		return nil
	})
	return out, err
}

// leftOut reports whether the go command ignores a folder in a pattern. It ignores those of other modules, too.
func leftOut(path, name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor" {
		return true
	}
	other, err := filepath.Glob(filepath.Join(path, "go.mod"))
	return err == nil && len(other) > 0
}
