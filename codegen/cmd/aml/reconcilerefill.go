package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/internal/indexbuild"
)

// awaitIndexes waits until all nodes have built the indexes of the table that is refilled: TRUNCATE stops a build, and the index can then
// be unreadable until it is dropped and created again.
func (r *reconciliation) awaitIndexes(c *cobra.Command) error {
	if r.Refill == nil {
		return nil
	}
	nodes := indexbuild.NewNodes()
	cluster := r.Connection.Cluster()
	cluster.PoolConfig.HostSelectionPolicy = nodes
	session, err := cassandra.CreateSession(c.Context(), cluster)
	if err != nil {
		return refusal(c.Context(), cluster, err)
	}
	defer session.Close()
	err = nodes.Await(c.Context(), session, r.Refill.Table, r.timeout, func(builds string) {
		fmt.Fprintf(c.ErrOrStderr(), "wait up to %v before %s is emptied, because TRUNCATE stops the build of an index: %s\n", r.timeout, r.Refill.Table, builds)
	})
	if err != nil {
		return fmt.Errorf("-refill: %s was not emptied: %w", r.Refill.Table, err)
	}
	return nil
}
