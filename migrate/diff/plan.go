package diff

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Plan is the list of steps that change one keyspace to another.
type Plan struct {
	Steps []Step
	Funcs []Func // the functions that the steps call
	Hints []Hint // in the order of the source

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
	Move *Move  // what it copies; nil if it must be written by hand
	Why  string // why it must be written by hand; "" if that is always so
}

// funcName returns a name of a function, in CQL and in Go, that neither another step nor the folder uses: the given one, if necessary with
// a number.
func (p *planner) funcName(base string) string {
	name := base
	for n := 2; p.named(name); n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	return name
}

// named reports whether a function of this plan, or one that the folder calls, has a name.
func (p *planner) named(name string) bool {
	same := func(other string) bool { return Func{Name: other}.GoName() == Func{Name: name}.GoName() }
	return p.from.Order != nil && slices.ContainsFunc(p.from.Order.Calls(), same) || slices.ContainsFunc(p.fills, func(f fill) bool { return same(f.Name) })
}

// GoName returns the name of the Go function.
func (f Func) GoName() string { return model.CamelCase(f.Name) }

// ErrRefused is the error that a *[RefusedError] matches with [errors.Is].
var ErrRefused = errors.New("the schema cannot be altered to match the model")

// RefusedError lists all changes of a model that the server refuses, in the order of the source. Each has its position in the
// Go source, what is wrong, and the fix.
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
)

// Rules lists the refusals in the order of their codes.
func Rules() []model.Rule {
	return []model.Rule{
		RefusedKey, RefusedType, RefusedKind, RefusedReturn, RefusedDrop, RefusedCounter, RefusedFields, RefusedFieldType,
		RefusedGrowth, RefusedTypeName, RefusedRename, RefusedIndex,
	}
}
