package migrationfolder

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
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
)

// Neighbour is the migration folder of another package in the same keyspace.
type Neighbour struct {
	Name    string // "" for none
	Package string // the import path of its package; "" for a folder of the command line
	Creates *catalog.Keyspace

	dir string
}

// sharedName returns the name of the folder in a directive aml:shared.
func (n *Neighbour) sharedName() string {
	return cmp.Or(n.Package, n.Name, filepath.ToSlash(filepath.Clean(n.dir)))
}

// ReadNeighbours reads the folders of the command line.
func ReadNeighbours(dirs []string) ([]*Neighbour, error) {
	var out []*Neighbour
	for _, dir := range dirs {
		if err := CheckExists(dir); err != nil {
			return nil, fmt.Errorf("-beside: %w", err)
		}
		n, err := ReadNeighbour(dir, "")
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// ReadNeighbour reads a folder with the schema that it creates.
func ReadNeighbour(dir, pkg string) (*Neighbour, error) {
	n := &Neighbour{dir: dir, Package: pkg}
	var err error
	if n.Name, err = folder.Name(os.DirFS(dir)); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	files, err := folder.Read(os.DirFS(dir))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if n.Creates, err = catalog.Replay(files); err != nil {
		return nil, AddFolder(dir, err)
	}
	return n, nil
}

// ReadImported reads the folders of the packages whose structs a model uses. They share its keyspace if one of the two
// folders has a name. Folders without a name, including this one, are assumed to be in different keyspaces.
func ReadImported(c *cobra.Command, m *model.Model, dir, name string) (beside, unnamed []*Neighbour, err error) {
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
	err = commandline.Uninterrupted(c.Context(), func() (err error) {
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
		n, err := ReadNeighbour(of, path)
		if err != nil {
			return nil, nil, err
		}
		if n.Name != "" || name != "" {
			beside = append(beside, n)
		} else {
			unnamed = append(unnamed, n)
		}
	}
	return beside, unnamed, nil
}

// Share records the types of a model that other folders create. A struct of this package is not shared.
func Share(from *catalog.Keyspace, m *model.Model, s *schema.Schema, others []*Neighbour) {
	for _, u := range s.Types {
		of := u.Object.Struct.Path
		if _, known := from.Shared[u.Name]; known || from.Type(u.Name) != nil || of == m.Package.Path {
			continue
		}
		declares := func(n *Neighbour) bool { return n.Package == of && n.Creates.Type(u.Name) != nil }
		creates := func(n *Neighbour) bool {
			_, shared := n.Creates.Shared[u.Name]
			return n.Creates.Type(u.Name) != nil && !shared
		}
		i := slices.IndexFunc(others, declares)
		if i < 0 {
			i = slices.IndexFunc(others, creates)
		}
		if i >= 0 {
			from.Expect(u.Name, others[i].sharedName())
		}
	}
}

// CheckSeparate rejects two folders with the same name, and tables and types that both create. have is the schema that this folder
// creates.
func CheckSeparate(dir, name string, have *catalog.Keyspace, others []*Neighbour) error {
	var faults []error
	for _, n := range others {
		switch {
		case n.Name == name && name == "":
			faults = append(faults, fmt.Errorf("%s and %s have no name, and a keyspace can have only one folder without a name: set the name of one that no database has applied, with aml migrate sum -name NAME", dir, n.dir))
		case n.Name == name:
			faults = append(faults, fmt.Errorf("%s and %s have the same name %s: change the name of one that no database has applied, with aml migrate sum -name NAME", dir, n.dir, name))
		}
		for _, t := range have.Tables {
			if n.Creates.Table(t.Name) != nil {
				faults = append(faults, fmt.Errorf("table %s is created by %s and by %s: rename it in one of them", t.Name, dir, n.dir))
			}
		}
		for _, u := range have.Types {
			_, shared := have.Shared[u.Name]
			_, theirs := n.Creates.Shared[u.Name]
			if n.Creates.Type(u.Name) != nil && !shared && !theirs {
				faults = append(faults, fmt.Errorf("type %s is created by %s and by %s: change the name of one in the tag of its struct, "+
					"or if it is the same struct, write -- aml:shared instead of CREATE TYPE in the folder that no database has applied", u.Name, dir, n.dir))
			}
		}
	}
	return errors.Join(faults...)
}
