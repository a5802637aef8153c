package schema

import (
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/model"
)

// VersionFunc returns the name of the generated function that makes rows without versions, or without claims of their unique
// values, rows of a versioned root: customers => customers__version. A migration calls it by -- aml:func.
func VersionFunc(table string) string { return table + "__version" }

// ReferencesFunc returns the name of the generated function that writes the rows of the reverse tables of a root whose references become
// checked: papers => papers__references. A migration calls it by -- aml:func.
func ReferencesFunc(table string) string { return descriptor.ReferencesFunc(table) }

// Method returns the name of the method that reads a root by its unique values: GetByEmail.
func (u *Unique) Method() string { return "GetBy" + u.Model.GoName() }

// versioning returns the hidden columns and the derived tables of a versioned root.
func (s *Schema) versioning(t *Table) *Versioning {
	v := &Versioning{Pending: t.named(pending), Attempts: t.named("aml_attempts"), Deleted: t.named(Deleted), Live: t.named(Live), Outbox: t.named(outbox), ListsDeletions: s.listsDeletions(t.Aggregate)}
	for _, c := range t.Columns {
		if c.Attribute == t.Aggregate.Version {
			v.Version = c
		}
	}
	for _, x := range s.Tables {
		switch {
		case x.Name == descriptor.Outboxes && (v.Outbox != nil || v.ListsDeletions):
			v.Outboxes = x
		case x.Derived != t.Aggregate:
		case x.Name == syncTable(t.Aggregate):
			v.Done = x
		default:
			if i := slices.IndexFunc(t.Aggregate.Uniques, func(u *model.Unique) bool { return u.Table == x.Name }); i >= 0 {
				u := t.Aggregate.Uniques[i]
				v.Uniques = append(v.Uniques, &Unique{Table: x, Model: u, Of: projectUnique(t, x, u)})
			}
			if i := slices.IndexFunc(t.Aggregate.Associations, func(r *model.Association) bool { return r.Table == x.Name }); i >= 0 {
				v.References = append(v.References, newReference(t, x, t.Aggregate.Associations[i]))
			}
			if i := slices.IndexFunc(t.Aggregate.Copies, func(c *model.Copy) bool { return c.Table == x.Name }); i >= 0 {
				v.follow(t, x, t.Aggregate.Copies[i])
			}
		}
	}
	return v
}

// follow adds the reference by which fields of the root follow fields of another. x is its reverse table. A checked reference has been added before.
func (v *Versioning) follow(t, x *Table, c *model.Copy) {
	if !c.Checked() {
		fields := c.Reference(t.Aggregate)
		path := []*model.Attribute{c.Attribute}
		if c.Association == nil {
			path = append(path, fields[0])
		}
		v.References = append(v.References, newReference(t, x, &model.Association{Attribute: path[len(path)-1], Path: path, Target: c.Target,
			OnDelete: c.OnDelete, Table: c.Table, Fields: fields}))
	}
	r := v.References[len(v.References)-1]
	r.Copy, r.Version = c, t.named(CopyVersion(c))
}

// CopyVersion returns the name of the hidden column with the version of the target from which the fields of a copy are.
func CopyVersion(c *model.Copy) string { return "aml_" + c.Attribute.Name + "_ver" }

// Followed returns the columns of a root that fields of other roots follow.
func (s *Schema) Followed(t *Table) []*Column {
	return s.followedBy(t, func(c *model.Copy) bool { return true })
}

// Kept returns the columns of a root that fields of other roots follow, and keep when the root is deleted.
func (s *Schema) Kept(t *Table) []*Column {
	return s.followedBy(t, func(c *model.Copy) bool { return c.OnDelete == model.Keep })
}

// followedBy returns the columns of a root that the fields of some copies follow.
func (s *Schema) followedBy(t *Table, chosen func(*model.Copy) bool) (out []*Column) {
	for _, h := range s.Holders(t) {
		if h.Copy == nil || !chosen(h.Copy) {
			continue
		}
		for _, f := range h.Copy.Fields {
			i := slices.IndexFunc(t.Columns, func(c *Column) bool { return c.Attribute == f.From })
			if !slices.Contains(out, t.Columns[i]) {
				out = append(out, t.Columns[i])
			}
		}
	}
	return out
}

