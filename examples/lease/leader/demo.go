package leader

import (
	"context"
	_ "embed"
	"errors"
	"time"

	"github.com/cassaml/cassaml/examples/internal/show"
	"github.com/cassaml/cassaml/mapper"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

// Demo elects leaders: the first one renews and releases its lease, the second one dies, and a third one waits for its lease to expire.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	var first, second *Lease
	s.Step("the first process acquires the lease: one conditional batch with two TTLs", func() (err error) {
		first, _, err = Acquire(ctx, store, "jobs", "a")
		return err
	})
	s.Step("another process is refused: the refused statement says who leads", func() error {
		_, leader, err := Acquire(ctx, store, "jobs", "b")
		s.Printf("%s leads", leader)
		return err
	})
	s.Step("the leader renews its lease: its token stays", func() error { return first.Renew(ctx) })
	s.Step("the leader releases its lease", func() error { return first.Release(ctx) })
	s.Step("a process with a short TTL acquires it, and dies", func() (err error) {
		second, _, err = Acquire(ctx, store.With(mapper.Options{TTL: time.Second}), "jobs", "b")
		if err == nil {
			s.Printf("its token is greater: %v", second.Token > first.Token)
		}
		return err
	})
	s.Step("the row expires by itself", func() error { return expired(ctx, store) })
	s.Step("the next process acquires it over the expired row: versions go on", func() error {
		third, _, err := Acquire(ctx, store, "jobs", "c")
		if err == nil {
			s.Printf("its token is greater: %v", third.Token > second.Token)
		}
		return err
	})
	s.Step("the process that was dead cannot release it", func() error {
		return s.Refused(store.Leaders.DeleteAt(ctx, "jobs", second.version), mapper.ErrConflict)
	})
	s.Tables(ctx, "leaders")
	return s.Err()
}

// expired waits until nobody leads.
func expired(ctx context.Context, store *Store) error {
	for {
		_, err := store.Leaders.Get(ctx, "jobs")
		switch {
		case errors.Is(err, mapper.ErrNotFound):
			return nil
		case err != nil:
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}
