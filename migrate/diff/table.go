package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// tables plans new tables and what is new in those that are there.
func (p *planner) tables() {
	for i, t := range p.to.Tables {
		if old := p.from.Table(t.Name); old != nil {
			if p.taken(t) {
				continue
			}
			p.alter(old, t)
		} else {
			p.create(t, p.model.Tables[i])
		}
		p.createIndexes(t)
	}
}

// taken refuses the name of a table whose rows was= gives to another aggregate.
func (p *planner) taken(t *schema.Table) bool {
	for _, other := range p.to.Tables {
		if other != t && other.Aggregate != nil && other.Aggregate.Was == t.Name {
			p.refuse(markerOf(p.owner[t]), RefusedRename, twoSteps, "%s has the rows that was=%s gives to %s", t.Name, t.Name, other.Name)
			return true
		}
	}
	return false
}

// twoSteps fixes names that change places.
const twoSteps = "give the new names in two steps: what has such a name now gets another, or goes, first"

// create plans a new table, and what fills it.
func (p *planner) create(t, asWritten *schema.Table) {
	old := p.replaced(t)
	why := ""
	if old != nil {
		why = fmt.Sprintf("%s takes the place of %s, which stays until was=%s is taken off %s.", t.Name, old.Name, old.Name, t.Aggregate.Struct.Name)
	}
	p.emit(why, CreateTable{t, asWritten})
	owner := p.owner[t]
	switch {
	case owner == nil || t.Aggregate == nil && !p.stored(owner):
	case t.Aggregate == nil:
		p.fills = append(p.fills, fill{
			Func{Name: p.funcName("fill", t.Name), From: "table " + owner.Table, To: "table " + t.Name},
			fmt.Sprintf("%s is derived from the rows that %s has.", t.Name, owner.Table),
		})
	case owner.Redundancy != nil && (old != nil || p.stored(owner.Redundancy.Source)):
		p.refills = append(p.refills, refill{t.Name, fmt.Sprintf("%s is filled from %s.", t.Name, owner.Redundancy.Source.Struct.Name)})
		p.plan.Fresh = append(p.plan.Fresh, t.Name)
	case owner.Redundancy == nil && old != nil:
		p.fills = append(p.fills, fill{
			p.copyRows(old, t),
			fmt.Sprintf("The rows of %s are copied to %s.", old.Name, t.Name),
		})
	}
}

// alter plans what is new in a table, or refuses it.
func (p *planner) alter(old, t *schema.Table) {
	if !p.key(old, t) {
		return
	}
	for _, c := range t.Columns[len(t.Key()):] {
		if was := catalog.Column(old, c.Name); was != nil && earlierColumn(t, c.Name) {
			p.refuse(p.placeOf(t, c), RefusedRename, twoSteps, "column %s of %s has the values that was=%s gives to another", c.Name, t.Name, c.Name)
		} else if was != nil {
			p.compare(t, was, c)
		} else {
			p.add(old, t, c)
		}
	}
	p.options(old, t)
}