// Holders returns the checked references to the root of a table, and the references of roots that have copies of its fields.
func (s *Schema) Holders(t *Table) (out []*CheckedReference) {
	for _, x := range s.Stored {
		if x.Versioning == nil {
			continue
		}
		for _, r := range x.Versioning.References {
			if r.Model.Target == t.Aggregate {
				out = append(out, r)
			}
		}
	}
	return out
}

// newReference returns the reference whose reverse table is x.
func newReference(t, x *Table, r *model.Association) *CheckedReference {
	out := &CheckedReference{Table: x, Model: r}
	loop := slices.IndexFunc(r.Path, func(at *model.Attribute) bool {
		return slices.Contains([]model.TypeKind{model.List, model.Set, model.MapType}, at.Type.Kind)
	})
	before := r.Path[:len(r.Path)-1]
	for _, f := range r.Fields {
		out.Paths = append(out.Paths, &model.Path{Source: t.Aggregate, Steps: append(slices.Clone(before), f), Loop: loop})
	}
	if key := r.Target.Key(); len(r.Fields) < len(key) { // tuples with the whole key
		out.Paths = nil
		for _, m := range r.Attribute.Type.Elem.Object.Attributes {
			out.Paths = append(out.Paths, &model.Path{Source: t.Aggregate, Steps: append(slices.Clone(r.Path), m), Loop: loop})
		}
	}
	out.Of = projectPaths(t, x, out.Paths)
	out.Of.Columns = append(out.Of.Columns, 0) // the runtime sets the bucket
	for i := range t.Key() {
		out.Of.Columns = append(out.Of.Columns, uint16(i))
	}
	return out
}

