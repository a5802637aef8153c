package diff

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Plan is what leads from one keyspace to another.
type Plan struct {
	Steps []Step
	Funcs []Func // that steps call, and that are to be written by hand
	Hints []Hint // in the order of the source

	// After is the keyspace that the steps lead to.
	After *catalog.Keyspace

	// Fresh are the redundant tables that the plan both makes and fills. While it is applied, programs of the earlier model do not
	// write them.
	Fresh []string
}

// Backfills returns the redundant tables that the steps ask a backfill for.
func (p *Plan) Backfills() []string {
	var out []string
	for _, s := range p.Steps {
		if b, ok := s.Change.(Backfill); ok {
			out = append(out, b.Table)
		}
	}
	return out
}

// Step is a change with the reason for it.
type Step struct {
	Comment string // "" where the change says enough
	Change
}

// String returns the step as it is written to a file, without a semicolon.
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

// Directive reports whether the step is a directive of a file, and no statement.
func (s Step) Directive() bool {
	switch s.Change.(type) {
	case ShareType, UnshareType, CallFunc, Backfill:
		return true
	}
	return false
}

// Text returns the steps one by one, as migrate.WriteFile takes them.
func (p *Plan) Text() []string {
	var out []string
	for _, s := range p.Steps {
		out = append(out, s.String())
	}
	return out
}

// String returns all steps as they stand in a file, each statement with its semicolon.
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

// Func is a step in Go. It moves data that no statement can move.
type Func struct {
	Name string // as in -- aml:func NAME
	From string // what it reads: "table clients", "column login of accounts"
	To   string // what it fills
	Move *Move  // how; nil where that is to be written by hand
	Why  string // why it is; "" for what is never general
}

// funcName joins words to the name of a function that no other step calls, nor the folder, in Go neither.
func (p *planner) funcName(words ...string) string {
	base := joined(words)
	name := base
	for n := 2; p.named(name); n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	return name
}

// named reports whether a function has a name, one of this plan or one that the folder calls.
func (p *planner) named(name string) bool {
	same := func(other string) bool { return Func{Name: other}.GoName() == Func{Name: name}.GoName() }
	return p.from.Order != nil && slices.ContainsFunc(p.from.Order.Calls(), same) || slices.ContainsFunc(p.fills, func(f fill) bool { return same(f.Name) })
}

func joined(words []string) string {
	return strings.Join(strings.FieldsFunc(strings.Join(words, "_"), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "_")
}

// GoName is the name of the Go function.
func (f Func) GoName() string { return model.CamelCase(f.Name) }

// ErrRefused is what a *[RefusedError] is, for callers that do not look into it.
var ErrRefused = errors.New("the model cannot be reached by ALTER")

// RefusedError lists all changes of a model that the server refuses for a table or a type that keeps its name, in the order
// of the source: where in the Go source each is, what is wrong and how to fix it.
type RefusedError struct {
	Refusals []model.Diagnostic
}

// Error returns one line for each.
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
	RefusedKey       = model.Rule{Code: "MIG001", Title: "another primary key"}
	RefusedType      = model.Rule{Code: "MIG002", Title: "another type of a column"}
	RefusedKind      = model.Rule{Code: "MIG003", Title: "a column that becomes static, or ceases to be"}
	RefusedReturn    = model.Rule{Code: "MIG004", Title: "a column that was dropped comes back as something else"}
	RefusedDrop      = model.Rule{Code: "MIG005", Title: "a column that cannot be dropped"}
	RefusedCounter   = model.Rule{Code: "MIG006", Title: "counters beside other columns"}
	RefusedFields    = model.Rule{Code: "MIG007", Title: "a field of a type that goes, moves or comes in between"}
	RefusedFieldType = model.Rule{Code: "MIG008", Title: "another type of a field"}
	RefusedGrowth    = model.Rule{Code: "MIG009", Title: "another field of a type that a partition key holds"}
	RefusedTypeName  = model.Rule{Code: "MIG010", Title: "another name of a type"}
	RefusedRename    = model.Rule{Code: "MIG011", Title: "names that change places"}
	RefusedIndex     = model.Rule{Code: "MIG012", Title: "an index that is there under another name"}
)

// Rules lists the refusals in the order of their codes.
func Rules() []model.Rule {
	return []model.Rule{
		RefusedKey, RefusedType, RefusedKind, RefusedReturn, RefusedDrop, RefusedCounter, RefusedFields, RefusedFieldType,
		RefusedGrowth, RefusedTypeName, RefusedRename, RefusedIndex,
	}
}
