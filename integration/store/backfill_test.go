package store

import (
	"context"
	"errors"
	"flag"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/projection/computed"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/internal/checkpointtext"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/migrate"
)

var allTables = flag.Bool("all", false, "test all models and all tables, not only those that have the most")

// A backfill of emptied redundant tables restores what a store wrote, cell by cell with its write time and its remaining
// TTL. A backfill of complete tables changes nothing. With -all the models of examples are included.
func TestBackfillsRestoreWhatTheStoreWrote(t *testing.T) {
	t.Parallel()
	models := copiedModels
	if *allTables {
		models = slices.Concat(models, copiedExamples)
	}
	for _, m := range models {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			session := storetest.SharedTables(t, storetest.SchemaFile(t, m.dir))
			m.insert(t, session, storetest.NewDraw(t))
			for _, table := range slices.Sorted(maps.Keys(m.backfills)) {
				if strings.HasSuffix(table, "__version") { // it gives versions to rows, and fills no table
					continue
				}
				want := snapshot(t, session, table)
				require.NotEmpty(t, want.rows, table)
				require.NoError(t, m.backfills[table](t.Context(), gocqldriver.New(session), "", storetest.NoSave))
				requireRows(t, want, snapshot(t, session, table), table)

				require.NoError(t, session.ExecStmt("TRUNCATE "+table))
				require.NoError(t, m.backfills[table](t.Context(), gocqldriver.New(session), "", storetest.NoSave))
				requireRows(t, want, snapshot(t, session, table), table)
				require.NoError(t, m.backfills[table](t.Context(), gocqldriver.New(session), "", storetest.NoSave))
				requireRows(t, want, snapshot(t, session, table), table)
			}
		})
	}
}

// A static value that no row of the partition has set is absent in the copy, too, and not the zero value of its type.
func TestBackfillOfAnAbsentStaticValue(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, stock.Schema)
	store, err := stock.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	c := crate()
	c.Manager = ""
	require.NoError(t, store.Crates.Insert(t.Context(), &c))
	want := snapshot(t, session, "crates_in_hall")
	require.NoError(t, stock.Backfills()["crates_in_hall"](t.Context(), gocqldriver.New(session), "", storetest.NoSave))
	requireRows(t, want, snapshot(t, session, "crates_in_hall"), "crates_in_hall")
}

// A column that is added to a redundant table is also filled in rows that were deleted and written again, above their
// tombstone.
func TestBackfillOfAColumnInARowWrittenAgain(t *testing.T) {
	t.Parallel()
	storetest.Requires(t, stock.Schema)
	session := cassandra.Keyspace(t)
	for _, s := range storetest.Statements(t, stock.Schema) {
		if strings.Contains(s, "CREATE TYPE") || strings.Contains(s, "EXISTS crates (") || strings.Contains(s, "EXISTS sealed_crates (") {
			require.NoError(t, session.ExecStmt(s), s)
		}
	}
	storetest.Execute(t, session, `
		INSERT INTO crates (hall, id, name, weight, sealed) VALUES ('south', 1, 'glass', 1, true) USING TIMESTAMP 1000;
		UPDATE crates USING TIMESTAMP 3000 SET sealed = true WHERE hall = 'south' AND id = 1;
		UPDATE crates USING TIMESTAMP 4000 SET weight = 2 WHERE hall = 'south' AND id = 1;
		-- the earlier release deleted the row at 2000, and wrote it again without the name
		DELETE FROM sealed_crates USING TIMESTAMP 1999 WHERE id = 1 AND hall = 'south';
		INSERT INTO sealed_crates (id, hall) VALUES (1, 'south') USING TIMESTAMP 3000;`)
	for range 2 {
		require.NoError(t, stock.Backfills()["sealed_crates"](t.Context(), gocqldriver.New(session), "", storetest.NoSave))
		var name string
		var at int64
		require.NoError(t, session.Session.Query("SELECT name, WRITETIME(name) FROM sealed_crates").Scan(&name, &at))
		require.Equal(t, "glass", name)
		require.Equal(t, int64(3000), at, "not the write time of the weight, which is not a condition")
	}
}

