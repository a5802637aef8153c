package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/bench/backlog"
	"github.com/cassaml/cassaml/integration/bench/followers"
	"github.com/cassaml/cassaml/integration/bench/growth"
	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/reconciling"
	"github.com/cassaml/cassaml/integration/bench/report"
	"github.com/cassaml/cassaml/internal/pagetest"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// One short run writes all files, with the same figures.
func TestCodecWritesItsResults(t *testing.T) {
	dir := t.TempDir()
	o := options{codec: true, rounds: 2, out: filepath.Join(dir, "figures"), page: filepath.Join(dir, "page.md")}
	require.NoError(t, os.WriteFile(o.page, []byte("<!-- codec -->\n<!-- /codec -->\n"), 0o600))
	var stdout, stderr strings.Builder
	require.NoError(t, measureCodec(o, measure.Config{Slices: 1, Slice: time.Microsecond}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "round 2 of 2")

	var fields []map[string]any
	require.NoError(t, json.Unmarshal(read(t, o.out, "codec.json"), &fields))
	require.Len(t, fields, 4*8+3*2)
	for _, f := range fields {
		require.Len(t, f, 6)
		for _, name := range []string{"ns", "allocs", "bytes", "spread"} {
			require.IsType(t, 0.0, f[name])
		}
		require.NotEmpty(t, f["work"])
		require.NotEmpty(t, f["variant"])
		require.Positive(t, f["ns"])
	}
	table := tableOf(t, o.out)
	require.Contains(t, stdout.String(), table)
	require.Contains(t, string(read(t, dir, "page.md")), table)
	require.Equal(t, 2*len(fields), strings.Count(string(read(t, o.out, "codec.txt")), "BenchmarkCodec/work="))
	require.Contains(t, string(read(t, o.out, "codec.svg")), "<svg")
}

// The published page shows the published figures.
func TestPageShowsTheFigures(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	page, figures := string(read(t, docs, "performance.md")), filepath.Join(docs, "performance")
	pagetest.Contains(t, "docs/performance.md", page, tableOf(t, figures))
	for file, peer := range map[string]string{"node.json": report.LoadPeer, "mergecluster.json": report.LoadPeer, "scan.json": report.LoadPeer, "versioned.json": report.Peer, "cluster.json": report.Peer, "references.json": report.Peer} {
		var loads []measure.LoadResult
		require.NoError(t, json.Unmarshal(read(t, figures, file), &loads))
		pagetest.Contains(t, "docs/performance.md", page, report.LoadTable(loads, peer))
	}
	var runs []reconciling.Result
	require.NoError(t, json.Unmarshal(read(t, figures, "reconcile.json"), &runs))
	require.NotEmpty(t, runs)
	pagetest.Contains(t, "docs/performance.md", page, reconciling.Table(runs))
	for _, file := range []string{"parts.json", "partscluster.json"} {
		games := decode[growth.Result](t, figures, file)
		require.Len(t, games, 3*growth.Rounds/growth.Window)
		pagetest.Contains(t, "docs/performance.md", page, growth.Table(games))
	}
	for _, file := range []string{"fanout.json", "fanoutlarge.json", "fanoutcluster.json"} {
		pagetest.Contains(t, "docs/performance.md", page, followers.Table(decode[followers.Result](t, figures, file)))
	}
	pagetest.Contains(t, "docs/performance.md", page, peerTable(decode[caller.Measurement](t, figures, "peers.json"), peerVehicles))
	var queues []backlog.Result
	require.NoError(t, json.Unmarshal(read(t, figures, "queue.json"), &queues))
	require.Len(t, queues, 6*11)
	pagetest.Contains(t, "docs/parts.md", string(read(t, docs, "parts.md")), backlog.Table(queues))
}

// A queue is slower only if a measurement shows it.
func TestTableOfAQueueHasTheLargestRatios(t *testing.T) {
	table := backlog.Table([]backlog.Result{
		{Variant: "ranges", Tasks: 10, Get: 3e6, EmptyGet: 1e6, Update: 1e6, EmptyUpdate: 1e6},
		{Variant: "ranges", Tasks: 20, Get: 2e6, EmptyGet: 2e6, Update: 3e6, EmptyUpdate: 2e6},
	})
	require.Contains(t, table, "| 20 | ranges | 2.00 | 2.00 | 1.00 | 3.00 | 3.00 | 2.00 | 1.50 | 1.50 |\n")
	require.NotContains(t, table, "| 10 |")
}

func TestParseErrors(t *testing.T) {
	for args, want := range map[string]string{
		"":                      "set one of -codec, -node, -versioned, -merge, -reconcile, -parts, -scan, -queue, -references, -approaches, -peers and -fanout",
		"-codec -node":          "set one of -codec, -node, -versioned, -merge, -reconcile, -parts, -scan, -queue, -references, -approaches, -peers and -fanout",
		"-codec fast":           `unknown argument "fast": bench has flags only; -help lists them`,
		"-codec -rounds 0":      "-rounds 0: at least 1",
		"-codec -rounds=no":     `invalid value "no" for flag -rounds: parse error`,
		"-reconcile -roots=5,5": `invalid value "5,5" for flag -roots: use ascending positive numbers, separated by commas`,
		"-node -nodes 3":        "-nodes 3: set -versioned, -merge, -parts, -fanout or -approaches, and 1 or 3 nodes",
		"-versioned -nodes 2":   "-nodes 2: set -versioned, -merge, -parts, -fanout or -approaches, and 1 or 3 nodes",
		"-approaches -roots 1,2,3,4,5,6,7,8,9,10": "-roots: at most 9 numbers of elements",
		"-queue -tasks 1500":                      "-tasks 1500: use a multiple of 1000",
	} {
		var out strings.Builder
		require.EqualError(t, run(strings.Fields(args), &out, &out), want)
	}
}

// tableOf returns the table of the results in a directory.
func tableOf(t *testing.T, dir string) string {
	t.Helper()
	var results []measure.Result
	require.NoError(t, json.Unmarshal(read(t, dir, "codec.json"), &results))
	return report.Table(results)
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return b
}

// decode returns the list in a file.
func decode[T any](t *testing.T, dir, name string) (out []T) {
	t.Helper()
	require.NoError(t, json.Unmarshal(read(t, dir, name), &out))
	return out
}
