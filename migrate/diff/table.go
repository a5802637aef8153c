package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// tables plans new tables, and changes of existing ones.
func (p *planner) tables() {
	for i, t := range p.to.Tables {
		if old := p.from.Table(t.Name); old != nil {
			if p.nameInUse(t) {
				continue
			}
			p.alter(old, t)
		} else {
			p.create(t, p.model.Tables[i])
		}
		p.createIndexes(t)
	}
}

// nameInUse refuses the name of a table if was= of another aggregate names that table.
func (p *planner) nameInUse(t *schema.Table) bool {
	for _, other := range p.to.Tables {
		if other != t && other.Aggregate != nil && other.Aggregate.Was == t.Name {
			p.refuse(markerPos(p.owner[t]), RefusedRename, twoSteps, "name %s is still in use: was=%s copies the rows of that table to %s", t.Name, t.Name, other.Name)
			return true
		}
	}
	return false
}

// twoSteps is the fix for a new name that is still in use.
const twoSteps = "rename in two steps: first rename or remove what has the name now"

// create plans a new table, and the step that fills it.
func (p *planner) create(t, asWritten *schema.Table) {
	old := p.replaced(t)
	why := ""
	if old != nil {
		why = fmt.Sprintf("%s replaces %s, which is kept until was=%s is removed from %s.", t.Name, old.Name, old.Name, t.Aggregate.Struct.Name)
	}
	owner := p.owner[t]
	if p.becomesChecked(t) {
		p.createUnfilled(t, asWritten)
		return
	}
	p.emit(why, CreateTable{t, asWritten})
	switch {
	case owner == nil || t.Name == descriptor.Outboxes || t.Aggregate == nil && (!p.stored(owner) || p.versioned(t)):
	case t.Aggregate == nil:
		p.fills = append(p.fills, fill{
			Func{Name: p.funcName(catalog.FuncName("fill", t.Name)), From: "table " + owner.Table, To: "table " + t.Name},
			fmt.Sprintf("%s is derived from the rows of %s.", t.Name, owner.Table),
		})
	case owner.Redundancy != nil && (old != nil || p.stored(owner.Redundancy.Source)):
		p.refills = append(p.refills, refill{t.Name, fmt.Sprintf("%s is filled from %s.", t.Name, owner.Redundancy.Source.Struct.Name)})
	case owner.Redundancy == nil && old != nil:
		p.fills = append(p.fills, fill{
			p.copyRows(old, t),
			fmt.Sprintf("The rows of %s are copied to %s.", old.Name, t.Name),
		})
	}
}

// alter plans the changes of a table, or refuses them.
func (p *planner) alter(old, t *schema.Table) {
	if !p.key(old, t) {
		return
	}
	for _, c := range t.Columns[len(t.Key()):] {
		if was := catalog.Column(old, c.Name); was != nil && earlierColumn(t, c.Name) {
			p.refuse(p.columnPos(t, c), RefusedRename, twoSteps, "name %s of %s is still in use: was=%s copies the values of that column to another one", c.Name, t.Name, c.Name)
		} else if was != nil {
			p.compare(t, was, c)
		} else {
			p.add(old, t, c)
		}
	}
	p.options(old, t)
}

// key compares the primary keys, plans the renames of their columns, and refuses any other difference.
func (p *planner) key(old, t *schema.Table) bool {
	was, now := old.Key(), t.Key()
	if len(was) != len(now) || len(old.PartitionKey) != len(t.PartitionKey) {
		p.refuse(markerPos(p.owner[t]), RefusedKey, p.newTable(t), "the primary key of %s is %s and cannot become %s", t.Name, formatKey(old), formatKey(t))
		return false
	}
	var renames []ddl.Rename
	for i, c := range now {
		switch {
		case c.Type.String() != was[i].Type.String() || c.Order != was[i].Order:
			p.refuse(p.columnPos(t, c), RefusedKey, p.newTable(t), "the primary key of %s is %s and cannot become %s", t.Name, formatKey(old), formatKey(t))
			return false
		case c.Name == was[i].Name:
		case c.Attribute != nil && c.Attribute.Was == was[i].Name || t.Aggregate == nil:
			renames = append(renames, ddl.Rename{From: was[i].Name, To: c.Name})
		default:
			p.refuse(p.columnPos(t, c), RefusedKey,
				fmt.Sprintf("if %s was renamed, write was=%s in its tag; otherwise %s", was[i].Name, was[i].Name, p.newTable(t)),
				"the primary key of %s is %s and cannot become %s", t.Name, formatKey(old), formatKey(t))
			return false
		}
	}
	return p.rename(old, t, renames)
}

