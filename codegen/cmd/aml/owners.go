package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// readOwn reads the folder of the command line. A missing folder creates nothing.
func readOwn(dir string) (neighbour, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return neighbour{dir: dir, creates: &catalog.Keyspace{}}, nil
	}
	return readNeighbour(dir, "")
}

// owners returns the tables and types of a live keyspace, such as "table invoices", that belong to other folders, with the
// names of these folders.
func (n *connection) owners(c *cobra.Command, self string) (map[string]string, error) {
	session, err := n.open(c.Context(), n.keyspace)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	out, err := migrate.Owners(c.Context(), session)
	maps.DeleteFunc(out, func(_, folder string) bool { return folder == self })
	return out, err
}

// ownerText returns a folder as it is printed.
func ownerText(name string) string {
	if name == "" {
		return "the folder without a name"
	}
	return "folder " + name
}

// markExtra marks the objects of a live keyspace that are not in the model as manual: those that the folder does not create, and those that
// belong to other folders. A table of the model that belongs to another folder is an error.
func (n neighbour) markExtra(have *catalog.Keyspace, s *schema.Schema, owners map[string]string) error {
	var faults []error
	for _, t := range s.Tables {
		if of, ok := owners["table "+t.Name]; ok {
			faults = append(faults, fmt.Errorf("table %s of the model belongs to %s in this keyspace: give it another name", t.Name, ownerText(of)))
		}
	}
	have.Manual = map[string]bool{}
	for name := range n.creates.Manual {
		have.Manual[name] = true
	}
	note := func(kind, name string, created bool) {
		_, other := owners[kind+" "+name]
		if other || !created && len(n.creates.Tables) > 0 {
			have.Manual[name] = true
		}
	}
	for _, t := range have.Tables {
		note("table", t.Name, n.creates.Table(t.Name) != nil)
	}
	for _, u := range have.Types {
		note("type", u.Name, n.creates.Type(u.Name) != nil)
		shared, known := n.creates.Shared[u.Name]
		if of, other := owners["type "+u.Name]; known || other {
			have.Expect(u.Name, cmp.Or(shared.From, of, "unnamed"))
		}
	}
	return errors.Join(faults...)
}
