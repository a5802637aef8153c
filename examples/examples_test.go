package examples

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/internal/show"
	"github.com/cassaml/cassaml/integration/cassandra"
)

func TestMain(m *testing.M) { cassandra.Main(m) }

// finished is a program that has ended.
type finished struct {
	stage *show.Stage
	out   bytes.Buffer
}

func run(t *testing.T, schema string, program example.Program) *finished {
	t.Helper()
	t.Parallel()
	session := cassandra.Keyspace(t)
	require.NoError(t, example.Apply(session, schema))
	p := &finished{}
	p.stage = show.NewStage(session, &p.out)
	require.NoError(t, program(t.Context(), p.stage), "%s", &p.out)
	return p
}

// sent compares what was sent in each step with "step: what", a line for every request. A batch is in brackets, in double
// ones when it went through the batchlog.
func (p *finished) sent(t *testing.T, want string) {
	t.Helper()
	var got []string
	for i, step := range p.stage.Steps {
		for _, r := range step.Requests {
			what := show.Effect(r)
			switch {
			case r.Batchlog:
				what = "[[" + what + "]]"
			case len(r.Statements) > 1:
				what = "[" + what + "]"
			}
			got = append(got, fmt.Sprintf("%d: %s", i+1, what))
		}
	}
	require.Equal(t, lines(want), got)
}

// holds compares all rows of a table with rows in JSON, sorted.
func (p *finished) holds(t *testing.T, table, want string) {
	t.Helper()
	got, err := show.Rows(t.Context(), p.stage.Session, table)
	require.NoError(t, err)
	require.Equal(t, lines(want), got, table)
}

// says requires lines in the output.
func (p *finished) says(t *testing.T, want string) {
	t.Helper()
	printed := lines(p.out.String())
	for _, line := range lines(want) {
		assert.True(t, slices.Contains(printed, line), "not printed: %s", line)
	}
}

func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
