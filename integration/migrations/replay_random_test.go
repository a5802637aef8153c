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
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate/catalog"
)

var (
	replaySize = flag.Int("replay", 60, "the number of random statements of TestReplayOfRandomStatements")
	replaySeed = flag.Uint64("replay-seed", 1, "the seed of the statements")
)

// The replay accepts every statement that a node accepts, and has the same schema afterwards. A node rejects every statement
// that the replay rejects. The replay may accept other statements that a node rejects, such as invalid values of properties.
func TestReplayOfRandomStatements(t *testing.T) {
	t.Parallel()
	cassandra.Test(t)
	const stretch = 150 // statements in one keyspace, before its history gets too long
	count := &verdicts{}
	t.Cleanup(func() {
		t.Logf("%d statements of -replay-seed=%d: %d accepted, %d rejected, %d rejected by the server only, %d not compared",
			*replaySize, *replaySeed, count.accepted, count.rejected, count.serverOnly, count.notCompared)
		if !t.Failed() && *replaySize >= 150 {
			require.Greater(t, count.accepted, *replaySize/6, "accepted statements")
			require.Greater(t, count.rejected, *replaySize/12, "rejected statements")
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

// verdicts counts the results of statements.
type verdicts struct {
	sync.Mutex
	accepted, rejected, serverOnly, notCompared int // serverOnly: rejected by the server only
}

func (v *verdicts) add(to *int) {
	v.Lock()
	defer v.Unlock()
	*to++
}

// replaying is a keyspace of a node, with its replay.
type replaying struct {
	t       *testing.T
	count   *verdicts
	session *gocqlx.Session // nil before the first
	now     *catalog.Keyspace
	before  []string // the accepted statements
}

// notCompared are statements that the replay does not support, or rejects although the server accepts them: compact storage,
// classes of types in quotes, names of another keyspace, masks, and objects with which a server cannot start again (types
// with names of CQL types, vectors of user-defined types).
var notCompared = regexp.MustCompile(`(?is)\bCOMPACT\b|\bMASKED\b|TYPE\s+(IF\s+NOT\s+EXISTS\s+)?"?(byte|complex|empty|enum|frozen|interval|list|macaddr|map|bitstring|set|tuple|vector|` +
	`ascii|bigint|blob|boolean|counter|date|decimal|double|duration|float|inet|int|smallint|text|time|timestamp|timeuuid|tinyint|uuid|varchar|varint)"?\W|` +
	`vector[^>]*[< "](u[0-9]|key|list|set|map|frozen|vector|tuple)\b|[\w"]\s*\.\s*[a-z"]|[(,]\s*[\w"]+\s+'|ADD\s+(IF\s+NOT\s+EXISTS\s+)?[\w"]+\s+'|<\s*'|'\s*>`)

func (w *replaying) step(cql string) {
	after := w.now.Clone()
	known, thought := after.Apply(cql)
	if notCompared.MatchString(cql) || !known {
		w.count.add(&w.count.notCompared)
		return
	}
	if w.session == nil {
		session := cassandra.Keyspace(w.t)
		w.session = &session
	}
	served := w.session.Session.Query(cql).Exec()
	if served != nil {
		var refusal gocql.RequestError
		require.True(w.t, errors.As(served, &refusal), "%s: %v", cql, served)
	}
	switch {
	case served == nil && thought != nil:
		w.fail(cql, "the server accepts it, the replay rejects it: %v", thought)
	case served != nil && thought == nil:
		w.count.add(&w.count.serverOnly)
	case served != nil:
		w.count.add(&w.count.rejected)
	default:
		w.count.add(&w.count.accepted)
		w.now, w.before = after, append(w.before, cql)
		shown, err := catalog.Inspect(w.t.Context(), gocqldriver.New(*w.session), w.session.Session.Query("").Keyspace())
		require.NoError(w.t, err)
		differences := slices.DeleteFunc(catalog.Compare(w.now, shown), func(d catalog.Difference) bool {
			return d.Property == "cdc" // a node without change data capture accepts it, and does not keep it
		})
		if len(differences) > 0 {
			w.fail(cql, "%v", differences)
		}
	}
}

// fail reports a difference, and continues with an empty keyspace.
func (w *replaying) fail(cql, what string, args ...any) {
	last := w.before[max(0, len(w.before)-8):]
	assert.Fail(w.t, cql, append([]any{what + "\nafter %q"}, append(args, last)...)...)
	w.session, w.now, w.before = nil, &catalog.Keyspace{}, nil
}
