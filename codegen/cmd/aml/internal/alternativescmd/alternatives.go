// Package alternativescmd is the command aml alternatives, which lists the designs of a relationship and the costs of its operations in each.
package alternativescmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/ownfile"
)

// options are the options of the command.
type options struct {
	config  alternatives.Config
	designs []string
	table   bool
	json    bool
	write   string
	force   bool
	diff    string
}

// Command returns the command aml alternatives.
func Command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "alternatives Struct.Field [folder]",
		Short: "List the designs of a relationship, with the costs of its operations in each",
		Long: "List the designs of one relationship, which is named by the struct and the field that have it: a collection of\n" +
			"compositions, a reference, or a field of the key of a table of pairs. For each design the output has the edit of the Go\n" +
			"source as a diff, the schema, what overlapping writers can leave, and a row of a table: for each operation the requests,\n" +
			"statements, partitions and bytes, and the largest partition and the storage of one root with its elements. The numbers\n" +
			"are those of aml explain and aml estimate for the edited model, for a root with max= elements, or with 10.\n\n" +
			"A design, or an operation of a design, that the language does not support is refused with the reason. The model is not\n" +
			"changed. -write DIR writes a package for each design, with its store, in a folder of DIR with the name of the design.\n" +
			"Files that declare nothing of the model are left out. -diff DESIGN prints only the edit of a design, for patch -p0 in the\n" +
			"folder of the model.\n\n" +
			"With -json each line of the standard output is an object: a design.",
		Args: named,
		RunE: func(c *cobra.Command, args []string) error { return run(c, args[0], modelfolder.Args(args[1:])[0], &o) },
	}
	c.Flags().StringSliceVar(&o.config.Key, "key", nil, "the fields that identify an element without an identifier, separated by commas")
	c.Flags().BoolVar(&o.config.ManyToMany, "many", false, "only the designs in which an element can have several roots")
	c.Flags().StringSliceVar(&o.designs, "design", nil, "only these designs, separated by commas")
	c.Flags().BoolVar(&o.table, "table", false, "only the table of costs")
	c.Flags().StringVar(&o.write, "write", "", "write a package for each design to a folder of this folder")
	c.Flags().BoolVar(&o.force, "force", false, "with -write: overwrite files that are there already")
	c.Flags().StringVar(&o.diff, "diff", "", "print only the edit of the model for this design")
	jsonline.Option(c, &o.json)
	return c
}

// named refuses a command line without a relationship, or with several folders.
func named(_ *cobra.Command, args []string) error {
	if len(args) > 0 && isFolder(args[0]) {
		return fmt.Errorf("%s is a folder: name the relationship before it, such as aml alternatives Customer.Vehicles %s", args[0], args[0])
	}
	if len(args) < 1 || len(args) > 2 {
		return errors.New("name one relationship and at most one folder, such as aml alternatives Customer.Vehicles ./shop")
	}
	return nil
}

