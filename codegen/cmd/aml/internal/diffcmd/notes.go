package diffcmd

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/ownfile"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
)

// notes returns the tasks besides applying migrations, for a report: the possible mistakes of the model, the functions to pass to Up, the
// tables to fill again, and the folders without a name. before is the keyspace before the files, and isNew is whether they are the
// first ones.
func (d *difference) notes(before *catalog.Keyspace, files []folder.File, isNew bool) (notes []string, err error) {
	for _, h := range d.plan.Hints {
		notes = append(notes, h.String())
	}
	for _, f := range files {
		if own, _ := d.called(f); len(own) > 0 {
			notes = append(notes, fmt.Sprintf("%s calls %s: complete %s, and pass its functions to migrate.Up in migrate.Config{Funcs: …}", f.Name, strings.Join(own, " and "), d.stubFile(f.Name)))
		}
		if required := d.requirements(f); required != "" {
			notes = append(notes, fmt.Sprintf("%s %s: pass the functions of the package to migrate.Up in %s", f.Name, required, d.backfills()))
		}
		stale, err := d.stale(f)
		if err != nil {
			return nil, err
		}
		for _, text := range stale {
			notes = append(notes, f.Name+": "+text)
		}
	}
	return append(notes, d.withoutNames(before, isNew)...), nil
}

// printNotes prints the notes about the migration that was written. The hints are printed with any difference.
func (d *difference) printNotes(c *cobra.Command, f folder.File) error {
	path := filepath.Join(d.dir, f.Name)
	if required := d.requirements(f); required != "" {
		fmt.Fprintf(c.OutOrStdout(), "%s %s: pass the functions of the package to migrate.Up:\n\t%s\n", path, required, d.backfills())
	}
	for _, text := range d.withoutNames(d.from, len(d.files) == 0) {
		fmt.Fprintln(c.ErrOrStderr(), text)
	}
	stale, err := d.stale(f)
	for _, text := range stale {
		fmt.Fprintln(c.ErrOrStderr(), path+": "+text)
	}
	return err
}

// withoutNames returns the tasks if this folder and the folder of an imported package share a keyspace, although neither has a name:
// for a new folder, and for files that create a type that the other folder creates as well. before is the keyspace before the files.
func (d *difference) withoutNames(before *catalog.Keyspace, isNew bool) (out []string) {
	for _, n := range d.unnamed {
		created := func(u *schema.UDT) bool { return n.Creates.Type(u.Name) != nil && before.Type(u.Name) == nil }
		if !isNew && !slices.ContainsFunc(d.plan.After.Types, created) {
			continue
		}
		name := d.model.Package.Name
		if folder.CheckName(name) != nil {
			name = "NAME"
		}
		command := "aml diff -name " + name + " init"
		if d.dir != "migrations" {
			command += " -dir " + ownfile.Quote(d.dir)
		}
		out = append(out, fmt.Sprintf("%s and the folder of %s have no name, and a keyspace can have only one folder without a name; "+
			"if both packages share a keyspace, delete %s before a database has applied it, and run %s", d.dir, n.Package, d.dir, command))
	}
	return out
}

// stale returns the effect of a rolling deployment on redundant tables that one file creates and fills, or extends and fills. It has
// none for a file that only fills tables: this is the file that it recommends.
func (d *difference) stale(f folder.File) (out []string, err error) {
	if len(f.Backfills) == 0 || len(f.Statements) == 0 {
		return nil, nil
	}
	earlier := slices.DeleteFunc(slices.Clone(d.files), func(e folder.File) bool { return e.Number >= f.Number })
	before, err := catalog.Replay(earlier)
	if err != nil {
		return nil, migrationfolder.AddFolder(d.dir, err)
	}
	for _, table := range f.Backfills {
		does := "filled"
		if before.Table(table) == nil {
			does = "created and filled"
		}
		out = append(out, fmt.Sprintf("%s is %s in one step: writes of programs of the earlier release make it stale until it is filled again;\n"+
			"after the last of these programs has ended, write -- aml:backfill %[1]s in a later file (aml migrate new NAME)", table, does))
	}
	return out, nil
}

// called returns the functions that a file calls: functions that the author writes or reads, and functions of the generated package.
func (d *difference) called(f folder.File) (own, generated []string) {
	for _, s := range f.Statements {
		isGenerated := func(a *model.Aggregate) bool {
			return a.Version != nil && (s.Func == schema.VersionFunc(a.Table) || s.Func == schema.ReferencesFunc(a.Table))
		}
		switch {
		case s.Func == "":
		case slices.ContainsFunc(d.model.Aggregates, isGenerated):
			generated = append(generated, s.Func)
		default:
			own = append(own, s.Func)
		}
	}
	return own, generated
}

// printFuncs prints where to write functions and how to pass them to Up.
func (d *difference) printFuncs(c *cobra.Command, stub string) {
	do := "read"
	if slices.ContainsFunc(d.plan.Funcs, func(f diff.Func) bool { return !f.Complete() }) {
		do = "write"
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: %s its functions, and pass them to migrate.Up:\n", stub, do)
	fmt.Fprintln(c.OutOrStdout(), "\tmigrate.Config{Funcs: map[string]migrate.Func{")
	for _, f := range d.plan.Funcs {
		fmt.Fprintf(c.OutOrStdout(), "\t\t%q: %s,\n", f.Name, d.exported(f.GoName()))
	}
	fmt.Fprintln(c.OutOrStdout(), "\t}}")
}

// requirements returns the backfills that a file requests and the generated functions that it calls, as a text; "" if there are none.
func (d *difference) requirements(f folder.File) string {
	var required []string
	if n := len(f.Backfills); n > 0 {
		required = append(required, "requests "+counted(n, "backfill"))
	}
	if _, generated := d.called(f); len(generated) > 0 {
		required = append(required, "calls "+counted(len(generated), "generated function"))
	}
	return strings.Join(required, " and ")
}

// backfills returns the configuration of Up with the functions of the generated package.
func (d *difference) backfills() string {
	call := "Backfills()"
	if slices.ContainsFunc(d.model.Aggregates, func(a *model.Aggregate) bool { return a.Properties.TTLName != "" }) {
		call = "Backfills(mapper.Config{TTL: …})"
	}
	return "migrate.Config{Backfills: " + d.exported(call) + "}"
}

// counted returns "a backfill" or "2 backfills".
func counted(n int, what string) string {
	if n == 1 {
		return "a " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// exported returns the expression for a name that the package of the store declares.
func (d *difference) exported(name string) string {
	if pkg := d.store.Name(d.model); pkg != "main" {
		return pkg + "." + name
	}
	return name
}
