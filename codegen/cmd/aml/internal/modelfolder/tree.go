package modelfolder

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
)

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
		case !e.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !storeOfOther(path):
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
	if ignored(name) {
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

// Subfolders returns a folder and those below it that the go command does not ignore. A model can be added to each.
func Subfolders(ctx context.Context, root string) (dirs []string) {
	t := &packageTree{ctx: ctx, root: root}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir // it has been removed, or cannot be read: the build reports it
		case e.IsDir() && path != root && t.enter(path, e.Name()) != nil:
			return fs.SkipDir
		case e.IsDir():
			dirs = append(dirs, path)
		}
		return nil
	})
	if err != nil {
		return []string{root}
	}
	return dirs
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