// isFolder reports whether an argument is a folder, and so not a relationship.
func isFolder(arg string) bool {
	i, err := os.Stat(arg)
	return err == nil && i.IsDir() || strings.ContainsAny(arg, `/\`)
}

func run(c *cobra.Command, name, dir string, o *options) error {
	switch {
	case o.force && o.write == "":
		return errors.New("-force needs -write: without it no file is written")
	case o.diff != "" && (o.table || o.json || o.write != "" || o.designs != nil):
		return errors.New("-diff prints only the edit of one design: omit -design, -table, -json and -write")
	case o.table && o.json:
		return errors.New("-table and -json exclude each other: -json writes all of each design")
	}
	if _, err := modelfolder.ReadModel(c, dir); err != nil {
		return err
	}
	var files *load.Files
	err := commandline.Uninterrupted(c.Context(), func() (err error) {
		files, err = load.Read(c.Context(), dir)
		return err
	})
	if err != nil {
		return err
	}
	l, err := alternatives.List(files, name, o.config)
	if err != nil {
		return err
	}
	if o.diff != "" {
		return printDiff(c, l, o.diff)
	}
	if err := choose(l, "-design", o.designs); err != nil {
		return err
	}
	if err := printDesigns(c, l, o); err != nil || o.write == "" {
		return err
	}
	return write(c, l, dir, o)
}

// choose leaves only the designs with some names.
func choose(l *alternatives.Listing, option string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	var known []string
	for _, a := range l.Alternatives {
		known = append(known, a.Name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return fmt.Errorf("%s: there is no design %s; the designs are %s", option, n, strings.Join(known, ", "))
		}
	}
	l.Alternatives = slices.DeleteFunc(l.Alternatives, func(a *alternatives.Alternative) bool { return !slices.Contains(names, a.Name) })
	return nil
}

// printDiff prints only the edit of the model for a design.
func printDiff(c *cobra.Command, l *alternatives.Listing, name string) error {
	if err := choose(l, "-diff", []string{name}); err != nil {
		return err
	}
	switch a := l.Alternatives[0]; {
	case a.Refused != "":
		return fmt.Errorf("-diff: %s is refused: %s", name, a.Refused)
	case a.Diff == "":
		fmt.Fprintf(c.ErrOrStderr(), "%s is the design of the model: there is nothing to edit\n", name)
		return nil
	default:
		_, err := fmt.Fprint(c.OutOrStdout(), a.Diff)
		return err
	}
}

func printDesigns(c *cobra.Command, l *alternatives.Listing, o *options) error {
	if o.json {
		return jsonline.Write(c, jsonline.Map(l.Alternatives, func(a *alternatives.Alternative) alternativeJSON { return newJSON(l, a) })...)
	}
	if _, err := fmt.Fprint(c.OutOrStdout(), l.Table()); err != nil || o.table {
		return err
	}
	for _, a := range l.Alternatives {
		if _, err := fmt.Fprint(c.OutOrStdout(), "\n"+a.Text()); err != nil {
			return err
		}
	}
	return nil
}

// write writes a package for each design.
func write(c *cobra.Command, l *alternatives.Listing, dir string, o *options) error {
	driver, err := modelfolder.RecordedDriver(dir)
	if err != nil {
		return err
	}
	into, err := importPath(c, o.write)
	if err != nil {
		return err
	}
	written := 0
	for _, a := range l.Alternatives {
		if a.Refused != "" {
			fmt.Fprintf(c.ErrOrStderr(), "%s is not written: %s\n", a.Name, a.Refused)
			continue
		}
		if err := writeDesign(c, a, codegen.Config{Driver: driver}, into, o); err != nil {
			return err
		}
		written++
	}
	for _, name := range l.Omitted {
		fmt.Fprintf(c.ErrOrStderr(), "%s is left out: it declares nothing of the model\n", name)
	}
	if written == 0 {
		return errors.New("no design is written: all of them are refused")
	}
	return nil
}

// importPath creates a folder, and returns the import path that a package in it has. The folder must be in a module, because the packages import
// this project.
func importPath(c *cobra.Command, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("-write: %w", err)
	}
	p := exec.CommandContext(c.Context(), "go", "list", "-m", "-f", "{{.Path}}\n{{.Dir}}")
	p.Dir, p.Env = dir, append(os.Environ(), "GOWORK=off") // the module of the folder, and not all of a workspace
	out, err := p.Output()
	module, root, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || root == "" {
		return "", fmt.Errorf("-write: %s is not in the folder of a module: the packages need the module of the model, so name a folder below its go.mod", dir)
	}
	at, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("-write: %w", err)
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	below, err := filepath.Rel(root, at)
	if err != nil {
		return "", fmt.Errorf("-write: %w", err)
	}
	return path.Join(module, filepath.ToSlash(below)), nil
}

// writeDesign writes the package of a design.
func writeDesign(c *cobra.Command, a *alternatives.Alternative, config codegen.Config, into string, o *options) error {
	dir := filepath.Join(o.write, a.Name)
	var files []codegen.File
	if err := a.Package(config, path.Join(into, a.Name), func(name string, data []byte) {
		files = append(files, codegen.File{Path: filepath.Join(dir, name), Data: data})
	}); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("-write: %w", err)
	}
	return ownfile.WriteOwn(c, files, o.force)
}