// A backfill that is interrupted after any page, by an error or by its context, continues from its last checkpoint and has
// the same result.
func TestBackfillContinuesFromItsCheckpoint(t *testing.T) {
	t.Parallel()
	const videos = 1_300 // three pages
	session := storetest.OwnTables(t, storetest.SchemaFile(t, "../projection/computed"))
	store, err := computed.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	for n := range int32(videos) {
		require.NoError(t, store.Videos.Insert(t.Context(), &computed.Video{ID: n, Minutes: n, Title: "a"}))
	}
	want := snapshot(t, session, "videos_by_hour")
	require.Len(t, want.rows, videos)
	backfill := computed.Backfills()["videos_by_hour"]
	var checkpoints []string
	require.NoError(t, backfill(t.Context(), gocqldriver.New(session), "", func(checkpoint string) error {
		checkpoints = append(checkpoints, checkpoint)
		return nil
	}))
	require.Len(t, checkpoints, 3)
	before := 0.0
	for _, c := range checkpoints {
		part, ok := checkpointtext.Share(c)
		require.True(t, ok && part > before && part < 1, "%s: %v after %v: the progress that Up reports", c, part, before)
		before = part
	}
	require.Greater(t, before, 0.9)

	stop := errors.New("stop")
	for page := range checkpoints {
		require.NoError(t, session.ExecStmt("TRUNCATE videos_by_hour"))
		ctx, cancel := context.WithCancel(t.Context())
		checkpoint := ""
		err := backfill(ctx, gocqldriver.New(session), "", func(m string) error {
			switch {
			case m == checkpoints[page] && page%2 == 0:
				return stop // the checkpoint is not recorded
			case m == checkpoints[page]:
				cancel()
			}
			checkpoint = m
			return nil
		})
		if page%2 == 0 {
			require.ErrorIs(t, err, stop)
		} else {
			require.ErrorIs(t, err, context.Canceled)
		}
		cancel()
		require.NoError(t, backfill(t.Context(), gocqldriver.New(session), checkpoint, storetest.NoSave))
		requireRows(t, want, snapshot(t, session, "videos_by_hour"), "videos_by_hour")
	}
}

// While one writer inserts, updates, changes keys and deletes, the tables are filled repeatedly. At the end they equal the
// projection of the jobs.
func TestBackfillsWithAConcurrentWriter(t *testing.T) {
	t.Parallel()
	session := storetest.JobKeyspace(t)
	c := storetest.NewChain(t, storetest.OpenJobs(t, session, mapper.Config{}))
	for i := range 40 {
		c.Step(i)
	}
	copies := slices.DeleteFunc(slices.Collect(maps.Keys(storetest.Keys)), func(table string) bool { return table == "jobs" })
	for _, table := range copies {
		require.NoError(t, session.ExecStmt("TRUNCATE "+table))
	}
	other := storetest.OpenJobs(t, session, mapper.Config{})
	written, filled := make(chan struct{}), make(chan error, 1)
	var passes atomic.Int32
	go func() {
		for more := true; more; passes.Add(1) {
			select {
			case <-written:
				more = false // this pass begins after the last write
			default:
			}
			for _, table := range copies {
				if err := gen.Fill(t.Context(), other.Jobs.Root, table, gen.FillConfig{PageSize: 1 + int(passes.Load())%3}, "", storetest.NoSave); err != nil {
					filled <- err
					return
				}
			}
		}
		filled <- nil
	}()
	for i := 0; len(filled) == 0 && (i < 300 || passes.Load() < 6); i++ {
		c.Step(i)
	}
	close(written)
	require.NoError(t, <-filled)
	storetest.RequireTables(t, session, c.Present(), "seed %d", c.Seed)
}

