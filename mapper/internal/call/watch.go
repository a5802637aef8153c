package call

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/skew"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// ReadClocks returns the times of servers, within the time limit of a check; none if the database has no clocks.
func (db *DB) ReadClocks(ctx context.Context) ([]skew.Answer, error) {
	on, ok := db.Store.(store.Watched)
	if !ok {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, checkBound)
	defer cancel()
	answers, err := on.Clocks(ctx, db.Config.Now)
	if err != nil {
		return nil, fmt.Errorf("read the clocks of the servers: %w", err)
	}
	return answers, nil
}

// checkBound is the time limit of one check.
const checkBound = 2 * time.Second

// watch repeats checks of Open while a store is open, because their results can change: the clocks, and that no table has been
// replaced. There is no ticker, because a store has no Close: writes start the checks, which run concurrently.
type watch struct {
	on       store.Watched
	config   mapper.Config
	guard    *skew.Guard
	keyspace string
	ids      map[string]string // IDs of the tables when the store was opened
	replaced atomic.Pointer[mapper.SchemaError]
}

// newWatch makes the first check. It returns nil if there is nothing to check. keyspace is the inspected schema, or nil if tables
// cannot be replaced. The error is a *mapper.ClockError if the clock differs too much from the median of the servers' clocks.
func newWatch(ctx context.Context, db *DB, keyspace *store.Keyspace) (*watch, error) {
	on, ok := db.Store.(store.Watched)
	if !ok || keyspace == nil && db.Config.MaxClockSkew < 0 {
		return nil, nil
	}
	w := &watch{on: on, config: db.Config, ids: map[string]string{}}
	if keyspace != nil {
		w.keyspace = keyspace.Name
		for _, t := range db.Schema.Tables {
			w.ids[t.Name] = keyspace.Options[t.Name].ID
		}
	}
	ctx, cancel := context.WithTimeout(ctx, checkBound)
	defer cancel()
	f, err := w.measure(ctx)
	if w.config.MaxClockSkew >= 0 && f.Exceeds(w.config.MaxClockSkew) {
		return nil, w.clockError(&f)
	}
	w.log(f, err)
	w.guard = skew.NewGuard(w.config.MaxClockSkew, time.Now, w.config.Now)
	return w, nil
}

// admit returns an error if a write must not be sent, and starts a check when one is due. It does not wait for the check, which
// can outlive the write: the check does not use the context of the caller.
func (w *watch) admit(mutations []plan.Mutation) error {
	if w == nil {
		return nil
	}
	f, replaced := w.guard.Failing(), w.replaced.Load() // read before a check can change them
	if w.guard.Begin() {
		go w.check()
	}
	switch {
	case f != nil:
		return w.clockError(f)
	case replaced == nil:
		return nil
	}
	for i := range mutations {
		for _, f := range replaced.Faults {
			if f.Table == mutations[i].Table.Name {
				return replaced
			}
		}
	}
	return nil
}

// check makes one check, within its time limit.
func (w *watch) check() {
	ctx, cancel := context.WithTimeout(context.Background(), checkBound)
	defer cancel()
	f, err := w.measure(ctx)
	w.compare(ctx)
	w.guard.End(f)
	w.log(f, err)
}

// measure reads the clocks of the servers.
func (w *watch) measure(ctx context.Context) (skew.Finding, error) {
	if w.config.MaxClockSkew < 0 {
		return skew.Finding{}, nil
	}
	answers, err := w.on.Clocks(ctx, w.config.Now)
	return skew.Measure(answers), err
}

// log logs a finding that does not stop a store although its clock is not known to be right, or that will stop it if repeated.
func (w *watch) log(f skew.Finding, err error) {
	if w.config.MaxClockSkew < 0 {
		return
	}
	limit := slog.Duration("limit", w.config.MaxClockSkew)
	switch f.Verdict(w.config.MaxClockSkew) {
	case skew.Unanswered:
		w.config.Logger.Warn("mapper: no server reports its time, so the clock is not checked", slog.Any("error", err))
	case skew.Disputed:
		w.config.Logger.Warn("mapper: the clocks of the servers differ from each other", slog.Duration("spread", f.Spread), limit, slog.Int("nodes", f.Nodes))
	case skew.Wrong:
		w.config.Logger.Warn("mapper: the clock differs from those of the servers", slog.Duration("skew", f.Skew), limit, slog.String("host", f.Host))
	}
}

func (w *watch) clockError(f *skew.Finding) error {
	return &mapper.ClockError{Host: f.Host, Skew: f.Skew, Limit: w.config.MaxClockSkew}
}

// compare records the tables that were dropped and created again: they do not have the rows that the store knows, and the
// driver has prepared its statements for the old tables.
func (w *watch) compare(ctx context.Context) {
	if len(w.ids) == 0 {
		return
	}
	ids, err := w.on.Identities(ctx)
	if err != nil {
		w.config.Logger.Warn("mapper: the tables cannot be checked", slog.Any("error", err))
		return
	}
	var faults []mapper.SchemaFault
	for table, id := range w.ids {
		if have := ids[table]; have != "" && have != id {
			faults = append(faults, mapper.SchemaFault{Table: table, Property: "id", Have: have, Want: id + " as when the store was opened: open it again"})
		}
	}
	if len(faults) == 0 {
		w.replaced.Store(nil)
		return
	}
	e := &mapper.SchemaError{Keyspace: w.keyspace, Faults: faults}
	w.config.Logger.Warn("mapper: a table was replaced, writes to it are refused", slog.Any("error", e))
	w.replaced.Store(e)
}
