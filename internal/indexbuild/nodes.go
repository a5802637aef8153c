package indexbuild

import (
	"context"

	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/mapper/driver"
)

// indexes is the state of the indexes of the keyspace of a session.
type indexes struct{ session driver.Session }

func (i indexes) indexNames(ctx context.Context, table string) ([]string, error) {
	all, err := systemschema.Reader{Session: i.session, Keyspace: i.session.Keyspace()}.Indexes(ctx, table)
	var names []string
	for _, one := range all {
		names = append(names, one.Name)
	}
	return names, err
}

func (i indexes) addresses() ([]string, error) { return i.session.Nodes() }

// built asks the node itself: a node knows only the indexes that it has built.
func (i indexes) built(ctx context.Context, node string) (names []string, err error) {
	rows := i.session.Query(ctx, driver.Query{
		CQL:  `SELECT index_name FROM system."IndexInfo" WHERE table_name = ?`,
		Args: []any{i.session.Keyspace()}, Consistency: driver.One, Node: node, Metadata: true,
	})
	for name := ""; rows.Scan(&name); {
		names = append(names, name)
	}
	return names, rows.Close()
}
