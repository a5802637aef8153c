package alternatives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/internal/article"
)

// design is one way to store a relationship.
type design struct {
	shape
	about   string
	many    bool                         // an element can have several roots
	refused func(r *Relationship) string // why the language does not have it for the relationship; "" if it does
	edit    func(d *draft)
	calls   func(d *draft) plan
}

// designs returns all designs, first the plain form of each.
func designs() []*design {
	return slices.Concat(embeddings(), inversions(), rootReferences(), elementReferences(), bothReferences(), pairings(), partitions())
}

// forms returns a design without and with versions, as two designs.
func forms(d design, guard string) []*design {
	plain, other := d, d
	other.guard = guard
	return []*design{&plain, &other}
}

// needsKey refuses designs with a collection of keys or a map, for elements that several fields identify.
func needsKey(s func(r *Relationship) *Side) func(r *Relationship) string {
	return func(r *Relationship) string {
		if side := s(r); side.single() == nil {
			return fmt.Sprintf("a collection of keys needs a key of one field, and %s has %d", side.Struct, len(side.Key))
		}
		return ""
	}
}

func root(r *Relationship) *Side    { return r.Root }
func element(r *Relationship) *Side { return r.Element }

// embeddings have the elements in the row of their root: in a list or in a map, alone or with a redundant table.
func embeddings() (out []*design) {
	for _, form := range []string{"list", "map"} {
		refused := func(*Relationship) string { return "" }
		if form == "map" {
			refused = inMap
		}
		for _, copy := range []string{"", "partial", "total"} {
			d := design{shape: shape{"embedded-" + form, copy, ""}, about: "the elements in the row of their root, as a " + form, refused: refused}
			if copy != "" {
				d.about += ", and a redundant table of the elements"
			}
			if copy == "total" {
				d.about += " with their root"
			}
			d.edit = func(d *draft) { d.embed(form, copy) }
			d.calls = func(d *draft) plan { return d.embeddedCalls(copy) }
			out = append(out, forms(d, "versioned")...)
		}
	}
	return out
}

func (d *draft) embed(form, copy string) {
	d.asRoot(d.Root)
	d.asElement(d.versionedRoot() && (copy != "" || form == "list" && d.Element.isUnique()))
	name, column := d.collection()
	goType := "[]" + d.Element.Struct
	if form == "map" {
		goType = "map[" + d.Element.single().Type + "]" + d.Element.Struct
	}
	d.AddField(d.Root.Struct, field(name, goType, newTag(column, append([]string{"composition"}, d.limit()...)...)))
	if copy != "" {
		d.addByKey(copy == "total")
	}
}

// byKey returns the name of the redundant aggregate of the elements by their key, and its table.
func (d *draft) byKey() (name, table string) {
	name, table = d.Element.Struct+"By", d.Element.Table+"_by"
	for i, k := range d.Element.Key {
		if i > 0 {
			name += "And"
		}
		name, table = name+k.Name, table+"_"+k.Column
	}
	return name, tableName(table)
}

// addByKey declares the redundant aggregate of the elements by their key.
func (d *draft) addByKey(total bool) {
	name, table := d.byKey()
	collection, _ := d.collection()
	options := []string{"redundant=" + d.Root.Struct + "." + collection}
	if !d.versionedRoot() {
		options = append(options, "distinct")
	}
	var fields []string
	for i := range d.Element.Key {
		fields = append(fields, d.Element.Key[i].copy(plain("identifier")))
	}
	for i := range d.Element.Others {
		fields = append(fields, d.Element.Others[i].copy())
	}
	comment := fmt.Sprintf("has a row for each %s of each %s.", d.Element.Struct, d.Root.Struct)
	if total {
		fields = append(fields, field(d.Root.Struct, d.summary(), newTag(model.SnakeCase(d.Root.Struct), "composition", "from="+d.Root.Struct)))
		comment = strings.TrimSuffix(comment, ".") + ", with its " + d.Root.Struct + "."
	}
	d.Add(d.Root.Struct, structure(name, comment, newTag(table, options...), fields...))
	if total {
		d.addSummary()
	}
}

// inversions have the root in the row of each of its elements.
func inversions() []*design {
	out := forms(design{shape: shape{form: "inverse"}, about: "the elements as roots, each with its root in its row; there is no table of the roots", refused: containing,
		edit: (*draft).invert, calls: func(d *draft) plan { return d.inverseCalls(false) }}, "versioned")
	out = append(out, &design{shape: shape{"inverse", "shared", ""}, about: "the elements as roots, each with its root in its row, and a redundant table of the roots that all elements write", refused: withFields,
		edit: (*draft).invertShared, calls: func(d *draft) plan { return d.inverseCalls(true) }})
	return append(out, &design{shape: shape{"inverse", "copied", "versioned"}, about: "two roots; the row of an element has a copy of its root, which follows the root", refused: withFields,
		edit: (*draft).invertCopied, calls: (*draft).copiedCalls})
}

