package projection

import (
	"slices"

	"github.com/cassaml/cassaml/mapper/gen"
)

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
	for _, k := range c.Root.Discriminators() {
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
