package describe

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// aggregate describes the aggregate of a root's table.
func (d *Store) aggregate(t *schema.Table) *descriptor.Aggregate {
	out := &descriptor.Aggregate{Root: d.Tables[t]}
	for _, p := range t.Projections {
		out.Copies = append(out.Copies, d.projection(p))
	}
	for _, x := range d.schema.Stored {
		switch {
		case x.Aggregate == nil || x.Aggregate.Root != t.Aggregate:
		case x.Name != t.Name:
			out.Parts = append(out.Parts, d.Tables[x])
		case t.Versioning == nil:
			out.Inside = d.Tables[x]
		}
	}
	if t.Versioning != nil {
		out.Versioning = d.versioning(t)
	}
	for _, c := range t.Aggregate.FinalCopies {
		out.Copied = append(out.Copied, d.copied(t, c))
	}
	return out
}

// copied describes the fields of a root that are copies of final fields of another root.
func (d *Store) copied(t *schema.Table, c *model.Copy) descriptor.Copied {
	out := descriptor.Copied{Target: c.Target.Table}
	var fields []string
	for _, at := range c.Reference(t.Aggregate) {
		out.Key, fields = append(out.Key, columnNumber(t, at)), append(fields, strings.Join(at.Path, "."))
	}
	out.Field, out.Fields = strings.Join(fields, ", "), d.copiedFields(t, c)
	return out
}

// copiedFields describes the columns of a root, or the fields of a composition, that are copies of columns of another root.
func (d *Store) copiedFields(t *schema.Table, c *model.Copy) (out []descriptor.CopiedField) {
	for _, f := range c.Fields {
		x := descriptor.CopiedField{Column: columnNumber(t, f.Held), From: columnNumber(d.schema.Table(c.Target), f.From), Optional: f.Held.Type.Nullable}
		if c.Association == nil {
			x.Column, x.Member, x.Field = columnNumber(t, c.Attribute), 1+slices.Index(c.Attribute.Type.Object.Attributes, f.Held), c.Attribute.GoName()+"."+f.Held.GoName()
		}
		out = append(out, x)
	}
	return out
}

// columnNumber returns the number of the column of an attribute.
func columnNumber(t *schema.Table, at *model.Attribute) int {
	return slices.IndexFunc(t.Ordered(), func(c *schema.Column) bool { return c.Attribute == at })
}

// projection describes the projection to a redundant table.
func (d *Store) projection(p *schema.Projection) descriptor.Projection {
	out := descriptor.Projection{
		Table: d.Tables[p.Table], Ops: p.Ops, Columns: p.Columns, Shared: p.Table.Aggregate.Redundancy.Shared,
		Range:    p.StartsWithSourceKey() && !IsGuarded(p.Source),
		ByKey:    p.FollowsFromKey() && !IsGuarded(p.Source),
		Distinct: p.Claimed(), SourceKey: p.SourceKey(),
	}
	if number, columns := p.KeyUnique(); columns != nil {
		out.ByUnique, out.ByColumns = number+1, registers(columns)
	}
	return out
}

// registers returns numbers of columns as registers.
func registers[N int | uint16](in []N) (out []uint16) {
	for _, n := range in {
		out = append(out, uint16(n))
	}
	return out
}

// versioning describes how a versioned root is saved. It sets the statements of its derived tables.
func (d *Store) versioning(t *schema.Table) *descriptor.Versioning {
	number := func(c *schema.Column) int {
		if c == nil {
			return 0
		}
		return slices.Index(t.Ordered(), c)
	}
	x := t.Versioning
	out := &descriptor.Versioning{
		Version: number(x.Version), Pending: number(x.Pending), Attempts: number(x.Attempts), Deleted: number(x.Deleted), Live: number(x.Live),
		Insert: t.InsertNew(), Save: t.Save(), Change: t.SaveChange(), Values: t.SaveValues(),
	}
	if x.Done != nil {
		out.Done = d.Tables[x.Done]
		out.Done.Insert = x.Done.Insert()
	}
	if p := d.schema.Part(t); p != nil {
		out.Part = d.partWrites(p)
	}
	for _, u := range x.Uniques {
		unique := descriptor.Unique{
			Table: d.Tables[u.Table], Field: strings.Join(Paths(u.Model), ", "), Insert: u.Table.InsertNew(), Update: u.Table.Claim(),
			Of: descriptor.Projection{Ops: u.Of.Ops, Columns: u.Of.Columns},
		}
		for i, p := range u.Model.Paths {
			c := &unique.Table.Columns[i]
			c.Field = p.GoNames()
			if slices.ContainsFunc(p.Steps, func(a *model.Attribute) bool { return a.Secret }) {
				unique.Secret, c.Secret = true, true
			}
		}
		out.Uniques = append(out.Uniques, unique)
	}
	for _, r := range x.References {
		out.References = append(out.References, d.reference(t, r))
	}
	if x.Outboxes != nil {
		out.Outbox, out.Outboxes = number(x.Outbox), d.Tables[x.Outboxes]
		out.Outboxes.Insert, out.Outboxes.Delete = x.Outboxes.Insert(), x.Outboxes.Delete()
		if root := d.Tables[t]; slices.ContainsFunc(root.Columns[:root.Key], func(c descriptor.Column) bool { return c.Secret }) {
			out.Outboxes.Columns[out.Outboxes.Key-1].Secret = true // it contains the key of the root
		}
		for _, c := range d.schema.Followed(t) {
			out.Followed = append(out.Followed, number(c))
		}
		for _, c := range d.schema.Kept(t) {
			out.Kept = append(out.Kept, number(c))
		}
	}
	return out
}

