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

// Conversion is a change of the type of a value. Where the new type has a value for each one of the old type, it is written
// for the user.
type Conversion struct {
	From, To string // types of Go
	What     string // "points_2, of type int, follows from points, of type text"
	Result   string // the expression that converts v; "" where the user has to write the conversion
	imports  []string
}

// goType returns the type of Go that the driver reads and writes a native type as; the zero one for any other type.
func goType(t *schema.Type) cqltype.Go {
	n, ok := cqltype.Lookup(native(t))
	if !ok {
		return cqltype.Go{}
	}
	return n.Go[slices.IndexFunc(n.Go, func(g cqltype.Go) bool { return !g.Foreign })]
}

// conversion returns how a column becomes another of another type, nil where one of the types has no Go type.
func conversion(was, c *schema.Column) *Conversion {
	from, to := goType(was.Type), goType(c.Type)
	if from.Text == "" || to.Text == "" {
		return nil
	}
	return &Conversion{
		From: from.Text, To: to.Text, Result: widened(native(was.Type), native(c.Type), from.Text == to.Text, to.Text),
		What:    fmt.Sprintf("%s, of type %s, follows from %s, of type %s", c.Name, c.Type, was.Name, was.Type),
		imports: []string{from.Import, to.Import},
	}
}

// widened returns the expression that makes of v the same value of a wider type, which the driver has as a type of Go; "" where
// the other type is none.
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

// Stub returns the Go source of functions that a migration calls, for the package of the model. One that copies what the two
// schemas say is whole; any other does not compile until it is written. migration is the file that calls them:
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

// imports returns the packages that functions need, those of the standard library apart.
func imports(funcs []Func) (standard, others []string) {
	all := []string{"context", "github.com/scylladb/gocqlx/v2"}
	for _, f := range funcs {
		if f.Move == nil {
			continue
		}
		all = append(all, "github.com/cassaml/cassaml/migrate/copydata")
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

// StubFile is the name of the Go file for the functions of a migration: 0002_rename.cql => migration_0002.go.
func StubFile(migration string) string {
	number, _, _ := strings.Cut(migration, "_")
	return "migration_" + number + ".go"
}
