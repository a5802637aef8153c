package projection

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/describe"
	"github.com/cassaml/cassaml/mapper/gen"
)

// Compiled is a model of one root, prepared for both sides: the mapper uses the descriptors, the oracle uses the model.
type Compiled struct {
	Source   string
	Root     *Table
	Owner    *Table    // the root of which Root is a part; nil for none
	Part     *Compiled // the part in the table of a versioned root; nil for none
	Copies   []*Table
	Warnings []model.Diagnostic
	Schema   *schema.Schema
	Elements bool // sessions change single elements and fields more often

	descriptors *gen.Schema
	aggregate   *gen.Linked
	owner       *gen.Linked // aggregate of Owner
	beside      *gen.Table  // see lost
	following   []following // the fields that follow fields of other roots
}

// Table is a table of a model.
type Table struct {
	*schema.Table
	Columns    []*schema.Column // columns in the order of the descriptor
	Descriptor *gen.Table
}

// Compile loads the source of a model and compiles it as the generator does. Imports returns the types of the imported
// packages. A model that is rejected, or that a store does not support, is an error.
func Compile(source string, imports types.Importer) (*Compiled, error) {
	c, d, err := described(source, imports)
	if err != nil {
		return nil, err
	}
	for _, t := range c.Schema.Stored {
		x := &Table{Table: t, Columns: t.Visible(), Descriptor: d.Tables[t]}
		switch {
		case t.Derived != nil:
		case t.Versioning != nil:
			c.Root = x
		case t.Aggregate.IsSource() && t.Aggregate.Versioned():
			c.Part = &Compiled{Source: source, Root: x}
		case !t.Aggregate.IsSource():
			c.Copies = append(c.Copies, x)
		case len(t.Aggregate.Parts) > 0:
			c.Owner = x
		default:
			c.Root = x
		}
	}
	c.aggregate = gen.Link(*d.Aggregates[c.Root.Table])
	if c.Owner != nil {
		c.owner = gen.Link(*d.Aggregates[c.Owner.Table])
	}
	return c, nil
}

// CompileRoots is Compile for a model of several versioned roots without redundant tables and parts. It returns one for each root.
func CompileRoots(source string, imports types.Importer) (roots []*Compiled, err error) {
	all, d, err := described(source, imports)
	if err != nil {
		return nil, err
	}
	for _, t := range all.Schema.Stored {
		if t.Versioning != nil {
			c := *all
			c.Root = &Table{Table: t, Columns: t.Visible(), Descriptor: d.Tables[t]}
			c.aggregate, c.following = gen.Link(*d.Aggregates[t]), newFollowing(t.Aggregate)
			roots = append(roots, &c)
		}
	}
	return roots, nil
}

// described loads the source of a model, and describes its store.
func described(source string, imports types.Importer) (*Compiled, *describe.Store, error) {
	p, err := load.Source(token.NewFileSet(), "example.com/random", map[string][]byte{"model.go": []byte(source)}, imports)
	if err != nil {
		return nil, nil, err
	}
	m, found := model.Build(p)
	if found = append(found, model.NotExecuted(m)...); model.Refused(found) {
		return nil, nil, fmt.Errorf("projection: the model is rejected: %v", found)
	}
	c := &Compiled{Source: source, Warnings: found, Schema: schema.New(m)}
	d := describe.New(c.Schema, p.Path)
	c.descriptors = d.Schema
	return c, d, nil
}

// Converges reports whether the model promises that overlapping changes leave the copy correct, except for a concurrent
// Delete.
func (c *Compiled) Converges(t *Table) bool {
	w := c.Warning(t)
	return w == "" || strings.Contains(w, "a Delete does not remove a row that a concurrent write adds")
}

// Warning returns the warning of the model that overlapping writers can leave the copy incorrect, or "".
func (c *Compiled) Warning(t *Table) string {
	i := slices.IndexFunc(c.Warnings, func(d model.Diagnostic) bool {
		return d.Rule.Code == model.RuleOverlap.Code && d.Pos == t.Aggregate.Struct.Pos
	})
	if i < 0 {
		return ""
	}
	return c.Warnings[i].What
}

// Expires reports whether instances can be written with a TTL of the options: none of their rows is shared with other
// instances, and they are not parts of a root.
func (c *Compiled) Expires() bool {
	return c.Owner == nil && !c.statics() && !slices.ContainsFunc(c.Copies, func(t *Table) bool { return t.Aggregate.Redundancy.Shared })
}

// statics reports whether the root has a static column.
func (c *Compiled) statics() bool {
	return slices.ContainsFunc(c.Root.Columns, func(x *schema.Column) bool { return x.Kind == schema.Static })
}

// Static reports whether a column is static.
func (t *Table) Static(column string) bool {
	return slices.ContainsFunc(t.Columns, func(x *schema.Column) bool { return x.Name == column && x.Kind == schema.Static })
}

// Has reports whether a column of the server's table is one of this table: a root and the part in its table have different ones.
// The empty name stands for a row.
func (t *Table) Has(column string) bool {
	return column == "" || slices.ContainsFunc(t.Columns, func(x *schema.Column) bool { return x.Name == column })
}

// List reports whether a column is a list with a cell for each element.
func (t *Table) List(column string) bool {
	return slices.ContainsFunc(t.Columns, func(x *schema.Column) bool {
		return x.Name == column && x.Type.Name == "list" && !x.Type.UDT && x.Type.MultiCell()
	})
}
