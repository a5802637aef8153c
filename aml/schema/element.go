package schema

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/projection"
)

// HasElements reports whether each element of a column is a cell that can be written alone: a set, a map or a list that is not
// frozen.
func (c *Column) HasElements() bool {
	cells := c.Type.Cells()
	return c.Attribute != nil && (cells == projection.Set || cells == projection.Map || cells == projection.List)
}

// IsList reports whether the column is a list that is not frozen.
func (c *Column) IsList() bool { return c.Type.Cells() == projection.List }

// AddMethod returns the name of the method that adds an element: AddPhones, of a map PutAddresses.
func (c *Column) AddMethod() string {
	if c.Type.Cells() == projection.Map {
		return "Put" + c.Attribute.GoName()
	}
	return "Add" + c.Attribute.GoName()
}

// RemoveMethod returns the name of the method that removes an element: RemovePhones.
func (c *Column) RemoveMethod() string { return "Remove" + c.Attribute.GoName() }

// AppendMethod returns the name of the method that adds an element at the end of a list: AppendNotes.
func (c *Column) AppendMethod() string { return "Append" + c.Attribute.GoName() }

// PrependMethod returns the name of the method that adds an element at the beginning of a list: PrependNotes.
func (c *Column) PrependMethod() string { return "Prepend" + c.Attribute.GoName() }

// Way describes how a method for one element writes: without a read of the row, after a read, or not at all.
type Way struct {
	Reads string // why it reads the row first; "" if it does not
	No    string // why there is no such method; "" if there is one
}

// Addable returns how an element of a set, or an entry of a map, is added to a row of a root. The row need not be read if three
// conditions hold: the rows that the element adds to copies follow from the primary key and the element, the keys of these rows
// follow from the primary key and the key of the element, and no rule of the model depends on the other elements.
func (t *Table) Addable(c *Column) Way { return t.way(c, crowded(c), true) }

// Removable returns how an element of a set, or an entry of a map, is removed from a row of a root. The row need not be read if
// the keys of the rows of every copy follow from the primary key and the key of the element, and if no rule of the model depends
// on the other elements.
func (t *Table) Removable(c *Column) Way {
	rule := ""
	switch a := c.Attribute; {
	case a.Multiplicity.Min > 0:
		rule = "min= requires elements, and the number of the others is unknown"
	case a.Mandatory:
		rule = "it is required, and the element can be the last one"
	}
	return t.way(c, rule, false)
}

// Extendable returns how an element is added at an end of a list of a row of a root. There is no such method if a copy has the
// list, because a copy has all elements in one cell.
func (t *Table) Extendable(c *Column) Way {
	if why := t.expires(); why != "" {
		return Way{No: why}
	}
	for _, p := range t.Projections {
		if d := p.derivation(); d.derives(&d.Any, p.sourceIndex(c)) {
			return Way{No: fmt.Sprintf("the rows of %s derive from all elements", p.Table.Name)}
		}
	}
	return t.way(c, crowded(c), true)
}

// crowded returns the rule because of which an element cannot be added without the others; "" for none.
func crowded(c *Column) string {
	switch {
	case c.Attribute.Multiplicity.Max >= 0:
		return "max= limits the number of its elements, and the number of the others is unknown"
	case identifiedApart(c.Attribute.Type):
		return "an element has an identity, and those of the others are unknown"
	}
	return ""
}

// way returns how an element is added or removed. rule is the rule of the collection that needs the other elements.
func (t *Table) way(c *Column, rule string, add bool) Way {
	if why := c.unwritable(); why != "" {
		return Way{No: why}
	}
	if k := c.Attribute.Type.Kind; k != model.Set && k != model.MapType && k != model.List {
		return Way{No: "its Go type is not a slice or a map"}
	}
	why := cmp.Or(rule, t.partial(c), t.elementwise(c, add))
	if why != "" && c.Kind == Static && !t.Statics {
		return Way{No: "it is static, so there is no row to read: " + why}
	}
	return Way{Reads: why}
}

// elementwise returns why the rows of the copies that an element adds or removes are not determined by the primary key and the
// element; "" if they are.
func (t *Table) elementwise(c *Column, add bool) string {
	for _, p := range t.Projections {
		if why := p.elementwise(c, add); why != "" {
			return why
		}
	}
	return ""
}

// elementwise returns why the rows of a copy that an element adds or removes are not determined by the primary key and the element; ""
// if they are.
func (p *Projection) elementwise(c *Column, add bool) string {
	d, changed := p.derivation(), p.sourceIndex(c)
	switch {
	case !d.derives(&d.Any, changed):
		return ""
	case c.Kind == Static && !p.Source.Statics:
		return fmt.Sprintf("the rows of %s derive from it", p.Table.Name)
	case p.Table.Expires():
		return fmt.Sprintf("every write of %s writes whole rows, because they expire", p.Table.Name)
	case !d.element(changed):
		return d.sameElements(changed)
	}
	return d.elementRow(c, add)
}

