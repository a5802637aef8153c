package mapper

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cassaml/cassaml/mapper/internal/rowname"
)

// ErrNotFound is returned by a read of one row, an Update, or a DeleteAt of a versioned aggregate, if the row does not exist.
var ErrNotFound = errors.New("not found")

// ErrKeyChanged is returned by an Update or a Change whose new value has a different primary key. Nothing was sent.
var ErrKeyChanged = errors.New("the primary key of an aggregate cannot change: insert the value under its new key and delete the old one")

// ErrExists is returned by an Insert of a versioned aggregate if there is a row with its identifier. Nothing was written.
var ErrExists = errors.New("already exists")

// ErrConflict is returned by a Change, a DeleteAt or a Put of a value with a version if another call has written the versioned aggregate
// since the given version. The other methods start over in this case, and return ErrConflict if none of their attempts has succeeded
// when the time of the call ends. Nothing was written.
var ErrConflict = errors.New("the version has changed")

// ErrBusy is returned by a write of a versioned aggregate if another write has claimed one of its unique values, or another call is deleting
// the aggregate or one to which it refers, and has neither succeeded nor failed when the time of the call ends. Nothing was written.
var ErrBusy = errors.New("another write has not ended: it has claimed a unique value of this one, or is deleting the aggregate or one that it refers to: " +
	"try again; when Config.Lease has passed since then, the next write takes the value over, or ends the deletion")

// ErrUnfilled is returned by a Delete of an aggregate whose holders are not all known yet, because a migration that makes their references
// checked has not ended. Nothing was deleted.
var ErrUnfilled = errors.New("the aggregates that refer to it are not all known")

// HeldError reports a Delete of an aggregate to which another refers by a checked association with ondelete=restrict, or by one with copies. Nothing
// was deleted, but the version of the aggregate was raised.
type HeldError struct {
	Aggregate   string // the Go name of the struct of the aggregate that was not deleted
	Table       string
	Key         string // id=7
	Field       string // the field or fields of the holder that refer to it: PayerID
	Holder      string // the Go name of the struct of the aggregate that refers to it
	HolderTable string
	HolderKey   string
}

// Error returns a message with the aggregate and its holder.
func (e *HeldError) Error() string {
	return fmt.Sprintf("mapper: Delete %s: %s refers to it by %s: delete that first, or let it refer to another", rowname.Format(e.Aggregate, e.Table, e.Key),
		rowname.Format(e.Holder, e.HolderTable, e.HolderKey), e.Field)
}

// operationText returns an operation as the beginning of a message.
func operationText(operation string) string {
	if operation == "" {
		return ""
	}
	return operation + " "
}

// PendingError reports a Delete of an aggregate to which more others refer, by checked associations with ondelete=cascade or clear, than one call deletes or
// clears (Config.FanOutInline). The aggregate still exists and is being deleted: FanOut, Reconcile or another Delete finishes the deletion.
type PendingError struct {
	Aggregate string // the Go name of the struct of the aggregate that is being deleted
	Table     string
	Key       string // id=7
	Done      int    // the number of aggregates that the call has deleted or cleared
}

// Error returns a message with the aggregate and the ways to finish its deletion.
func (e *PendingError) Error() string {
	return fmt.Sprintf("mapper: Delete %s: %d aggregates that refer to it were deleted or cleared, and there are more: FanOut, Reconcile or another Delete finishes the deletion",
		rowname.Format(e.Aggregate, e.Table, e.Key), e.Done)
}

// DuplicateError reports a unique value that another aggregate has. Nothing was written.
type DuplicateError struct {
	Operation string // the method: Insert; empty if the error is part of an error that names it
	Aggregate string // the Go name of the struct
	Table     string
	Key       string // the key of the value that was not saved: id=7
	Field     string // the unique field or fields: Email
	Value     string // "…" if the model marks the field as secret
	Owner     string // the key of the aggregate that has the value: id=3
}

// Error returns a message with the value and its owner.
func (e *DuplicateError) Error() string {
	return fmt.Sprintf("mapper: %s%s: %s %s is taken by %s", operationText(e.Operation), rowname.Format(e.Aggregate, e.Table, e.Key), e.Field, e.Value, rowname.Format(e.Aggregate, e.Table, e.Owner))
}

// Violation is one fault of a value.
type Violation struct {
	Path    string // Vehicles[2].Plate
	Problem string // is required
}

