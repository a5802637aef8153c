package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// expanded are the folders that a command line names.
type expanded struct {
	dirs  []string
	found map[string]bool // folders that dir/... finds, which need not have a model
	other []string        // the folders of other modules, which dir/... leaves out
}

// expand replaces dir/... with the folders below it that have Go files, except those that the go command ignores. Folders of other modules
// are left out, unless the workspace (go.work) has the module. A folder that several arguments name is returned once.
func expand(c *cobra.Command, args []string) (out expanded, err error) {
	err = uninterrupted(c.Context(), func() (err error) { // it can start the go command
		out, err = expandFolders(c.Context(), args)
		return err
	})
	return out, err
}

func expandFolders(ctx context.Context, args []string) (expanded, error) {
	out := expanded{found: map[string]bool{}}
	first := map[string]string{} // by absolute path: the name under which a folder is returned
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
		out.dirs = append(out.dirs, dir)
	}
	for _, a := range args {
		root, tree := strings.CutSuffix(filepath.ToSlash(a), "...")
		if !tree {
			add(a, false)
			continue
		}
		t := &packageTree{ctx: ctx, root: filepath.FromSlash(cmpDot(strings.TrimSuffix(root, "/")))}
		found, err := t.packages()
		if err != nil {
			return expanded{}, err
		}
		for _, d := range found {
			add(d, true)
		}
		out.other = append(out.other, t.other...)
	}
	return out, nil
}

func cmpDot(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// packageTree is the tree of folders that dir/... names.
type packageTree struct {
	ctx     context.Context
	root    string
	modules map[string]bool // the folders of the modules of the workspace; nil if they are not known yet
	other   []string        // the folders of modules that are left out
}

// packages returns the folders with Go files that are not tests.
func (t *packageTree) packages() ([]string, error) {
	var out []string
	err := filepath.WalkDir(t.root, func(path string, e fs.DirEntry, err error) error {
		if err = errors.Join(err, t.ctx.Err()); err != nil {
			return err
		}
		name := e.Name()
		switch {
		case e.IsDir() && path != t.root:
			return t.enter(path, name)
		case !e.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			if d := filepath.Dir(path); !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
		return nil
	})
	return out, err
}

// enter returns fs.SkipDir for a folder that the go command ignores in a pattern, and for a module that is not one of the workspace.
func (t *packageTree) enter(path, name string) error {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor" {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err != nil {
		return nil //nolint:nilerr // it is not the folder of a module
	}
	if t.modules == nil {
		modules, err := workspace(t.ctx, t.root)
		if err != nil {
			return err
		}
		t.modules = modules
	}
	if at, err := filepath.Abs(path); err == nil && t.modules[at] {
		return nil
	}
	t.other = append(t.other, path)
	return fs.SkipDir
}

// workspace returns the folders of the modules of the go.work file that applies in a folder; none without such a file.
func workspace(ctx context.Context, dir string) (map[string]bool, error) {
	out := map[string]bool{}
	file, err := output(ctx, dir, "go", "env", "GOWORK")
	if err != nil || file == "" || file == "off" {
		return out, err
	}
	list, err := output(ctx, dir, "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, err
	}
	for _, d := range strings.Split(list, "\n") {
		out[filepath.Clean(d)] = true
	}
	return out, nil
}

// output returns the trimmed output of a program that runs in a folder.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	p := exec.CommandContext(ctx, name, args...)
	p.Dir = dir
	out, err := p.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%s: %w", strings.TrimSpace(string(failed.Stderr)), err)
	}
	if err != nil {
		return "", fmt.Errorf("%s %s in %s: %w", name, strings.Join(args, " "), dir, err)
	}
	return strings.TrimSpace(string(out)), nil
}
