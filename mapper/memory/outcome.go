package memory

import (
	"slices"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Request is a write or a query of a store, as a server would see it.
type Request struct {
	Write     bool     // else it is a query
	Tables    []string // each once, in the order of the statements
	Timestamp int64    // of a write, in microseconds since 1970
}

// Outcome is how a request ends.
type Outcome uint8

// The outcomes. A store repeats what ends in NotSent, LostRequest or LostAnswer up to three times, with pauses that double
// from about 50 milliseconds on; each attempt is a request.
const (
	Done        Outcome = iota // it is carried out
	Refused                    // it is not, because too few replicas are alive
	NotSent                    // it is not, because there is no connection
	LostRequest                // it is not, and the caller is told only that it timed out
	LostAnswer                 // it is, and the caller is told only that it timed out
)

// String returns the outcome's name.
func (o Outcome) String() string {
	return [...]string{"Done", "Refused", "NotSent", "LostRequest", "LostAnswer"}[o]
}

// Intercept has f called before each request that begins from now on, to decide how it ends; nil ends them all well. F is
// called by the goroutine that uses the store. It can use stores on the same backend, for what another client does in
// between; those requests come to it as well.
func (b *Backend) Intercept(f func(Request) Outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.intercept = f
}

// outcome asks how a request is to end. No lock is held meanwhile.
func (b *Backend) outcome(r Request) Outcome {
	b.mu.RLock()
	f := b.intercept
	b.mu.RUnlock()
	if f == nil {
		return Done
	}
	return f(r)
}

func requestOf(mutations []plan.Mutation, w store.Write) Request {
	r := Request{Write: true, Timestamp: w.Timestamp}
	for i := range mutations {
		if name := mutations[i].Table.Name; !slices.Contains(r.Tables, name) {
			r.Tables = append(r.Tables, name)
		}
	}
	return r
}

// failure is a request that the backend was told to let fail.
type failure struct {
	text string
	err  error // as the driver would return it
}

func (f *failure) Error() string { return "memory: " + f.text }

func (f *failure) Unwrap() error { return f.err }

// ofWrite returns what the store learns of a write.
func (o Outcome) ofWrite(w store.Write) error {
	switch o {
	case Done:
		return nil
	case Refused:
		return &store.Error{Outcome: store.Refused, Err: unavailable(w.Consistency)}
	case NotSent:
		return &store.Error{Outcome: store.NotSent, Err: errNotSent}
	}
	return &store.Error{Outcome: store.Unknown, Err: &failure{"the write timed out", &gocql.RequestErrWriteTimeout{Consistency: w.Consistency, WriteType: "BATCH"}}}
}

// ofRead returns what the store learns of a query.
func (o Outcome) ofRead(c gocql.Consistency) error {
	switch o {
	case Done:
		return nil
	case Refused:
		return unavailable(c)
	case NotSent:
		return errNotSent
	}
	return &failure{"the query timed out", &gocql.RequestErrReadTimeout{Consistency: c}}
}

func unavailable(c gocql.Consistency) error {
	return &failure{"too few replicas are alive", &gocql.RequestErrUnavailable{Consistency: c, Required: 1}}
}

var errNotSent = &failure{"there is no connection", gocql.ErrNoConnections}
