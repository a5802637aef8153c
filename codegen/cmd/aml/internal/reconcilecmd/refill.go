package reconcilecmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/server"
	"github.com/cassaml/cassaml/internal/indexbuild"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// newRefill returns the refill of a redundant table.
func newRefill(s *schema.Schema, table string) (*program.Refill, error) {
	if p := projectionTo(s, table); p != nil {
		return &program.Refill{Table: table, CQL: model.Quote(table), Root: rootName(p.Source)}, nil
	}
	var names []string
	for _, t := range s.Stored {
		for _, p := range t.Projections {
			names = append(names, p.Table.Name)
		}
	}
	if names == nil {
		return nil, errors.New("-refill: the model has no redundant tables")
	}
	slices.Sort(names)
	return nil, fmt.Errorf("-refill: %s is not a redundant table: use one of %s", table, strings.Join(names, ", "))
}

// confirm asks before a table is emptied.
func (r *reconciliation) confirm(c *cobra.Command) error {
	if r.Refill == nil || r.yes {
		return nil
	}
	if !commandline.IsTerminal(c.InOrStdin()) {
		return fmt.Errorf("-refill %s empties the table, and there is no terminal to ask: add -yes", r.refill)
	}
	return prompt(c.Context(), c.InOrStdin(), c.ErrOrStderr(), fmt.Sprintf(
		"This empties table %s of keyspace %s and writes it again from %s. Until it ends, reads of %[1]s miss rows. Continue? [y/N] ", r.refill, r.server.Keyspace, r.Refill.Root))
}

// awaitIndexes waits until all nodes have built the indexes of the table that is refilled: TRUNCATE stops a build, and the index can then
// be unreadable until it is dropped and created again.
func (r *reconciliation) awaitIndexes(c *cobra.Command) error {
	if r.Refill == nil {
		return nil
	}
	var nodes *gocqldriver.Nodes
	session, err := server.Connect(c.Context(), &r.Connection, func(cluster *gocql.ClusterConfig) {
		cluster.HostFilter = nil // the nodes of other data centres build the indexes, too
		nodes = gocqldriver.NewNodes(cluster.PoolConfig.HostSelectionPolicy)
		cluster.PoolConfig.HostSelectionPolicy = nodes
	})
	if err != nil {
		return err
	}
	defer session.Close()
	err = indexbuild.Await(c.Context(), gocqldriver.New(gocqlx.NewSession(session), nodes), r.Refill.Table, r.server.Timeout, func(builds string) {
		fmt.Fprintf(c.ErrOrStderr(), "wait up to %v before %s is emptied, because TRUNCATE stops the build of an index: %s\n", r.server.Timeout, r.Refill.Table, builds)
	})
	if err != nil {
		return fmt.Errorf("-refill: %s was not emptied: %w", r.Refill.Table, err)
	}
	return nil
}
