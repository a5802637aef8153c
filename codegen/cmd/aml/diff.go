package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/lint"
)

func diffCommand() *cobra.Command {
	dir, check := "migrations", false
	var name *string
	var beside *[]string
	c := &cobra.Command{
		Use:   "diff NAME",
		Short: "Write the migration that leads to the model",
		Long: "Compare the model in the working directory with what the folder of migrations leads to, write the migration that is\n" +
			"missing, NNNN_NAME.cql, and bring aml.sum up to date. No server is asked. Where there is no difference, nothing is\n" +
			"written.\n\n" +
			"was=NAME in a tag says what a table, a column of the key or a field of a type was called before. Another column, or a\n" +
			"table, is made anew and filled, and the earlier one stays until was= is taken off. What the server cannot alter is refused\n" +
			"at its line, with the tag that makes a new table or column of it.\n\n" +
			"Where a function in Go has to move data, it is written beside the model: migration_NNNN.go. It copies what both\n" +
			"schemas say becomes what; what they do not say it leaves to you, and does not compile until it is written. What lint\n" +
			"says of the new file is printed.\n\n" +
			"Where several packages share a keyspace each has a folder of its own name: -name names a new one. The types of structs that\n" +
			"another package declares are left to its folder. -beside names folders beside those of the packages that are imported.\n\n" +
			"-check writes nothing: it prints what is missing, and fails if anything is.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 0 && !check {
				return fmt.Errorf("accepts 1 arg, the name of the migration, received %d", len(args))
			}
			if len(args) == 0 {
				return nil
			}
			_, err := folder.FileName(1, args[0])
			return err
		},
		RunE: func(c *cobra.Command, args []string) error {
			d, err := differenceTo(c, dir, *name, *beside)
			if err != nil {
				return err
			}
			if check {
				return d.check(c)
			}
			return d.write(c, args[0])
		},
	}
	name, beside = nameOption(c), besideOption(c)
	c.Flags().StringVar(&dir, "dir", dir, "the folder of the migrations")
	c.Flags().BoolVar(&check, "check", check, "write nothing, and fail if the model is not what the migrations lead to")
	return c
}

// difference is what leads from a folder of migrations to the model.
type difference struct {
	dir   string
	name  string // to be written to a new folder; "" for none
	files []folder.File
	model *model.Model
	plan  *diff.Plan

	types   []*schema.UDT // that the folder creates
	unnamed []neighbour   // folders of imported packages that have no name, if this one has none
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
	if err := apart(dir, name, plan.After, others); err != nil {
		return nil, err
	}
	if !fresh {
		name = ""
	}
	for _, h := range plan.Hints {
		fmt.Fprintln(c.ErrOrStderr(), h)
	}
	return &difference{dir: dir, name: name, files: files, model: m, plan: plan, unnamed: unnamed, types: from.Types}, nil
}

// readFolder reads the migrations; a folder that is not there has none.
func readFolder(dir string) ([]folder.File, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return folder.Read(os.DirFS(dir))
}

// inFolder puts the folder before the name of a file that an error is about.
func inFolder(dir string, err error) error {
	if e, ok := errors.AsType[*folder.SyntaxError](err); ok && e.File != "" {
		e.File = filepath.Join(dir, e.File)
	}
	return err
}

// errDifference is what -check fails with.
var errDifference = errors.New("the migrations do not lead to the model: write the next one with aml diff NAME")

func (d *difference) check(c *cobra.Command) error {
	if len(d.plan.Steps) == 0 {
		return d.none(c)
	}
	fmt.Fprint(c.OutOrStdout(), d.plan)
	return errDifference
}

func (d *difference) none(c *cobra.Command) error {
	fmt.Fprintf(c.OutOrStdout(), "no difference: %s leads to the model\n", d.dir)
	return nil
}

// write adds the migration to the folder, and the stubs of its functions beside the model: all of it or nothing.
func (d *difference) write(c *cobra.Command, name string) error {
	number := 1
	if last := len(d.files) - 1; last >= 0 {
		number = d.files[last].Number + 1
	}
	file, err := folder.FileName(number, name)
	if err != nil {
		return err
	}
	if len(d.plan.Steps) == 0 {
		return d.none(c)
	}
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
		return inTheWay(err, stubs)
	}
	fmt.Fprintln(c.OutOrStdout(), filepath.Join(d.dir, file))
	for _, s := range stubs {
		d.sayFuncs(c, s.Path)
	}
	d.sayBackfills(c, file)
	d.sayUnnamed(c)
	d.sayFresh(c, file)
	return d.lint(c, file)
}

