package migrate

import (
	"context"
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// ServerVersionError reports pending statements that use features which the oldest node of the cluster does not have. Nothing was applied.
type ServerVersionError struct {
	Node    string // the address of the node
	Version string // its version of Cassandra: 4.1.10
	Needs   []ServerNeed
}

// ServerNeed is a feature of a statement that servers before Cassandra 5.0 do not have.
type ServerNeed struct {
	File    string
	Line    int
	Feature string // vectors
}

func (e *ServerVersionError) Error() string {
	var needs []string
	for _, n := range e.Needs {
		needs = append(needs, fmt.Sprintf("%s:%d: %s", n.File, n.Line, n.Feature))
	}
	return fmt.Sprintf("migrate: node %s runs Cassandra %s, and these statements need Cassandra 5.0: %s: upgrade every node first, or change the files; nothing was applied",
		e.Node, e.Version, strings.Join(needs, "; "))
}

// checkServers refuses pending statements with features that a node does not have. It sends a request only if there are such statements.
func (r *run) checkServers(ctx context.Context) error {
	var needs []ServerNeed
	for i := range r.files {
		f := &r.files[i]
		for _, s := range f.Statements[min(r.state.records[f.Number].count(), len(f.Statements)):] {
			for _, feature := range effect.NewFeatures(s.Text) {
				needs = append(needs, ServerNeed{File: f.Name, Line: s.Line, Feature: feature})
			}
		}
	}
	if needs == nil {
		return nil
	}
	var oldest systemschema.Node
	err := retry(ctx, "read the versions of the servers", func(ctx context.Context) (err error) {
		oldest, err = r.db.oldest(ctx)
		return err
	})
	if err == nil && oldest.Before(5, 0) {
		err = &ServerVersionError{Node: oldest.Address, Version: oldest.Release, Needs: needs}
	}
	return err
}