// invert makes the root a value of the element.
func (d *draft) invert() {
	r := d.Root
	d.SetMarker(r.Struct, "ValueObject", r.valueTag())
	d.describe(r, "stored in "+d.Element.Struct)
	for _, f := range slices.Concat(r.Key, r.Others) {
		if f.attribute.Field != nil && len(f.attribute.Path) == 1 && slices.ContainsFunc(f.attribute.Tag.Options, func(o model.Option) bool { return o.Key != "required" && !ofValue(o) }) {
			d.SetTag(r.Struct, f.Name, f.value())
		}
	}
	d.removeVersion(r)
	d.asRoot(d.Element)
	d.AddField(d.Element.Struct, field(r.Struct, r.Struct, newTag(model.SnakeCase(r.Struct), "composition")))
}

// removeVersion removes the version of a side that the design has not removed at the beginning.
func (d *draft) removeVersion(s *Side) {
	if s.Version != "" && d.keepsVersion(s) {
		d.RemoveField(s.Struct, s.Version)
	}
}

// value returns the tag of a field in a value object.
func (f *Field) value() string {
	t := model.Tag{Name: f.Column}
	for _, o := range f.attribute.Tag.Options {
		set := o.Key == "unique" && f.attribute.Type.Kind == model.Set
		if set || o.Key == "required" || ofValue(o) {
			t.Options = append(t.Options, o)
		}
	}
	return t.String()
}

// ofValue reports whether a field has an option also in a value object that other rows contain.
func ofValue(o model.Option) bool {
	return !slices.Contains(placing, o.Key) && !slices.Contains(referring, o.Key)
}

// invertShared makes the root a redundant aggregate of the element.
func (d *draft) invertShared() {
	r := d.Root
	d.removeVersion(r)
	d.asRoot(d.Element)
	d.AddField(d.Element.Struct, field(r.Struct, d.summary(), newTag(model.SnakeCase(r.Struct), "composition")))
	d.SetMarker(r.Struct, "Aggregate", newTag(r.Table, "redundant="+d.Element.Struct, "shared"))
	d.describe(r, "redundant, and follows from "+d.Element.Struct)
	for _, f := range r.Key {
		d.SetTag(r.Struct, f.Name, newTag(f.Column, append([]string{"identifier", "from=" + d.Element.Struct + "." + r.Struct + "." + f.Name}, f.cqlType()...)...))
	}
	var gone []string
	for _, f := range r.Others {
		if f.Scalar {
			d.SetTag(r.Struct, f.Name, newTag(f.Column, append([]string{"from=" + d.Element.Struct + "." + r.Struct + "." + f.Name}, f.cqlType()...)...))
		} else if name := f.attribute.Path[0]; !slices.Contains(gone, name) { // an embedded struct is removed with all of its fields
			d.RemoveField(r.Struct, name)
			gone = append(gone, name)
		}
	}
	d.addSummary()
}

// invertCopied copies the fields of the root to the element.
func (d *draft) invertCopied() {
	d.asRoot(d.Root)
	d.asRoot(d.Element)
	d.AddField(d.Element.Struct, field(d.Root.Struct, d.summary(), newTag(model.SnakeCase(d.Root.Struct), append([]string{"composition", "copy=" + d.Root.Struct}, d.rows()...)...)))
	d.addSummary()
}

// checking returns the option of the references of a design with versions.
func (d *draft) checking() []string {
	if d.versioned {
		return []string{"checked"}
	}
	return nil
}

// rootReferences have in the root the keys of its elements.
func rootReferences() []*design {
	one := design{shape: shape{form: "references-from-root"}, about: "two roots; the row of a root has the keys of its elements", many: true, refused: needsKey(element),
		edit: func(d *draft) { d.referToElements(false) }, calls: func(d *draft) plan { return d.rootReferenceCalls(false) }}
	list := design{shape: shape{"references-from-root", "list", ""}, about: one.about + ", and a redundant table lists the roots of an element", many: true, refused: one.refused,
		edit: func(d *draft) { d.referToElements(true) }, calls: func(d *draft) plan { return d.rootReferenceCalls(true) }}
	return append(forms(one, "checked"), forms(list, "checked")...)
}

func (d *draft) referToElements(list bool) {
	d.asRoot(d.Root)
	d.asRoot(d.Element)
	d.AddField(d.Root.Struct, d.Element.references(append(d.checking(), d.limit()...)...))
	if list {
		d.addList(d.Root, d.Element)
	}
}

