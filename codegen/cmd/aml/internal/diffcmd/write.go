package diffcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/lint"
)

// errDifference is the error of -check.
var errDifference = errors.New("the migrations do not match the model: write the next one with aml diff NAME")

func (d *difference) check(c *cobra.Command) error {
	if len(d.plan.Steps) == 0 {
		return d.printNone(c)
	}
	fmt.Fprint(c.OutOrStdout(), d.plan)
	return errDifference
}

func (d *difference) printNone(c *cobra.Command) error {
	fmt.Fprintf(c.OutOrStdout(), "no difference: %s matches the model\n", d.dir)
	return nil
}

// write adds the migration to the folder, and the stubs of its functions to the package of the store: all files or none.
func (d *difference) write(c *cobra.Command, name string) error {
	if len(d.plan.Steps) == 0 {
		return d.printNone(c)
	}
	added, err := d.next(name)
	if err != nil {
		return err
	}
	file := added.Name
	stubs, err := d.stubs(file)
	if err != nil {
		return err
	}
	if d.name != "" {
		if err := commandline.Uninterrupted(c.Context(), func() error { return folder.SetName(d.dir, d.name) }); err != nil {
			return err
		}
	}
	if err := commandline.Uninterrupted(c.Context(), func() error { return folder.Write(d.dir, file, d.plan.Text(), stubs...) }); err != nil {
		return existingStub(err, stubs)
	}
	fmt.Fprintln(c.OutOrStdout(), filepath.Join(d.dir, file))
	for _, s := range stubs {
		d.printFuncs(c, s.Path)
	}
	if err := d.printNotes(c, added); err != nil {
		return err
	}
	return d.lint(c, file)
}

// stubs returns the Go file with the functions that a migration calls; nil if it calls none.
func (d *difference) stubs(migration string) ([]folder.Companion, error) {
	if len(d.plan.Funcs) == 0 {
		return nil, nil
	}
	driver, err := d.store.Driver()
	if err != nil {
		return nil, err
	}
	text, err := diff.Stub(d.store.Name(d.model), migration, codegen.Adapter(driver), d.plan.Funcs)
	if err != nil {
		return nil, err
	}
	return []folder.Companion{{Path: d.stubFile(migration), Text: string(text)}}, nil
}

// stubFile returns the path of the Go file for the functions of a migration, which is in the package of the store.
func (d *difference) stubFile(migration string) string {
	return filepath.Join(d.store.Dir, diff.StubFile(migration))
}

// existingStub returns an error with the fix for an existing stub.
func existingStub(err error, stubs []folder.Companion) error {
	there, ok := errors.AsType[*fs.PathError](err)
	if ok && errors.Is(err, fs.ErrExist) && len(stubs) == 1 && there.Path == stubs[0].Path {
		return fmt.Errorf("%s already exists: move its functions to a file of another name, and run the command again", there.Path)
	}
	return err
}

// lint prints the findings to consider before the new file is committed.
func (d *difference) lint(c *cobra.Command, file string) error {
	files, err := migrationfolder.Read(d.dir)
	if err != nil {
		return err
	}
	found, err := lint.Lint(files)
	if err != nil {
		return err
	}
	for _, f := range found {
		if f.File == file {
			f.File = filepath.Join(d.dir, f.File)
			fmt.Fprintln(c.ErrOrStderr(), f)
		}
	}
	return nil
}
