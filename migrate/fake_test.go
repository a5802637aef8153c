package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/schemachange"
	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/internal/wait"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
	"github.com/cassaml/cassaml/migrate/internal/effect"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

var (
	errLost    = errors.New("no answer")
	errRefused = &serverError{code: 0x2200, text: "no such thing"}
)

// serverError is an error in the answer of a server.
type serverError struct {
	code int
	text string
}

func (e *serverError) Error() string { return e.text }

// As makes it the error of a driver.
func (e *serverError) As(target any) bool {
	as, ok := target.(**driver.Error)
	if ok {
		*as = &driver.Error{Class: driver.Answered, Code: e.code, Message: e.text, Err: e}
	}
	return ok
}

// fault is what happens to one request.
type fault int

const (
	fine   fault = iota
	before       // lost on the way there
	behind       // lost on the way back
	refuse       // answered with an error
	hang         // not answered until the request is cancelled
)

// fake is a database in memory whose lock expires and whose requests can be lost. Its schema consists of the effects, as effect.Parse returns
// them, of the statements that it executed.
type fake struct {
	mu        sync.Mutex
	cassandra string            // the version of its oldest node
	missing   bool              // the table of records
	foreign   bool              // the table of records has been created by another program
	state     state             // of the folder without a name, and of the lock
	named     map[string]*state // of named folders
	expires   time.Time         // of the lock
	schema    map[effectKey]map[string]bool
	built     []effect.BuiltIndex
	before    []gocqlxRecord                  // what gocqlx has recorded
	requests  []string                        // all but the renewer's
	sent      []string                        // statements that took effect
	fault     func(request string) fault      // what happens to a request
	latency   time.Duration                   // of each request
	slow      time.Duration                   // of a statement
	agreed    func(ctx context.Context) error // what agreement comes to
	refusal   error                           // of fault refuse; nil is errRefused
	keeps     bool                            // answers to statements, until nobody waits any more
	numb      bool                            // statements change nothing
	building  int                             // reads that the next index leaves unanswered
}

type effectKey struct {
	object   effect.Object
	keyspace string
	name     string
}

func newFake() *fake {
	return &fake{state: state{records: history{}, fills: fills{}, owners: owners{}}, named: map[string]*state{}, schema: map[effectKey]map[string]bool{}}
}

// send is one request with an effect on the database.
func (f *fake) send(ctx context.Context, request string, effect func()) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f.latency > 0 {
		time.Sleep(f.latency)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if request != "renew" {
		f.requests = append(f.requests, request)
	}
	what := fine
	if f.fault != nil {
		what = f.fault(request)
	}
	switch what {
	case hang:
		f.mu.Unlock()
		<-ctx.Done()
		f.mu.Lock()
		return ctx.Err()
	case before:
		return errLost
	case refuse:
		return cmp.Or(f.refusal, error(errRefused))
	}
	effect()
	if what == behind {
		return errLost
	}
	return nil
}

func (f *fake) create(ctx context.Context) error {
	return f.send(ctx, "create", func() { f.missing = f.foreign })
}

func (f *fake) read(ctx context.Context, of string, serial bool) (s state, err error) {
	request := "read"
	if serial {
		request = "serial read"
	}
	if of != partition {
		request += " " + of
	}
	missing := false
	err = f.send(ctx, request, func() {
		missing = f.missing
		now := *f.in(of)
		s = state{epoch: now.epoch, records: maps.Clone(now.records), fills: maps.Clone(now.fills), owners: maps.Clone(now.owners)}
		if s.locked = of == partition; s.locked {
			s.owner, s.expires = f.owner(), time.Until(f.expires)
		}
	})
	if missing {
		return state{}, errNoTable
	}
	return s, err
}

// in returns the state of a partition.
func (f *fake) in(of string) *state {
	if of == partition {
		return &f.state
	}
	if f.named[of] == nil {
		f.named[of] = &state{records: history{}, fills: fills{}}
	}
	return f.named[of]
}

// owner returns the run that has the lock.
func (f *fake) owner() string {
	if time.Now().Before(f.expires) {
		return f.state.owner
	}
	return ""
}