// addList declares the redundant aggregate that lists the holders of a reference by its target.
func (d *draft) addList(holder, target *Side) {
	k := target.single()
	name, _ := target.referenceName(k)
	many := plural(name)
	fields := []string{field(name, k.Type, newTag(model.SnakeCase(name), append([]string{"identifier", "from=" + holder.Struct + "." + many + ".$value"}, k.cqlType()...)...))}
	for i := range holder.Key {
		h := &holder.Key[i]
		fields = append(fields, field(holder.Struct+h.Name, h.Type, newTag(model.SnakeCase(holder.Struct)+"_"+h.Column, append([]string{"discriminator", "from=" + holder.Struct + "." + h.Name}, h.cqlType()...)...)))
	}
	d.Add(holder.Struct, structure(listName(holder, target), fmt.Sprintf("has a row for each %s that refers to %s, by the %s.", holder.Struct, article.With(target.Struct), target.Struct),
		newTag(tableName(holder.Table, "by", model.SnakeCase(target.Struct)), "redundant="+holder.Struct+"."+many), fields...))
}

func listName(holder, target *Side) string { return holder.Struct + "By" + target.Struct }

// elementReferences have in the element the key of its root, or the keys of its roots.
func elementReferences() []*design {
	one := design{shape: shape{form: "reference-from-element"}, about: "two roots; the row of an element has the key of its root", refused: withKey,
		edit: func(d *draft) { d.referToRoot(false) }, calls: func(d *draft) plan { return d.elementReferenceCalls(false) }}
	table := design{shape: shape{"reference-from-element", "table", ""}, about: one.about + ", and a redundant table has the elements of a root", refused: withKey,
		edit: func(d *draft) { d.referToRoot(true) }, calls: func(d *draft) plan { return d.elementReferenceCalls(true) }}
	list := design{shape: shape{"references-from-element", "list", ""}, about: "two roots; the row of an element has the keys of its roots, and a redundant table lists the elements of a root", many: true, refused: withKeys,
		edit: (*draft).referToRoots, calls: (*draft).elementListCalls}
	return slices.Concat(forms(one, "checked"), forms(table, "checked"), forms(list, "checked"))
}

func (d *draft) referToRoot(table bool) {
	d.asRoot(d.Root)
	d.asRoot(d.Element)
	options := d.checking()
	if d.versioned || d.copies != nil {
		options = append(options, d.rows()...)
	}
	for _, f := range d.Root.reference("", options...) {
		d.AddField(d.Element.Struct, f)
	}
	d.addCopies()
	if table {
		d.addByRoot()
	}
}

// addCopies declares the fields that follow the reference.
func (d *draft) addCopies() {
	for _, f := range d.copies {
		d.AddField(d.Element.Struct, field(f.Name, f.Type, f.attribute.Tag.String()))
	}
	for _, s := range d.sides() {
		if d.following && !d.keepsVersion(s) {
			d.addVersion(s)
		}
	}
}

// addByRoot declares the redundant aggregate of the elements by their root.
func (d *draft) addByRoot() {
	var fields []string
	for i := range d.Root.Key {
		k := &d.Root.Key[i]
		name, column := d.Root.referenceName(k)
		fields = append(fields, field(name, k.Type, newTag(column, append([]string{"identifier"}, k.cqlType()...)...)))
	}
	for i := range d.Element.Key {
		fields = append(fields, d.Element.Key[i].copy(plain("discriminator")))
	}
	for i := range d.Element.Others {
		fields = append(fields, d.Element.Others[i].copy())
	}
	name := listName(d.Element, d.Root)
	d.Add(d.Root.Struct, structure(name, fmt.Sprintf("has a row for each %s, by its %s.", d.Element.Struct, d.Root.Struct),
		newTag(tableName(d.Element.Table, "by", model.SnakeCase(d.Root.Struct)), append([]string{"redundant=" + d.Element.Struct}, d.rows()...)...), fields...))
}

func (d *draft) referToRoots() {
	d.asRoot(d.Root)
	d.asRoot(d.Element)
	d.AddField(d.Element.Struct, d.Root.references(d.checking()...))
	d.addList(d.Element, d.Root)
}

// bothReferences have unique references on both sides.
func bothReferences() []*design {
	refused := func(r *Relationship) string {
		if why := needsKey(element)(r); why != "" {
			return why
		}
		return withKeys(r)
	}
	return forms(design{shape: shape{form: "references-both"}, about: "two roots; each has the keys of the other side, which the application keeps equal", many: true, refused: refused,
		edit: func(d *draft) {
			d.referToElements(false)
			d.AddField(d.Element.Struct, d.Root.references(d.checking()...))
		}, calls: (*draft).bothCalls}, "checked")
}