func (p *planner) rename(old, t *schema.Table, renames []ddl.Rename) bool {
	var names []string
	for _, c := range old.Columns {
		names = append(names, c.Name)
	}
	ordered, ok := orderRenames(renames, names)
	if !ok {
		p.refuse(markerPos(p.owner[t]), RefusedRename, twoSteps, "new names in the primary key of %s are still in use", t.Name)
		return false
	}
	for _, r := range ordered {
		p.emit(p.goName(t, catalog.Column(t, r.To))+" is renamed.", RenameColumn{t.Name, r.From, r.To})
	}
	return true
}

// formatKey returns a primary key for a message: (id int), ((a int, b text), c int DESC).
func formatKey(t *schema.Table) string {
	list := func(columns []*schema.Column) string {
		var out []string
		for _, c := range columns {
			s := model.Quote(c.Name) + " " + c.Type.String()
			if c.Order == model.Descending {
				s += " DESC"
			}
			out = append(out, s)
		}
		return strings.Join(out, ", ")
	}
	switch {
	case len(t.ClusteringKey) == 0:
		return "(" + list(t.PartitionKey) + ")"
	case len(t.PartitionKey) == 1:
		return "(" + list(t.PartitionKey) + ", " + list(t.ClusteringKey) + ")"
	}
	return "((" + list(t.PartitionKey) + "), " + list(t.ClusteringKey) + ")"
}

// goName returns the Go name of a column.
func (p *planner) goName(t *schema.Table, c *schema.Column) string {
	if t.Aggregate == nil || c.Attribute == nil || len(c.Attribute.Path) == 0 {
		return "Column " + c.Name
	}
	a := t.Aggregate
	if t.Part != nil && slices.Contains(t.Part.Attributes, c.Attribute) {
		a = t.Part
	}
	return a.Struct.Name + "." + strings.Join(c.Attribute.Path, ".")
}

// compare refuses a changed type or kind of a column.
func (p *planner) compare(t *schema.Table, was, c *schema.Column) {
	switch {
	case c.Kind != was.Kind:
		p.refuse(p.columnPos(t, c), RefusedKind, p.newTable(t), "column %s of %s is %s and cannot become %s", c.Name, t.Name, describeKind(was), describeKind(c))
	case c.Type.String() == was.Type.String() || p.renamed(was.Type, c.Type):
	case c.Type.Counter() != was.Type.Counter(): // the same table cannot have a new column for the values
		p.refuse(p.columnPos(t, c), RefusedCounter, p.newTable(t), "column %s of %s is %s and cannot become %s: a table cannot have both counters and other columns", c.Name, t.Name, was.Type, c.Type)
	case t.Aggregate == nil || c.Attribute == nil || c.Attribute.Field == nil || catalog.Undroppable(was.Type) != "":
		p.refuse(p.columnPos(t, c), RefusedType, p.newTable(t), "column %s of %s is %s and cannot become %s", c.Name, t.Name, was.Type, c.Type)
	default:
		p.refuse(p.columnPos(t, c), RefusedType, "create a new column: "+newColumn(c, t), "column %s of %s is %s and cannot become %s", c.Name, t.Name, was.Type, c.Type)
	}
}

func describeKind(c *schema.Column) string {
	switch c.Kind {
	case schema.PartitionKey, schema.ClusteringKey:
		return "part of the primary key"
	case schema.Static:
		return "static"
	}
	return "regular"
}

