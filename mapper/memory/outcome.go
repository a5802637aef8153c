package memory

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Request is a write or a query of a store, as a server would see it.
type Request struct {
	Write       bool     // false: a query
	Conditional bool     // a write with a condition (IF)
	Tables      []string // each once, in the order of the statements
	Timestamp   int64    // set for a write without a condition, in microseconds since 1970; 0 of counters
}

// Outcome describes how a request ends.
type Outcome uint8

// The outcomes. A store repeats a request that ends in NotSent, LostRequest or LostAnswer up to three times, with pauses of about
// 50 milliseconds that double; each attempt is a request. An Add of counters and an element that is added to a list are repeated
// only after NotSent.
const (
	Done        Outcome = iota // it is executed
	Refused                    // it is not executed, because too few replicas are alive
	NotSent                    // it is not executed, because there is no connection
	LostRequest                // it is not executed; the caller only gets a time-out
	LostAnswer                 // it is executed; the caller only gets a time-out
)

// String returns the name of the outcome.
func (o Outcome) String() string {
	return [...]string{"Done", "Refused", "NotSent", "LostRequest", "LostAnswer"}[o]
}

// Intercept sets a function that is called before each following request and decides how it ends. If f is nil, all requests are
// executed. f is called by the goroutine that uses the store. It can use stores on the same backend, to simulate writes of
// another client; f is called for those requests, too.
func (b *Backend) Intercept(f func(Request) Outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.intercept = f
}

// outcome calls the interceptor for a request, without holding a lock.
func (b *Backend) outcome(r Request) Outcome {
	b.mu.RLock()
	f := b.intercept
	b.mu.RUnlock()
	if f == nil {
		return Done
	}
	return f(r)
}

func newRequest(mutations []plan.Mutation, w store.Write) Request {
	r := Request{Write: true, Timestamp: w.Timestamp}
	for i := range mutations {
		if name := mutations[i].Table.Name; !slices.Contains(r.Tables, name) {
			r.Tables = append(r.Tables, name)
		}
	}
	return r
}

// failure is the error of a request for which the interceptor chose a failure.
type failure struct {
	text string
	err  error // the error of a driver
}

func (f *failure) Error() string { return "memory: " + f.text }

func (f *failure) Unwrap() error { return f.err }

// ofWrite returns the error of a write that ends in o.
func (o Outcome) ofWrite(w store.Write) error {
	switch o {
	case Done:
		return nil
	case Refused:
		return &store.Error{Outcome: store.Refused, Err: unavailable(w.Consistency)}
	case NotSent:
		return &store.Error{Outcome: store.NotSent, Err: errNotSent}
	}
	return &store.Error{Outcome: store.Unknown, Err: &failure{"the write timed out", answered(driver.CodeWriteTimeout, w.Consistency)}}
}

// ofCAS returns the error of a conditional statement that ends in o.
func (o Outcome) ofCAS(w store.CAS) error {
	if o == LostRequest || o == LostAnswer {
		return &store.Error{Outcome: store.Unknown, Err: &failure{"the conditional write timed out",
			answered(driver.CodeWriteTimeout, w.Serial)}}
	}
	return o.ofWrite(store.Write{Consistency: w.Consistency})
}

// ofRead returns the error of a query that ends in o.
func (o Outcome) ofRead(c driver.Consistency) error {
	switch o {
	case Done:
		return nil
	case Refused:
		return unavailable(c)
	case NotSent:
		return errNotSent
	}
	return &failure{"the query timed out", answered(driver.CodeReadTimeout, c)}
}

func unavailable(c driver.Consistency) error {
	return &failure{"too few replicas are available", answered(driver.CodeUnavailable, c)}
}

var errNotSent = &failure{"there is no connection", &driver.Error{Class: driver.NotConnected, Err: errors.New("no connection")}}

// answered returns the error of a server.
func answered(code int, c driver.Consistency) error {
	return &driver.Error{Class: driver.Answered, Code: code, Consistency: c, Err: fmt.Errorf("a server has answered %#04x", code)}
}