// named returns the column with a name, or nil if there is none.
func (t *Table) named(name string) *Column {
	for _, c := range t.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Visible returns the columns of an aggregate's table in the order of the runtime, without the hidden ones.
func (t *Table) Visible() []*Column {
	return slices.DeleteFunc(t.Ordered(), func(c *Column) bool { return c.Attribute == nil })
}

func syncTable(a *model.Aggregate) string { return a.Table + "__sync" }

// hidden adds the tool's own columns of a versioned aggregate.
func (t *Table) hidden(a *model.Aggregate, m *model.Model) {
	if a.Version == nil {
		return
	}
	add := func(name string, of *Type) {
		t.Columns = append(t.Columns, &Column{Name: name, Type: of, Kind: Regular})
	}
	if a.Pending() {
		add(pending, &Type{Name: "map", Args: []*Type{{Name: "blob"}, {Name: "bigint"}}})
	}
	add("aml_attempts", &Type{Name: "list", Args: []*Type{{Name: "uuid"}}, Frozen: true})
	add(Deleted, &Type{Name: "boolean"})
	if t.Expires() {
		add(Live, &Type{Name: "boolean"})
	}
	if slices.ContainsFunc(m.Aggregates, func(h *model.Aggregate) bool { return copies(h, a) }) {
		add(outbox, &Type{Name: "bigint"})
	}
	for _, c := range a.Copies {
		add(CopyVersion(c), &Type{Name: "bigint"})
	}
}

// outbox is the hidden column of a root with the version of the last save that has changed fields which fields of other roots follow; null if all of
// them have followed.
const outbox = "aml_outbox"

// outboxes returns the table of the roots whose changes other roots have to follow, or whose deletion deletes or changes others; nil if there are none. It
// is a queue, so its tombstones are removed soon.
func outboxes(m *model.Model) []*Table {
	for _, a := range m.Aggregates {
		target := listed(a)
		if target == nil {
			continue
		}
		column := func(name, of string, kind Kind) *Column {
			return &Column{Name: name, Type: &Type{Name: of}, Kind: kind}
		}
		t := &Table{Name: descriptor.Outboxes, Derived: target, Properties: []Property{{"gc_grace_seconds", "3600"}}}
		t.PartitionKey = []*Column{column("shard", "int", PartitionKey)}
		t.ClusteringKey = []*Column{column("source", "text", ClusteringKey), column("key", "blob", ClusteringKey)}
		t.Columns = slices.Concat(t.PartitionKey, t.ClusteringKey)
		t.own("aml_ver", "bigint")
		return []*Table{t}
	}
	return nil
}

// listed returns a root that the outboxes list because an aggregate refers to it; nil if there is none.
func listed(holder *model.Aggregate) *model.Aggregate {
	if len(holder.Copies) > 0 {
		return holder.Copies[0].Target
	}
	if i := slices.IndexFunc(holder.Associations, changesHolder); i >= 0 {
		return holder.Associations[i].Target
	}
	return nil
}

// changesHolder reports whether a deletion of the target of an association deletes or changes the roots that refer to it.
func changesHolder(x *model.Association) bool {
	return x.Table != "" && (x.OnDelete == model.Cascade || x.OnDelete == model.Clear)
}

// listsDeletions reports whether a deletion of a root deletes or changes others.
func (s *Schema) listsDeletions(target *model.Aggregate) bool {
	return slices.ContainsFunc(s.Tables, func(t *Table) bool {
		return t.Aggregate != nil && slices.ContainsFunc(t.Aggregate.Associations, func(x *model.Association) bool { return x.Target == target && changesHolder(x) })
	})
}

func copies(holder, target *model.Aggregate) bool {
	return slices.ContainsFunc(holder.Copies, func(c *model.Copy) bool { return c.Target == target })
}

// derived returns the tables that an aggregate needs in addition to its own.
func derived(a *model.Aggregate) []*Table {
	var out []*Table
	for _, u := range a.Uniques {
		out = append(out, reservations(a, u))
	}
	if a.Pending() {
		t := &Table{Name: syncTable(a)}
		t.key("", a.Key(), PartitionKey)
		t.own("aml_ver", "bigint")
		out = append(out, t)
	}
	for _, c := range a.Copies {
		if !c.Checked() {
			out = append(out, pairs(c.Table, "target_", c.Target, "holder_", a, c.Buckets()))
		}
	}
	for _, x := range a.Associations {
		if x.Table != "" {
			out = append(out, pairs(x.Table, "parent_", x.Target, "child_", a, x.Buckets()))
		}
	}
	for _, t := range out {
		t.Derived = a
	}
	return out
}

// reservations returns the table in which unique values are claimed: value, owner, since when.
func reservations(a *model.Aggregate, u *model.Unique) *Table {
	t := &Table{Name: u.Table}
	for _, p := range u.Paths {
		c := &Column{Name: u.Column(p), Type: columnType(p.Steps[len(p.Steps)-1].Type, true), Kind: PartitionKey, From: p.Steps[len(p.Steps)-1]}
		t.Columns, t.PartitionKey = append(t.Columns, c), append(t.PartitionKey, c)
	}
	for _, k := range a.Key() {
		t.Columns = append(t.Columns, &Column{Name: "aml_owner_" + k.Name, Type: columnType(k.Type, true), Kind: Regular})
	}
	t.own("aml_at", "bigint")
	t.own(Floor, "bigint")
	return t
}

// Bucket is the hidden column of a reverse table by which the rows of one target are in several partitions.
const Bucket = "aml_bucket"

// pairs returns a table from one aggregate's key to another's, with the version that wrote the pair. The rows of one key are in buckets.
func pairs(name, one string, of *model.Aggregate, many string, with *model.Aggregate, buckets int) *Table {
	t := &Table{Name: name, Buckets: buckets, Properties: []Property{{"comment", model.QuoteText(descriptor.BucketsComment(buckets))}}}
	t.key(one, of.Key(), PartitionKey)
	bucket := &Column{Name: Bucket, Type: &Type{Name: "int"}, Kind: PartitionKey}
	t.Columns, t.PartitionKey = append(t.Columns, bucket), append(t.PartitionKey, bucket)
	t.key(many, with.Key(), ClusteringKey)
	t.own("aml_ver", "bigint")
	return t
}

// key adds columns for a key of an aggregate.
func (t *Table) key(prefix string, in []*model.Attribute, kind Kind) {
	for _, a := range in {
		c := &Column{Name: prefix + a.Name, Type: columnType(a.Type, true), Kind: kind, From: a}
		t.Columns = append(t.Columns, c)
		if kind == PartitionKey {
			t.PartitionKey = append(t.PartitionKey, c)
		} else {
			t.ClusteringKey = append(t.ClusteringKey, c)
		}
	}
}

func (t *Table) own(name, of string) {
	t.Columns = append(t.Columns, &Column{Name: name, Type: &Type{Name: of}, Kind: Regular})
}
