package projection

import (
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/mapper/gen"
)

// versioning returns how the root is saved, as the generator prints it.
func (c *Compiled) versioning() *gen.Versioning {
	t := c.Root.Table
	at := func(x *schema.Column) int { return max(0, slices.Index(t.Ordered(), x)) }
	v := t.Versioning
	return &gen.Versioning{
		Version: at(v.Version), Pending: at(v.Pending), Attempts: at(v.Attempts), Deleted: at(v.Deleted),
		Insert: t.InsertNew(), Save: t.Save(), Change: t.SaveChange(), Done: c.done, Part: c.partWrites(),
	}
}

// partWrites returns how the rows of the part of a versioned root are written, or nil without a part.
func (c *Compiled) partWrites() *gen.PartWrites {
	if c.Part == nil {
		return nil
	}
	t := c.Part.Root.Table
	out := &gen.PartWrites{
		Table: c.Part.Root.Descriptor, Put: t.PutPart(), Insert: t.PutPart() + " IF NOT EXISTS",
		Delete: t.DeletePart(len(t.Key())) + " IF EXISTS", Clear: t.DeletePart(len(t.PartitionKey)),
	}
	if change := t.ChangePart(); change != "" {
		out.Change, out.ChangeIf = change, change+" IF EXISTS"
	}
	return out
}

// OpenVersioned opens the table of a versioned root in a database.
func (c *Compiled) OpenVersioned(db *gen.DB) gen.Versioned[Instance] {
	return gen.NewVersioned(db, c.codec(), c.aggregate)
}

// version returns the version of an instance of a versioned root; 0 for any other table.
func (t *Table) version(row Record) int64 {
	if t.Versioning == nil {
		return 0
	}
	v, _ := row[t.index(t.Aggregate.Version)].(int64)
	return v
}

// withVersion returns a row with another version.
func (t *Table) withVersion(row Record, version int64) Record {
	row = slices.Clone(row)
	row[t.index(t.Aggregate.Version)] = version
	return row
}

// instance returns the value of a row of a versioned root.
func (t *Table) instance(row Record) *Instance {
	return &Instance{Row: slices.Clone(row), Version: t.version(row)}
}

// clustering encodes the clustering key of a row.
func (c *Compiled) clustering(row Record) *gen.Encoder {
	var e gen.Encoder
	for _, k := range c.Root.ClusteringKey {
		e.Blob(Encode(row[c.Root.index(k.Attribute)]))
	}
	return &e
}

// newPart returns a row of the part with the identifier of an instance of its root.
func (c *Compiled) newPart(root, part Record) Record {
	part = slices.Clone(part)
	for i, a := range c.Part.Root.Aggregate.Identifier {
		part[c.Part.Root.index(a)] = root[c.Root.index(c.Root.Aggregate.Identifier[i])]
	}
	return part
}

// changedWhole returns the names of all cells of the columns in which two rows differ.
func (t *Table) changedWhole(old, new Record) cells {
	out := cells{}
	for i, a := range t.Aggregate.Attributes {
		if !same(old[i], new[i]) {
			out = union(out, t.whole(a, old, new))
		}
	}
	return out
}
