package graphviz

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
)

// random returns a graph of boxes with ports.
func random(r *rand.Rand, nodes, edges int) string {
	var b strings.Builder
	b.WriteString("digraph {\nnode [shape=plain]\nedge [arrowhead=none]\n")
	for i := range nodes {
		fmt.Fprintf(&b, "n%d [label=<<TABLE BORDER=\"0\" CELLSPACING=\"0\"><TR><TD PORT=\"a\" WIDTH=\"%d\" HEIGHT=\"%d\" FIXEDSIZE=\"TRUE\"></TD></TR></TABLE>>]\n", i, 50+r.IntN(200), 50+r.IntN(200))
	}
	for i := range edges {
		fmt.Fprintf(&b, "n%d:a:s -> n%d [id=e%d]\n", r.IntN(nodes), r.IntN(nodes), i)
	}
	return b.String() + "}\n"
}

// Both engines lay out a graph in the same way, each time.
func TestEngines(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		g := random(rand.New(rand.NewPCG(seed, 0)), 12, 15)
		first, err := dot(interpreted, g)
		require.NoError(t, err)
		require.Len(t, first.Nodes, 12)
		require.Len(t, first.Edges, 15)
		for range 2 {
			again, err := dot(compiled, g)
			require.NoError(t, err)
			require.Equal(t, first, again)
		}
	}
}

// An invalid graph is an error, after which others are laid out.
func TestInvalidGraph(t *testing.T) {
	t.Parallel()
	_, err := Dot("digraph {")
	require.ErrorContains(t, err, "graphviz: invalid graph: ")
	l, err := Dot("digraph { a -> b [id=x arrowhead=none] }")
	require.NoError(t, err)
	require.Less(t, l.Nodes["a"].Y, l.Nodes["b"].Y)
}

// The file is that of go-graphviz v0.2.10.
func TestFile(t *testing.T) {
	t.Parallel()
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	require.NoError(t, err)
	code, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "7cc5b0a5f176aeaa69760ed5dc3282ceda2b1b04229b22de77bb0a5eab45578e", fmt.Sprintf("%x", sha256.Sum256(code)))
}

// A program that draws nothing does not load Graphviz: loading it needs more than ten megabytes.
func TestInitLoadsNothing(t *testing.T) {
	t.Parallel()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := c.CombinedOutput()
	require.NoError(t, err)
	inits := regexp.MustCompile(`init (\S+) @.* clock, (\d+) bytes`).FindAllStringSubmatch(string(out), -1)
	require.NotEmpty(t, inits)
	for _, i := range inits {
		size, err := strconv.Atoi(i[2])
		require.NoError(t, err)
		require.Less(t, size, 1_000_000, i[0])
	}
}

// Machine code is compiled in each process: a cache of it in a folder of temporary files could be written by others.
func TestNoCacheOfMachineCode(t *testing.T) {
	t.Parallel()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$", "-test.bench=Dot/^compiled5$", "-test.benchtime=1x")
	c.Dir = t.TempDir()
	for _, name := range []string{"TMPDIR", "TEMP", "TMP", "HOME", "LOCALAPPDATA", "XDG_CACHE_HOME"} {
		c.Env = append(c.Env, name+"="+c.Dir)
	}
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "compiled5")
	written, err := os.ReadDir(c.Dir)
	require.NoError(t, err)
	require.Empty(t, written)
}

func BenchmarkLoad(b *testing.B) {
	for name, config := range map[string]func() wazero.RuntimeConfig{"interpreted": wazero.NewRuntimeConfigInterpreter, "compiled": wazero.NewRuntimeConfig} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := newEngine(config())
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkDot(b *testing.B) {
	for _, nodes := range []int{5, 20, 80} {
		g := random(rand.New(rand.NewPCG(1, 0)), nodes, nodes*3/2)
		for name, load := range map[string]func() (*engine, error){"interpreted": interpreted, "compiled": compiled} {
			b.Run(fmt.Sprint(name, nodes, "/", len(g), "bytes"), func(b *testing.B) {
				for b.Loop() {
					_, err := dot(load, g)
					require.NoError(b, err)
				}
			})
		}
	}
}
