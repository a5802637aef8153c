package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
)

// neighbour is the migration folder of another package in the same keyspace.
type neighbour struct {
	dir     string
	name    string // "" for none
	pkg     string // the import path of its package; "" for a folder of the command line
	creates *catalog.Keyspace
}

// from returns the name of the folder in a directive aml:shared.
func (n neighbour) from() string {
	return cmp.Or(n.pkg, n.name, filepath.ToSlash(filepath.Clean(n.dir)))
}

// besideOption adds the flag for the folders of other packages.
func besideOption(c *cobra.Command) *[]string {
	return c.Flags().StringArray("beside", nil, "the folder of another package that shares the keyspace; can be repeated")
}

// namedFolders reads the folders of the command line.
func namedFolders(dirs []string) ([]neighbour, error) {
	var out []neighbour
	for _, dir := range dirs {
		if err := needFolder(dir); err != nil {
			return nil, fmt.Errorf("-beside: %w", err)
		}
		n, err := readNeighbour(dir, "")
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func readNeighbour(dir, pkg string) (neighbour, error) {
	n := neighbour{dir: dir, pkg: pkg}
	var err error
	if n.name, err = folder.Name(os.DirFS(dir)); err != nil {
		return n, fmt.Errorf("%s: %w", dir, err)
	}
	files, err := folder.Read(os.DirFS(dir))
	if err != nil {
		return n, fmt.Errorf("%s: %w", dir, err)
	}
	if n.creates, err = catalog.Replay(files); err != nil {
		return n, inFolder(dir, err)
	}
	return n, nil
}

// importedFolders reads the folders of the packages whose structs a model uses. They share its keyspace if one of the two
// folders has a name. Folders without a name, including this one, are assumed to be in different keyspaces.
func importedFolders(c *cobra.Command, m *model.Model, dir, name string) (beside, unnamed []neighbour, err error) {
	var paths []string
	note := func(s *model.Struct) {
		if s.Path != m.Package.Path && !slices.Contains(paths, s.Path) {
			paths = append(paths, s.Path)
		}
	}
	for _, o := range m.Objects {
		note(o.Struct)
	}
	for _, s := range m.Package.Others {
		note(s)
	}
	var dirs map[string]string
	err = uninterrupted(c.Context(), func() (err error) {
		dirs, err = load.Dirs(c.Context(), m.Package.Dir, paths)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		of := filepath.Join(dirs[path], filepath.Base(dir))
		if dirs[path] == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(of, folder.SumFile)); errors.Is(err, os.ErrNotExist) {
			continue
		}
		n, err := readNeighbour(of, path)
		if err != nil {
			return nil, nil, err
		}
		if n.name != "" || name != "" {
			beside = append(beside, n)
		} else {
			unnamed = append(unnamed, n)
		}
	}
	return beside, unnamed, nil
}

// share records the types of a model that other folders create. A struct of this package is not shared.
func share(from *catalog.Keyspace, m *model.Model, s *schema.Schema, others []neighbour) {
	for _, u := range s.Types {
		of := u.Object.Struct.Path
		if _, known := from.Shared[u.Name]; known || from.Type(u.Name) != nil || of == m.Package.Path {
			continue
		}
		declares := func(n neighbour) bool { return n.pkg == of && n.creates.Type(u.Name) != nil }
		creates := func(n neighbour) bool {
			_, shared := n.creates.Shared[u.Name]
			return n.creates.Type(u.Name) != nil && !shared
		}
		i := slices.IndexFunc(others, declares)
		if i < 0 {
			i = slices.IndexFunc(others, creates)
		}
		if i >= 0 {
			from.Expect(u.Name, others[i].from())
		}
	}
}

// checkSeparate rejects two folders with the same name, and tables and types that both create. have is the schema that this folder
// creates.
func checkSeparate(dir, name string, have *catalog.Keyspace, others []neighbour) error {
	var faults []error
	for _, n := range others {
		switch {
		case n.name == name && name == "":
			faults = append(faults, fmt.Errorf("%s and %s have no name, and a keyspace can have only one folder without a name: set the name of one that no database has applied, with aml migrate sum -name NAME", dir, n.dir))
		case n.name == name:
			faults = append(faults, fmt.Errorf("%s and %s have the same name %s: change the name of one that no database has applied, with aml migrate sum -name NAME", dir, n.dir, name))
		}
		for _, t := range have.Tables {
			if n.creates.Table(t.Name) != nil {
				faults = append(faults, fmt.Errorf("table %s is created by %s and by %s: rename it in one of them", t.Name, dir, n.dir))
			}
		}
		for _, u := range have.Types {
			_, shared := have.Shared[u.Name]
			_, theirs := n.creates.Shared[u.Name]
			if n.creates.Type(u.Name) != nil && !shared && !theirs {
				faults = append(faults, fmt.Errorf("type %s is created by %s and by %s: change the name of one in the tag of its struct, "+
					"or if it is the same struct, write -- aml:shared instead of CREATE TYPE in the folder that no database has applied", u.Name, dir, n.dir))
			}
		}
	}
	return errors.Join(faults...)
}

// nameOption adds the flag for the name of a new folder.
func nameOption(c *cobra.Command) *string {
	return c.Flags().String("name", "", "the name of a new folder, for packages that share a keyspace: each package has its own folder with its own name")
}

// folderName returns the name of a folder: the recorded name, or for a new folder the name on the command line.
func folderName(c *cobra.Command, dir, given string) (name string, fresh bool, err error) {
	files, err := readFolder(dir)
	if err != nil {
		return "", false, err
	}
	if name, err = folder.Name(os.DirFS(dir)); err != nil {
		return "", false, fmt.Errorf("%s: %w", dir, err)
	}
	switch {
	case !c.Flags().Changed("name") || given == name:
		return name, false, nil
	case name != "":
		return "", false, fmt.Errorf("%s has the name %s, and databases record it by this name; before any database has applied it, aml migrate sum -name %s changes the name", dir, name, given)
	case len(files) > 0:
		return "", false, fmt.Errorf("%s has migrations and no name, and databases record it without a name; before any database has applied it, aml migrate sum -name %s sets the name", dir, given)
	}
	return given, true, folder.CheckName(given)
}
