package migrate

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/scylladb/gocqlx/v2"
)

// Config configures [Up]. The zero value works.
type Config struct {
	// Logger is told of every statement applied, of waiting and of what was
	// skipped. Without one slog's default logger is told of warnings alone: of a
	// backfill that this program has no function for, and of what may hold others up.
	Logger *slog.Logger
	// Progress is called, by one goroutine, when this run takes the lock, before
	// and after each step, and when it begins to wait for another run.
	Progress func(Event)
	// DDLTimeout bounds one statement. 0 means one minute; less is refused, and so
	// is more than a day.
	DDLTimeout time.Duration
	// LockTTL is how long the lock outlasts the run that had it, should it be
	// killed. A run renews the lock five times within it, also during a statement,
	// and cancels what it is doing and stops once it has failed to for three fifths
	// of it. 0 means 25 seconds; less than 5 seconds is refused, and so is more than
	// a day.
	LockTTL time.Duration
	// Funcs are migrations in Go. A key that is a number and a name, such as
	// "0005_split_names", is a migration of its own among the files and must not
	// share its number with one. Any other key is called by a line
	//
	//	-- aml:func KEY
	//
	// between the statements of a file, in its place.
	Funcs map[string]Func
	// Backfills fill tables from data that is there, by the name of the table. A
	// file asks for one with a line
	//
	//	-- aml:backfill TABLE
	//
	// and all that are asked for run after the last pending statement of all
	// files. One that has no function here is logged and left to a run that has;
	// one whose table is gone is skipped. Give it the Backfills() of the generated
	// package: without them a redundant table that comes later stays empty.
	Backfills map[string]Backfill
	// TakeOverGocqlx records the migrations that gocqlx's migrate has applied as
	// applied, the first time only. Without it Up refuses a keyspace that gocqlx
	// has migrated.
	TakeOverGocqlx bool
}

// Func is a migration in Go. It is recorded once it has returned nil, as a
// whole: a run that dies in it, or after it, leaves it to the next, which calls
// it again from the start. So it must be safe to repeat. Its context ends when the
// run loses the lock, and is to be handed on: [Up] tells by it that it is called
// by a function of its own ([ErrNested]).
type Func func(ctx context.Context, session gocqlx.Session) error

// Backfill fills a table. It begins behind the mark from, which is empty at
// first, and calls save with a mark of its own whenever it has got further; when
// it returns nil it is done. A run that dies in it leaves it to the next, which
// gets the last saved mark. What lies between the mark and the death is done
// twice, so it must be safe to repeat. An error of save is to be returned: the
// run has lost the lock, or the mark is not recorded. A mark is UTF-8 without NUL
// and has at most 65,535 bytes; any other is refused. The Backfills of a
// generated package gives those of its redundant tables.
type Backfill = func(ctx context.Context, session gocqlx.Session, from string, save func(from string) error) error

// EventKind is the kind of an [Event].
type EventKind string

// The kinds of events.
const (
	Waiting  EventKind = "waiting"  // another run has the lock
	Running  EventKind = "running"  // this run has taken the lock
	Applying EventKind = "applying" // a step is about to be taken
	Applied  EventKind = "applied"  // a step is recorded as applied
)

// Event is a moment in a run of [Up]. A step is a statement of a file, a
// function or a backfill; Waiting and Running name the step that is pending.
type Event struct {
	Kind      EventKind
	Epoch     int64  // how many times the lock was taken so far
	Folder    string // its name; "" without one
	File      string
	Number    int    // of the step in its file, from 1; 0 for a backfill
	Total     int    // steps in the file
	Line      int    // of the step in its file, from 1; 0 for a migration in Go
	Statement string // its text, or the directive; empty where only the end of a file is recorded
}

const (
	defaultTimeout = time.Minute
	defaultLock    = 25 * time.Second
	// shortestLock leaves a second for each renewal.
	shortestLock = renewals * time.Second
	// longest is far beyond what any statement takes: a run that is killed
	// holds up all others for LockTTL.
	longest = 24 * time.Hour
)

// warnings is a handler that is told of nothing less.
type warnings struct{ slog.Handler }

// Enabled implements [slog.Handler].
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// WithAttrs implements [slog.Handler]. The result is told of nothing less, either.
func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

// WithGroup implements [slog.Handler].
func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }

// withDefaults fills in what is zero and refuses what cannot be.
func (c Config) withDefaults() (Config, error) {
	if c.DDLTimeout < 0 || c.DDLTimeout > longest {
		return c, fmt.Errorf("migrate: DDLTimeout is %v: set 0 for %v, or a time of at most %v", c.DDLTimeout, defaultTimeout, longest)
	}
	if c.LockTTL != 0 && (c.LockTTL < shortestLock || c.LockTTL > longest) {
		return c, fmt.Errorf("migrate: LockTTL is %v: set 0 for %v, or a time between %v and %v", c.LockTTL, defaultLock, shortestLock, longest)
	}
	c.DDLTimeout = cmp.Or(c.DDLTimeout, defaultTimeout)
	c.LockTTL = cmp.Or(c.LockTTL, defaultLock)
	if c.Logger == nil {
		c.Logger = slog.New(warnings{slog.Default().Handler()})
	}
	return c, nil
}