// ConstraintError reports a value that violates a rule of the model, or that Cassandra cannot store, or a reference to a root that does not exist.
// Nothing was saved.
type ConstraintError struct {
	Operation  string // the method: Insert; empty if the error is part of an error that names it
	Aggregate  string // the Go name of the struct
	Table      string
	Key        string // id=7; empty when the key itself cannot be encoded
	Violations []Violation
}

// shownFaults is the greatest number of faults in the message of a ConstraintError: a value can have any number of elements.
const shownFaults = 100

// Error returns a message with the first 100 faults, and the number of the others.
func (e *ConstraintError) Error() string {
	shown := e.Violations[:min(shownFaults, len(e.Violations))]
	text := make([]string, 0, len(shown)+1)
	for _, f := range shown {
		text = append(text, f.Path+" "+f.Problem)
	}
	if more := len(e.Violations) - len(shown); more > 0 {
		text = append(text, fmt.Sprintf("and %d more", more))
	}
	return "mapper: " + operationText(e.Operation) + rowname.Format(e.Aggregate, e.Table, e.Key) + ": " + strings.Join(text, "; ")
}

// UnknownOutcomeError reports a write that may or may not have been executed, or may be executed later: its requests
// timed out, or the connection broke. The write was repeated before this error was returned, except for an Add of counters
// and an element that is added to a list.
type UnknownOutcomeError struct {
	Operation string // the method: Insert; empty if the error is part of an error that names it
	Aggregate string // Aggregate, Table and Key describe the first write of a batch
	Table     string
	Key       string
	Writes    int // the number of writes of a batch; otherwise 0
	// Repeatable reports whether the same method can safely be called again with the same arguments, or a batch with the same writes
	// can be run. It is false after Update, after an Import with a list that is not frozen, after an Add of counters, after an
	// Append or a Prepend, and after every write of a versioned aggregate except Delete and
	// a Put of a value without a version.
	Repeatable bool
	// Tables are the tables whose rows may not have been written, if a write of a large aggregate was several batches; nil if it was
	// one. If the table of the root is not one of them, the root has been written. Repeating the call writes the other rows, too, if
	// it is Repeatable; otherwise Reconcile of the row writes them.
	Tables []string
	Err    error // the driver's error
}

// Error returns a message that states whether the call can be repeated.
func (e *UnknownOutcomeError) Error() string {
	advice := "repeating the call is safe"
	if !e.Repeatable {
		advice = "read before repeating the call"
	}
	where := ""
	if e.Tables != nil {
		where = " in " + strings.Join(e.Tables, ", ")
	}
	return fmt.Sprintf("mapper: %s%s: outcome unknown%s, %s: %v", operationText(e.Operation), rowname.First(e.Aggregate, e.Table, e.Key, e.Writes), where, advice, e.Err)
}

// Unwrap returns the error of the driver.
func (e *UnknownOutcomeError) Unwrap() error { return e.Err }

// OutcomeUnknown reports whether err belongs to a write that may or may not have been executed, or may be executed later. Any
// other error of a write of one aggregate, except a [PendingError], means that nothing was saved, unless its message names the
// exception: a Delete has deleted the row, but not all redundant rows of its parts; an Import was written, but its last read
// failed.
func OutcomeUnknown(err error) bool {
	var unknown *UnknownOutcomeError
	return errors.As(err, &unknown)
}

// SafeToRepeat reports whether the call of a store that returned err can safely be repeated with the same arguments:
// nothing was written, or writing it again changes nothing. The repeated call can fail again. For a nil error it returns
// false, because the call has succeeded.
func SafeToRepeat(err error) bool {
	var unknown *UnknownOutcomeError
	return err != nil && (!errors.As(err, &unknown) || unknown.Repeatable)
}

// BatchTooLargeError reports a write that the server would refuse because of its size. Nothing was sent.
type BatchTooLargeError struct {
	Operation string // the method: Insert; empty if the error is part of an error that names it
	Aggregate string // Aggregate, Table and Key describe the first write of a batch
	Table     string
	Key       string
	Writes    int // the number of writes of a batch; otherwise 0
	Bytes     int // estimated
	Limit     int // Config.BatchLimit, or 16 MiB, the limit of a mutation and of a request
}

