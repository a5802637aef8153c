package migrate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cassaml/cassaml/internal/schemachange"
	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// The records of a folder are one partition: one request reads them, and a conditional
// batch writes them. The partition of the folder without a name also has the lock of the
// keyspace, in two static columns, and the objects of each folder, in rows with number 0.
// The partition of a named folder has a separate epoch, which a run raises to the epoch of
// the lock before it writes there. Every write has a condition on the epoch of its
// partition.
const (
	// partition is the key of the partition that has the lock.
	partition = folder.Unnamed

	createTable = `CREATE TABLE IF NOT EXISTS aml_migrations (
	folder text, epoch bigint static, owner text static,
	number int, fills text, name text, checksum text, total int, applied int, hashes frozen<list<text>>,
	sending text, applied_at timestamp, error text, mark text, owns frozen<set<text>>,
	PRIMARY KEY (folder, number, fills)
) WITH ID = %s AND comment = 'migrations applied to this keyspace'`

	selectState = `SELECT epoch, owner, TTL(owner), number, fills, name, checksum, total, applied, hashes, sending, applied_at, error, mark, owns
FROM aml_migrations WHERE folder = ?`

	raiseEpoch = `UPDATE aml_migrations SET epoch = ? WHERE folder = ? IF epoch = ? AND owner = null`
	enterOwner = `UPDATE aml_migrations USING TTL ? SET owner = ? WHERE folder = ?`
	renewOwner = `UPDATE aml_migrations USING TTL ? SET owner = ? WHERE folder = ? IF epoch = ?`
	clearOwner = `UPDATE aml_migrations SET owner = null WHERE folder = ? IF epoch = ?`
	raiseFence = `UPDATE aml_migrations SET epoch = ? WHERE folder = ? IF epoch = ?`
	setOwned   = `UPDATE aml_migrations SET name = ?, owns = ? WHERE folder = ? AND number = 0 AND fills = ? IF epoch = ?`

	noteSending = `UPDATE aml_migrations SET name = ?, sending = ? WHERE folder = ? AND number = ? AND fills = ''`
	setRecord   = `UPDATE aml_migrations SET name = ?, checksum = ?, total = ?, applied = ?, hashes = ?, sending = null,
applied_at = ?, error = null WHERE folder = ? AND number = ? AND fills = '' IF epoch = ?`
	noteFailure = `UPDATE aml_migrations SET name = ?, error = ? WHERE folder = ? AND number = ? AND fills = '' IF epoch = ?`
	noteRefusal = `UPDATE aml_migrations SET name = ?, error = ?, sending = null
WHERE folder = ? AND number = ? AND fills = '' IF epoch = ?`
	setFill = `UPDATE aml_migrations SET name = ?, mark = ?, applied_at = ?, error = ?
WHERE folder = ? AND number = ? AND fills = ? IF epoch = ?`
)

// table is the database of a session.
type table struct {
	session driver.Session
	nodes   schemachange.Nodes
}

// newTable returns the database of a session, which must have a keyspace.
func newTable(session driver.Session) (*table, error) {
	if err := driver.Check(session); err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	if session.Keyspace() == "" {
		return nil, ErrNoKeyspace
	}
	return &table{session: session, nodes: schemachange.Nodes{Session: session}}, nil
}

func (t *table) agree(ctx context.Context) (schemachange.Agreement, error) { return t.nodes.Agree(ctx) }

// keyspace returns the keyspace of the session; "" if it has none.
func (t *table) keyspace() string { return t.session.Keyspace() }

func (t *table) create(ctx context.Context) error {
	id := schemachange.TableID(t.keyspace() + ".aml_migrations")
	if err := t.query(ctx, newQuery(fmt.Sprintf(createTable, id))).Close(); err != nil {
		return err
	}
	_, err := t.agree(ctx)
	return err
}

// newQuery returns a query that the driver sends only once, and whose columns it reads from the answer instead of its cached metadata.
func newQuery(statement string, values ...any) driver.Query {
	return driver.Query{CQL: statement, Args: values, Metadata: true}
}

func (t *table) query(ctx context.Context, q driver.Query) driver.Rows {
	return t.session.Query(ctx, q)
}

// read reads the state at LOCAL_QUORUM or at SERIAL. A read at LOCAL_QUORUM returns only confirmed records, but may miss some: a record is
// written at SERIAL across data centres, and reaches the replicas of this one later.
func (t *table) read(ctx context.Context, of string, serial bool) (state, error) {
	q := newQuery(selectState, of)
	q.Consistency = driver.LocalQuorum
	if serial {
		q.Consistency = driver.Serial
	}
	rows := t.query(ctx, q)
	s := state{records: history{}, fills: fills{}, owners: owners{}, locked: of == partition}
	for s.scan(rows) {
	}
	if err := rows.Close(); err != nil {
		return state{}, tableMissing(err)
	}
	return s, nil
}

