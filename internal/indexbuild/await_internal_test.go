package indexbuild

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/driver"
)

// cluster has two nodes, whose indexes are built some time after the test begins.
type cluster struct {
	began time.Time
	names []string
	after map[string]map[string]time.Duration // by node and index
	fault error
}

func (c *cluster) indexNames(context.Context, string) ([]string, error) { return c.names, nil }
func (c *cluster) addresses() ([]string, error)                         { return []string{"a:9042", "b:9042"}, nil }

func (c *cluster) built(_ context.Context, node string) (names []string, err error) {
	for name, after := range c.after[node] {
		if time.Since(c.began) >= after {
			names = append(names, name)
		}
	}
	return names, c.fault
}

// Await waits for the last node, reports what it waits for, and returns an error after the limit.
func TestAwait(t *testing.T) {
	const s = time.Second
	built := map[string]map[string]time.Duration{"a:9042": {"i": 0, "j": 90 * s}, "b:9042": {"i": 60 * s, "j": 90 * s, "other": 0}}
	for _, c := range []struct {
		names   []string
		limit   time.Duration
		fault   error
		took    time.Duration // at least
		waiting []string
		err     string
	}{
		{names: nil, limit: s},
		{names: nil, limit: s, fault: errors.New("not asked, because the table has no indexes")},
		{names: []string{"i"}, limit: 5 * time.Minute, took: 60 * s, waiting: []string{"index i on b:9042"}},
		{
			names: []string{"i", "j"}, limit: 5 * time.Minute, took: 90 * s,
			waiting: []string{"index i on b:9042; index j on a:9042, b:9042", "index j on a:9042, b:9042"},
		},
		{
			names: []string{"i"}, limit: 10 * s, took: 10 * s, waiting: []string{"index i on b:9042"},
			err: "not built after 10s: index i on b:9042; allow a longer wait with -timeout, or, if an index is no longer being built, drop it and create it again",
		},
		{names: []string{"i"}, limit: 10 * s, took: 10 * s, fault: errors.New("no connection"), err: "cannot determine within 10s whether the indexes of t are built; make sure that all nodes are up: a:9042: " + "no connection"},
		{names: []string{"i"}, limit: 10 * s, fault: &driver.Error{Class: driver.Answered, Code: driver.CodeUnauthorized, Err: errors.New("no permission")}, err: `cannot determine whether the indexes of t are built: grant SELECT on system."IndexInfo" to the role: a:9042: no permission`},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			var waiting []string
			err := await(t.Context(), &cluster{began, c.names, built, c.fault}, "t", c.limit, func(builds string) { waiting = append(waiting, builds) })
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, c.err)
			}
			require.Equal(t, c.waiting, waiting)
			require.GreaterOrEqual(t, time.Since(began), c.took)
			require.Less(t, time.Since(began), c.took+2*longestPause)
		})
	}
}

// The error of a context that ends is that of the context.
func TestAwaitEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	require.EqualError(t, await(ctx, &cluster{began: time.Now(), names: []string{"i"}}, "t", time.Minute, func(string) {}), "interrupted")
}
