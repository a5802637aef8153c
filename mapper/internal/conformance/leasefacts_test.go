package conformance

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper/driver"
)

// leases sends conditional batches of two statements, with a TTL each, to one row.
type leases struct {
	*testing.T
	driver.Session
	key int
}

// send sends a batch. The first statement is conditional, keeps the row for an hour, and ends with the version that is required, if there is
// one. The second one writes the holder. A refused batch returns the columns of the row that are not null.
func (l leases) send(first string, holder string, ttl int32, args ...any) (applied bool, columns []string) {
	b := l.Batch(l.Context(), driver.BatchConfig{Consistency: driver.LocalQuorum, Serial: driver.Serial, NoTimestamp: true}, 2)
	b.Add(first, args)
	b.Add("UPDATE leases USING TTL ? SET holder = ?, live = true, tags = {1} WHERE k = ?", []any{ttl, holder, l.key})
	cells := make([][]byte, 5)
	into := make([]any, len(cells))
	for i := range cells {
		into[i] = l.Value(&cells[i])
	}
	applied, names, err := b.QueryCAS(into...)
	require.NoError(l, err)
	for i, name := range names {
		if cells[i] != nil {
			columns = append(columns, name)
		}
	}
	return applied, columns
}

func (l leases) insert(holder string, ttl int32) (bool, []string) {
	return l.send("INSERT INTO leases (k, version) VALUES (?, ?) IF NOT EXISTS USING TTL ?", holder, ttl, l.key, int64(1), int32(3600))
}

func (l leases) update(condition, holder string, ttl int32, version int64) (bool, []string) {
	return l.send("UPDATE leases USING TTL ? SET version = ? WHERE k = ? IF version = ?"+condition, holder, ttl, int32(3600), version, l.key, version-1)
}

// ttls returns the remaining TTLs of the row; a null is 0.
func (l leases) ttls() map[string]int {
	row := map[string]any{}
	it := l.Query(l.Context(), driver.Query{CQL: "SELECT TTL(version) AS version, TTL(holder) AS holder, TTL(live) AS live FROM leases WHERE k = ?",
		Args: []any{l.key}, Consistency: driver.Serial})
	require.True(l, it.ScanMap(row))
	require.NoError(l, it.Close())
	out := map[string]int{}
	for name, v := range row {
		out[name], _ = v.(int)
	}
	return out
}

// Each statement of a conditional batch on one row has its own TTL, also if only one of them has a condition. When the cells of the shorter
// TTL have expired, the row still exists for INSERT … IF NOT EXISTS. A refused batch returns the row; of an UPDATE only the columns of
// the condition.
func TestTwoTTLsInAConditionalBatch(t *testing.T) {
	t.Parallel()
	keyspace := cassandra.Tables(t, "CREATE TABLE leases (k int PRIMARY KEY, holder text, version bigint, live boolean, tags set<int>)")
	sessions := openVersion(t, keyspace.Query("", nil).Keyspace(), 4, nil)
	for i, name := range slices.Sorted(maps.Keys(sessions)) {
		t.Run(name, func(t *testing.T) {
			l := leases{t, sessions[name], i}
			refused := func(columns ...string) func(bool, []string) {
				return func(applied bool, found []string) {
					t.Helper()
					require.False(t, applied)
					require.ElementsMatch(t, columns, found)
				}
			}
			applied, _ := l.insert("a", 1000)
			require.True(t, applied)
			left := l.ttls()
			require.InDelta(t, 3600-1000, left["version"]-left["live"], 1)
			require.Equal(t, left["live"], left["holder"])
			refused("k", "version", "holder", "live", "tags")(l.insert("b", 1000))

			applied, _ = l.update(" AND live = true", "a", 1, 2)
			require.True(t, applied)
			require.Eventually(t, func() bool { return l.ttls()["live"] == 0 }, time.Minute, 50*time.Millisecond)
			require.Zero(t, l.ttls()["holder"])
			require.Positive(t, l.ttls()["version"])
			refused("k", "version")(l.insert("b", 1000))
			refused()(l.update(" AND live = true", "b", 1000, 3)) // two columns, not as many as there are destinations
			applied, _ = l.update("", "b", 1000, 3)
			require.True(t, applied)
			require.Positive(t, l.ttls()["holder"])
		})
	}
}