// migrate accepts the Backfills of a generated package. The backfill of a table that the model does not have is logged and
// not run; the backfill of a dropped table is not a warning.
func TestMigrateRunsTheBackfillsOfAPackage(t *testing.T) {
	t.Parallel()
	session := storetest.OwnTables(t, storetest.SchemaFile(t, "../projection/computed"))
	store, err := computed.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	require.NoError(t, store.Videos.Insert(t.Context(), &computed.Video{ID: 1, Minutes: 61, Title: "a"}))
	require.NoError(t, session.ExecStmt("TRUNCATE videos_by_hour"))
	require.NoError(t, session.ExecStmt("CREATE TABLE videos_by_title (title text PRIMARY KEY)"))

	var log strings.Builder
	config := migrate.Config{Backfills: computed.Backfills(), Logger: slog.New(slog.NewTextHandler(&log, nil))}
	fsys := fstest.MapFS{"0001_fill.cql": {Data: []byte("-- aml:backfill videos_by_title\n-- aml:backfill videos_by_day\n-- aml:backfill videos_by_hour\n")}}
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, config))
	v, err := store.VideosByHour.Get(t.Context(), 1, 1)
	require.NoError(t, err)
	require.Equal(t, "A", *v.Label)
	require.Contains(t, log.String(), `level=WARN msg="migrations: backfill left to a run that has a function for it: set migrate.Config.Backfills to Backfills() of the generated package" file=0001_fill.cql table=videos_by_title`)
	require.Contains(t, log.String(), `level=INFO msg="migrations: backfill skipped, its table does not exist" file=0001_fill.cql table=videos_by_day`)

	require.NoError(t, session.ExecStmt("TRUNCATE videos_by_hour"))
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, config))
	require.Empty(t, snapshot(t, session, "videos_by_hour").rows, "the backfill is recorded")
}

// A row whose copies cannot be written does not prevent the start of a service: Up fills the copies of all other rows and logs the row,
// the status shows it, and the next Up after the row is valid completes the backfill.
func TestMigrateUpSkipsInvalidRows(t *testing.T) {
	t.Parallel()
	session := storetest.OwnTables(t, stock.Schema)
	store, err := stock.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	for id, port := range []string{"Suape", "", "Pecém"} {
		c := crate()
		c.ID, c.Hall = int32(id), "south"
		c.Route = []stock.Stop{{Port: "Suape"}}
		require.NoError(t, store.Crates.Insert(t.Context(), &c))
		storetest.Execute(t, session, "UPDATE crates SET route = [{port: '"+port+"', day: 1}] WHERE hall = 'south' AND id = "+string(rune('0'+id)))
	}
	require.NoError(t, session.ExecStmt("TRUNCATE stops_by_port"))
	fsys := fstest.MapFS{"0001_fill.cql": {Data: []byte("-- aml:backfill stops_by_port\n")}}
	up := func() (string, migrate.BackfillStatus) {
		var log strings.Builder
		config := migrate.Config{Backfills: stock.Backfills(), Logger: slog.New(slog.NewTextHandler(&log, nil))}
		require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, config))
		report, err := migrate.Status(t.Context(), gocqldriver.New(session), fsys, migrate.Config{})
		require.NoError(t, err)
		require.Len(t, report.Backfills, 1)
		return log.String(), report.Backfills[0]
	}
	const reason = "Crate (crates hall='south', id=1): Route[0] implies a row of stops_by_port whose key port is empty"
	for range 2 {
		log, status := up()
		require.Len(t, snapshot(t, session, "stops_by_port").rows, 2)
		require.Contains(t, log, `level=WARN msg="migrations: backfill stays open, the next run of Up continues it" file=0001_fill.cql table=stops_by_port rows=1`)
		require.Contains(t, log, reason)
		require.False(t, status.Done)
		require.Equal(t, "mapper: backfill of stops_by_port: rows skipped: 1; give each a value that the model accepts (Put), or delete it, and run again\n"+reason, status.Refused)
	}
	storetest.Execute(t, session, "UPDATE crates SET route = [{port: 'Itaqui', day: 1}] WHERE hall = 'south' AND id = 1")
	log, status := up()
	require.True(t, status.Done)
	require.Empty(t, status.Refused)
	require.NotContains(t, log, "level=WARN")
	require.Len(t, snapshot(t, session, "stops_by_port").rows, 3)
}

