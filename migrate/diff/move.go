package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/copydata"
)

// copyRows returns a function that copies a table, with its Move if the two tables determine it.
func (p *planner) copyRows(old, t *schema.Table) Func {
	f := Func{Name: p.funcName(catalog.CopyTableFunc(old.Name, t.Name)), From: "table " + old.Name, To: "table " + t.Name}
	if f.Why = p.withVersions(old, t); f.Why != "" {
		return f
	}
	sources, why := p.sources(old, t)
	if f.Why = why; f.Why != "" {
		return f
	}
	m := &Move{From: old.Name, To: t.Name, Stopped: p.owner[t].Version != nil, Serial: catalog.Column(old, schema.Deleted) != nil}
	for _, c := range t.Ordered() {
		was := sources.of[c]
		if was == nil {
			m.leave(c)
			continue
		}
		if c.InKey() && !was.InKey() {
			m.Left = append(m.Left, fmt.Sprintf("%s is part of the primary key: the copy fails at a row whose %s is null, and if %s of a row changes before the copy is repeated, the row is stored twice.",
				c.Name, was.Name, was.Name))
		}
		moved, why := moved(was, c)
		if f.Why = why; f.Why != "" {
			return f
		}
		m.Columns = append(m.Columns, moved)
	}
	for _, c := range old.Ordered() {
		if !sources.copies(c) {
			m.Left = append(m.Left, fmt.Sprintf("The values of %s are not copied.", c.Name))
		}
	}
	f.Move = m
	return f
}

// leave adds a column of the new table that no column is copied to. The hidden columns of a row without a version are null.
func (m *Move) leave(c *schema.Column) {
	switch {
	case c.Name == schema.Head && c.Attribute == nil:
		m.Columns = append(m.Columns, Moved{To: c.Name, Value: "true"})
	case c.Attribute != nil:
		m.Left = append(m.Left, fmt.Sprintf("Nothing is copied to %s.", c.Name))
	}
}

// withVersions returns why a function cannot copy the rows of a versioned root without conditions; "" if it can: nothing else writes the new
// table before the generated function, which is called after the copy.
func (p *planner) withVersions(old, t *schema.Table) string {
	a := p.owner[t]
	switch {
	case a.Version == nil:
		return ""
	case !executed(a):
		return "no store is generated for " + a.Struct.Name
	case t.IsLease():
		return "rows with a version that expire have a hidden column that shows it"
	}
	for _, other := range p.to.Tables {
		if r := p.owner[other].Redundancy; r != nil && r.Source == a && p.replaced(other) != nil {
			return fmt.Sprintf("%s of %s is replaced, too, and a save that has not ended can have rows to delete there: replace one table after the other", p.replaced(other).Name, a.Struct.Name)
		}
	}
	return ""
}

// conditional returns why the rows of a table cannot be written without conditions; "" if they can.
func (p *planner) conditional(t *schema.Table) string {
	if p.owner[t].Version != nil {
		return "rows with a version are written only by conditional statements"
	}
	return ""
}

// copyColumn returns a function that copies a column to another one of its table.
func (p *planner) copyColumn(t *schema.Table, was, c *schema.Column) Func {
	f := Func{
		Name: p.funcName(catalog.CopyColumnFunc(t.Name, was.Name, c.Name)),
		From: "column " + was.Name + " of " + t.Name, To: "column " + c.Name + " of " + t.Name,
	}
	store := ""
	if f.Why = p.conditional(t); f.Why != "" {
		if a := t.Aggregate; a == nil || a.Version == nil || !slices.Contains(a.Attributes, c.Attribute) || !executed(a) {
			return f
		}
		f.Why, store = "", model.CamelCase(t.Name)
	}
	of, why := moved(was, c)
	if why != "" {
		f.Why = why
		return f
	}
	f.Move = &Move{From: t.Name, To: t.Name, Columns: []Moved{of}, Store: store}
	return f
}

// moved returns how a column is copied to another, or why that must be written by hand.
func moved(was, c *schema.Column) (Moved, string) {
	of := Moved{From: was.Name, To: c.Name, List: c.IsList()}
	if c.Type.Counter() {
		return of, fmt.Sprintf("column %s is a counter, and an increment that is repeated counts twice", c.Name)
	}
	if copydata.Copyable(was.Type, c.Type) {
		return of, ""
	}
	if of.Convert = conversion(was, c); of.Convert == nil {
		return of, fmt.Sprintf("column %s is %s, and column %s, to which it is copied, is %s", was.Name, was.Type, c.Name, c.Type)
	}
	return of, ""
}

// copiedOnce returns the end of the comment of a step that copies lists which are not frozen, or that fills a column by saves; "" for any
// other step.
func copiedOnce(m *Move) string {
	switch {
	case m == nil:
		return ""
	case m.Stopped:
		return "" // the step of the generated function shows it
	case m.Store != "":
		return "\nStop all programs of the earlier release before this file is applied: what they write to the earlier column after\nthe function has read the row is lost."
	case len(m.Lists()) == 0:
		return ""
	}
	return fmt.Sprintf("\nStop all programs of the earlier release before this file is applied: what they change in %s after the copy is\n"+
		"lost, even after a second call.", strings.Join(m.Lists(), " and "))
}

// native returns the name of a type without elements; "" for any other type.
func native(t *schema.Type) string {
	if t.UDT || len(t.Args) > 0 {
		return ""
	}
	return t.Name
}

// goType returns the Go type as which the driver reads and writes a native type; the zero value for any other type.
func goType(t *schema.Type) cqltype.Go {
	n, ok := cqltype.Lookup(native(t))
	if !ok {
		return cqltype.Go{}
	}
	return n.Go[slices.IndexFunc(n.Go, func(g cqltype.Go) bool { return !g.Foreign })]
}

// conversion returns the conversion of a column to another type; nil if one of the types has no Go type.
func conversion(was, c *schema.Column) *Conversion {
	from, to := goType(was.Type), goType(c.Type)
	if from.Text == "" || to.Text == "" {
		return nil
	}
	return &Conversion{
		From: from.Text, To: to.Text, Result: widened(native(was.Type), native(c.Type), from.Text == to.Text, to.Text),
		What:    fmt.Sprintf("%s (%s) is computed from %s (%s)", c.Name, c.Type, was.Name, was.Type),
		imports: []string{from.Import, to.Import},
	}
}

// widened returns the Go expression that converts v to a type which has all its values; "" if the other type does not have them.
func widened(from, to string, sameGo bool, goType string) string {
	n, ok := cqltype.Lookup(from)
	if !ok {
		return ""
	}
	switch {
	case !slices.Contains(n.Wider, to):
		return ""
	case from == "varint":
		return "inf.NewDecBig(v, 0)"
	case to == "varint":
		return "big.NewInt(int64(v))"
	case to == "decimal":
		return "inf.NewDec(int64(v), 0)"
	case sameGo:
		return "v"
	}
	return goType + "(v)"
}
