package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/site/serve"
)

// serveDocs serves the site of models until a signal, and builds it again when one of their files changes. Diagnostics are printed as
// they are without -serve, and shown by the pages.
func serveDocs(c *cobra.Command, args []string, o docsOptions) error {
	for _, dir := range folders(args) {
		if _, err := os.Stat(strings.TrimSuffix(dir, "...")); err != nil && dir != "..." {
			return err // a misspelled name; a folder that disappears later is not an error
		}
	}
	changes, err := serve.Watch(c.Context())
	if err != nil {
		return err
	}
	var printed bytes.Buffer
	c.SetErr(io.MultiWriter(c.ErrOrStderr(), &printed))
	return serve.Run(c.Context(), serve.Config{
		Addr: o.address,
		Build: func(ctx context.Context) (map[string][]byte, error) {
			printed.Reset()
			if err := changes.Set(siteInputs(ctx, args, o.migrations)); err != nil {
				return nil, err
			}
			files, err := buildSite(c, args, o)
			switch {
			case errors.Is(err, errPrinted):
				return nil, errors.New(strings.TrimSpace(printed.String()))
			case err != nil && ctx.Err() == nil:
				fmt.Fprintln(c.ErrOrStderr(), err)
			}
			return files, err
		},
		Changes: changes.C,
		Ready:   func(url string) { fmt.Fprintln(c.OutOrStdout(), url) },
	})
}

// siteInputs returns what the site of models is built from: the Go files of the models and of the packages that they import, the
// go.mod files, and the migrations. What cannot be listed is left out: the build reports why.
func siteInputs(ctx context.Context, args []string, migrations string) (in []serve.Input) {
	var dirs []string
	for _, a := range folders(args) {
		root, tree := strings.CutSuffix(filepath.ToSlash(a), "...")
		if root = filepath.FromSlash(cmpDot(strings.TrimSuffix(root, "/"))); !tree {
			dirs = append(dirs, root)
			continue
		}
		below := foldersBelow(ctx, root)
		dirs = append(dirs, below...)
		for _, dir := range below {
			in = append(in, serve.Input{Dir: dir, Has: isSourceOrFolder})
		}
	}
	for _, dir := range dirs {
		sources, err := load.Sources(ctx, dir)
		if err != nil {
			sources = nil
		}
		for _, s := range append(sources, dir) {
			in = append(in, serve.Input{Dir: s, Has: isSource})
		}
		in = append(in, serve.Input{Dir: migrationsOf(dir, migrations), Has: isVisible})
	}
	return in
}

// foldersBelow returns a folder and those below it that the go command does not ignore. A model can be added to each.
func foldersBelow(ctx context.Context, root string) (dirs []string) {
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

// isVisible reports whether a file is neither hidden nor a backup that an editor has written.
func isVisible(name string) bool {
	return !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, "~")
}

// isSource reports whether a model can depend on a file of its folder.
func isSource(name string) bool {
	if slices.Contains([]string{"go.mod", "go.sum", "go.work"}, name) {
		return true
	}
	return isVisible(name) && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && name != load.Generated
}

// isSourceOrFolder reports whether a name is that of a source, or can be that of a folder.
func isSourceOrFolder(name string) bool {
	return isSource(name) || isVisible(name) && filepath.Ext(name) == ""
}

// docsArgs refuses options that exclude each other. With -serve, the process waits for the command after a signal, which ends it
// without an error.
func docsArgs(c *cobra.Command, o docsOptions) error {
	if !o.serve {
		if c.Flags().Changed("addr") {
			return errors.New("-addr requires -serve: without it, nothing is served")
		}
		return nil
	}
	for _, name := range []string{"output", "force"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("-serve and -%s exclude each other: a site that is served is not written", name)
		}
	}
	cleaning(c)
	return nil
}