// scan reads a row, and reports whether there is one: of a migration, of a backfill, of the objects of a folder, or only of the lock if
// nothing is recorded yet.
func (s *state) scan(rows driver.Rows) bool {
	var number, ttl *int
	var table, mark string
	var objects []string
	var r record
	if !rows.Scan(&s.epoch, &s.owner, &ttl, &number, &table, &r.name, &r.checksum, &r.total, &r.applied, &r.hashes,
		&r.sending, &r.appliedAt, &r.failure, &mark, &objects) {
		return false
	}
	if ttl != nil {
		s.expires = time.Duration(*ttl) * time.Second
	}
	switch {
	case number == nil:
	case *number == 0:
		own := owned{}
		for _, o := range objects {
			own[o] = true
		}
		s.owners[table] = own
	case table != "":
		key := fillKey{*number, table}
		s.fills[key] = fill{key: key, name: r.name, from: mark, done: !r.appliedAt.IsZero(), refused: r.failure}
	default:
		r.number = *number
		s.records[r.number] = r
	}
	return true
}

func (t *table) acquire(ctx context.Context, epoch int64, owner string, ttl time.Duration) (bool, error) {
	var known *int64
	if epoch > 0 {
		known = &epoch
	}
	b := t.batch(ctx, 2)
	b.Add(raiseEpoch, []any{epoch + 1, partition, known})
	b.Add(enterOwner, []any{seconds(ttl), owner, partition})
	return casBatch(b)
}

func (t *table) renew(ctx context.Context, l lock) (bool, error) {
	return t.cas(ctx, renewOwner, seconds(l.ttl), l.owner, partition, l.epoch)
}

func (t *table) release(ctx context.Context, l lock) error {
	_, err := t.cas(ctx, clearOwner, partition, l.epoch)
	return err
}

// fence does not return whether it was applied; the next read shows it.
func (t *table) fence(ctx context.Context, l lock, known int64) error {
	var now *int64
	if known > 0 {
		now = &known
	}
	_, err := t.cas(ctx, raiseFence, l.epoch, l.folder, now)
	return err
}

func (t *table) claim(ctx context.Context, l lock, folder string, objects owned) (bool, error) {
	return t.cas(ctx, setOwned, folder, objects.list(), partition, folder, l.epoch)
}

// begin sends one request if the record is in the partition of the lock, and otherwise two: first the record, then the lock, so that the
// lock was just renewed when the statement is sent.
func (t *table) begin(ctx context.Context, l lock, r record, hash string) (bool, error) {
	var sending *string
	if hash != "" {
		sending = &hash
	}
	if l.folder != partition {
		ok, err := t.cas(ctx, noteSending+" IF epoch = ?", r.name, sending, l.folder, r.number, l.epoch)
		if err != nil || !ok {
			return ok, err
		}
		return t.renew(ctx, l)
	}
	b := t.batch(ctx, 2)
	b.Add(renewOwner, []any{seconds(l.ttl), l.owner, partition, l.epoch})
	b.Add(noteSending, []any{r.name, sending, partition, r.number})
	return casBatch(b)
}

func (t *table) finish(ctx context.Context, l lock, records ...record) (bool, error) {
	b := t.batch(ctx, len(records))
	for _, r := range records {
		b.Add(setRecord, []any{r.name, r.checksum, r.total, r.applied, r.hashes, r.appliedAt, l.folder, r.number, l.epoch})
	}
	return casBatch(b)
}

func (t *table) fail(ctx context.Context, l lock, r record, refused bool) (bool, error) {
	statement := noteFailure
	if refused {
		statement = noteRefusal
	}
	return t.cas(ctx, statement, r.name, r.failure, l.folder, r.number, l.epoch)
}

func (t *table) save(ctx context.Context, l lock, f fill) (bool, error) {
	var at *time.Time
	if f.done {
		now := time.Now().UTC()
		at = &now
	}
	var refused *string
	if f.refused != "" {
		refused = &f.refused
	}
	return t.cas(ctx, setFill, f.name, f.from, at, refused, l.folder, f.key.number, f.key.table, l.epoch)
}

// seconds returns a TTL in seconds, rounded down: a run stops long before its lock expires.
func seconds(ttl time.Duration) int { return int(ttl.Seconds()) }

// cas executes a conditional write. It uses SERIAL, not LOCAL_SERIAL, because replicas in two data centres may start at the same time. It
// commits at LOCAL_QUORUM, for the plain read of the next run.
func (t *table) cas(ctx context.Context, statement string, values ...any) (bool, error) {
	q := newQuery(statement, values...)
	q.Consistency, q.Serial = driver.LocalQuorum, driver.Serial
	applied, _, err := driver.ScanCAS(t.query(ctx, q))
	return applied, tableMissing(err)
}