// sameElements returns why a copy does not only get the same elements as the source; "" if it does.
func (d derivation) sameElements(changed int) string {
	if why := d.fixed(d.whole(changed)); why != "" {
		return why
	}
	for k, t := range d.Targets {
		if t.Form != projection.ByElement && d.derives(&t.Origin, changed) {
			return fmt.Sprintf("column %s of %s derives from all elements", model.Quote(d.p.Table.Ordered()[k].Name), d.p.Table.Name)
		}
	}
	return ""
}

// elementRow returns why an element does not determine its own row of a copy, and no other; "" if it does.
func (d derivation) elementRow(c *Column, add bool) string {
	p, key := d.p, d.p.elementKey(c)
	name := p.Table.Name
	switch {
	case p.Claimed() || p.Table.Aggregate.Redundancy.Distinct:
		return fmt.Sprintf("the rows of %s are distinct, and other rows can have the same key", name)
	case d.Tests:
		return fmt.Sprintf("not every element has a row of %s", name)
	case !key.determines(p.Columns[:len(p.Table.Key())]):
		return fmt.Sprintf("the key of a row of %s depends on more than the key of the element", name)
	case !key.contained(p.Columns[:len(p.Table.Key())]):
		return fmt.Sprintf("two elements can share a row of %s", name)
	}
	return d.elementCells(p.sourceIndex(c), add)
}

// elementCells returns why the columns of the row of an element are not determined by the primary key and the element; "" if they are. A
// row that is removed needs only its key.
func (d derivation) elementCells(changed int, add bool) string {
	for k, t := range d.Targets {
		column, other := model.Quote(d.p.Table.Ordered()[k].Name), d.other(d.whole(changed), &t.Origin)
		switch {
		case t.Units.Has(d.Units[changed]) && other == "":
			return fmt.Sprintf("column %s of %s derives from all elements", column, d.p.Table.Name)
		case t.Units.Has(d.Units[changed]) || add && other != "":
			return fmt.Sprintf("column %s of %s also derives from %s", column, d.p.Table.Name, other)
		}
	}
	return ""
}

// identifiedApart reports whether an element of a collection has an identity that its key in the collection does not contain.
func identifiedApart(t *model.Type) bool {
	if t.Elem == nil || t.Elem.Object == nil || !t.Elem.Object.Entity || len(t.Elem.Object.Identity) == 0 {
		return false
	}
	outside := func(a *model.Attribute) bool { return !slices.Contains(t.Elem.Object.Identity, a) }
	return len(t.Qualifier) == 0 || slices.ContainsFunc(t.Qualifier, outside)
}

// elementKey is the registers of a projection whose values follow from the key of the source and the key of one element: the element of
// a set, the key of an entry of a map.
type elementKey struct {
	follow map[uint16]bool
	ways   [][]uint16 // registers that, together, contain the key of the element
}

// determines reports whether the values of registers follow from the keys.
func (k *elementKey) determines(registers []uint16) bool {
	return !slices.ContainsFunc(registers, func(r uint16) bool { return !k.follow[r] })
}

// contained reports whether registers contain the key of the element.
func (k *elementKey) contained(registers []uint16) bool {
	return slices.ContainsFunc(k.ways, func(way []uint16) bool {
		return !slices.ContainsFunc(way, func(r uint16) bool { return !slices.Contains(registers, r) })
	})
}

// elementKey returns the registers that follow from the keys, if the loop is over a column.
func (p *Projection) elementKey(c *Column) *elementKey {
	k := &elementKey{follow: map[uint16]bool{}}
	for i := range p.Source.Key() {
		k.follow[uint16(i)] = true
	}
	value := -1
	for _, o := range p.Ops {
		switch {
		case o.Code.Loops():
			k.add(o.Dst, 1)
			if o.Code == projection.Entry {
				value = int(o.Dst) + 1
			}
		case o.Code == projection.Split && int(o.Src) == value:
			k.qualify(o.Dst, c.Attribute.Type)
		case o.Code == projection.Split && k.follow[o.Src]:
			k.split(o)
		case len(o.Args) > 0:
			k.follow[o.Dst] = k.determines(o.Args) && (o.Code != projection.MakeIf || k.follow[o.Src])
		}
	}
	return k
}

// add adds registers that, together, contain the key of the element.
func (k *elementKey) add(first, n uint16) {
	var way []uint16
	for r := first; r < first+n; r++ {
		k.follow[r], way = true, append(way, r)
	}
	k.ways = append(k.ways, way)
}

// split adds the members of a value that follows from the keys.
func (k *elementKey) split(o Op) {
	of := slices.ContainsFunc(k.ways, func(way []uint16) bool { return slices.Equal(way, []uint16{o.Src}) })
	for r := o.Dst; r < o.Dst+o.N; r++ {
		k.follow[r] = true
	}
	if of {
		k.add(o.Dst, o.N)
	}
}

// qualify adds the members of an entry's value that are its key.
func (k *elementKey) qualify(first uint16, t *model.Type) {
	var way []uint16
	for _, a := range t.Qualifier {
		r := first + uint16(slices.Index(t.Elem.Object.Attributes, a))
		k.follow[r], way = true, append(way, r)
	}
	if way != nil {
		k.ways = append(k.ways, way)
	}
}
