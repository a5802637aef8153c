package copydata

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cassaml/cassaml/mapper/driver"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Rows describes a copy: each row of From becomes a row of To, or gets further values if From and To are the same table.
type Rows struct {
	From, To string // tables of the session's keyspace, in the case of their stored names
	// Columns has every column of To's primary key, unless From and To are the same table, and the other columns to copy, in any
	// order. If the keys of the tables differ, no two rows of From may become the same row of To.
	Columns []Column
	// Serial reads each partition of From by serial reads, so that they see a conditional statement in flight. It is for the table of a
	// versioned root, which only conditional statements write.
	Serial bool
}

const (
	parallel = 16 // rows that are written at the same time
	longAgo  = 1  // the write time of a row without a write time, in microseconds since 1970
)

// Run reads all of From, page by page at LOCAL_QUORUM unless Serial is set, and writes To. Before it reads anything, it refuses an invalid copy: missing tables
// or columns, a column of To's key without a source, types that differ without a Convert, a counter as a target. A row that cannot be
// copied, because a column of the key would be null or Convert refuses a value, ends the copy with an error that contains the token of its
// partition. Run may be called again within the time that the documentation of the package describes.
func (c Rows) Run(ctx context.Context, session driver.Session) error {
	if err := c.run(ctx, session); err != nil {
		return fmt.Errorf("copydata: copy %s to %s: %w", c.From, c.To, err)
	}
	return nil
}

func (c Rows) run(ctx context.Context, session driver.Session) error {
	l, err := c.inspected(ctx, session)
	if err != nil {
		return err
	}
	return (&copying{layout: l, session: session, each: func(ctx context.Context, c *copying, r row) error { return c.write(ctx, r) }}).all(ctx)
}

// inspected returns the layout of the copy in the keyspace of a session.
func (c Rows) inspected(ctx context.Context, session driver.Session) (*layout, error) {
	if err := driver.Check(session); err != nil {
		return nil, err
	}
	keyspace := session.Keyspace()
	if keyspace == "" {
		return nil, errors.New("the session has no keyspace: set Keyspace of the gocql.ClusterConfig")
	}
	k, err := catalog.Inspect(ctx, session, keyspace)
	if err != nil {
		return nil, err
	}
	l, err := c.layout(k)
	if err != nil {
		return nil, err
	}
	l.serial = c.Serial
	return l, l.verifyServers(ctx, session)
}

// verifyServers refuses columns of several cells if a node has no write times of them.
func (l *layout) verifyServers(ctx context.Context, session driver.Session) error {
	var untimed []string
	for _, c := range slices.Concat((&copying{layout: l}).sources(), l.unseen) {
		if !c.InKey() && c.Type.MultiCell() {
			untimed = append(untimed, model.Quote(c.Name)+" "+c.Type.String())
		}
	}
	if untimed == nil {
		return nil
	}
	oldest, _, err := systemschema.Oldest(ctx, session, driver.Repeat)
	if err == nil && oldest.Before(5, 0) {
		err = fmt.Errorf("%v; it has no write times of lists, sets, maps and user-defined types that are not frozen: %s: upgrade every node to Cassandra 5.0",
			oldest, strings.Join(untimed, ", "))
	}
	return err
}

// all copies the rows, several at the same time, until the first error.
func (c *copying) all(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var working sync.WaitGroup
	slots := make(chan struct{}, parallel)
	err := c.read(ctx, func(r row) error {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		working.Go(func() {
			defer func() { <-slots }()
			if err := c.each(ctx, c, r); err != nil {
				stop(err)
			}
		})
		return nil
	})
	working.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// copying is a running copy.
type copying struct {
	*layout
	session driver.Session
	each    func(ctx context.Context, c *copying, r row) error // copies a row
}

// layout checks whether a copy is possible, and returns all faults.
func (c Rows) layout(k *catalog.Keyspace) (*layout, error) {
	l := &layout{from: k.Table(c.From), to: k.Table(c.To), types: k}
	for _, name := range []string{c.From, c.To} {
		if k.Table(name) == nil {
			return nil, fmt.Errorf("table %s does not exist", model.Quote(name))
		}
	}
	filled := map[string]column{}
	var wrong []error
	for _, key := range l.from.Key() {
		wrong = append(wrong, l.readable(key))
		if c.From == c.To {
			filled[key.Name] = column{from: key, to: key}
		}
	}
	for _, x := range c.Columns {
		of, err := l.resolve(x)
		if _, twice := filled[x.To]; twice {
			err = fmt.Errorf("column %s has two sources", model.Quote(x.To))
		}
		wrong = append(wrong, err)
		if filled[x.To] = of; err == nil && !of.to.InKey() {
			of.slots = l.slots(of.to)
			l.others = append(l.others, of)
		}
	}
	for _, key := range l.to.Key() {
		if _, there := filled[key.Name]; !there {
			wrong = append(wrong, fmt.Errorf("column %s of the primary key of %s has no source", model.Quote(key.Name), model.Quote(c.To)))
		}
		of := filled[key.Name]
		of.form = l.form(key)
		if key.Kind == schema.PartitionKey {
			l.partition = append(l.partition, of)
		} else {
			l.cluster = append(l.cluster, of)
		}
	}
	if c.From != c.To {
		l.unseen = l.notCopied()
	}
	return l, errors.Join(wrong...)
}

// attempts is how often a request that is safe to repeat is sent.
const attempts = 4
