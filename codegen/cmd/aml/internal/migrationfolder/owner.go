package migrationfolder

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// ReadOwn reads the folder of the command line. A missing folder creates nothing.
func ReadOwn(dir string) (*Neighbour, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return &Neighbour{dir: dir, Creates: &catalog.Keyspace{}}, nil
	}
	return ReadNeighbour(dir, "")
}

// OwnerText returns a folder as it is printed.
func OwnerText(name string) string {
	if name == "" {
		return "the folder without a name"
	}
	return "folder " + name
}

// MarkExtra marks the objects of a live keyspace that are not in the model as manual: those that the folder does not create, and those that
// belong to other folders. A table of the model that belongs to another folder is an error.
func (n *Neighbour) MarkExtra(have *catalog.Keyspace, s *schema.Schema, owners map[string]string) error {
	var faults []error
	for _, t := range s.Tables {
		if of, ok := owners["table "+t.Name]; ok {
			faults = append(faults, fmt.Errorf("table %s of the model belongs to %s in this keyspace: give it another name", t.Name, OwnerText(of)))
		}
	}
	have.Manual = map[string]bool{}
	for name := range n.Creates.Manual {
		have.Manual[name] = true
	}
	note := func(kind, name string, created bool) {
		_, other := owners[kind+" "+name]
		if other || !created && len(n.Creates.Tables) > 0 {
			have.Manual[name] = true
		}
	}
	for _, t := range have.Tables {
		note("table", t.Name, n.Creates.Table(t.Name) != nil)
	}
	for _, u := range have.Types {
		note("type", u.Name, n.Creates.Type(u.Name) != nil)
		shared, known := n.Creates.Shared[u.Name]
		if of, other := owners["type "+u.Name]; known || other {
			have.Expect(u.Name, cmp.Or(shared.From, of, "unnamed"))
		}
	}
	return errors.Join(faults...)
}
