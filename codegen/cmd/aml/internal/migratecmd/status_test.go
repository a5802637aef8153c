package migratecmd

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate"
)

// Each field of a report is in its lines, and every line has all names.
func TestStatusJSON(t *testing.T) {
	at := time.Date(2025, 7, 19, 12, 30, 0, 0, time.FixedZone("", 7200))
	for _, c := range []struct {
		report migrate.Report
		want   string
	}{
		{migrate.Report{Keyspace: "shop"},
			`{"kind":"folder","keyspace":"shop","folder":"","sum":"","refused":"","other_folders":[],"run":null,"gocqlx_migrations":0}` + "\n"},
		{migrate.Report{
			Keyspace: "shop", Folder: "billing", Others: []string{"", "stock"}, Gocqlx: 2, Owner: "host/1", LockExpires: 1500 * time.Millisecond,
			Sum: errors.New("the sum <differs>"), Refused: errors.New("refused"),
			Files: []migrate.FileStatus{
				{Name: "0001_init.cql", Number: 1, State: migrate.FileApplied, Applied: 2, Total: 2, At: at},
				{Name: "0002_more.cql", Number: 2, State: migrate.FileOutOfOrder, Total: 3, Reason: "comes \"late\""},
			},
			Backfills: []migrate.BackfillStatus{
				{File: "0001_init.cql", Table: "a", Done: true},
				{File: "0001_init.cql", Table: "b", Checkpoint: "10"},
				{File: "0002_more.cql", Table: "c", Skipped: "there is no table c"},
				{File: "0002_more.cql", Table: "d", Checkpoint: "a end", Refused: "rows skipped: 2"},
			},
		}, `{"kind":"folder","keyspace":"shop","folder":"billing","sum":"the sum <differs>","refused":"refused","other_folders":["","stock"],"run":{"owner":"host/1","lock_expires_seconds":1.5},"gocqlx_migrations":2}
{"kind":"file","file":"0001_init.cql","number":1,"state":"applied","applied":2,"statements":2,"at":"2025-07-19T10:30:00Z","reason":""}
{"kind":"file","file":"0002_more.cql","number":2,"state":"out of order","applied":0,"statements":3,"at":null,"reason":"comes \"late\""}
{"kind":"backfill","file":"0001_init.cql","table":"a","state":"done","checkpoint":"","reason":""}
{"kind":"backfill","file":"0001_init.cql","table":"b","state":"open","checkpoint":"10","reason":""}
{"kind":"backfill","file":"0002_more.cql","table":"c","state":"skipped","checkpoint":"","reason":"there is no table c"}
{"kind":"backfill","file":"0002_more.cql","table":"d","state":"open","checkpoint":"a end","reason":"rows skipped: 2"}
`},
	} {
		var out bytes.Buffer
		command := &cobra.Command{}
		command.SetOut(&out)
		require.NoError(t, writeStatusJSON(command, &c.report))
		require.Equal(t, c.want, out.String())
	}
}

// The status shows the rows that a backfill has skipped, and not its checkpoint, from which only these rows are read.
func TestStatusOfABackfillThatSkipsRows(t *testing.T) {
	var out strings.Builder
	require.NoError(t, writeStatus(&out, &migrate.Report{
		Files:     []migrate.FileStatus{{Name: "0001_init.cql", Number: 1, State: migrate.FileApplied, Applied: 1, Total: 1}},
		Backfills: []migrate.BackfillStatus{{File: "0001_init.cql", Table: "prices", Checkpoint: "rates end refused 00 0", Refused: "rows skipped: 1; give it a value\nRate (rates id=7): Currency is required"}},
	}))
	require.Equal(t, `0001_init.cql    applied  1 statement
backfill prices  open     0001_init.cql
backfill prices: rows skipped: 1; give it a value
Rate (rates id=7): Currency is required
`, out.String())
}
