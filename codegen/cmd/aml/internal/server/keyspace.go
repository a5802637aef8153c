package server

import (
	"maps"

	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Inspect reads the keyspace of the command line.
func (n *Connection) Inspect(c *cobra.Command) (*catalog.Keyspace, error) {
	if err := n.CheckKeyspace(); err != nil {
		return nil, err
	}
	session, err := n.Open(c.Context(), "")
	if err != nil {
		return nil, err
	}
	defer session.Close()
	return catalog.Inspect(c.Context(), gocqldriver.New(session), n.Keyspace)
}

// Owners returns the tables and types of a live keyspace, such as "table invoices", that belong to other folders, with the
// names of these folders.
func (n *Connection) Owners(c *cobra.Command, self string) (map[string]string, error) {
	session, err := n.Open(c.Context(), n.Keyspace)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	out, err := migrate.Owners(c.Context(), gocqldriver.New(session))
	maps.DeleteFunc(out, func(_, folder string) bool { return folder == self })
	return out, err
}
