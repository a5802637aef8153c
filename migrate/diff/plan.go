package diff

import (
	"errors"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Plan is the list of steps that change one keyspace to another.
type Plan struct {
	Steps []Step
	Funcs []Func // the functions that the steps call
	Hints []Hint // sorted as in the source

	// Generated are the functions that the steps call and that are in the Backfills of the generated package.
	Generated []string

	// After is the keyspace after the steps.
	After *catalog.Keyspace
}

// Step is a change with the reason for it.
type Step struct {
	Comment string // "" if the change needs no explanation
	Change
}

// String returns the step as it appears in a file, without a semicolon.
func (s Step) String() string {
	text := ""
	for line := range strings.Lines(s.Comment) {
		text += "-- " + line
	}
	if text != "" {
		text += "\n"
	}
	return text + s.Change.String()
}

// Directive reports whether the step is a directive instead of a statement.
func (s Step) Directive() bool {
	switch s.Change.(type) {
	case ShareType, UnshareType, CallFunc, Backfill, Fields:
		return true
	}
	return false
}

// Text returns each step as a text, as folder.Write expects them.
func (p *Plan) Text() []string {
	var out []string
	for _, s := range p.Steps {
		out = append(out, s.String())
	}
	return out
}

// String returns all steps as they appear in a file, each statement with its semicolon.
func (p *Plan) String() string {
	var blocks []string
	for _, s := range p.Steps {
		text := s.String()
		if !s.Directive() {
			text += ";"
		}
		blocks = append(blocks, text+"\n")
	}
	return strings.Join(blocks, "\n")
}

// Func is a Go function that a step calls. It moves data that no statement can move.
type Func struct {
	Name string // NAME of -- aml:func NAME
	From string // the object that it reads: "table clients", "column login of accounts"
	To   string // the object that it fills
	Move *Move  // the copy that it makes; nil if it must be written by hand
	Why  string // why it must be written by hand; "" if that is always so
}

// GoName returns the name of the Go function.
func (f Func) GoName() string { return model.CamelCase(f.Name) }

// ErrRefused is the error that a *[RefusedError] matches with [errors.Is].
var ErrRefused = errors.New("the schema cannot be altered to match the model")

// RefusedError lists all changes of a model that the server refuses, in the order of the source. Each has its position in the
// Go source, its cause, and the fix.
type RefusedError struct {
	Refusals []model.Diagnostic
}

// Error returns one line for each refusal.
func (e *RefusedError) Error() string {
	var lines []string
	for _, d := range e.Refusals {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// Is reports whether target is [ErrRefused].
func (e *RefusedError) Is(target error) bool { return target == ErrRefused }

// The refusals.
var (
	RefusedKey       = model.Rule{Code: "MIG001", Title: "a changed primary key"}
	RefusedType      = model.Rule{Code: "MIG002", Title: "a changed type of a column"}
	RefusedKind      = model.Rule{Code: "MIG003", Title: "a column that becomes static or regular"}
	RefusedReturn    = model.Rule{Code: "MIG004", Title: "a dropped column that cannot be added again"}
	RefusedDrop      = model.Rule{Code: "MIG005", Title: "a column that cannot be dropped"}
	RefusedCounter   = model.Rule{Code: "MIG006", Title: "counters and other columns in one table"}
	RefusedFields    = model.Rule{Code: "MIG007", Title: "a removed, moved or inserted field of a type"}
	RefusedFieldType = model.Rule{Code: "MIG008", Title: "a changed type of a field"}
	RefusedGrowth    = model.Rule{Code: "MIG009", Title: "a new field of a type in a partition key"}
	RefusedTypeName  = model.Rule{Code: "MIG010", Title: "a renamed type"}
	RefusedRename    = model.Rule{Code: "MIG011", Title: "a new name that is still in use"}
	RefusedIndex     = model.Rule{Code: "MIG012", Title: "an index that exists under another name"}
	RefusedBuckets   = model.Rule{Code: "MIG013", Title: "fewer buckets of a reverse table"}
)

// Rules lists the refusals in the order of their codes.
func Rules() []model.Rule {
	return []model.Rule{
		RefusedKey, RefusedType, RefusedKind, RefusedReturn, RefusedDrop, RefusedCounter, RefusedFields, RefusedFieldType,
		RefusedGrowth, RefusedTypeName, RefusedRename, RefusedIndex, RefusedBuckets,
	}
}

// Hint is a possible mistake: a was= whose object no longer exists, a missing was= if an object is dropped and a similar one is
// new, a rename that is reverted, or a redundant table that no migration fills.
type Hint struct {
	Pos  model.Pos
	Text string
}

// String returns "file:line:col: text".
func (h Hint) String() string { return h.Pos.String() + ": " + h.Text }

// Complete reports whether the generated function compiles without changes.
func (f Func) Complete() bool {
	return f.Move != nil && !slices.ContainsFunc(f.Move.Columns, func(c Moved) bool { return c.Convert != nil && c.Convert.Result == "" })
}

// Concurrent reports whether programs of the earlier model may write while the function runs.
func (f Func) Concurrent() bool {
	return f.Move == nil || f.Move.Store == "" && !f.Move.Stopped && len(f.Move.Lists()) == 0
}

// Move describes a copy with package copydata.
type Move struct {
	From, To string // the tables; the same table if a column is copied to another
	Columns  []Moved
	Store    string   // the field of the store that saves the rows of a versioned root; "" for any other table
	Stopped  bool     // the rows get, or have, a version: no program may write the earlier table
	Serial   bool     // the rows have a version, so that they are read by serial reads
	Left     []string // sentences about columns of From that are not copied, columns of To that are not filled, and keys
}

// Moved is a column that is copied to another.
type Moved struct {
	From, To string
	Value    string      // the Go literal of the value of each row; "" if the value follows from From
	List     bool        // a list that is not frozen
	Convert  *Conversion // nil if both have the same type
}

// Lists returns the columns that the function fills and that are lists which are not frozen: each is copied once.
func (m *Move) Lists() []string {
	var out []string
	for _, c := range m.Columns {
		if c.List {
			out = append(out, c.To)
		}
	}
	return out
}

// Conversion is a change of the type of a value. It is generated if the new type has all values of the old type.
type Conversion struct {
	From, To string // Go types
	What     string // "points_2 (int) is computed from points (text)"
	Result   string // the expression that converts v; "" if the user must write the conversion
	imports  []string
}
