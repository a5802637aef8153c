package projection

import (
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/mapper/gen"
)

// beside is the name of the table that a program writes instead of the root's, if its batches lose the root.
const beside = "beside_the_root"

// PartDescriptors returns the descriptors of the tables and types, and of the table that a program writes whose batches lose the
// root.
func (c *Compiled) PartDescriptors() *gen.Schema {
	return &gen.Schema{Types: c.descriptors.Types, Tables: append(slices.Clone(c.descriptors.Tables), c.lost())}
}

// lost returns the descriptor of a table in memory that nobody reads.
func (c *Compiled) lost() *gen.Table {
	if c.beside == nil {
		t := *c.Root.Descriptor
		t.Name = beside
		c.beside = &t
	}
	return c.beside
}

// OpenPart opens the root as a program whose batches lose the other copies, and the root itself if root is not set.
func (c *Compiled) OpenPart(db *gen.DB, root bool, copies []*Table) gen.Root[Instance] {
	a, codec := gen.Aggregate{Root: c.Root.Descriptor}, c.codec()
	if !root {
		a.Root = c.lost()
		codec.Table = a.Root
	}
	for _, t := range copies {
		i := slices.IndexFunc(c.Root.Projections, func(p *schema.Projection) bool { return p.Table == t.Table })
		a.Copies = append(a.Copies, c.aggregate.Aggregate.Copies[i])
	}
	return gen.NewRoot(db, codec, gen.Link(a))
}
