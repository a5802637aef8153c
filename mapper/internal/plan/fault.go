package plan

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// ErrKeyChanged is the error of an update that changes the root's primary key.
var ErrKeyChanged = errors.New("the primary key of an aggregate cannot change")

// Fault is a reason why a row cannot be written.
type Fault struct {
	Table   *Table // the root, or the copy of the row
	Path    string // path in the root's struct: Vehicles[2]
	Problem string // has no plate, which is in the key of vehicles
}

// FaultError lists the faults of one row.
type FaultError struct{ Faults []Fault }

// Error lists the faults.
func (e *FaultError) Error() string {
	text := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		text[i] = f.Path + " " + f.Problem
	}
	return "plan: " + strings.Join(text, "; ")
}

func (p *planner) faulty() error {
	if len(p.faults) == 0 {
		return nil
	}
	return &FaultError{p.faults}
}

// checkKey reports whether row i of a table (of the root or, with c, of a copy) has a key, and adds the faults of the key.
func (p *planner) checkKey(v view, t *Table, i int, c *Projection) bool {
	if hasKey(v, t) {
		return true
	}
	for k := range t.Key {
		switch x := v.cell(k); {
		case x == nil:
			p.keyFault(t, k, i, c, "is null")
		case len(x) == 0 && t.Partition == 1 && k == 0:
			p.keyFault(t, k, i, c, "is empty")
		}
	}
	return false
}

func (p *planner) keyFault(t *Table, column, i int, c *Projection, state string) {
	name := t.Columns[column].Name
	switch {
	case c == nil:
		p.fault(t, t.Columns[column].Field, state+", but is in the key")
	case c.Loop >= 0:
		p.fault(t, p.elementPath(c, i), "implies a row of "+t.Name+" whose key "+name+" "+state)
	default:
		p.fault(t, p.columnPath(c, column), state+", but is in the key of "+t.Name)
	}
}

// conflict is a pair of different rows with the same key.
func (p *planner) conflict(c *Projection, row cell.Row, i, j int) {
	p.fault(c.Table, p.elementPath(c, j), "and "+p.elementPath(c, i)+" imply different rows of "+c.Table.Name+
		" with the key "+c.Table.KeyText(row[:len(c.Columns)]))
}

// elementPath returns the path of the element of row i: an element of a list by its index, any other by its key or its value,
// because sets and maps have another order here than in Go.
func (p *planner) elementPath(c *Projection, i int) string {
	op := &c.Ops[c.Loop]
	src := int(op.Src)
	if given := len(p.a.Root.Columns); src >= given {
		name := c.Table.Name
		if src < given+len(p.a.Root.Computed) {
			name = p.a.Root.Computed[src-given]
		}
		return name + "[" + strconv.Itoa(i) + "]"
	}
	column := &p.a.Root.Columns[src]
	if parseType(column.Type).Unfrozen().Name == "list" {
		return column.Field + "[" + strconv.Itoa(i) + "]"
	}
	w, _ := cell.Elements(p.new[src], op.Code.Values())
	for range i * op.Code.Values() {
		w.Next()
	}
	if column.Secret {
		return column.Field + "[…]"
	}
	return column.Field + "[" + elementText(parseType(column.Type).Unfrozen().Args[0].String(), w.Next()) + "]"
}

// elementText returns an element or a key as a Go literal: "home", 7.
func elementText(cqlType string, c cell.Cell) string {
	switch cqlType {
	case "text", "ascii":
		return strconv.Quote(string(c))
	}
	return cell.Format(cqlType, c)
}

// columnPath returns the field of the root that a column of a copy derives from, or the copy's own field.
func (p *planner) columnPath(c *Projection, column int) string {
	r, given := int(c.Columns[column]), len(p.a.Root.Columns)
	if r < given {
		return p.a.Root.Columns[r].Field
	}
	if r < given+len(p.a.Root.Computed) {
		return p.a.Root.Computed[r-given]
	}
	return c.Table.Columns[column].Field
}

func (p *planner) fault(t *Table, path, problem string) {
	p.faults = append(p.faults, Fault{Table: t, Path: path, Problem: problem})
}

// Path returns the path of a fault with Go names: Vehicles[2].Plate. A member without a descriptor is a number.
func (s *Schema) Path(t *Table, steps []cell.Step) string {
	if len(steps) == 0 {
		return t.Name
	}
	if i := steps[0].Member - len(t.Columns); i >= 0 {
		return t.Computed[i]
	}
	c := &t.Columns[steps[0].Member]
	path, of := c.Field, c.Of
	for _, step := range steps[1:] {
		if step.Text != "" {
			path += step.Text
			continue
		}
		f := s.field(of, step.Member)
		path, of = path+"."+f.Go, f.Of
	}
	return path
}

// field returns a field of a Go struct.
func (s *Schema) field(of string, i int) descriptor.Field {
	for _, t := range slices.Concat(s.Types, s.Tuples) {
		if t.Of == of && i < len(t.Fields) {
			return t.Fields[i]
		}
	}
	return descriptor.Field{Go: strconv.Itoa(i)}
}

// Masked returns a fault of a value of the table and its path. If the column contains a secret value, both are without elements
// and keys: Tokens["s3cret"].Hash => Tokens[…].Hash.
func (t *Table) Masked(path, problem string) (string, string) {
	for i := range t.Columns {
		if t.Columns[i].Secret && strings.HasPrefix(path, t.Columns[i].Field) {
			return masked(path), masked(problem)
		}
	}
	return path, problem
}

// masked replaces everything between the outermost brackets: a key can contain brackets.
func masked(text string) string {
	first, last := strings.Index(text, "["), strings.LastIndex(text, "]")
	if first < 0 || last < first {
		return text
	}
	return text[:first] + "[…]" + text[last+1:]
}
