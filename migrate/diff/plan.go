package diff

import (
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
