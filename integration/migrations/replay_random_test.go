package migrations

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/migrate/catalog"
)

var (
	replaySize = flag.Int("replay", 150, "how many random statements TestReplayOfRandomStatements runs")
	replaySeed = flag.Uint64("replay-seed", 1, "where their chance begins")
)

// Replaying takes every statement that a node takes, and has the same schema afterwards. What it refuses a node refuses. What a
// node refuses beyond that, such as values of properties, it may take.
func TestReplayOfRandomStatements(t *testing.T) {
	t.Parallel()
	cassandra.Test(t)
	const stretch = 150 // statements in one keyspace, before its past gets too long
	count := &verdicts{}
	t.Cleanup(func() {
		t.Logf("%d statements of -replay-seed=%d: %d taken, %d refused, %d refused by the server alone, %d not compared",
			*replaySize, *replaySeed, count.taken, count.refused, count.left, count.beyond)
		if !t.Failed() && *replaySize >= 150 {
			require.Greater(t, count.taken, *replaySize/6, "statements that are taken")
			require.Greater(t, count.refused, *replaySize/12, "statements that are refused")
		}
	})
	for from := 0; from < *replaySize; from += stretch {
		t.Run(fmt.Sprint(from), func(t *testing.T) {
			t.Parallel()
			chance := rand.New(rand.NewPCG(*replaySeed, uint64(from)))
			w := &replaying{t: t, count: count, now: &catalog.Keyspace{}}
			for range min(stretch, *replaySize-from) {
				w.step(statements{chance, w.now}.next())
			}
		})
	}
}

// verdicts counts what became of statements.
type verdicts struct {
	sync.Mutex
	taken, refused, left, beyond int // left: to the server, which refuses it
}

func (v *verdicts) add(to *int) {
	v.Lock()
	defer v.Unlock()
	*to++
}

// replaying is a keyspace of a node, and what replaying takes it for.
type replaying struct {
	t       *testing.T
	count   *verdicts
	session *gocqlx.Session // nil before the first
	now     *catalog.Keyspace
	before  []string // what was taken so far
}

// notCompared are statements that replaying does not claim to understand, or that it refuses although the server takes them:
// compact storage, classes of types in quotes, names of another keyspace, masks, and what a server cannot start with again
// (types that are named as CQL's own, vectors of user-defined types).
var notCompared = regexp.MustCompile(`(?is)\bCOMPACT\b|\bMASKED\b|TYPE\s+(IF\s+NOT\s+EXISTS\s+)?"?(byte|complex|empty|enum|frozen|interval|list|macaddr|map|bitstring|set|tuple|vector|` +
	`ascii|bigint|blob|boolean|counter|date|decimal|double|duration|float|inet|int|smallint|text|time|timestamp|timeuuid|tinyint|uuid|varchar|varint)"?\W|` +
	`vector[^>]*[< "](u[0-9]|key|list|set|map|frozen|vector|tuple)\b|[\w"]\s*\.\s*[a-z"]|[(,]\s*[\w"]+\s+'|ADD\s+(IF\s+NOT\s+EXISTS\s+)?[\w"]+\s+'|<\s*'|'\s*>`)

func (w *replaying) step(cql string) {
	after := w.now.Clone()
	known, thought := after.Apply(cql)
	if notCompared.MatchString(cql) || !known {
		w.count.add(&w.count.beyond)
		return
	}
	if w.session == nil {
		session := cassandra.Keyspace(w.t)
		w.session = &session
	}
	served := w.session.Session.Query(cql).Exec()
	if served != nil {
		var said gocql.RequestError
		require.True(w.t, errors.As(served, &said), "%s: %v", cql, served)
	}
	switch {
	case served == nil && thought != nil:
		w.fail(cql, "the server takes it, replaying refuses it: %v", thought)
	case served != nil && thought == nil:
		w.count.add(&w.count.left)
	case served != nil:
		w.count.add(&w.count.refused)
	default:
		w.count.add(&w.count.taken)
		w.now, w.before = after, append(w.before, cql)
		shown, err := catalog.Inspect(w.t.Context(), w.session.Session, w.session.Session.Query("").Keyspace())
		require.NoError(w.t, err)
		differences := slices.DeleteFunc(catalog.Compare(w.now, shown), func(d catalog.Difference) bool {
			return d.Property == "cdc" // a node that captures no changes takes it, and does not keep it
		})
		if len(differences) > 0 {
			w.fail(cql, "%v", differences)
		}
	}
}

// fail reports a difference, and goes on with a keyspace without a past.
func (w *replaying) fail(cql, what string, args ...any) {
	last := w.before[max(0, len(w.before)-8):]
	assert.Fail(w.t, cql, append([]any{what + "\nafter %q"}, append(args, last)...)...)
	w.session, w.now, w.before = nil, &catalog.Keyspace{}, nil
}
