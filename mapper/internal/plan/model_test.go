package plan_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// shop is a root with columns of every form.
type shop struct {
	ID      string
	Region  string
	Name    *string
	City    *string
	Tags    []string          // set<text>
	Labels  map[string]string // map<text, text>
	Places  map[string]pair   // map<text, frozen<pair>>
	Items   []pair            // list<frozen<pair>>
	Owner   *owner            // a UDT that is not frozen
	Address *pair             // frozen<pair>
}

type pair struct{ A, B *string }

type owner struct{ A, B, C *string }

func encodePair(e *cell.Encoder, v *pair) { text(e, v.A); text(e, v.B) }

func text(e *cell.Encoder, v *string) { cell.EncodeNullable(e, v, (*cell.Encoder).Text) }

func (s *shop) row() cell.Row {
	var e cell.Encoder
	e.Text(s.ID)
	e.Text(s.Region)
	text(&e, s.Name)
	text(&e, s.City)
	cell.EncodeUnique(&e, s.Tags, (*cell.Encoder).Text)
	cell.EncodeMap(&e, s.Labels, (*cell.Encoder).Text, (*cell.Encoder).Text)
	cell.EncodeMapOfStructs(&e, s.Places, (*cell.Encoder).Text, encodePair)
	cell.EncodeStructs(&e, s.Items, encodePair)
	cell.EncodeStruct(&e, s.Owner, func(e *cell.Encoder, v *owner) { text(e, v.A); text(e, v.B); text(e, v.C) })
	cell.EncodeStruct(&e, s.Address, encodePair)
	text(&e, s.bucket())
	row, err := (*plan.Table)(shops).Row(&e, nil)
	if err != nil {
		panic(err)
	}
	return row
}

// The registers of a shop's row.
const (
	rID = iota
	rRegion
	rName
	rCity
	rTags
	rLabels
	rPlaces
	rItems
	rOwner
	rAddress
	rBucket // the result of a method
	rFree
)

// bucket is computed from two columns, like a method of the struct.
func (s *shop) bucket() *string {
	if s.City == nil {
		return nil
	}
	b := "0"
	if *s.City == "a" && s.Name != nil {
		b = "1"
	}
	return &b
}

var shops = &descriptor.Table{Name: "shops", Aggregate: "Shop", Partition: 1, Key: 2, Insert: "insert", Delete: "delete",
	Computed: []string{"Bucket()"},
	Columns: []descriptor.Column{
		{Name: "id", Field: "ID", Type: "text"},
		{Name: "region", Field: "Region", Kind: projection.ClusteringKey, Type: "text"},
		{Name: "name", Field: "Name", Kind: projection.Regular, Type: "text"},
		{Name: "city", Field: "City", Kind: projection.Regular, Type: "text"},
		{Name: "tags", Field: "Tags", Kind: projection.Regular, Type: "set<text>", Cells: projection.Set, Update: "update tags"},
		{Name: "labels", Field: "Labels", Kind: projection.Regular, Type: "map<text, text>", Cells: projection.Map, Update: "update labels"},
		{Name: "places", Field: "Places", Kind: projection.Regular, Type: "map<text, frozen<pair>>", Cells: projection.Map, Update: "update places"},
		{Name: "items", Field: "Items", Kind: projection.Regular, Type: "list<frozen<pair>>", Cells: projection.List},
		{Name: "owner", Field: "Owner", Kind: projection.Regular, Type: "owner", Cells: projection.UDT, Fields: 3, Update: "update owner"},
		{Name: "address", Field: "Address", Kind: projection.Regular, Type: "frozen<pair>"},
	}}

// element is the current element of a loop: nothing, an item, a tag, a place.
type element struct {
	key   string
	value pair
}

// columnOf is a possible column of a copy: how a program computes it, and its expected value, computed from the Go values
// alone. show prints the value as the simulator prints it.
type columnOf struct {
	name     string
	cells    projection.Cells
	fields   int
	register uint16
	ops      []projection.Op
	show     func(*shop, element) string
	from     []string // the units that it derives from; for a UDT field by field
}

// cqlType returns the type of a column, by which the database sorts sets and maps.
func (c *columnOf) cqlType() string {
	switch c.cells {
	case projection.Set:
		return "set<text>"
	case projection.Map:
		return "map<text, blob>"
	case projection.UDT:
		return "owner"
	}
	return "blob"
}

const null = "-"

func show(v *string) string {
	if v == nil {
		return null
	}
	return *v
}

func showPair(v *pair) string {
	if v == nil {
		return null
	}
	return show(v.A) + "," + show(v.B)
}

