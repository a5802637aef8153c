package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/lint"
)

func diffCommand() *cobra.Command {
	dir, check := "migrations", false
	var name *string
	var beside *[]string
	var report *reportOptions
	c := &cobra.Command{
		Use:   "diff NAME",
		Short: "Write the next migration, from the schema of the folder to the model",
		Long: "Compare the model in the working directory with the schema of the migrations, write the next migration, NNNN_NAME.cql,\n" +
			"and update aml.sum. No server is needed. If there is no difference, nothing is written.\n\n" +
			"was=NAME in a tag is the earlier name of a table, of a column of the key or of a field of a type. Any other renamed\n" +
			"column, and a renamed table, is created and filled, and the earlier one is kept until was= is removed. A change that the\n" +
			"server does not support is rejected at its line, with the tag that makes it a new table or column.\n\n" +
			"If a Go function has to move data, a file migration_NNNN.go is written to the folder of the model. The function copies\n" +
			"everything that the two schemas determine. The rest is left to you, and the file does not compile until you have\n" +
			"written it. The findings of aml migrate lint for the new file are printed.\n\n" +
			"Packages that share a keyspace have one folder each, with different names: -name sets the name of a new folder. The\n" +
			"types of structs that another package declares are created by its folder. -beside adds folders to those of the\n" +
			"imported packages.\n\n" +
			"-check writes no migration: it prints the missing statements, and fails if there are any.\n\n" +
			"-picture and -markdown show the difference: tables and types before and after, the statements and the findings. Without\n" +
			"NAME, no migration is written. -base compares with an earlier folder instead, such as that of the branch into which a pull\n" +
			"request is merged: the migrations that it does not have are shown, too. With -, the standard output has only the report.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 0 && !check && !report.wanted() {
				return fmt.Errorf("accepts 1 arg, the name of the migration, received %d", len(args))
			}
			if len(args) == 0 {
				return nil
			}
			_, err := folder.FileName(1, args[0])
			return err
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := report.check(); err != nil {
				return err
			}
			d, err := differenceTo(c, dir, *name, *beside)
			if err != nil {
				return err
			}
			return d.run(c, args, check, report)
		},
	}
	name, beside, report = nameOption(c), besideOption(c), reportFlags(c)
	c.Flags().StringVar(&dir, "dir", dir, "the folder of the migrations")
	c.Flags().BoolVar(&check, "check", check, "write nothing, and fail if the migrations do not match the model")
	return c
}

// difference is the difference between a folder of migrations and the model.
type difference struct {
	dir   string
	name  string // the name of a new folder; "" for none
	files []folder.File
	model *model.Model
	from  *catalog.Keyspace // after the files
	plan  *diff.Plan

	unnamed []neighbour // folders of imported packages without a name, if this folder has none
}

func differenceTo(c *cobra.Command, dir, given string, beside []string) (*difference, error) {
	m, s, err := read(c, ".")
	if err != nil {
		return nil, err
	}
	name, fresh, err := folderName(c, dir, given)
	if err != nil {
		return nil, err
	}
	others, err := namedFolders(beside)
	if err != nil {
		return nil, err
	}
	imported, unnamed, err := importedFolders(c, m, dir, name)
	if err != nil {
		return nil, err
	}
	others = append(others, imported...)
	files, err := readFolder(dir)
	if err != nil {
		return nil, err
	}
	if err := missingSum(dir, files); err != nil {
		fmt.Fprintln(c.ErrOrStderr(), err)
	}
	from, err := catalog.Replay(files)
	if err != nil {
		return nil, inFolder(dir, err)
	}
	share(from, m, s, others)
	plan, err := diff.Diff(from, s)
	if err != nil {
		return nil, err
	}
	if err := checkSeparate(dir, name, plan.After, others); err != nil {
		return nil, err
	}
	if !fresh {
		name = ""
	}
	for _, h := range plan.Hints {
		fmt.Fprintln(c.ErrOrStderr(), h)
	}
	return &difference{dir: dir, name: name, files: files, model: m, from: from, plan: plan, unnamed: unnamed}, nil
}

// run writes the migration, or with -check compares, and writes the report.
func (d *difference) run(c *cobra.Command, args []string, check bool, report *reportOptions) error {
	name := strings.Join(args, "")
	write, err := report.prepare(c, d, name)
	if err != nil {
		return err
	}
	switch {
	case check:
		err = d.check(c)
	case name != "":
		err = d.write(c, name)
	}
	if err != nil && !errors.Is(err, errDifference) {
		return err
	}
	return errors.Join(write(), err)
}

// readFolder reads the migrations. A missing folder has none.
func readFolder(dir string) ([]folder.File, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return folder.Read(os.DirFS(dir))
}

// inFolder adds the folder to the file name in an error.
func inFolder(dir string, err error) error {
	if e, ok := errors.AsType[*folder.SyntaxError](err); ok && e.File != "" {
		e.File = filepath.Join(dir, e.File)
	}
	return err
}

// errDifference is the error of -check.
var errDifference = errors.New("the migrations do not match the model: write the next one with aml diff NAME")

func (d *difference) check(c *cobra.Command) error {
	if len(d.plan.Steps) == 0 {
		return d.none(c)
	}
	fmt.Fprint(c.OutOrStdout(), d.plan)
	return errDifference
}

func (d *difference) none(c *cobra.Command) error {
	fmt.Fprintf(c.OutOrStdout(), "no difference: %s matches the model\n", d.dir)
	return nil
}

// write adds the migration to the folder, and the stubs of its functions to the package of the model: all files or none.
func (d *difference) write(c *cobra.Command, name string) error {
	if len(d.plan.Steps) == 0 {
		return d.none(c)
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
		if err := uninterrupted(c.Context(), func() error { return folder.SetName(d.dir, d.name) }); err != nil {
			return err
		}
	}
	if err := uninterrupted(c.Context(), func() error { return folder.Write(d.dir, file, d.plan.Text(), stubs...) }); err != nil {
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
	text, err := diff.Stub(d.model.Package.Name, migration, d.plan.Funcs)
	if err != nil {
		return nil, err
	}
	return []folder.Companion{{Path: diff.StubFile(migration), Text: string(text)}}, nil
}

// existingStub returns what to do about an existing stub.
func existingStub(err error, stubs []folder.Companion) error {
	there, ok := errors.AsType[*fs.PathError](err)
	if ok && errors.Is(err, fs.ErrExist) && len(stubs) == 1 && there.Path == stubs[0].Path {
		return fmt.Errorf("%s already exists: move its functions to a file of another name, and run the command again", there.Path)
	}
	return err
}

// lint prints the findings to consider before the new file is committed.
func (d *difference) lint(c *cobra.Command, file string) error {
	files, err := readFolder(d.dir)
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
