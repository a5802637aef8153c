package alternatives_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/alternatives"
	tally "github.com/cassaml/cassaml/integration/alternatives"
	"github.com/cassaml/cassaml/integration/cassandra"
)

// A store that is written by hand sends as many requests and statements for each operation as the generated one, and leaves the same rows: the comparison
// of their costs is one of the same work.
func TestStoresByHandDoTheSame(t *testing.T) {
	t.Parallel()
	files, err := load.Read(t.Context(), "../../examples/vehicles/approach1/fleet")
	require.NoError(t, err)
	l, err := alternatives.List(files, "Cliente.Veiculos", alternatives.Config{})
	require.NoError(t, err)
	p, err := tally.NewPeers(l)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "program")
	require.NoError(t, p.Build(t.Context(), "../..", t.TempDir(), file))
	server := cassandra.Test(t)
	keyspaces := createSchemas(t, server, p.Schemas)

	task, err := json.Marshal(tally.Config{Task: tally.Once, Elements: []int{4}})
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), file)
	c.Env = append(os.Environ(), tally.NodeVariable+"="+server.Hosts()[0], tally.KeyspacesVariable+"="+keyspaces, tally.TaskVariable+"="+string(task))
	c.Stderr = t.Output()
	out, err := c.Output()
	require.NoError(t, err)
	var sent []tally.Sent
	require.NoError(t, json.Unmarshal(out, &sent))
	compareSent(t, sent)

	session, err := server.Cluster().CreateSession()
	require.NoError(t, err)
	t.Cleanup(session.Close)
	for _, d := range p.Designs {
		for _, table := range d.Schema.Tables {
			generated := readRows(t, session, keyspaces+p.Packages[d.Name]+"."+table.Name)
			require.NotEmpty(t, generated, "%s: %s", d.Name, table.Name)
			require.Equal(t, generated, readRows(t, session, keyspaces+p.Packages[d.Name+tally.ByHand]+"."+table.Name), "%s: %s", d.Name, table.Name)
		}
	}
}

// compareSent compares what the two stores of each design have sent for each operation.
func compareSent(t *testing.T, all []tally.Sent) {
	t.Helper()
	n := 0
	for _, x := range all {
		design, byHand := strings.CutSuffix(x.Design, tally.ByHand)
		if !byHand {
			continue
		}
		n++
		i := slices.IndexFunc(all, func(y tally.Sent) bool { return y.Design == design && y.Operation == x.Operation })
		require.Equal(t, [2]int64{all[i].Requests, all[i].Statements}, [2]int64{x.Requests, x.Statements}, "%s: %s", x.Design, x.Operation)
	}
	require.Equal(t, len(all), 2*n)
}

// readRows returns the rows of a table, sorted.
func readRows(t *testing.T, session *gocql.Session, table string) (out []string) {
	t.Helper()
	rows := session.Query("SELECT JSON * FROM " + table).Iter()
	for row := ""; rows.Scan(&row); {
		out = append(out, row)
	}
	require.NoError(t, rows.Close())
	slices.Sort(out)
	return out
}
