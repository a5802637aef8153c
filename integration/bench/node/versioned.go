package node

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/account"
	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/mapper"
)

// saver executes the work on versioned aggregates for one worker.
type saver interface {
	// create writes a new account.
	create(a *account.Account) error
	// change saves an account whose last version the worker has.
	change(a *account.Account) measure.Op
	// update reads an account and saves it, and starts again if another writer has saved it.
	update(a *account.Account) measure.Op
	// claim writes new members with new emails.
	claim(next func() *account.Member) measure.Op
}

// VersionedLoads returns the work on versioned aggregates of every variant: for each number of operations in flight, with separate
// accounts for the workers, and for each number of writers, with one account.
func (c *Client) VersionedLoads(ctx context.Context, inFlight, writers []int) (loads []measure.Load, err error) {
	if err := c.fillVersioned(ctx); err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	type variant struct {
		name string
		saver
	}
	variants := []variant{{"cassaml", saves{c.accounts}}, {"cassaml-again", saves{c.accounts}}, {"gocqlx", savesByHand{c}}}
	claimants := append(slices.Clip(variants), variant{"gocqlx, conditional", conditionalByHand{savesByHand{c}}})
	for _, s := range []saving{
		{"change", saver.change, inFlight, false},
		{"update", saver.update, inFlight, false},
		{"claim", func(v saver, _ *account.Account) measure.Op { return v.claim(newMember) }, inFlight, false},
		{"update of one row", saver.update, writers, true},
	} {
		those := variants
		if s.work == "claim" {
			those = claimants
		}
		for _, n := range s.inFlight {
			for _, v := range those {
				loads = append(loads, measure.Load{Work: s.work, Variant: v.name, InFlight: n, Worker: s.worker(v.saver), Counter: c.frames.n.Load})
			}
		}
	}
	return loads, nil
}

// saving is a kind of work on accounts.
type saving struct {
	work     string
	op       func(saver, *account.Account) measure.Op
	inFlight []int
	shared   bool // all workers save the same account
}

// worker returns the function that returns the operation of each worker of a load.
func (s saving) worker(v saver) func(i int) (measure.Op, error) {
	a := newAccount()
	return func(i int) (measure.Op, error) {
		if i > 0 && !s.shared {
			a = newAccount()
		}
		if i == 0 || !s.shared {
			if err := v.create(a); err != nil {
				return nil, err
			}
		}
		if s.shared {
			return repeated(s.op(v, a)), nil
		}
		return s.op(v, a), nil
	}
}

// repeated returns an operation that begins again when a server has timed out. A server on a busy machine does so for reads and
// conditional statements of a row that several writers save. The duration of the operation includes all attempts.
func repeated(op measure.Op) measure.Op {
	return func() error {
		for {
			err := op()
			_, read := errors.AsType[*gocql.RequestErrReadTimeout](err)
			_, write := errors.AsType[*gocql.RequestErrWriteTimeout](err)
			if !read && !write {
				return err
			}
		}
	}
}

// lookupTable is the table of emails that hand-written code uses.
const lookupTable = "CREATE TABLE IF NOT EXISTS member_emails (email text PRIMARY KEY, id uuid);\n"

// fillVersioned creates the tables of package account.
func (c *Client) fillVersioned(ctx context.Context) (err error) {
	if err := c.create(ctx, lookupTable+account.Schema); err != nil {
		return err
	}
	c.accounts, err = account.Open(ctx, c.session, mapper.Config{})
	return err
}

// numbers are the new identifiers of accounts and members.
var numbers atomic.Uint64

func newID() gocql.UUID {
	id := account.Sample().ID
	binary.BigEndian.PutUint64(id[8:], numbers.Add(1))
	return id
}

func newAccount() *account.Account {
	a := account.Sample()
	a.ID = newID()
	return a
}

func newMember() *account.Member {
	m := account.SampleMember()
	m.ID = newID()
	m.Email = m.ID.String() + "@example.com"
	return m
}

// saves calls the generated store.
type saves struct{ *account.Store }

func (s saves) create(a *account.Account) error { return s.Accounts.Insert(context.Background(), a) }

func (s saves) change(a *account.Account) measure.Op {
	old, changed := *a, *a
	return func() error {
		changed.Total++
		err := s.Accounts.Change(context.Background(), &old, &changed)
		old.Total, old.Version = changed.Total, changed.Version
		return err
	}
}

func (s saves) update(a *account.Account) measure.Op {
	return func() error {
		_, err := s.Accounts.Update(context.Background(), a.ID, func(a *account.Account) error { a.Total++; return nil })
		return err
	}
}

func (s saves) claim(next func() *account.Member) measure.Op {
	return func() error { return s.Members.Insert(context.Background(), next()) }
}
