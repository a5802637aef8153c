package mapper

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cassaml/cassaml/mapper/internal/rowname"
)

// ErrNotFound is a Get or an Update of a row that is not there.
var ErrNotFound = errors.New("not found")

// ErrKeyChanged is returned by an Update or a Change whose new value has another primary key. Nothing was sent.
var ErrKeyChanged = errors.New("the primary key of an aggregate cannot change: insert the value under its new key and delete the old one")

// Fault is one fault of a value.
type Fault struct {
	Path    string // Vehicles[2].Plate
	Problem string // is required
}

// ConstraintError is a value that breaks a rule of the model, or that Cassandra cannot hold. Nothing was sent.
type ConstraintError struct {
	Aggregate string // the Go name of the struct
	Table     string
	Key       string // id=7; empty when the key itself cannot be encoded
	Faults    []Fault
}

// Error lists all faults.
func (e *ConstraintError) Error() string {
	text := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		text[i] = f.Path + " " + f.Problem
	}
	return "mapper: " + rowname.Of(e.Aggregate, e.Table, e.Key) + ": " + strings.Join(text, "; ")
}

// UnknownOutcomeError is a write that may or may not have been carried out, or will be later: its requests timed
// out, or the connection broke. It was repeated before this error.
type UnknownOutcomeError struct {
	Aggregate  string
	Table      string
	Key        string
	Repeatable bool  // calling the same method again, with the same arguments, is safe: not after Update, nor after an Import with a list that is not frozen
	Err        error // the driver's
}

// Error returns a message that includes whether the call can be repeated.
func (e *UnknownOutcomeError) Error() string {
	advice := "repeating the call is safe"
	if !e.Repeatable {
		advice = "read before repeating the call"
	}
	return fmt.Sprintf("mapper: %s: outcome unknown, %s: %v", rowname.Of(e.Aggregate, e.Table, e.Key), advice, e.Err)
}

// Unwrap returns the driver's error.
func (e *UnknownOutcomeError) Unwrap() error { return e.Err }

// OutcomeUnknown reports whether err is that of a write that may or may not have been carried out, or will be later. Any
// other error of a write means that nothing was written.
func OutcomeUnknown(err error) bool {
	var unknown *UnknownOutcomeError
	return errors.As(err, &unknown)
}

// SafeToRepeat reports whether the call of a store that returned err can be made again with the same arguments without
// harm: nothing was written, or writing it again changes nothing. It does not say that repeating helps. A nil error is
// not safe to repeat: the call has succeeded.
func SafeToRepeat(err error) bool {
	var unknown *UnknownOutcomeError
	return err != nil && (!errors.As(err, &unknown) || unknown.Repeatable)
}

// BatchTooLargeError is a write that the server would refuse for its size. Nothing was sent.
type BatchTooLargeError struct {
	Aggregate string
	Table     string
	Key       string
	Bytes     int // estimated
	Limit     int // Config.BatchLimit, or the 16 MiB of a mutation and of a request
}

// Error returns both sizes, and what bounds them.
func (e *BatchTooLargeError) Error() string {
	or := ""
	if e.Limit < largestMutation {
		or = ", or set Config.BatchLimit to batch_size_fail_threshold of the servers"
	}
	return fmt.Sprintf("mapper: %s: the write has %d bytes, the limit is %d: hold less in one aggregate (max= bounds a collection)%s",
		rowname.Of(e.Aggregate, e.Table, e.Key), e.Bytes, e.Limit, or)
}

// largestMutation is the limit in bytes that no Config raises.
const largestMutation = 16 << 20

// DecodeError is a row of which a column holds what its type does not allow.
type DecodeError struct {
	Aggregate string
	Table     string
	Key       string
	Column    string // the CQL name
	Path      string // Vehicles[2].Plate: the value in the column, by its Go names
	Problem   string
}

// Error names the column and the value in it.
func (e *DecodeError) Error() string {
	column := e.Column
	if e.Path != "" {
		column += " (" + e.Path + ")"
	}
	return fmt.Sprintf("mapper: %s: column %s %s", rowname.Of(e.Aggregate, e.Table, e.Key), column, e.Problem)
}

// SchemaError lists what the keyspace lacks or has otherwise than the model.
type SchemaError struct {
	Keyspace string
	Faults   []SchemaFault
}

// SchemaFault is one difference.
type SchemaFault struct {
	Table    string // of a table or an index; else empty
	Type     string // of a UDT; else empty
	Column   string // the column, or the UDT's field; empty when the table or UDT as a whole is missing
	Index    string // of an index of the table: what it has to index, as CREATE INDEX names it; else empty
	Property string // of a property of the table: gc_grace_seconds, or id; else empty
	Want     string // int, as the model has it
	Have     string // text, as the keyspace has it; empty: missing
}

// String puts the difference in one line.
func (f SchemaFault) String() string {
	what := "table " + f.Table
	if f.Type != "" {
		what = "type " + f.Type
	}
	switch {
	case f.Index != "":
		what = "index on " + f.Table + " (" + f.Index + ")"
	case f.Column != "":
		what += "." + f.Column
	case f.Property != "":
		what = f.Property + " of " + what
	}
	if f.Have == "" {
		return what + " is missing"
	}
	return fmt.Sprintf("%s is %s, not %s", what, f.Have, f.Want)
}

// Error lists all differences, and what makes what is missing.
func (e *SchemaError) Error() string {
	text := make([]string, len(e.Faults))
	missing := ""
	for i, f := range e.Faults {
		text[i] = f.String()
		if f.Have == "" {
			missing = ": apply the migrations first (migrate.Up); aml diff NAME writes what none of them makes"
		}
	}
	return fmt.Sprintf("mapper: keyspace %s: %s%s", e.Keyspace, strings.Join(text, "; "), missing)
}

// ClockError is a clock that differs from the clocks of the servers by more than Config.MaxClockSkew. Nothing was sent: a
// client whose clock is ahead hides later writes of others, and one whose clock is behind has its writes hidden. Open returns
// it, and so does every write while the clock is wrong: after three checks at least a second apart, until a check finds
// the clock right again.
type ClockError struct {
	Host  string        // the node whose clock is the median
	Skew  time.Duration // how far Config.Now is ahead of that clock; negative: behind. Half the round trip is allowed for
	Limit time.Duration // Config.MaxClockSkew
}

// Error returns the difference and the limit.
func (e *ClockError) Error() string {
	direction, skew := "ahead of", e.Skew
	if skew < 0 {
		direction, skew = "behind", -skew
	}
	return fmt.Sprintf("mapper: the clock is %v %s that of %s, the limit is %v: synchronize the clocks, or set Config.MaxClockSkew",
		skew.Round(time.Millisecond), direction, e.Host, e.Limit)
}