// pairings have a table of pairs.
func pairings() []*design {
	none := func(*Relationship) string { return "" }
	pairs := design{shape: shape{form: "pairs"}, about: "two roots, a table of pairs of their keys, and a redundant table of the pairs in the other order", many: true, refused: none,
		edit: (*draft).pair, calls: func(d *draft) plan { return d.pairCalls(false) }}
	return append(forms(pairs, "checked"), &design{shape: shape{"pairs", "unique", "versioned"}, about: "two roots, a versioned table with the root of each element, and a redundant table of the pairs by root",
		refused: none, edit: (*draft).pairUnique, calls: func(d *draft) plan { return d.pairCalls(true) }})
}

// pairNames returns the names of the two tables of pairs: by the root and by the element.
func (d *draft) pairNames() (byRoot, byElement string) {
	return d.Root.Struct + d.Element.Struct, d.Element.Struct + d.Root.Struct
}

func (d *draft) pair() {
	d.asRoot(d.Root)
	d.asRoot(d.Element)
	byRoot, byElement := d.pairNames()
	fields := append(d.Root.reference("identifier", d.checking()...), d.Element.reference("discriminator", d.checking()...)...)
	if d.versioned {
		fields = append(fields, field("Version", "int64", "version,version"))
	}
	d.Add(d.Root.Struct, structure(byRoot, fmt.Sprintf("is a pair: %s has %s.", article.With(d.Root.Struct), article.With(d.Element.Struct)), newTag(tableName(d.Root.Table, d.Element.Table), d.rows()...), fields...))
	d.addReversed(byElement, tableName(d.Element.Table, d.Root.Table), byRoot, d.Element, d.Root)
}

// addReversed declares the redundant aggregate of pairs in the other order.
func (d *draft) addReversed(name, table, of string, first, second *Side) {
	var fields []string
	for i, s := range []*Side{first, second} {
		place := []string{"identifier", "discriminator"}[i]
		for j := range s.Key {
			referring, column := s.referenceName(&s.Key[j])
			fields = append(fields, field(referring, s.Key[j].Type, newTag(column, append([]string{place}, s.Key[j].cqlType()...)...)))
		}
	}
	d.Add(d.Root.Struct, structure(name, fmt.Sprintf("is the same pair by the %s.", first.Struct), newTag(table, "redundant="+of), fields...))
}

func (d *draft) pairUnique() {
	for _, s := range d.sides() {
		if s.Version != "" && !s.Needs {
			d.RemoveField(s.Struct, s.Version)
		}
	}
	d.versioned = false // only the pairs need a version
	d.asRoot(d.Root)
	d.asRoot(d.Element)
	byRoot, byElement := d.pairNames()
	fields := append(d.Element.reference("identifier"), d.Root.reference("")...)
	fields = append(fields, field("Version", "int64", "version,version"))
	d.Add(d.Root.Struct, structure(byElement, fmt.Sprintf("is a pair: %s belongs to %s.", article.With(d.Element.Struct), article.With(d.Root.Struct)), newTag(tableName(d.Element.Table, d.Root.Table)), fields...))
	d.addReversed(byRoot, tableName(d.Root.Table, d.Element.Table), byElement, d.Root, d.Element)
}

// partitions have the elements as parts of their root.
func partitions() (out []*design) {
	for _, place := range []string{"separate", "root"} {
		d := design{shape: shape{form: "parts"}, about: "the elements as parts of their root, in a table of their own", refused: withKey,
			edit: func(d *draft) { d.divide(place == "root") }, calls: (*draft).partCalls}
		if place == "root" {
			d.form, d.about = "parts-in-root", "the elements as parts of their root, in its table"
		}
		out = append(out, forms(d, "versioned")...)
	}
	return out
}

func (d *draft) divide(inRoot bool) {
	d.asRoot(d.Root)
	e, table := d.Element, d.Element.Table
	if inRoot {
		table = d.Root.Table
	} else if table == d.Root.Table {
		table += "_parts"
	}
	d.leaveVersion()
	options := append([]string{"part=" + d.Root.Struct}, d.rows()...)
	d.SetMarker(e.Struct, "Entity", newTag(tableName(table), options...))
	d.describe(e, "a part of "+d.Root.Struct)
	for i := range e.Key {
		d.SetTag(e.Struct, e.Key[i].Name, e.Key[i].tag(keyOptions("discriminator")))
	}
	for _, k := range slices.Backward(d.Root.Key) {
		name, column := d.partKey(&k)
		d.AddKey(e.Struct, field(name, k.Type, newTag(column, append([]string{"identifier"}, k.cqlType()...)...)))
	}
}

// partKey returns the field of a part that has a field of the key of its root, and its column.
func (d *draft) partKey(k *Field) (name, column string) {
	if slices.ContainsFunc(slices.Concat(d.Element.Key, d.Element.Others), func(f Field) bool { return f.Name == k.Name || f.Column == k.Column }) {
		return d.Root.referenceName(k)
	}
	return k.Name, k.Column
}