// The error of Open names the migrations that the keyspace has applied and that the program does not have, and in a function of a migration
// the files that are applied later.
func TestSchemaErrorNamesMigrations(t *testing.T) {
	t.Parallel()
	session := storetest.OwnTables(t, storetest.SchemaFile(t, "../projection/computed"))
	open := func(ctx context.Context, session driver.Session) error {
		_, err := computed.Open(ctx, gocqldriver.Session(session), mapper.Config{})
		return err
	}
	old := fstest.MapFS{"0001_init.cql": {Data: []byte("CREATE TABLE a (id int PRIMARY KEY)")}}
	newer := maps.Clone(old)
	newer["0002_drop.cql"] = &fstest.MapFile{Data: []byte("ALTER TABLE videos_by_hour DROP label")}
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), old, migrate.Config{}))
	require.NoError(t, open(t.Context(), gocqldriver.New(session)))
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), newer, migrate.Config{}))
	require.ErrorContains(t, open(t.Context(), gocqldriver.New(session)), "table videos_by_hour.label is missing: apply the migrations first")
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), old, migrate.Config{}), "an old program starts")
	require.ErrorContains(t, open(t.Context(), gocqldriver.New(session)), "table videos_by_hour.label is missing: the keyspace has applied 0002_drop.cql, which this program does not have: deploy the release that has it")

	newer["0003_open.cql"] = &fstest.MapFile{Data: []byte("-- aml:func open")}
	newer["0004_label.cql"] = &fstest.MapFile{Data: []byte("ALTER TABLE videos_by_hour ADD label text")}
	config := migrate.Config{Funcs: map[string]migrate.Func{"open": open}}
	require.ErrorContains(t, migrate.Up(t.Context(), gocqldriver.New(session), newer, config), "migrate.Up calls this function before it applies 0004_label.cql, which may create what is missing")
	newer["0003_open.cql"], newer["0004_label.cql"] = newer["0004_label.cql"], newer["0003_open.cql"]
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), newer, config))
}

// A backfill with invalid arguments returns an error before it writes, and skips invalid rows.
func TestBackfillErrors(t *testing.T) {
	t.Parallel()
	session := storetest.OwnTables(t, stock.Schema)
	store, err := stock.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	fill := func(table, checkpoint string) error {
		return stock.Backfills()[table](t.Context(), gocqldriver.New(session), checkpoint, storetest.NoSave)
	}

	for checkpoint, why := range map[string]string{
		"guards 00":     `mapper: backfill of prices: the checkpoint "guards 00" does not belong to table crates: use an empty checkpoint to begin again`,
		"crates":        `mapper: backfill of prices: the checkpoint "crates" has no position after the name of the table: use an empty checkpoint to begin again`,
		"crates 0x":     `mapper: backfill of prices: the checkpoint "crates 0x" has no position after the name of the table: use an empty checkpoint to begin again`,
		"crates 012345": `mapper: backfill of prices: the checkpoint "crates 012345" has a position that the server does not accept: use an empty checkpoint to begin again: `,
	} {
		require.ErrorContains(t, fill("prices", checkpoint), why)
	}

	for id, port := range []string{"Suape", "", ""} {
		c := crate()
		c.ID, c.Hall = int32(id), "south"
		c.Route = []stock.Stop{{Port: "Suape"}}
		require.NoError(t, store.Crates.Insert(t.Context(), &c))
		storetest.Execute(t, session, "UPDATE crates SET route = [{port: '"+port+"', day: 1}] WHERE hall = 'south' AND id = "+string(rune('0'+id)))
	}
	require.NoError(t, session.ExecStmt("TRUNCATE stops_by_port"))
	err = fill("stops_by_port", "")
	var over *mapper.RefusedRowsError
	require.ErrorAs(t, err, &over)
	require.Equal(t, 2, over.Rows)
	for _, id := range []string{"1", "2"} {
		require.ErrorContains(t, err, "Crate (crates hall='south', id="+id+"): Route[0] implies a row of stops_by_port whose key port is empty")
	}
	require.Len(t, snapshot(t, session, "stops_by_port").rows, 1, "the copy of the valid row")

	storetest.Execute(t, session, "ALTER TABLE guards_by_code DROP rank; DROP TABLE prices; ALTER TABLE guards DROP name")
	var missing *mapper.SchemaError
	require.ErrorAs(t, fill("guards_by_code", ""), &missing)
	require.Equal(t, []mapper.SchemaFault{{Table: "guards", Column: "name", Want: "text"}, {Table: "guards_by_code", Column: "rank", Want: "int"}}, missing.Faults)
	require.ErrorAs(t, fill("prices", ""), &missing)
	require.Equal(t, []mapper.SchemaFault{{Table: "prices"}}, missing.Faults)
	require.NoError(t, fill("crates_by_id", ""), "tables that the backfill does not use may be missing")
}
