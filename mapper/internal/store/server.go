package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/skew"
)

// The oldest versions of the protocol and of Cassandra that stores support, and the first Cassandra with write times of columns of several cells.
const (
	minProtocol          = 4 // the first version with unset values
	minMajor, minMinor   = 4, 1
	cellsMajor, cellsMin = 5, 0
)

// verifyServers refuses a session without unset values and servers that are too old for every store. It returns the node with the oldest
// version.
func (s CQL) verifyServers(ctx context.Context) (systemschema.Node, error) {
	if err := driver.Check(s.Session); err != nil {
		return systemschema.Node{}, fmt.Errorf("mapper: %w", err)
	}
	oldest, protocol, err := systemschema.Oldest(ctx, s.Session, driver.Reread)
	if err != nil {
		return oldest, fmt.Errorf("mapper: %w", err)
	}
	if protocol == 0 {
		protocol = s.probeProtocol(ctx)
	}
	return oldest, cmp.Or(verifyProtocol(protocol), verifyOldest(oldest))
}

// probeProtocol returns the version of the protocol as far as it matters: in version 3, a driver sends an unset value as null, and a server
// refuses both as a key, with different texts. It returns 0 if the answer does not show it.
func (s CQL) probeProtocol(ctx context.Context) int {
	q := driver.Query{CQL: "SELECT key FROM system.local WHERE key = ?", Args: []any{s.Session.Unset()}, Consistency: driver.One}
	e, answered := errors.AsType[*driver.Error](s.Session.Query(ctx, q).Close())
	switch {
	case !answered || e.Code != driver.CodeInvalid:
		return 0
	case strings.Contains(e.Message, "null value"):
		return minProtocol - 1
	}
	return minProtocol
}

// verifyProtocol refuses a protocol without unset values, in which a partial write sets all other columns to null. The version is 0 if it
// is not known, because a request has failed.
func verifyProtocol(version int) error {
	if version != 0 && version < minProtocol {
		return fmt.Errorf("mapper: the session uses version %d of the native protocol, in which a write cannot leave a column unset: "+
			"set ProtoVersion of the cluster's configuration to %d, or leave it 0", version, minProtocol)
	}
	return nil
}

// verifyOldest refuses a server that is too old for every store.
func verifyOldest(n systemschema.Node) error {
	if n.Before(minMajor, minMinor) {
		return fmt.Errorf("mapper: %v, %d.%d or later is needed", n, minMajor, minMinor)
	}
	return nil
}

const (
	clockQueries = 9
	clockCut     = time.Millisecond // the precision of toUnixTimestamp, which truncates
)

// Clocks reads the clocks of several nodes concurrently. The driver cannot send a query to a given node, but uses a different node
// for each query. now is the clock to compare. Clocks returns an error only if there is no answer.
func (s CQL) Clocks(ctx context.Context, now func() time.Time) ([]skew.Answer, error) {
	var mu sync.Mutex
	var answers []skew.Answer
	var faults []error
	var work sync.WaitGroup
	for range clockQueries {
		work.Go(func() {
			a, err := s.clock(ctx, now)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				faults = append(faults, err)
				return
			}
			answers = append(answers, a)
		})
	}
	work.Wait()
	if len(answers) == 0 {
		return nil, faults[0]
	}
	return answers, nil
}

// clock reads the clock of one node. The query is not retried: the round trip would include the failed attempt.
func (s CQL) clock(ctx context.Context, now func() time.Time) (a skew.Answer, err error) {
	asked := time.Now()
	it := s.Session.Query(ctx, driver.Query{CQL: "SELECT toUnixTimestamp(now()) FROM system.local WHERE key = 'local'", Consistency: driver.One})
	a.Client = now()
	a.RoundTrip = time.Since(asked) + clockCut
	var millis int64
	found := it.Scan(&millis)
	if err := it.Close(); err != nil {
		return a, err
	}
	if !found {
		return a, errors.New("system.local has no row")
	}
	a.Server, a.Host = time.UnixMilli(millis), it.Node()
	return a, nil
}

// Identities returns the ID of each table of the session's keyspace.
func (s CQL) Identities(ctx context.Context) (map[string]string, error) {
	return s.schema(s.keyspace()).TableIDs(ctx, "")
}

func (s CQL) keyspace() string { return s.Session.Keyspace() }