func (f *fake) acquire(ctx context.Context, epoch int64, owner string, ttl time.Duration) (ok bool, err error) {
	err = f.send(ctx, "take", func() {
		if ok = f.owner() == "" && f.state.epoch == epoch; ok {
			f.state.epoch, f.state.owner, f.expires = epoch+1, owner, time.Now().Add(ttl)
		}
	})
	return ok && err == nil, err
}

// fenced is a write that requires the lock.
func (f *fake) fenced(ctx context.Context, request string, l lock, effect func()) (ok bool, err error) {
	err = f.send(ctx, request, func() {
		if ok = f.in(l.folder).epoch == l.epoch; ok {
			effect()
		}
	})
	return ok && err == nil, err
}

func (f *fake) fence(ctx context.Context, l lock, known int64) error {
	return f.send(ctx, "fence", func() {
		if s := f.in(l.folder); s.epoch == known {
			s.epoch = l.epoch
		}
	})
}

func (f *fake) claim(ctx context.Context, l lock, folder string, objects owned) (bool, error) {
	l.folder = partition
	return f.fenced(ctx, "claim", l, func() { f.state.owners[folder] = objects })
}

func (f *fake) fields(ctx context.Context, keyspace, name string) (fields []folder.Field, err error) {
	err = f.send(ctx, "fields", func() {
		for n := range f.schema[effectKey{effect.TypeObject, keyspace, name}] {
			fields = append(fields, folder.Field{Name: n, Type: "int"})
		}
		slices.SortFunc(fields, func(a, b folder.Field) int { return strings.Compare(a.Name, b.Name) })
	})
	return fields, err
}

func (f *fake) renewed(l lock) { f.state.owner, f.expires = l.owner, time.Now().Add(l.ttl) }

func (f *fake) renew(ctx context.Context, l lock) (bool, error) {
	l.folder = partition
	return f.fenced(ctx, "renew", l, func() { f.renewed(l) })
}

func (f *fake) release(ctx context.Context, l lock) error {
	l.folder = partition
	_, err := f.fenced(ctx, "release", l, func() { f.state.owner = "" })
	return err
}

func (f *fake) begin(ctx context.Context, l lock, r record, hash string) (bool, error) {
	return f.fenced(ctx, "begin", l, func() {
		f.renewed(l)
		now := f.in(l.folder).records[r.number]
		now.number, now.name, now.sending = r.number, r.name, hash
		f.in(l.folder).records[r.number] = now
	})
}

func (f *fake) finish(ctx context.Context, l lock, records ...record) (bool, error) {
	return f.fenced(ctx, "finish", l, func() {
		for _, r := range records {
			f.in(l.folder).records[r.number] = r
		}
	})
}

func (f *fake) fail(ctx context.Context, l lock, r record, refused bool) (bool, error) {
	return f.fenced(ctx, "fail", l, func() {
		now := f.in(l.folder).records[r.number]
		now.number, now.name, now.failure = r.number, r.name, r.failure
		if refused {
			now.sending = ""
		}
		f.in(l.folder).records[r.number] = now
	})
}

func (f *fake) save(ctx context.Context, l lock, one fill) (bool, error) {
	return f.fenced(ctx, "save "+one.from, l, func() { f.in(l.folder).fills[one.key] = one })
}

func (f *fake) exec(ctx context.Context, statement string, answered func()) error {
	if f.slow > 0 && wait.Sleep(ctx, f.slow) != nil {
		return ctx.Err()
	}
	err := f.send(ctx, "exec "+statement, func() {
		f.sent = append(f.sent, statement)
		if !f.numb {
			f.run(statement)
		}
	})
	if f.keeps && err == nil {
		answered()
		<-ctx.Done()
	}
	return err
}

// run changes the schema.
func (f *fake) run(statement string) {
	e := effect.Parse(statement, "shop")
	if e == nil {
		return
	}
	if e.Object == effect.IndexObject {
		f.runIndex(*e)
		return
	}
	key := effectKey{e.Object, e.Keyspace, e.Name}
	names := f.schema[key]
	if e.IfThere && len(names) == 0 {
		return
	}
	if names == nil || e.None {
		names = map[string]bool{}
	}
	if e.Some {
		names["something"] = true
	}
	for _, n := range e.Has {
		names[n] = true
	}
	for _, n := range e.Lacks {
		delete(names, n)
	}
	f.schema[key] = names
	if e.None && e.Object == effect.TableObject {
		delete(f.schema, effectKey{effect.ColumnObject, e.Keyspace, e.Name})
	}
	if _, table, ok := effect.CreatedTable(statement, "shop"); ok {
		f.setColumns(statement, table)
	}
}

