package outline

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/codegen/explain"
)

// Outline is a text of indented lines.
type Outline struct{ Lines []Line }

// Line is a line of an outline: a text, or a statement with a note.
type Line struct {
	Depth int    // levels of indentation
	CQL   string // the statement; "" for a line of text
	Text  string // the text, or the note of the statement
}

// String returns the line without its indentation.
func (l Line) String() string {
	switch {
	case l.CQL == "":
		return l.Text
	case l.Text == "":
		return l.CQL
	}
	return l.CQL + "  -- " + l.Text
}

// String returns the lines with their indentation.
func (p *Outline) String() string {
	var b strings.Builder
	for _, l := range p.Lines {
		text := l.String()
		if text != "" {
			b.WriteString(strings.Repeat("  ", l.Depth))
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

// Add adds a line of text.
func (p *Outline) Add(depth int, format string, args ...any) {
	p.Lines = append(p.Lines, Line{Depth: depth, Text: fmt.Sprintf(format, args...)})
}

// Store describes all requests of a store.
func Store(e *explain.Explanation) *Outline {
	p := &Outline{}
	p.Add(0, "package %s", e.Package)
	if len(e.Missing) > 0 {
		p.Add(0, "")
		p.Add(0, "No store is generated yet. The requests below are those of a future store. Not executed yet:")
		for _, d := range e.Missing {
			p.Add(1, "%s: %s: %s", d.Pos, d.Rule.Code, d.What)
		}
	}
	p.summary(e)
	for _, t := range e.Tables {
		p.table(t)
	}
	for _, v := range e.Views {
		p.view(v)
	}
	p.batch(e.Batch)
	p.Add(0, "")
	p.Add(0, "%s", Statements(e))
	return p
}

// Statements returns the number of statements of a store, and its consequence for the driver.
func Statements(e *explain.Explanation) string {
	if e.Part {
		return fmt.Sprintf("statements: %d of these operations, without the restrictions of queries on clustering columns", e.Statements())
	}
	return fmt.Sprintf("statements: %d, without the restrictions of queries on clustering columns; the driver's MaxPreparedStmts must be at least this number times the number of nodes", e.Statements())
}

// Operation describes one operation: its cost on the first line, then its requests.
func Operation(o *explain.Operation) *Outline {
	p := &Outline{}
	p.operation(0, o)
	return p
}

// Field describes the writes of a change of a field, and the methods for it.
func Field(f *explain.Field) *Outline {
	p := &Outline{}
	p.field(f)
	return p
}

// Copy describes the rows of a redundant table that its source writes.
func Copy(c *explain.Copy) *Outline {
	p := &Outline{}
	p.copy(c)
	return p
}

// Unique describes how unique values are claimed and released.
func Unique(u *explain.Unique) *Outline {
	p := &Outline{}
	p.unique(u)
	return p
}

// Batch describes the batches of several aggregates. b must not be nil.
func Batch(b *explain.Batch) *Outline {
	p := &Outline{}
	p.batch(b)
	return p
}
