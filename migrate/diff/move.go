package diff

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"text/template"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/copydata"
)

// Move describes a copy with package copydata.
type Move struct {
	From, To string // the tables; the same table if a column is copied to another
	Columns  []Moved
	Store    string   // the field of the store that saves the rows of a versioned root; "" for any other table
	Left     []string // sentences about columns of From that are not copied, columns of To that are not filled, and keys
}

// Moved is a column that is copied to another.
type Moved struct {
	From, To string
	List     bool        // a list that is not frozen
	Convert  *Conversion // nil if both have the same type
}

// Complete reports whether the generated function compiles without changes.
func (f Func) Complete() bool {
	return f.Move != nil && !slices.ContainsFunc(f.Move.Columns, func(c Moved) bool { return c.Convert != nil && c.Convert.Result == "" })
}

// copyRows returns a function that copies a table, with its Move if the two tables determine it.
func (p *planner) copyRows(old, t *schema.Table) Func {
	f := Func{Name: p.funcName(catalog.CopyTableFunc(old.Name, t.Name)), From: "table " + old.Name, To: "table " + t.Name}
	if f.Why = p.conditional(t); f.Why != "" {
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
			m.Left = append(m.Left, fmt.Sprintf("Nothing is copied to %s.", c.Name))
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
	if copydata.Alike(was.Type, c.Type) {
		return of, ""
	}
	if of.Convert = conversion(was, c); of.Convert == nil {
		return of, fmt.Sprintf("column %s is %s, and column %s, to which it is copied, is %s", was.Name, was.Type, c.Name, c.Type)
	}
	return of, ""
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

// Concurrent reports whether programs of the earlier model may write while the function runs.
func (f Func) Concurrent() bool {
	return f.Move == nil || f.Move.Store == "" && len(f.Move.Lists()) == 0
}

// copiedOnce returns the end of the comment of a step that copies lists which are not frozen, or that fills a column by saves; "" for any
// other step.
func copiedOnce(m *Move) string {
	switch {
	case m == nil:
		return ""
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

// Conversion is a change of the type of a value. It is generated if the new type has all values of the old type.
type Conversion struct {
	From, To string // Go types
	What     string // "points_2 (int) is computed from points (text)"
	Result   string // the expression that converts v; "" if the user must write the conversion
	imports  []string
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

//go:embed stub.tmpl
var stubTemplate string

// Stub returns the Go source of the functions that a migration calls, for the package of the model. A function is complete if the
// two schemas determine it; any other does not compile until it is written. migration is the file that calls them, such as
// 0002_rename.cql.
func Stub(pkg, migration string, funcs []Func) ([]byte, error) {
	t, err := template.New("stub").Parse(stubTemplate)
	if err != nil {
		return nil, fmt.Errorf("diff: read the template of a stub: %w", err)
	}
	standard, others := imports(funcs)
	var b bytes.Buffer
	view := map[string]any{"Package": pkg, "Migration": migration, "Funcs": funcs, "Standard": standard, "Others": others}
	if err := t.Execute(&b, view); err != nil {
		return nil, fmt.Errorf("diff: write a stub: %w", err)
	}
	out, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("diff: format a stub: %w", err)
	}
	return out, nil
}

// imports returns the packages that functions need: those of the standard library, and others.
func imports(funcs []Func) (standard, others []string) {
	all := []string{"context", "github.com/scylladb/gocqlx/v2"}
	for _, f := range funcs {
		if f.Move == nil {
			continue
		}
		all = append(all, "github.com/cassaml/cassaml/migrate/copydata")
		if f.Move.Store != "" {
			all = append(all, "github.com/cassaml/cassaml/mapper", "github.com/cassaml/cassaml/mapper/gen")
		}
		for _, c := range f.Move.Columns {
			if c.Convert != nil {
				all = append(all, c.Convert.imports...)
			}
		}
	}
	slices.Sort(all)
	for _, path := range slices.Compact(all) {
		switch {
		case strings.Contains(path, "."):
			others = append(others, path)
		case path != "":
			standard = append(standard, path)
		}
	}
	return standard, others
}

// StubFile returns the name of the Go file for the functions of a migration: 0002_rename.cql => migration_0002.go.
func StubFile(migration string) string {
	number, _, _ := strings.Cut(migration, "_")
	return "migration_" + number + ".go"
}
