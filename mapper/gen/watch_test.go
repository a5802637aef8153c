package gen_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/migrating"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/skew"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// cluster is a double whose clock and tables can change, and which can stop answering.
type cluster struct {
	double
	mu     sync.Mutex
	ahead  map[string]time.Duration // how far the client's clock is ahead of each node's
	ids    map[string]string
	silent bool
	checks int
	log    bytes.Buffer
}

func (c *cluster) Clocks(ctx context.Context, now func() time.Time) (answers []skew.Answer, err error) {
	c.mu.Lock()
	c.checks++
	silent := c.silent
	for host, ahead := range c.ahead {
		answers = append(answers, skew.Answer{Host: host, Server: now().Add(-ahead), Client: now()})
	}
	c.mu.Unlock()
	if silent {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return answers, nil
}

func (c *cluster) Identities(context.Context) (map[string]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids == nil {
		return nil, errTimeout
	}
	return c.ids, nil
}

func (c *cluster) set(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

func (c *cluster) logged() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log.String()
}

// Write appends to the log.
func (c *cluster) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log.Write(b)
}

func (c *cluster) open(t *testing.T, config mapper.Config) (*Store, error) {
	config.Logger = slog.New(slog.NewTextHandler(c, nil))
	k := store.NewKeyspace("shop")
	for table, id := range c.ids {
		k.Options[table] = store.Options{ID: id}
	}
	db, err := gen.OpenWatched(t.Context(), c, config, schema, k)
	if err != nil {
		return nil, err
	}
	return newStore(db), nil
}

func newCluster(ahead time.Duration) *cluster {
	return &cluster{ahead: map[string]time.Duration{"a": ahead, "b": ahead}, ids: map[string]string{"films": "1", "clientes": "2"}}
}

// insert writes, and waits for the end of the check that the write may have started.
func insert(s *Store) error {
	err := s.Films.Insert(ctx, film())
	synctest.Wait()
	return err
}

// A store that a function of a migration opens has the serial consistency of the services, unless its configuration has another one.
func TestOpenInAMigration(t *testing.T) {
	ctx := migrating.WithSerial(t.Context(), mapper.LocalSerial)
	for config, want := range map[mapper.Consistency]mapper.Consistency{0: mapper.LocalSerial, mapper.Serial: mapper.Serial} {
		db, err := gen.OpenWatched(ctx, newCluster(0), mapper.Config{SerialConsistency: config}, schema, nil)
		require.NoError(t, err)
		require.Equal(t, want, db.Config.SerialConsistency)
	}
}

func TestOpenRefusesAWrongClock(t *testing.T) { synctest.Test(t, testOpenRefusesAWrongClock) }

func testOpenRefusesAWrongClock(t *testing.T) {
	_, err := newCluster(time.Hour).open(t, mapper.Config{})
	require.Equal(t, &mapper.ClockError{Host: "b", Skew: time.Hour, Limit: time.Second}, err)
	_, err = newCluster(-90*time.Millisecond).open(t, mapper.Config{MaxClockSkew: 50 * time.Millisecond})
	require.EqualError(t, err, "mapper: the clock is 90ms behind that of b, the limit is 50ms: synchronize the clocks, or set Config.MaxClockSkew")
	_, err = newCluster(time.Hour).open(t, mapper.Config{MaxClockSkew: -1})
	require.NoError(t, err)

	c := newCluster(0)
	c.ahead["b"] = time.Hour
	_, err = c.open(t, mapper.Config{})
	require.NoError(t, err)
	require.Contains(t, c.logged(), "the clocks of the servers differ from each other", "the median is right")
}

// Writes fail after three wrong findings a second apart, and continue after a right one.
func TestWritesFailWhileTheClockIsWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(0)
		s, err := c.open(t, mapper.Config{})
		require.NoError(t, err)
		require.NoError(t, insert(s))
		require.Equal(t, 1, c.checks, "the check of Open")
		c.set(func() { c.ahead["a"], c.ahead["b"] = -time.Hour, -time.Hour })
		time.Sleep(skew.Interval)
		for i := range skew.Findings {
			require.NoError(t, insert(s), "finding %d", i)
			if i < skew.Findings-1 {
				require.NoError(t, insert(s), "not yet a second later")
			}
			require.Equal(t, 2+i, c.checks)
			time.Sleep(skew.Recheck)
		}
		writes := len(c.writes)
		var wrong *mapper.ClockError
		require.ErrorAs(t, insert(s), &wrong)
		require.Equal(t, -time.Hour, wrong.Skew)
		require.Len(t, c.writes, writes, "nothing is sent")
		require.Contains(t, c.logged(), "the clock differs from those of the servers")
		_, err = s.Films.Of("BR").Page(ctx, "")
		require.NoError(t, err, "reads continue")

		c.set(func() { c.ahead["a"], c.ahead["b"] = 0, 0 })
		time.Sleep(skew.Recheck)
		require.Error(t, insert(s), "this one begins the check that finds the clock right")
		require.NoError(t, insert(s))
	})
}

// A write does not wait for its check. If no server answers, the check ends by itself, even if the caller has ended before.
func TestCheckHoldsNoWriteUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // fails when a goroutine is left
		c := newCluster(0)
		s, err := c.open(t, mapper.Config{})
		require.NoError(t, err)
		c.set(func() { c.silent = true })
		time.Sleep(skew.Interval)
		began := time.Now()
		call, cancel := context.WithCancel(t.Context())
		for range 3 {
			require.NoError(t, s.Films.Insert(call, film()))
		}
		cancel()
		require.Zero(t, time.Since(began))
		time.Sleep(time.Second)
		synctest.Wait()
		require.NotContains(t, c.logged(), "no server reports its time", "the check continues without the caller")
		time.Sleep(time.Second)
		synctest.Wait()
		require.Contains(t, c.logged(), "no server reports its time")
		require.NoError(t, insert(s))
		require.Equal(t, 2, c.checks, "one check for all three writes")
	})
}

// Open does not wait forever for servers that do not answer.
func TestOpenWithoutAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(time.Hour)
		c.silent = true
		began := time.Now()
		s, err := c.open(t, mapper.Config{})
		require.NoError(t, err)
		require.Equal(t, 2*time.Second, time.Since(began))
		require.Contains(t, c.logged(), "no server reports its time")
		require.NoError(t, insert(s))
	})
}

// A table that was dropped and created again is not written; others are.
func TestReplacedTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(0)
		s, err := c.open(t, mapper.Config{MaxClockSkew: -1})
		require.NoError(t, err)
		ids := c.ids
		for _, step := range []struct {
			ids  map[string]string
			want string
		}{
			{map[string]string{"films": "3", "clientes": "2", "other": "4"}, "mapper: keyspace shop: id of table films is 3, not 1 as when the store was opened: open it again"},
			{nil, "open it again"}, // it cannot be read
			{map[string]string{"clientes": "2"}, ""},
			{ids, ""},
		} {
			c.set(func() { c.ids = step.ids })
			time.Sleep(skew.Interval)
			_ = insert(s)
			err := insert(s)
			if step.want == "" {
				require.NoError(t, err)
				continue
			}
			require.ErrorContains(t, err, step.want)
			var schema *mapper.SchemaError
			require.True(t, errors.As(err, &schema))
			require.NoError(t, s.Clientes.Insert(ctx, cliente()))
		}
		require.Contains(t, c.logged(), "the tables cannot be checked")
		require.Zero(t, c.checks, "without a limit no clock is read")
	})
}