// key compares the primary keys, renames their columns, and refuses every other difference.
func (p *planner) key(old, t *schema.Table) bool {
	was, now := old.Key(), t.Key()
	if len(was) != len(now) || len(old.PartitionKey) != len(t.PartitionKey) {
		p.refuse(markerOf(p.owner[t]), RefusedKey, p.another(t), "the primary key of %s is %s and cannot become %s", t.Name, keyOf(old), keyOf(t))
		return false
	}
	var renames []ddl.Rename
	for i, c := range now {
		switch {
		case c.Type.String() != was[i].Type.String() || c.Order != was[i].Order:
			p.refuse(p.placeOf(t, c), RefusedKey, p.another(t), "the primary key of %s is %s and cannot become %s", t.Name, keyOf(old), keyOf(t))
			return false
		case c.Name == was[i].Name:
		case c.Attribute != nil && c.Attribute.Was == was[i].Name || t.Aggregate == nil:
			renames = append(renames, ddl.Rename{From: was[i].Name, To: c.Name})
		default:
			p.refuse(p.placeOf(t, c), RefusedKey,
				fmt.Sprintf("if it is %s under another name, write was=%s in its tag; else %s", was[i].Name, was[i].Name, p.another(t)),
				"the primary key of %s is %s and cannot become %s", t.Name, keyOf(old), keyOf(t))
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
		p.refuse(markerOf(p.owner[t]), RefusedRename, twoSteps, "columns of the primary key of %s take names that the table has", t.Name)
		return false
	}
	for _, r := range ordered {
		p.emit(p.goName(t, catalog.Column(t, r.To))+" has another name.", RenameColumn{t.Name, r.From, r.To})
	}
	return true
}

// keyOf writes a primary key for a message: (id int), ((a int, b text), c int DESC).
func keyOf(t *schema.Table) string {
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

// goName is a column as Go names it.
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

// compare refuses another type or kind of a column.
func (p *planner) compare(t *schema.Table, was, c *schema.Column) {
	switch {
	case c.Kind != was.Kind:
		p.refuse(p.placeOf(t, c), RefusedKind, p.another(t), "column %s of %s is %s and cannot become %s", c.Name, t.Name, kindOf(was), kindOf(c))
	case c.Type.String() == was.Type.String() || p.renamed(was.Type, c.Type):
	case c.Type.Counter() != was.Type.Counter(): // in the same table there is no column to turn to
		p.refuse(p.placeOf(t, c), RefusedCounter, p.another(t), "column %s of %s is %s and cannot become %s: a table has counters alone, or none", c.Name, t.Name, was.Type, c.Type)
	case t.Aggregate == nil || c.Attribute == nil || c.Attribute.Field == nil || catalog.Stays(was.Type) != "":
		p.refuse(p.placeOf(t, c), RefusedType, p.another(t), "column %s of %s is %s and cannot become %s", c.Name, t.Name, was.Type, c.Type)
	default:
		p.refuse(p.placeOf(t, c), RefusedType, "make a new column: "+newName(c, t), "column %s of %s is %s and cannot become %s", c.Name, t.Name, was.Type, c.Type)
	}
}

func kindOf(c *schema.Column) string {
	switch c.Kind {
	case schema.PartitionKey, schema.ClusteringKey:
		return "of the primary key"
	case schema.Static:
		return "static"
	}
	return "of a row"
}

// add plans a new column, and what fills it.
func (p *planner) add(old, t *schema.Table, c *schema.Column) {
	if err := p.from.Readdable(t.Name, c); err != nil {
		fix := p.another(t)
		if c.Attribute != nil && c.Attribute.Field != nil {
			fix = "give the column a name that it never had"
		}
		p.refuse(p.placeOf(t, c), RefusedReturn, fix, "%s", err)
		return
	}
	if c.Type.Counter() != slices.ContainsFunc(old.Columns, func(c *schema.Column) bool { return c.Type.Counter() }) {
		p.refuse(p.placeOf(t, c), RefusedCounter, p.another(t), "column %s of %s is %s: a table has counters alone, or none", c.Name, t.Name, c.Type)
		return
	}
	from := p.source(old, t, c)
	if _, before := p.from.Dropped[t.Name][c.Name]; before && (from != "" || t.Aggregate != nil && !t.Aggregate.IsSource()) {
		p.refuse(p.placeOf(t, c), RefusedReturn, "give the column a name that it never had",
			"column %s of %s was dropped before: what it would be filled with is older than that, and reads null", c.Name, t.Name)
		return
	}
	if from != "" && catalog.Stays(catalog.Column(old, from).Type) != "" {
		p.refuse(p.placeOf(t, c), RefusedDrop, p.another(t), "column %s of %s is %s, and could never be dropped once %s has taken its place",
			from, t.Name, catalog.Column(old, from).Type, c.Name)
		return
	}
	why := p.goName(t, c) + " is new."
	if from != "" {
		why = fmt.Sprintf("%s takes the place of %s, which stays until was=%s is taken off.", p.goName(t, c), from, from)
	}
	p.emit(why, AddColumn{t.Name, c})
	switch {
	case t.Aggregate != nil && !t.Aggregate.IsSource():
		p.refills = append(p.refills, refill{t.Name, fmt.Sprintf("The rows of %s lack what is new in it.", t.Name)})
	case from != "":
		p.fills = append(p.fills, fill{
			p.copyColumn(t, catalog.Column(old, from), c),
			fmt.Sprintf("What %s holds is copied to %s.", from, c.Name),
		})
	}
}

// source names the earlier column that was= says a new one takes the place of; "" for none.
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

// says reports whether a table has a property of its own.
func says(t *schema.Table, name string) bool {
	return slices.ContainsFunc(t.Properties, func(p schema.Property) bool { return p.Name == name })
}

// options plans the properties that differ. One that the model does not say is the server's default.
func (p *planner) options(old, t *schema.Table) {
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
	if catalog.Option(t, bloom) != catalog.Option(old, bloom) && !says(t, bloom) {
		why = "The default of bloom_filter_fp_chance goes with the compaction, which ALTER does not heed."
	}
	if len(set) > 0 {
		p.emit(why, SetProperties{t.Name, set})
	}
}
