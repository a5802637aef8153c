package call

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// reads are the options that apply to reads alone. The reads of a write do not use them.
type reads struct {
	consistency driver.Consistency // driver.Any: the consistency of the store
	speculate   time.Duration      // the time after which the read of one row is sent a second time; 0: never
}

// check returns the error of invalid options of reads, or nil. serial reports whether reads see a conditional statement in flight.
func (o reads) check(serial bool) error {
	switch c := o.consistency; c {
	case driver.Any:
	case driver.One, driver.Two, driver.Three, driver.LocalOne, driver.Quorum, driver.LocalQuorum, driver.EachQuorum, driver.All:
		if serial {
			return errors.New("mapper.Options.Serial and Options.ReadConsistency exclude each other: a serial read has its own consistency")
		}
	default:
		return fmt.Errorf("mapper.Options.ReadConsistency is %v: use a level from ONE to ALL, or Options.Serial", c)
	}
	if o.speculate < 0 {
		return fmt.Errorf("mapper.Options.SpeculativeDelay is %v: use more than 0, or 0 for no second request", o.speculate)
	}
	return nil
}

// speculates reports whether a read of one row can be sent a second time. A serial read is not: each one costs rounds of Paxos, which
// delay each other.
func (r Reader) speculates(read *store.Read) bool {
	return r.DB.reads.speculate > 0 && !r.DB.oneAtATime() && !read.Serial()
}

// speculate calls send with a read, and again if it has no answer after Options.SpeculativeDelay. It returns the first answer, and cancels the
// other request. If one of them fails, it waits for the other. send returns the number of rows for the tracer, too. Both calls of send
// have returned when speculate returns.
func speculate[T any](ctx context.Context, r Reader, op string, read store.Read, send func(context.Context, store.Read) (T, int, error)) (T, error) {
	type answer struct {
		v   T
		err error
	}
	ctx, cancel := context.WithCancel(ctx)
	var requests sync.WaitGroup
	defer requests.Wait()
	defer cancel()
	answers := make(chan answer, 2)
	start := func(read store.Read) {
		requests.Go(func() {
			a := answer{err: ErrExited} // a tracer can end the goroutine
			defer func() { answers <- a }()
			ctx, end := r.DB.TraceRead(ctx, op, &read)
			v, rows, err := send(ctx, read)
			end(err, rows)
			a = answer{v, err}
		})
	}
	start(read)
	timer := time.NewTimer(r.DB.reads.speculate)
	defer timer.Stop()
	for waiting := 1; ; {
		select {
		case a := <-answers:
			if waiting--; a.err == nil || waiting == 0 {
				return a.v, a.err
			}
		case <-timer.C:
			read.Second = true
			start(read)
			waiting++
		}
	}
}