func (t *table) batch(ctx context.Context, size int) driver.Batch {
	return t.session.Batch(ctx, driver.BatchConfig{Consistency: driver.LocalQuorum, Serial: driver.Serial}, size)
}

// casBatch executes a conditional batch.
func casBatch(b driver.Batch) (bool, error) {
	applied, err := b.ExecCAS()
	return applied, tableMissing(err)
}

// exec traces statements that change the schema: the driver passes the id of the trace, which is part of the answer, before it waits for
// the nodes.
func (t *table) exec(ctx context.Context, statement string, answered func()) error {
	q := newQuery(unprepared(statement))
	if (folder.Statement{Text: statement}).ChangesSchema() {
		q.Answered = answered
	}
	return readAnswer(ctx, statement, t.query(ctx, q), t)
}

func (t *table) call(ctx context.Context, f Func) error { return f(ctx, t.session) }

// schema returns a reader of system_schema.
func (t *table) schema(keyspace string) systemschema.Reader {
	return systemschema.Reader{Session: t.session, Keyspace: keyspace}
}

func (t *table) names(ctx context.Context, e effect.Effect) (names []string, err error) {
	of := t.schema(e.Keyspace)
	switch e.Object {
	case effect.TableObject:
		ids, err := of.TableIDs(ctx, e.Name)
		return slices.Collect(maps.Values(ids)), err
	case effect.ColumnObject:
		columns, err := of.Columns(ctx, e.Name)
		for _, c := range columns {
			names = append(names, c.Name)
		}
		return names, err
	case effect.IndexObject:
		indexes, err := of.Indexes(ctx, "")
		for _, i := range indexes {
			names = append(names, i.Name)
		}
		return names, err
	case effect.ViewObject:
		views, err := of.Views(ctx, e.Name)
		for _, v := range views {
			names = append(names, v.Name)
		}
		return names, err
	case effect.TypeObject:
		types, err := of.Types(ctx, e.Name)
		for _, t := range types {
			names = t.Fields
		}
		return names, err
	}
	return nil, fmt.Errorf("system_schema has no %q", e.Object)
}

func (t *table) fields(ctx context.Context, keyspace, name string) (fields []folder.Field, err error) {
	types, err := t.schema(keyspace).Types(ctx, name)
	for _, u := range types {
		for i := range min(len(u.Fields), len(u.Types)) {
			fields = append(fields, folder.Field{Name: u.Fields[i], Type: u.Types[i]})
		}
	}
	return fields, err
}

func (t *table) indexes(ctx context.Context, keyspace string) (built []effect.BuiltIndex, err error) {
	all, err := t.schema(keyspace).Indexes(ctx, "")
	for _, i := range all {
		built = append(built, effect.NewBuiltIndex(i.Name, i.Table, i.Kind, i.Options))
	}
	return built, err
}

// answers sends a read by an index.
func (t *table) answers(ctx context.Context, i effect.Index) error {
	columns, err := t.schema(i.Keyspace).Columns(ctx, i.Table)
	if err != nil {
		return err
	}
	key, ofColumn := "", ""
	for _, c := range columns {
		if c.Kind == "partition_key" {
			key = c.Name
		}
		if c.Name == i.Column {
			ofColumn = c.Type
		}
	}
	statement, values, ok := i.Probe(ofColumn, key)
	if !ok {
		return errNoProbe
	}
	args := make([]any, len(values))
	for n := range values {
		args[n] = t.session.Value(&values[n])
	}
	return t.query(ctx, newQuery(statement, args...)).Close()
}

// oldest reads the versions of the nodes.
func (t *table) oldest(ctx context.Context) (systemschema.Node, error) {
	n, _, err := systemschema.Oldest(ctx, t.session, driver.Once)
	return n, err
}

// gocqlx reads the table of gocqlx's migrate, if the keyspace has one.
func (t *table) gocqlx(ctx context.Context) ([]gocqlxRecord, error) {
	there, err := t.names(ctx, effect.Effect{Object: effect.TableObject, Keyspace: t.keyspace(), Name: "gocqlx_migrate"})
	if err != nil || len(there) == 0 {
		return nil, err
	}
	q := newQuery("SELECT name, checksum, done FROM gocqlx_migrate")
	q.Consistency = driver.LocalQuorum
	rows := t.query(ctx, q)
	var all []gocqlxRecord
	for r := (gocqlxRecord{}); rows.Scan(&r.name, &r.checksum, &r.done); {
		all = append(all, r)
	}
	return all, rows.Close()
}