// runIndex creates or drops an index. It chooses a name if there is none, and creates no second index that is equal.
func (f *fake) runIndex(e effect.Effect) {
	if e.Index == nil {
		f.built = slices.DeleteFunc(f.built, func(b effect.BuiltIndex) bool { return slices.Contains(e.Lacks, b.Name) })
		return
	}
	b := effect.BuiltIndex{Name: e.Index.Name, Table: e.Index.Table, Column: e.Index.Column, Function: e.Index.Function, Class: indexname.Legacy}
	taken := func(o effect.BuiltIndex) bool { return o.Name == b.Name }
	base := b.Table + "_" + b.Column + "_idx"
	for n := 0; b.Name == "" || e.Index.Name == "" && slices.ContainsFunc(f.built, taken); n++ {
		b.Name = base
		if n > 0 {
			b.Name = fmt.Sprint(base, "_", n)
		}
	}
	equal := func(o effect.BuiltIndex) bool { o.Name = b.Name; return o == b }
	if !slices.ContainsFunc(f.built, taken) && !slices.ContainsFunc(f.built, equal) {
		f.built = append(f.built, b)
	}
}

// setColumns sets the columns of a CREATE TABLE.
func (f *fake) setColumns(statement, table string) {
	columns := map[string]bool{}
	if s, _ := ddl.Parse(statement); s != nil {
		for _, c := range s.(*ddl.CreateTable).Table.Columns {
			columns[c.Name] = true
		}
	}
	f.schema[effectKey{effect.ColumnObject, "shop", table}] = columns
}

func (f *fake) names(ctx context.Context, e effect.Effect) (names []string, err error) {
	err = f.send(ctx, "names", func() {
		names = slices.Collect(maps.Keys(f.schema[effectKey{e.Object, e.Keyspace, e.Name}]))
		for _, b := range f.built {
			if e.Object == effect.IndexObject {
				names = append(names, b.Name)
			}
		}
	})
	return names, err
}

func (f *fake) indexes(ctx context.Context, _ string) (built []effect.BuiltIndex, err error) {
	err = f.send(ctx, "indexes", func() { built = slices.Clone(f.built) })
	return built, err
}

func (f *fake) answers(ctx context.Context, i effect.Index) error {
	err := f.send(ctx, "answers", func() { f.building-- })
	if f.building >= 0 {
		return errLost
	}
	return err
}

func (f *fake) call(ctx context.Context, fn Func) error {
	return fn(ctx, nil)
}

func (f *fake) oldest(context.Context) (systemschema.Node, error) {
	return systemschema.Node{Address: "10.0.0.1", Release: f.cassandra}, nil
}

func (f *fake) gocqlx(ctx context.Context) (all []gocqlxRecord, err error) {
	err = f.send(ctx, "gocqlx", func() { all = slices.Clone(f.before) })
	return all, err
}

func (f *fake) agree(ctx context.Context) (schemachange.Agreement, error) {
	f.mu.Lock()
	f.requests = append(f.requests, "agree")
	a := schemachange.Agreement{Version: fmt.Sprint("after ", len(f.sent))}
	f.mu.Unlock()
	if f.agreed != nil {
		return a, f.agreed(ctx)
	}
	return a, ctx.Err()
}

// up runs the migrations of fsys on the fake.
func (f *fake) up(t testing.TB, ctx context.Context, fsys fs.FS, config Config) error {
	t.Helper()
	config, err := config.withDefaults()
	require.NoError(t, err)
	files, err := load(fsys, config.Funcs)
	require.NoError(t, err)
	folder, err := folder.Name(fsys)
	require.NoError(t, err)
	return newRun(f, "shop", folder, files, config).up(ctx)
}

// took returns the requests since its last call.
func (f *fake) took() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	requests := slices.Clone(f.requests)
	f.requests = nil
	return requests
}
