package migrate

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/cassaml/cassaml/mapper/driver"
)

// Config configures [Up]. The zero value works.
type Config struct {
	// Logger receives every applied statement, waiting for other runs, and what was
	// skipped. If it is nil, slog's default logger receives only warnings: of a
	// backfill that this program has no function for, and of causes that may make other runs wait.
	Logger *slog.Logger
	// Progress is called, by one goroutine, when this run takes the lock, before
	// and after each step, and when it begins to wait for another run.
	Progress func(Event)
	// DDLTimeout is the time limit of one statement. 0 means one minute. Negative values and
	// more than a day are refused.
	DDLTimeout time.Duration
	// LockTTL is how long the lock remains if the run that has it is killed.
	// A run renews the lock five times within this time, also during a statement.
	// If it cannot renew it for three fifths of the time, it cancels its statement
	// and stops. 0 means 25 seconds. Less than 5 seconds and more than a day are
	// refused.
	LockTTL time.Duration
	// Funcs are migrations in Go. A key that is a number and a name, such as
	// "0005_split_names", is a separate migration between the files, and must not
	// have the number of a file. Any other key is called by a line
	//
	//	-- aml:func KEY
	//
	// between the statements of a file, at that point.
	Funcs map[string]Func
	// Backfills fill tables from existing data, by the name of the table. A
	// file requests one with a line
	//
	//	-- aml:backfill TABLE
	//
	// and all requested backfills run after the last pending statement of all
	// files. If a backfill has no function here, it is logged and left to a run that has one;
	// if its table no longer exists, it is skipped. Set this to Backfills() of the generated
	// package: otherwise a redundant table that is added later stays empty. If it is nil and a
	// pending file requests a backfill, Up applies nothing, unless NoBackfills is set.
	//
	// A line -- aml:func KEY calls the function with that name, if Funcs has none. The function
	// runs at that place between the statements, and continues from its checkpoint
	// after a failure. The generated functions "TABLE__version" are called in this way.
	Backfills map[string]Backfill
	// NoBackfills leaves all backfills to another program that calls Up with the same folder and
	// with Backfills.
	NoBackfills bool
	// SerialConsistency is the serial consistency that stores use which Funcs and Backfills open: it must be
	// mapper.Config.SerialConsistency of the services that write the keyspace. 0 means SERIAL, the default of stores. The lock
	// and the records of Up always use SERIAL.
	SerialConsistency driver.Consistency
	// ImportGocqlx records migrations that gocqlx's migrate has applied as
	// applied, in the first run only. If it is false, Up refuses a keyspace that gocqlx
	// has migrated.
	ImportGocqlx bool
}

// Func is a migration in Go. It is recorded as a whole, after it has returned nil. If a run dies before that, the next run calls the
// function again from the start, so it must be safe to repeat. Its context ends when the run loses the lock. Pass this context on: [Up]
// uses it to detect that it is called by a function of its own run ([ErrNested]).
type Func func(ctx context.Context, session driver.Session) error

// Backfill fills a table. It begins after the checkpoint from, which is empty at first, and calls save with a new checkpoint as it
// progresses. When it returns nil, it is done. If a run dies, the next run continues from the last saved checkpoint and repeats what was
// done after it, so a backfill must be safe to repeat. If save returns an error, the backfill must return it: the run has lost the lock, or
// the checkpoint is not recorded. A checkpoint is UTF-8 without NUL, of at most 65,535 bytes; any other is refused. The function Backfills
// of a generated package returns the backfills of its redundant tables.
type Backfill = func(ctx context.Context, session driver.Session, from string, save func(from string) error) error

// EventKind is the kind of an [Event].
type EventKind string

// The kinds of events.
const (
	EventWaiting  EventKind = "waiting"  // another run has the lock
	EventRunning  EventKind = "running"  // this run has taken the lock
	EventApplying EventKind = "applying" // a step begins
	EventApplied  EventKind = "applied"  // a step is recorded as applied
	EventFilling  EventKind = "filling"  // a backfill has saved a checkpoint; at most every 10 seconds
)

// Event describes one moment of a run of [Up]. A step is a statement of a file, a function or a backfill. Waiting and Running contain the
// step that is pending.
type Event struct {
	Kind      EventKind
	Epoch     int64  // how many times the lock has been taken
	Folder    string // its name; "" without one
	File      string
	Number    int    // the number of the step in its file, counted from 1; 0 for a backfill
	Total     int    // steps in the file
	Line      int    // the line of the step in its file, counted from 1; 0 for a migration in Go
	Statement string // its text, or the directive; empty if only the end of a file is recorded

	// The following are set for EventFilling only.
	Checkpoint  string  // the last saved checkpoint
	Checkpoints int     // the number of checkpoints that this run has saved
	Percent     float64 // the part of the table that has been read; 0 if it is unknown, as for a backfill of your own
}

const (
	defaultTimeout = time.Minute
	defaultLock    = 25 * time.Second
	// shortestLock leaves a second for each renewal.
	shortestLock = renewals * time.Second
	// longest is much longer than any statement takes. After a run is killed,
	// all others wait for LockTTL.
	longest = 24 * time.Hour
)

// warnings is a handler that ignores levels below warnings.
type warnings struct{ slog.Handler }

// Enabled implements [slog.Handler].
func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

// WithAttrs implements [slog.Handler]. The result ignores the same levels.
func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

// WithGroup implements [slog.Handler].
func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }

// withDefaults sets defaults for zero values and refuses invalid values.
func (c Config) withDefaults() (Config, error) {
	if c.DDLTimeout < 0 || c.DDLTimeout > longest {
		return c, fmt.Errorf("migrate: DDLTimeout is %v: set 0 for %v, or a time of at most %v", c.DDLTimeout, defaultTimeout, longest)
	}
	if c.LockTTL != 0 && (c.LockTTL < shortestLock || c.LockTTL > longest) {
		return c, fmt.Errorf("migrate: LockTTL is %v: set 0 for %v, or a time between %v and %v", c.LockTTL, defaultLock, shortestLock, longest)
	}
	if c.SerialConsistency != 0 && !c.SerialConsistency.IsSerial() {
		return c, fmt.Errorf("migrate: SerialConsistency is %v: set 0, mapper.Serial or mapper.LocalSerial", c.SerialConsistency)
	}
	c.DDLTimeout = cmp.Or(c.DDLTimeout, defaultTimeout)
	c.LockTTL = cmp.Or(c.LockTTL, defaultLock)
	if c.Logger == nil {
		c.Logger = slog.New(warnings{slog.Default().Handler()})
	}
	return c, nil
}

// A lock is renewed five times within its TTL, independently of the work of the run. A run that has not
// renewed it for three of these intervals stops, so that its statement has two intervals to finish on the server
// before another run can take the lock. By default: every 5 s, 15 s, 10 s.
const (
	renewals = 5
	missable = 3
)