// Error returns a message with the size, the limit and how to stay below it.
func (e *BatchTooLargeError) Error() string {
	advice, or := "store less in one aggregate (max= bounds a collection)", ""
	if e.Writes > 1 {
		advice = "use several batches"
	}
	if e.Limit < largestMutation {
		or = ", or set Config.BatchLimit to batch_size_fail_threshold of the servers"
		if e.Writes == 0 {
			advice = "mark the aggregate as large, which allows several batches, " + advice
		}
	}
	return fmt.Sprintf("mapper: %s%s: the write has %d bytes, the limit is %d: %s%s", operationText(e.Operation),
		rowname.First(e.Aggregate, e.Table, e.Key, e.Writes), e.Bytes, e.Limit, advice, or)
}

// largestMutation is the limit in bytes that no Config can raise.
const largestMutation = 16 << 20

// DecodeError reports a row in which a column has a value that its type does not allow.
type DecodeError struct {
	Aggregate string
	Table     string
	Key       string
	Column    string // the CQL name
	Path      string // Vehicles[2].Plate: the value in the column, as a path of Go names
	Problem   string
}

// Error returns a message with the column and the path of the value in it.
func (e *DecodeError) Error() string {
	column := e.Column
	if e.Path != "" {
		column += " (" + e.Path + ")"
	}
	return fmt.Sprintf("mapper: %s: column %s %s", rowname.Format(e.Aggregate, e.Table, e.Key), column, e.Problem)
}

// RefusedRowsError reports rows of a root that a backfill skipped, because their copies cannot be written. The copies of all other
// rows are written. A later run that continues after the last checkpoint reads these rows again.
type RefusedRowsError struct {
	Job   string  // the operation on the rows: backfill of vehicles
	Rows  int     // the number of rows
	First []error // the reasons for at most 100 of them: *ConstraintError, *DecodeError or *BatchTooLargeError, with the key of the row
}

// shownRows is the number of rows in the message of a RefusedRowsError.
const shownRows = 10

// Error returns a message with the first rows, and how to change them.
func (e *RefusedRowsError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "mapper: %s: rows skipped: %d; give each a value that the model accepts (Put), or delete it, and run again", e.Job, e.Rows)
	for _, err := range e.First[:min(shownRows, len(e.First))] {
		b.WriteString("\n" + strings.TrimPrefix(err.Error(), "mapper: "))
	}
	if more := e.Rows - min(shownRows, len(e.First)); more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

// Unwrap returns the reasons for the first rows.
func (e *RefusedRowsError) Unwrap() []error { return e.First }

// Skipped returns the number of rows. Package migrate keeps a backfill open that returns an error with this method.
func (e *RefusedRowsError) Skipped() int { return e.Rows }

// ReferenceError reports a reference to a root that does not exist. errors.Is reports that it is ErrNotFound.
type ReferenceError struct {
	Aggregate string // the Go name of the struct that has the reference
	Table     string
	Key       string // the key of its row: id=7
	Field     string // Author, Family[2]: the reference, as a path of Go names
	Target    string // the Go name of the struct of the root
	TargetKey string // id=3; "…" for values that the model marks as secret
}

// Error returns a message with the row that has the reference, and with its target.
func (e *ReferenceError) Error() string {
	return fmt.Sprintf("mapper: %s: %s refers to %s %s: %v", rowname.Format(e.Aggregate, e.Table, e.Key), e.Field, e.Target, e.TargetKey, ErrNotFound)
}

// Unwrap returns ErrNotFound.
func (e *ReferenceError) Unwrap() error { return ErrNotFound }

// SchemaError lists the differences between the keyspace and the model: the missing and the different parts.
type SchemaError struct {
	Keyspace string
	Faults   []SchemaFault
	// Later are the migrations that migrate.Up applies after the function in which the store is opened has returned; nil if the store is
	// not opened in a function of a migration.
	Later []string
	// Unknown are the migrations that the keyspace has applied and that the folder of the program does not have, if migrate.Up was called
	// with the same session before: the program is older than the keyspace.
	Unknown []string
}

// SchemaFault is one difference.
type SchemaFault struct {
	Table    string // the table, also of an index; otherwise empty
	Type     string // the UDT; otherwise empty
	Column   string // the column, or the field of the UDT; empty when the table or the UDT itself is missing
	Index    string // the target of an index of the table, as CREATE INDEX writes it; otherwise empty
	Property string // a property of the table: gc_grace_seconds, or id; otherwise empty
	Want     string // int, as in the model
	Have     string // text, as in the keyspace; empty: missing
}

// String returns the difference as one line.
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

