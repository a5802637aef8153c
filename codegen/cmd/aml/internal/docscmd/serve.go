package docscmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/site/serve"
)

// serveSite serves the site of models until a signal, and builds it again when one of their files changes. Diagnostics are printed as
// they are without -serve, and shown by the pages.
func serveSite(c *cobra.Command, args []string, o options) error {
	for _, dir := range modelfolder.Args(args) {
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
			if err := changes.Set(siteInputs(ctx, args, o)); err != nil {
				return nil, err
			}
			files, err := buildSite(c, args, o)
			switch {
			case errors.Is(err, commandline.ErrPrinted):
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

// siteInputs returns the inputs of the site of models: the Go files of the models and of the packages that they import, the
// go.mod files, the migrations, and the file of queries. A folder that cannot be listed is left out: the build reports why.
func siteInputs(ctx context.Context, args []string, o options) (in []serve.Input) {
	var dirs []string
	for _, a := range modelfolder.Args(args) {
		root, tree := modelfolder.CutTree(a)
		if !tree {
			dirs = append(dirs, root)
			continue
		}
		below := modelfolder.Subfolders(ctx, root)
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
		in = append(in, serve.Input{Dir: migrationFolder(dir, o.migrations), Has: isVisible})
	}
	if o.queries != "" {
		in = append(in, serve.Input{Dir: filepath.Dir(o.queries), Has: func(name string) bool { return name == filepath.Base(o.queries) }})
	}
	return in
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

// isSourceOrFolder reports whether a name is the name of a source, or can be the name of a folder.
func isSourceOrFolder(name string) bool {
	return isSource(name) || isVisible(name) && filepath.Ext(name) == ""
}