func showSet(v []string) string {
	if len(v) == 0 {
		return null
	}
	return "{" + strings.Join(slices.Sorted(slices.Values(v)), " ") + "}"
}

func showMap[V any](m map[string]V, value func(V) string) string {
	if len(m) == 0 {
		return null
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k+":"+value(m[k]))
	}
	return "{" + strings.Join(out, " ") + "}"
}

func showOwner(o *owner) string {
	if o == nil || o.A == nil && o.B == nil && o.C == nil {
		return null
	}
	return show(o.A) + "," + show(o.B) + "," + show(o.C)
}

func showItems(v []pair) string {
	if len(v) == 0 {
		return null
	}
	var out []string
	for _, p := range v {
		out = append(out, showPair(&p))
	}
	return "[" + strings.Join(out, " ") + "]"
}

func place(v pair) string { return showPair(&v) }

func itself(v string) string { return v }

// Registers above these are free for the columns that need steps.
const (
	rElement = rFree     // of a loop: the key or element, followed by its value
	rMember  = rFree + 2 // the members of the element's value
	rSplit   = rFree + 4 // the fields of the owner
	rMade    = rFree + 7
	rMade2   = rFree + 8
	rAddr    = rFree + 9
)

// rootColumns are the columns that every copy can have.
var rootColumns = []columnOf{
	{name: "name", register: rName, from: []string{"name"}, show: func(s *shop, _ element) string { return show(s.Name) }},
	{name: "city", register: rCity, from: []string{"city"}, show: func(s *shop, _ element) string { return show(s.City) }},
	{name: "tags", cells: projection.Set, register: rTags, show: func(s *shop, _ element) string { return showSet(s.Tags) }},
	{name: "frozen_tags", register: rTags, from: []string{"tags"}, show: func(s *shop, _ element) string { return showSet(s.Tags) }},
	{name: "labels", cells: projection.Map, register: rLabels, show: func(s *shop, _ element) string { return showMap(s.Labels, itself) }},
	{name: "places", cells: projection.Map, register: rPlaces, show: func(s *shop, _ element) string { return showMap(s.Places, place) }},
	{name: "frozen_places", register: rPlaces, from: []string{"places"}, show: func(s *shop, _ element) string { return showMap(s.Places, place) }},
	{name: "items", register: rItems, from: []string{"items"}, show: func(s *shop, _ element) string { return showItems(s.Items) }},
	{name: "owner", cells: projection.UDT, fields: 3, register: rOwner, show: func(s *shop, _ element) string { return showOwner(s.Owner) }},
	{name: "frozen_owner", register: rOwner, from: []string{"owner.0", "owner.1", "owner.2"}, show: func(s *shop, _ element) string { return showOwner(s.Owner) }},
	{name: "owner_b", register: rSplit + 1, from: []string{"owner.1"}, ops: []projection.Op{{Code: projection.Split, Src: rOwner, Dst: rSplit, N: 3}},
		show: func(s *shop, _ element) string {
			if s.Owner == nil {
				return null
			}
			return show(s.Owner.B)
		}},
	{name: "owner_c", register: rSplit + 2, from: []string{"owner.2"}, ops: []projection.Op{{Code: projection.Split, Src: rOwner, Dst: rSplit, N: 3}},
		show: func(s *shop, _ element) string {
			if s.Owner == nil {
				return null
			}
			return show(s.Owner.C)
		}},
	{name: "address", register: rAddress, from: []string{"address"}, show: func(s *shop, _ element) string { return showPair(s.Address) }},
	{name: "address_b", register: rAddr + 1, from: []string{"address"}, ops: []projection.Op{{Code: projection.Split, Src: rAddress, Dst: rAddr, N: 2}},
		show: func(s *shop, _ element) string {
			if s.Address == nil {
				return null
			}
			return show(s.Address.B)
		}},
	{name: "parent", cells: projection.UDT, fields: 3, register: rMade, ops: []projection.Op{{Code: projection.Make, Dst: rMade, Args: []uint16{rID, rName, rCity}}},
		show: func(s *shop, _ element) string { return s.ID + "," + show(s.Name) + "," + show(s.City) }},
	{name: "frozen_parent", register: rMade, from: []string{"name", "city"}, ops: []projection.Op{{Code: projection.Make, Dst: rMade, Args: []uint16{rID, rName, rCity}}},
		show: func(s *shop, _ element) string { return s.ID + "," + show(s.Name) + "," + show(s.City) }},
	{name: "living", cells: projection.UDT, fields: 2, register: rMade2, ops: []projection.Op{{Code: projection.MakeIf, Src: rAddress, Dst: rMade2, Args: []uint16{rName, rID}}},
		show: func(s *shop, _ element) string {
			if s.Address == nil {
				return null
			}
			return show(s.Name) + "," + s.ID
		}},
}