// reference describes a checked reference of a root. It sets the statements of its reverse table.
func (d *Store) reference(t *schema.Table, r *schema.CheckedReference) descriptor.CheckedReference {
	out := descriptor.CheckedReference{
		Table: d.Tables[r.Table], Target: r.Model.Target.Table,
		Of: descriptor.Projection{Ops: r.Of.Ops, Columns: r.Of.Columns},
	}
	out.Table.Insert, out.Table.Delete, out.Table.Buckets = r.Table.Insert(), r.Table.Delete(), r.Table.Buckets
	var fields []string
	for _, p := range r.Paths[:len(r.Model.Fields)] {
		fields = append(fields, p.GoNames())
	}
	out.Field = strings.Join(fields, ", ")
	if r.Copy != nil {
		out.Copied, out.Version = d.copiedFields(t, r.Copy), slices.Index(t.Ordered(), r.Version)
	}
	switch r.Model.OnDelete {
	case model.Cascade:
		out.OnDelete = descriptor.Cascade
	case model.Clear:
		out.OnDelete, out.Clear = descriptor.Clear, steps(t, r.Model)
	case model.Keep:
		out.OnDelete = descriptor.Keep
	}
	return out
}

// steps returns the way from a row of a root to the fields of a reference.
func steps(t *schema.Table, r *model.Association) (out []descriptor.Step) {
	number := func(at *model.Attribute) int {
		return slices.IndexFunc(t.Ordered(), func(c *schema.Column) bool { return c.Attribute == at })
	}
	for i, at := range r.Path {
		var s descriptor.Step
		if i < len(r.Path)-1 {
			s.Fields = []int{number(at)}
		} else {
			for _, f := range r.Fields {
				s.Fields = append(s.Fields, number(f))
			}
		}
		out = append(out, s)
		of := at.Type
		if of.Kind == model.List || of.Kind == model.Set || of.Kind == model.MapType {
			out = append(out, descriptor.Step{Map: of.Kind == model.MapType, Set: of.Kind == model.Set})
			of = of.Elem
		}
		if of.Object != nil {
			members := of.Object.Attributes
			number = func(at *model.Attribute) int { return slices.Index(members, at) }
		}
	}
	return out
}

// Paths returns the Go names of the fields of unique values: Email, Passport.Number.
func Paths(u *model.Unique) (out []string) {
	for _, p := range u.Paths {
		out = append(out, p.GoNames())
	}
	return out
}

// partWrites describes how the rows of a part are written in the table of its versioned root.
func (d *Store) partWrites(t *schema.Table) *descriptor.PartWrites {
	out := &descriptor.PartWrites{
		Table: d.Tables[t], Put: t.PutPart(), Insert: t.PutPart() + " IF NOT EXISTS",
		Delete: t.DeletePart(len(t.Key())) + " IF EXISTS", Clear: t.DeletePart(len(t.PartitionKey)), Of: d.Aggregates[t],
	}
	if t.HasHead() {
		out.Head, out.HeadKey = t.PutHead(), []string{"\x00"}
		for _, c := range t.Discriminators() {
			out.HeadKey = append(out.HeadKey, headValue(Flat(c.Attribute.Type)))
		}
	}
	if change := t.ChangePart(); change != "" {
		out.Change, out.ChangeIf = change, change+" IF EXISTS"
	}
	return out
}
