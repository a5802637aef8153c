package copydata

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/migrate/catalog"
)

// Rows says what goes where: each row of From becomes one of To, or of From itself where both are one table.
type Rows struct {
	From, To string // tables of the session's keyspace, with the case they are stored in
	// Columns has every column of To's primary key, unless both are one table, and whatever else is to be copied, in any
	// order. Two tables of different keys are sound where no two rows of From become one of To.
	Columns []Column
}

// Column says where the value of a column comes from.
type Column struct {
	From, To string
	// Convert makes the value of To from that of From. Nil: the two have one type, apart from what of it is frozen; or a
	// counter becomes a bigint.
	Convert Conversion
}

const (
	parallel = 16 // rows that are written at a time
	longAgo  = 1  // the write time of a row that nothing tells the time of, in microseconds since 1970
)

// Run reads all of From, page by page at LOCAL_QUORUM, and writes To. Before anything is read, a copy that cannot be is
// refused: a table or column that is not there, a column of To's key that nothing fills, types that differ without a
// Convert, counters to be written. Rows that cannot be copied, because a key would be null or Convert refuses a value, are
// errors that name the token of their partition, and end the copy. Run may be called again, as long as the package's
// documentation says.
func (c Rows) Run(ctx context.Context, session gocqlx.Session) error {
	if err := c.run(ctx, session); err != nil {
		return fmt.Errorf("copydata: copy %s to %s: %w", c.From, c.To, err)
	}
	return nil
}

func (c Rows) run(ctx context.Context, session gocqlx.Session) error {
	keyspace := session.Session.Query("").Keyspace()
	if keyspace == "" {
		return errors.New("the session has no keyspace: set Keyspace of the gocql.ClusterConfig")
	}
	k, err := catalog.Inspect(ctx, session.Session, keyspace)
	if err != nil {
		return err
	}
	l, err := c.layout(k)
	if err != nil {
		return err
	}
	return (&copying{layout: l, session: session.Session}).all(ctx)
}

// all copies row after row, several at a time, up to the first that cannot be.
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
			if err := c.write(ctx, r); err != nil {
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
