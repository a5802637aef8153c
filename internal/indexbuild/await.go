package indexbuild

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/internal/wait"
	"github.com/cassaml/cassaml/mapper/driver"
)

const (
	firstPause   = 100 * time.Millisecond
	longestPause = 2 * time.Second
)

// Await returns nil when all nodes have built the indexes of a table in the keyspace of the session, whose configuration has n as
// HostSelectionPolicy. It returns an error if they have not within the limit, the option -timeout of aml, and if it cannot determine
// whether they have: a node does not answer, or the role cannot read the state. It calls waiting with the builds that it waits for, first
// and when they change.
func Await(ctx context.Context, session driver.Session, table string, limit time.Duration, waiting func(builds string)) error {
	return await(ctx, indexes{session}, table, limit, waiting)
}

// state returns the reports of nodes on the indexes in a keyspace.
type state interface {
	// indexNames returns the names of the indexes of a table.
	indexNames(ctx context.Context, table string) ([]string, error)
	// addresses returns the addresses of all nodes.
	addresses() ([]string, error)
	// built returns the names of the indexes that a node has built.
	built(ctx context.Context, node string) ([]string, error)
}

func await(ctx context.Context, s state, table string, limit time.Duration, waiting func(string)) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for pause, last := firstPause, ""; ; pause = min(2*pause, longestPause) {
		missing, err := unbuilt(limited, s, table)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case isUnauthorized(err):
			return fmt.Errorf(`cannot determine whether the indexes of %s are built: grant SELECT on system."IndexInfo" to the role: %w`, table, err)
		case err == nil && missing == "":
			return nil
		case err == nil && missing != last:
			waiting(missing)
			last = missing
		}
		if wait.Sleep(limited, pause) == nil {
			continue
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case last == "":
			return fmt.Errorf("cannot determine within %v whether the indexes of %s are built; make sure that all nodes are up: %w", limit, table, err)
		}
		return fmt.Errorf("not built after %v: %s; allow a longer wait with -timeout, or, if an index is no longer being built, drop it and create it again", limit, last)
	}
}

// unbuilt returns the indexes of a table that are not built on all nodes, as a text; "" if there are none.
func unbuilt(ctx context.Context, s state, table string) (string, error) {
	names, err := s.indexNames(ctx, table)
	if err != nil || len(names) == 0 {
		return "", err
	}
	nodes, err := s.addresses()
	if err != nil {
		return "", err
	}
	on := map[string][]string{}
	for _, node := range nodes {
		built, err := s.built(ctx, node)
		if err != nil {
			return "", fmt.Errorf("%s: %w", node, err)
		}
		for _, name := range names {
			if !slices.Contains(built, name) {
				on[name] = append(on[name], node)
			}
		}
	}
	var missing []string
	for _, name := range names {
		if n := on[name]; n != nil {
			missing = append(missing, "index "+name+" on "+strings.Join(n, ", "))
		}
	}
	return strings.Join(missing, "; "), nil
}

func isUnauthorized(err error) bool {
	code, answered := driver.Code(err)
	return answered && code == driver.CodeUnauthorized
}
