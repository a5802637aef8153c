package conformance

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// Pair is a backend that sends every write to a server and to a memory backend, and compares the reads of both. Several
// stores of one schema can be opened on it. They read the rows of the server.
type Pair struct {
	both
	tables []*descriptor.Table

	mu     sync.Mutex
	report Report
}

var _ store.Backend = (*Pair)(nil)

// NewPair returns a pair of the session's keyspace and a memory backend.
func NewPair(session *gocql.Session, config memory.Config) *Pair {
	return &Pair{both: both{session: session, server: store.CQL{Session: gocqldriver.New(gocqlx.NewSession(session))}, backend: memory.New(config)}}
}

// Now is the clock of the memory backend.
func (p *Pair) Now() time.Time { return p.backend.Now() }

// Open opens the memory backend; the keyspace must have the tables of the schema.
func (p *Pair) Open(ctx context.Context, schema *descriptor.Schema) (s store.Store, err error) {
	if p.local, err = p.backend.Open(ctx, schema); err != nil {
		return nil, err
	}
	p.tables = schema.Tables
	return p, nil
}

// CAS sends a conditional statement to both and compares the answers.
func (p *Pair) CAS(ctx context.Context, c *plan.Conditional, w store.CAS) (store.Answer, error) {
	server, err := p.server.CAS(ctx, c, w)
	if err != nil {
		return server, err
	}
	local, err := p.local.CAS(ctx, c, w)
	if err != nil {
		return local, err
	}
	var r Report
	r.differ("the answer to "+c.CQL, answerText(server), answerText(local))
	p.note(&r)
	return server, nil
}

// answerText prints an answer; a null of a refused row as one.
func answerText(a store.Answer) string {
	text := fmt.Sprint(a.Applied)
	for _, c := range a.Row {
		if c == nil {
			text += " null"
		} else {
			text += fmt.Sprintf(" %x", []byte(c))
		}
	}
	return text
}

// Rows reads from both and compares.
func (p *Pair) Rows(ctx context.Context, q store.Read) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		var r Report
		rows, err := p.compareRead(ctx, &r, q)
		if p.note(&r); err != nil {
			yield(nil, err)
			return
		}
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// Row reads from both and compares.
func (p *Pair) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	return store.First(p.Rows(ctx, l.Read))
}

// Page reads from both and compares, also where their pages have different sizes. A state contains the states of both.
func (p *Pair) Page(ctx context.Context, q store.Read, state []byte) (store.Page, error) {
	states := cell.Members(state)
	server, serverState, err := rowsOfPage(p.server.Page(ctx, q, states.Next()))
	if err != nil {
		return store.Page{}, err
	}
	local, localState, err := rowsOfPage(p.local.Page(ctx, q, states.Next()))
	if err != nil {
		return store.Page{}, err
	}
	var r Report
	r.differ(fmt.Sprintf("a page of %s %x", q.Statement(), q.Args()), strings.Join(text(&q, server), ""), strings.Join(text(&q, local), ""))
	if p.note(&r); len(serverState) == 0 {
		return store.NewPage(server, nil), nil
	}
	return store.NewPage(server, cell.AppendValue(cell.AppendValue(nil, serverState), localState)), nil
}

// rowsOfPage returns the rows and the state of a page.
func rowsOfPage(page store.Page, err error) (rows []cell.Row, state []byte, _ error) {
	for row, rowErr := range page.All() {
		if rowErr != nil {
			return nil, nil, rowErr
		}
		rows = append(rows, slices.Clone(row))
	}
	return rows, page.State, err
}

func (p *Pair) note(r *Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report.add(r)
}

// Compare reads all rows of all tables, with the WRITETIME and TTL of every cell. It returns all differences since the pair
// was created, and the number of rows.
func (p *Pair) Compare(ctx context.Context) (*Report, error) {
	var r Report
	for _, t := range p.tables {
		if err := p.compareTable(ctx, &r, (*plan.Table)(t)); err != nil {
			return nil, err
		}
	}
	p.note(&r)
	p.mu.Lock()
	defer p.mu.Unlock()
	return new(p.report), nil
}

// compareTable compares a table, without regard to the order of its partitions.
func (p *Pair) compareTable(ctx context.Context, r *Report, t *plan.Table) error {
	q := store.Read{Table: t, Consistency: driver.LocalQuorum}
	server, err := collect(ctx, p.server, q)
	if err != nil {
		return err
	}
	local, err := collect(ctx, p.local, q)
	if err != nil {
		return err
	}
	r.Rows += len(server)
	r.differ(t.Name, strings.Join(slices.Sorted(slices.Values(text(&q, server))), ""), strings.Join(slices.Sorted(slices.Values(text(&q, local))), ""))
	serverTimes, err := p.serverTimes(ctx, t, "")
	if err != nil {
		return err
	}
	localTimes, err := p.localTimes(t, func(string) bool { return true })
	if err != nil {
		return err
	}
	r.differ("times of "+t.Name, strings.Join(serverTimes, "; "), strings.Join(localTimes, "; "))
	return nil
}

// Clock returns the timestamps of the writes of the stores on the pair.
func (p *Pair) Clock() *store.Clock { return p.backend.Clock() }