// family is a way to derive rows from a shop.
type family struct {
	name     string
	ops      []projection.Op
	key      []uint16 // registers; the first is the partition key
	columns  []columnOf
	elements func(*shop) []element
	keyOf    func(*shop, element) []string
	steady   bool // its key cannot change
	own      bool // its elements are separate cells
	bare     bool // it converges only without columns outside its key
}

func one(*shop) []element { return []element{{}} }

func items(s *shop) (out []element) {
	for _, p := range s.Items {
		out = append(out, element{value: p})
	}
	return out
}

// placed returns the items with their positions in the list.
func placed(s *shop) (out []element) {
	for i, p := range s.Items {
		out = append(out, element{key: string([]byte{0, 0, 0, byte(i)}), value: p})
	}
	return out
}

func oneWhen(holds func(*shop) bool) func(*shop) []element {
	return func(s *shop) []element {
		if !holds(s) {
			return nil
		}
		return []element{{}}
	}
}

// whole returns the places whose members are both set.
func whole(s *shop) (out []element) {
	for _, e := range places(s) {
		if e.value.B != nil {
			out = append(out, e)
		}
	}
	return out
}

func tags(s *shop) (out []element) {
	for _, t := range s.Tags {
		out = append(out, element{key: t})
	}
	return out
}

func places(s *shop) (out []element) {
	for k, p := range s.Places {
		out = append(out, element{k, p})
	}
	return out
}

func member(name string, i int, unit string) columnOf {
	return columnOf{name: name, register: rMember + uint16(i), from: []string{unit}, show: func(_ *shop, e element) string {
		return show([]*string{e.value.A, e.value.B}[i])
	}}
}

func value(unit string) columnOf {
	return columnOf{name: "value", from: []string{unit}, show: func(_ *shop, e element) string { return showPair(&e.value) }}
}

func at(c columnOf, r uint16) columnOf { c.register = r; return c }

var splitElement = projection.Op{Code: projection.Split, Src: rElement, Dst: rMember, N: 2}
var splitValue = projection.Op{Code: projection.Split, Src: rElement + 1, Dst: rMember, N: 2}

var families = []family{
	{name: "by_region", key: []uint16{rRegion, rID}, elements: one, steady: true,
		keyOf: func(s *shop, _ element) []string { return []string{s.Region, s.ID} }},
	{name: "by_name", key: []uint16{rName, rRegion, rID}, elements: one,
		keyOf: func(s *shop, _ element) []string { return []string{show(s.Name), s.Region, s.ID} }},
	{name: "in_region_by_name", key: []uint16{rRegion, rName, rID}, elements: one,
		keyOf: func(s *shop, _ element) []string { return []string{s.Region, show(s.Name), s.ID} }},
	{name: "by_owner", key: []uint16{rSplit, rRegion, rID}, ops: []projection.Op{{Code: projection.Split, Src: rOwner, Dst: rSplit, N: 3}}, elements: one,
		keyOf: func(s *shop, _ element) []string {
			if s.Owner == nil {
				return []string{null, s.Region, s.ID}
			}
			return []string{show(s.Owner.A), s.Region, s.ID}
		}},
	{name: "by_item", key: []uint16{rMember, rID, rRegion}, ops: []projection.Op{{Code: projection.Each, Src: rItems, Dst: rElement}, splitElement}, elements: items,
		columns: []columnOf{member("item_b", 1, "items"), at(value("items"), rElement)},
		keyOf:   func(s *shop, e element) []string { return []string{show(e.value.A), s.ID, s.Region} }},
	{name: "by_tag", key: []uint16{rElement, rID, rRegion}, ops: []projection.Op{{Code: projection.Each, Src: rTags, Dst: rElement}}, elements: tags, steady: true, own: true,
		keyOf: func(s *shop, e element) []string { return []string{e.key, s.ID, s.Region} }},
	{name: "by_place", key: []uint16{rID, rRegion, rElement}, ops: []projection.Op{{Code: projection.Entry, Src: rPlaces, Dst: rElement}, splitValue}, elements: places, steady: true, own: true,
		columns: []columnOf{member("place_a", 0, "element"), member("place_b", 1, "element"), at(value("element"), rElement+1)},
		keyOf:   func(s *shop, e element) []string { return []string{s.ID, s.Region, e.key} }},
	{name: "by_place_city", key: []uint16{rMember, rID, rRegion, rElement}, ops: []projection.Op{{Code: projection.Entry, Src: rPlaces, Dst: rElement}, splitValue}, elements: places, own: true,
		columns: []columnOf{member("place_b", 1, "element")},
		keyOf:   func(s *shop, e element) []string { return []string{show(e.value.A), s.ID, s.Region, e.key} }},
	{name: "by_bucket", key: []uint16{rBucket, rID, rRegion}, elements: one,
		columns: []columnOf{{name: "bucket", register: rBucket, from: everything, show: func(s *shop, _ element) string { return show(s.bucket()) }}},
		keyOf:   func(s *shop, _ element) []string { return []string{show(s.bucket()), s.ID, s.Region} }},
	{name: "by_name_when_placed", key: []uint16{rName, rRegion, rID}, ops: []projection.Op{{Code: projection.Need, Src: rAddress}},
		elements: oneWhen(func(s *shop) bool { return s.Address != nil }),
		keyOf:    func(s *shop, _ element) []string { return []string{show(s.Name), s.Region, s.ID} }},
	{name: "by_region_when_placed", key: []uint16{rRegion, rID}, ops: []projection.Op{{Code: projection.Need, Src: rAddress}}, steady: true, bare: true,
		elements: oneWhen(func(s *shop) bool { return s.Address != nil }),
		keyOf:    func(s *shop, _ element) []string { return []string{s.Region, s.ID} }},
	{name: "items_in_order", key: []uint16{rID, rRegion, rElement + 1}, ops: []projection.Op{{Code: projection.Each, Src: rItems, Dst: rElement, N: 2}, splitElement}, elements: placed,
		columns: []columnOf{member("item_b", 1, "items"), at(value("items"), rElement)},
		keyOf:   func(s *shop, e element) []string { return []string{s.ID, s.Region, e.key} }},
	{name: "whole_places", key: []uint16{rID, rRegion, rElement}, ops: []projection.Op{{Code: projection.Entry, Src: rPlaces, Dst: rElement}, splitValue, {Code: projection.Need, Src: rMember + 1}}, elements: whole, own: true,
		columns: []columnOf{member("place_a", 0, "element"), at(value("element"), rElement+1)},
		keyOf:   func(s *shop, e element) []string { return []string{s.ID, s.Region, e.key} }},
}