// sayUnnamed prints what to do where this folder and that of an imported package are in one keyspace, although neither has a name. It
// is said when that can matter: of a new folder, and where a file creates a type that the other folder creates, too.
func (d *difference) sayUnnamed(c *cobra.Command) {
	for _, n := range d.unnamed {
		created := func(u *schema.UDT) bool {
			return n.creates.Type(u.Name) != nil && !slices.ContainsFunc(d.types, func(was *schema.UDT) bool { return was.Name == u.Name })
		}
		if len(d.files) > 0 && !slices.ContainsFunc(d.plan.After.Types, created) {
			continue
		}
		name := d.model.Package.Name
		if folder.CheckName(name) != nil {
			name = "NAME"
		}
		again := "aml diff -name " + name + " init"
		if d.dir != "migrations" {
			again += " -dir " + d.dir
		}
		fmt.Fprintf(c.ErrOrStderr(), "%s and the folder of %s have no name, and a keyspace has one folder without; "+
			"if both packages are in one keyspace, delete %s, before a database has applied it, and run %s\n", d.dir, n.pkg, d.dir, again)
	}
}

// sayFresh prints what a rolling deploy does to redundant tables that one file makes and fills, or fills with what it adds to them.
func (d *difference) sayFresh(c *cobra.Command, file string) {
	for _, table := range d.plan.Backfills() {
		does := "filled"
		if slices.Contains(d.plan.Fresh, table) {
			does = "made and filled"
		}
		fmt.Fprintf(c.ErrOrStderr(), "%s: %s is %s at once: what programs of the earlier release still write makes it stale, until it is filled again;\n"+
			"when the last of them has gone, write -- aml:backfill %s in a later file (aml migrate new NAME)\n", filepath.Join(d.dir, file), table, does, table)
	}
}

// stubs returns the Go file of the functions that a migration calls, if it calls any.
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

// inTheWay returns what to do about a stub that is there.
func inTheWay(err error, stubs []folder.Companion) error {
	there, ok := errors.AsType[*fs.PathError](err)
	if ok && errors.Is(err, fs.ErrExist) && len(stubs) == 1 && there.Path == stubs[0].Path {
		return fmt.Errorf("%s is there already: move its functions to a file of another name, and run this again", there.Path)
	}
	return err
}

// sayFuncs prints where functions are to be written and how they are given to Up.
func (d *difference) sayFuncs(c *cobra.Command, stub string) {
	do := "read"
	if slices.ContainsFunc(d.plan.Funcs, func(f diff.Func) bool { return !f.Complete() }) {
		do = "write"
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: %s its functions, and give them to migrate.Up:\n", stub, do)
	fmt.Fprintln(c.OutOrStdout(), "\tmigrate.Config{Funcs: map[string]migrate.Func{")
	for _, f := range d.plan.Funcs {
		fmt.Fprintf(c.OutOrStdout(), "\t\t%q: %s,\n", f.Name, d.exported(f.GoName()))
	}
	fmt.Fprintln(c.OutOrStdout(), "\t}}")
}

// sayBackfills prints how the backfills that a file asks for are given to Up, if it asks for any.
func (d *difference) sayBackfills(c *cobra.Command, file string) {
	n := len(d.plan.Backfills())
	if n == 0 {
		return
	}
	asks := "a backfill"
	if n > 1 {
		asks = fmt.Sprintf("%d backfills", n)
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: it asks for %s; give those of the package to migrate.Up:\n\tmigrate.Config{Backfills: %s}\n",
		filepath.Join(d.dir, file), asks, d.exported("Backfills()"))
}

// exported returns how a program calls what the model's package declares.
func (d *difference) exported(name string) string {
	if d.model.Package.Name == "main" {
		return name
	}
	return d.model.Package.Name + "." + name
}

// lint prints what is to be thought of before the new file is committed.
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