// Error returns a message that lists all differences, and how to create the missing parts.
func (e *SchemaError) Error() string {
	text := make([]string, len(e.Faults))
	missing := ""
	for i, f := range e.Faults {
		text[i] = f.String()
		if f.Have == "" {
			missing = e.remedy()
		}
	}
	return fmt.Sprintf("mapper: keyspace %s: %s%s", e.Keyspace, strings.Join(text, "; "), missing)
}

// remedy returns the part of the message that describes how to create the missing parts, if there are any.
func (e *SchemaError) remedy() string {
	switch {
	case len(e.Later) > 0:
		return ": migrate.Up calls this function before it applies " + strings.Join(e.Later, ", ") + ", which may create what is missing: " +
			"first deploy the release whose last migration calls the function, or call the function in a later file"
	case len(e.Unknown) > 0:
		return ": the keyspace has applied " + strings.Join(e.Unknown, ", ") + ", which this program does not have: deploy the release that has it; this program is older than the keyspace"
	}
	return ": apply the migrations first (migrate.Up); aml diff NAME writes the migration for what none of them creates"
}

// ServerVersionError reports a server that is too old for a model, or for a job on it. Nothing was read or written. The oldest node of the
// cluster counts: during an upgrade, each node can answer a request.
type ServerVersionError struct {
	Job     string // what needs the server: open the store, Reconcile
	Node    string // the address of the oldest node
	Version string // its version of Cassandra: 4.1.10
	Needs   []ServerNeed
}

// ServerNeed is a part of a model that a server before Cassandra 5.0 does not support.
type ServerNeed struct {
	Aggregate string // the Go name of the struct
	Table     string // the table; otherwise empty
	Type      string // the UDT; otherwise empty
	Column    string // the column, the field of the UDT or the target of the index
	Of        string // the type of the column: set<text>; empty for an index
	Feature   ServerFeature
}

// ServerFeature is a feature that a server before Cassandra 5.0 does not have.
type ServerFeature string

// The features.
const (
	NeedsWriteTime ServerFeature = "write times of lists, sets, maps and user-defined types that are not frozen"
	NeedsVector    ServerFeature = "vectors"
	NeedsIndex     ServerFeature = "storage-attached indexes (SAI)"
)

// remedy returns what to do if the server lacks the feature.
func (f ServerFeature) remedy() string {
	if f == NeedsWriteTime {
		return "make them frozen, or upgrade every node to Cassandra 5.0"
	}
	return "upgrade every node to Cassandra 5.0"
}

// String returns the part as one line: Customer: customers.emails set<text>.
func (n ServerNeed) String() string {
	text := n.Table + n.Type + "." + n.Column
	if n.Of != "" {
		text += " " + n.Of
	}
	if n.Feature == NeedsIndex {
		text = "index on " + n.Table + " (" + n.Column + ")"
	}
	return n.Aggregate + ": " + text
}

// Error returns a message that lists all parts of the model, by feature, and what to do.
func (e *ServerVersionError) Error() string {
	text := fmt.Sprintf("mapper: %s: node %s runs Cassandra %s", e.Job, e.Node, e.Version)
	for _, f := range []ServerFeature{NeedsWriteTime, NeedsVector, NeedsIndex} {
		var needs []string
		for _, n := range e.Needs {
			if n.Feature == f {
				needs = append(needs, n.String())
			}
		}
		if needs != nil {
			text += fmt.Sprintf("; it has no %s, which these need: %s: %s", f, strings.Join(needs, ", "), f.remedy())
		}
	}
	return text
}

// ClockError reports a clock that differs from the clocks of the servers by more than Config.MaxClockSkew. Nothing was
// sent: the writes of a client whose clock is ahead hide later writes of others, and the writes of a client whose clock is
// behind are hidden. Open returns this error, and so does every write while the clock is wrong: after three failed checks at
// least a second apart, until a check finds the clock right again.
type ClockError struct {
	Host  string        // the node whose clock is the median
	Skew  time.Duration // how far Config.Now is ahead of that clock, allowing for half the round trip; negative: behind
	Limit time.Duration // Config.MaxClockSkew
}

// Error returns a message with the difference and the limit.
func (e *ClockError) Error() string {
	direction, skew := "ahead of", e.Skew
	if skew < 0 {
		direction, skew = "behind", -skew
	}
	return fmt.Sprintf("mapper: the clock is %v %s that of %s, the limit is %v: synchronize the clocks, or set Config.MaxClockSkew",
		skew.Round(time.Millisecond), direction, e.Host, e.Limit)
}
