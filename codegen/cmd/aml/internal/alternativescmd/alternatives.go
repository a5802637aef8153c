// Package alternativescmd is the command aml alternatives, which lists the designs of a relationship and the costs of its operations in each.
package alternativescmd

import (
	"errors"
	"fmt"
	"os"
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
			"Files that declare nothing of the model are left out.\n\n" +
			"With -json each line of the standard output is an object: a design.",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error { return run(c, args[0], modelfolder.Args(args[1:])[0], &o) },
	}
	c.Flags().StringSliceVar(&o.config.Key, "key", nil, "the fields that identify an element without an identifier, separated by commas")
	c.Flags().BoolVar(&o.config.ManyToMany, "many", false, "only the designs in which an element can have several roots")
	c.Flags().StringSliceVar(&o.designs, "design", nil, "only these designs, separated by commas")
	c.Flags().BoolVar(&o.table, "table", false, "only the table of costs")
	c.Flags().StringVar(&o.write, "write", "", "write a package for each design to a folder of this folder")
	c.Flags().BoolVar(&o.force, "force", false, "with -write: write to a folder with files that aml has not written, and overwrite them")
	jsonline.Option(c, &o.json)
	return c
}

func run(c *cobra.Command, name, dir string, o *options) error {
	switch {
	case o.force && o.write == "":
		return errors.New("-force needs -write: without it no file is written")
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
	if err := choose(l, o.designs); err != nil {
		return err
	}
	if err := print(c, l, o); err != nil || o.write == "" {
		return err
	}
	return write(c, l, dir, o)
}

// choose leaves only the designs with some names.
func choose(l *alternatives.Listing, names []string) error {
	if len(names) == 0 {
		return nil
	}
	var known []string
	for _, a := range l.Alternatives {
		known = append(known, a.Name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return fmt.Errorf("-design: there is no design %s; the designs are %s", n, strings.Join(known, ", "))
		}
	}
	l.Alternatives = slices.DeleteFunc(l.Alternatives, func(a *alternatives.Alternative) bool { return !slices.Contains(names, a.Name) })
	return nil
}

func print(c *cobra.Command, l *alternatives.Listing, o *options) error {
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
	written := 0
	for _, a := range l.Alternatives {
		if a.Refused != "" {
			fmt.Fprintf(c.ErrOrStderr(), "%s is not written: %s\n", a.Name, a.Refused)
			continue
		}
		if err := writeDesign(c, a, codegen.Config{Driver: driver}, o); err != nil {
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

// writeDesign writes the package of a design.
func writeDesign(c *cobra.Command, a *alternatives.Alternative, config codegen.Config, o *options) error {
	files := map[string][]byte{}
	if err := a.Package(config, func(name string, data []byte) { files[name] = data }); err != nil {
		return err
	}
	if err := os.MkdirAll(o.write, 0o755); err != nil {
		return fmt.Errorf("-write: %w", err)
	}
	return ownfile.WriteFolder(c, filepath.Join(o.write, a.Name), files, o.force)
}
