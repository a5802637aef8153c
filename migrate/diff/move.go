package diff

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/copydata"
)

// Move is what a function copies, as package copydata does it.
type Move struct {
	From, To string // tables; one where a column is copied to another
	Columns  []Moved
	Left     []string // the columns of From that go nowhere, and those of To that nothing fills, in words
}

// Moved is a column that is copied to another.
type Moved struct {
	From, To string
	Convert  *Conversion // nil where both have one type
}

// Complete reports whether a function compiles as it is, with nothing left to be written by hand.
func (f Func) Complete() bool {
	return f.Move != nil && !slices.ContainsFunc(f.Move.Columns, func(c Moved) bool { return c.Convert != nil && c.Convert.Result == "" })
}

// copyRows returns a function that copies a table, with what is copied where the two tables say that.
func (p *planner) copyRows(old, t *schema.Table) Func {
	f := Func{Name: p.funcName("copy", old.Name, "to", t.Name), From: "table " + old.Name, To: "table " + t.Name}
	if f.Why = p.locked(t); f.Why != "" {
		return f
	}
	sources, why := p.sources(old, t)
	if f.Why = why; f.Why != "" {
		return f
	}
	m := &Move{From: old.Name, To: t.Name}
	for _, c := range t.Ordered() {
		was := sources.of[c]
		if was == nil {
			m.Left = append(m.Left, fmt.Sprintf("Nothing fills %s.", c.Name))
			continue
		}
		if c.InKey() && !was.InKey() {
			m.Left = append(m.Left, fmt.Sprintf("A row whose %s is null ends the copy, and one whose %s changes before the copy runs again is there twice then: %s is of the primary key.",
				was.Name, was.Name, c.Name))
		}
		moved, why := moved(was, c)
		if f.Why = why; f.Why != "" {
			return f
		}
		m.Columns = append(m.Columns, moved)
	}
	for _, c := range old.Ordered() {
		if !sources.takes(c) {
			m.Left = append(m.Left, fmt.Sprintf("What %s holds goes nowhere.", c.Name))
		}
	}
	f.Move = m
	return f
}

// locked returns why the rows of a table cannot be written by any statement; "" where they can.
func (p *planner) locked(t *schema.Table) string {
	if p.owner[t].Version != nil {
		return "a row with a version is written by conditional statements alone"
	}
	return ""
}

// copyColumn returns a function that copies a column to another of its table.
func (p *planner) copyColumn(t *schema.Table, was, c *schema.Column) Func {
	f := Func{
		Name: p.funcName("copy", t.Name, was.Name, "to", c.Name),
		From: "column " + was.Name + " of " + t.Name, To: "column " + c.Name + " of " + t.Name,
	}
	if f.Why = p.locked(t); f.Why != "" {
		return f
	}
	of, why := moved(was, c)
	if why != "" {
		f.Why = why
		return f
	}
	f.Move = &Move{From: t.Name, To: t.Name, Columns: []Moved{of}}
	return f
}

// moved returns how a column becomes another, or why nothing general can be said of it.
func moved(was, c *schema.Column) (Moved, string) {
	of := Moved{From: was.Name, To: c.Name}
	if c.Type.Counter() {
		return of, fmt.Sprintf("column %s is a counter: what is added twice counts twice", c.Name)
	}
	if copydata.Alike(was.Type, c.Type) {
		return of, ""
	}
	if of.Convert = conversion(was, c); of.Convert == nil {
		return of, fmt.Sprintf("column %s is %s, and column %s, which it becomes, is %s", was.Name, was.Type, c.Name, c.Type)
	}
	return of, ""
}

// native returns the name of a type without elements; "" of any other.
func native(t *schema.Type) string {
	if t.UDT || len(t.Args) > 0 {
		return ""
	}
	return t.Name
}