// everything has all units of a shop: the result of a method derives from all of them.
var everything = []string{"name", "city", "tags", "labels", "places", "items", "owner.0", "owner.1", "owner.2", "address"}

// copyOf returns a copy with some of its possible columns.
type copyOf struct {
	family
	chosen []columnOf
	table  *descriptor.Table
}

// projection adds the steps of the chosen columns before the loop, each once.
func (c *copyOf) projection() descriptor.Projection {
	p := descriptor.Projection{Table: c.table, Columns: slices.Clone(c.key)}
	seen := map[uint16]bool{}
	for _, op := range c.ops {
		seen[op.Dst] = true
	}
	for _, col := range c.chosen {
		for _, op := range col.ops {
			if !seen[op.Dst] {
				seen[op.Dst] = true
				p.Ops = append(p.Ops, op)
			}
		}
		p.Columns = append(p.Columns, col.register)
	}
	p.Ops = append(p.Ops, c.ops...)
	return p
}

func newCopy(f family, n int, chosen []columnOf) *copyOf {
	c := &copyOf{family: f, chosen: chosen}
	c.table = &descriptor.Table{Name: fmt.Sprintf("%s_%d", f.name, n), Aggregate: f.name, Partition: 1, Key: len(f.key), Insert: "insert", Delete: "delete"}
	for i := range f.key {
		kind := projection.ClusteringKey
		if i == 0 {
			kind = projection.PartitionKey
		}
		c.table.Columns = append(c.table.Columns, descriptor.Column{Name: fmt.Sprintf("k%d", i), Field: fmt.Sprintf("K%d", i), Kind: kind, Type: "text"})
	}
	for _, col := range chosen {
		c.table.Columns = append(c.table.Columns, descriptor.Column{Name: col.name, Field: col.name, Kind: projection.Regular, Type: col.cqlType(), Cells: col.cells, Fields: col.fields, Update: "update " + col.name})
	}
	return c
}

// oracle returns the rows that the copy must have, as text, by key. It returns an error if the shop cannot be written.
func (c *copyOf) oracle(s *shop) (rows map[string]string, ok bool) {
	rows = map[string]string{}
	for _, e := range c.elements(s) {
		key := c.keyOf(s, e)
		if slices.Contains(key, null) || key[0] == "" {
			return nil, false
		}
		var cols []string
		for _, col := range c.chosen {
			cols = append(cols, col.name+"="+col.show(s, e))
		}
		k, row := strings.Join(key, "|"), strings.Join(cols, ";")
		if other, twice := rows[k]; twice && other != row {
			return nil, false
		}
		rows[k] = row
	}
	return rows, true
}