// add plans a new column, and the step that fills it.
func (p *planner) add(old, t *schema.Table, c *schema.Column) {
	if err := p.from.Readdable(t.Name, c); err != nil {
		fix := p.newTable(t)
		if c.Attribute != nil && c.Attribute.Field != nil {
			fix = "use a name that no column of the table had before"
		}
		p.refuse(p.columnPos(t, c), RefusedReturn, fix, "%s", err)
		return
	}
	if c.Type.Counter() != slices.ContainsFunc(old.Columns, func(c *schema.Column) bool { return c.Type.Counter() }) {
		p.refuse(p.columnPos(t, c), RefusedCounter, p.newTable(t), "column %s of %s is %s: a table cannot have both counters and other columns", c.Name, t.Name, c.Type)
		return
	}
	from := p.source(old, t, c)
	if _, before := p.from.Dropped[t.Name][c.Name]; before && (from != "" || t.Aggregate != nil && !t.Aggregate.IsSource()) {
		p.refuse(p.columnPos(t, c), RefusedReturn, "use a name that no column of the table had before",
			"column %s of %s was dropped earlier: the values that would be copied to it are older than the drop and read as null", c.Name, t.Name)
		return
	}
	if from != "" && catalog.Undroppable(catalog.Column(old, from).Type) != "" {
		p.refuse(p.columnPos(t, c), RefusedDrop, p.newTable(t), "column %s of %s is %s, and could not be dropped after %s has replaced it",
			from, t.Name, catalog.Column(old, from).Type, c.Name)
		return
	}
	why := p.goName(t, c) + " is new."
	if from != "" {
		why = fmt.Sprintf("%s replaces %s, which is kept until was=%s is removed.", p.goName(t, c), from, from)
	}
	p.emit(why, AddColumn{t.Name, c})
	p.addCopy(t, c)
	switch {
	case t.Aggregate != nil && !t.Aggregate.IsSource():
		p.refills = append(p.refills, refill{t.Name, fmt.Sprintf("The existing rows of %s do not have the new columns.", t.Name)})
	case from != "":
		p.fills = append(p.fills, fill{
			p.copyColumn(t, catalog.Column(old, from), c),
			fmt.Sprintf("The values of %s are copied to %s.", from, c.Name),
		})
	}
}

// source returns the name of the existing column that a new one replaces by was=; "" if there is none.
func (p *planner) source(old, t *schema.Table, c *schema.Column) string {
	if c.Attribute == nil || c.Attribute.Was == "" {
		return ""
	}
	was := c.Attribute.Was
	if catalog.Column(old, was) == nil {
		return ""
	}
	return was
}

// sets reports whether a table sets a property.
func sets(t *schema.Table, name string) bool {
	return slices.ContainsFunc(t.Properties, func(p schema.Property) bool { return p.Name == name })
}

// shrinks reports whether a reverse table would have fewer buckets than rows of it may be in, and refuses that.
func (p *planner) shrinks(old, t *schema.Table) bool {
	n, m := buckets(old), buckets(t)
	if n <= m || m == 0 {
		return false
	}
	p.refuse(markerPos(p.owner[t]), RefusedBuckets, "restore the larger rows= on the field of the reference",
		"table %s has %d buckets and cannot have %d: rows in the others would not be read", t.Name, n, m)
	return true
}

// buckets returns the number of buckets of a reverse table, or 0 for any other table.
func buckets(t *schema.Table) int {
	return descriptor.BucketsOf(strings.Trim(catalog.Option(t, "comment"), "'"))
}

// options plans the properties that differ. A property that the model does not set has the server's default.
func (p *planner) options(old, t *schema.Table) {
	if p.shrinks(old, t) || p.recordUnfilled(old, t) {
		return
	}
	const bloom = "bloom_filter_fp_chance" // its default changes with the compaction
	names := []string{bloom}
	for _, x := range slices.Concat(t.Properties, old.Properties) {
		names = append(names, x.Name)
	}
	slices.Sort(names)
	var set []schema.Property
	for _, name := range slices.Compact(names) {
		if value := catalog.Option(t, name); value != catalog.Option(old, name) && value != "" {
			set = append(set, schema.Property{Name: name, Value: value})
		}
	}
	why := ""
	if catalog.Option(t, bloom) != catalog.Option(old, bloom) && !sets(t, bloom) {
		why = "The default of bloom_filter_fp_chance depends on the compaction, but ALTER does not change it."
	}
	if n := buckets(old); n > 0 && n < buckets(t) {
		why = "Rows stay where they are: a program with the new number reads all buckets. While it runs beside programs of the earlier release, those must not delete a target or fan out."
	}
	if len(set) > 0 {
		p.emit(why, SetProperties{t.Name, set})
	}
}
