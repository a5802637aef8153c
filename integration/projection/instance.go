package projection

import (
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/mapper/gen"
)

// Instance is one instance of a root of any model: its row, in the order of the attributes. The zero Instance is the zero
// value of the model's struct.
type Instance struct {
	Row     Record
	Version int64 // set for a versioned root
}

// codec returns the functions that encode and decode the instances of the root.
func (c *Compiled) codec() *gen.Codec[Instance] { return c.Root.codec() }

// codec returns the functions that encode and decode the instances of the table of a root.
func (t *Table) codec() *gen.Codec[Instance] {
	return &gen.Codec[Instance]{
		Table: t.Descriptor,
		Encode: func(e *gen.Encoder, v *Instance) {
			for _, x := range t.Columns {
				e.Blob(Encode(t.attributeValue(v, x.Attribute)))
			}
		},
		Decode: func(d *gen.Decoder, v *Instance) {
			v.Row = make(Record, len(t.Aggregate.Attributes))
			for _, x := range t.Columns {
				v.Row[t.index(x.Attribute)] = Decode(x.Attribute.Type, d.Blob())
			}
			v.Version = t.version(v.Row)
		},
		Version: func(v *Instance) *int64 { return &v.Version },
		Copy:    func(to, from *Instance) { to.Row = from.Row },
	}
}

func (t *Table) attributeValue(v *Instance, a *model.Attribute) Value {
	if v.Row == nil {
		return zero(a.Type)
	}
	return v.Row[t.index(a)]
}

// index returns the index of an attribute in a row.
func (t *Table) index(a *model.Attribute) int { return attributeIndex(t.Aggregate.Attributes, a) }

func attributeIndex(in []*model.Attribute, a *model.Attribute) int {
	for i, x := range in {
		if x == a {
			return i
		}
	}
	return -1
}

// zero returns the stored value of Go's zero value of a type.
func zero(t *model.Type) Value {
	switch {
	case t.Nullable || t.Kind == model.List || t.Kind == model.Set || t.Kind == model.MapType:
		return nil
	case t.Kind == model.Composed:
		r := Record{}
		for _, a := range t.Object.Attributes {
			r = append(r, zero(a.Type))
		}
		return r
	}
	return map[string]Value{"text": "", "int": int32(0), "bigint": int64(0), "boolean": false, "uuid": UUID{}}[t.CQL]
}

// Open opens the table of the root in a database.
func (c *Compiled) Open(db *gen.DB) gen.Root[Instance] {
	return gen.NewRoot(db, c.codec(), c.aggregate)
}

// OpenOwner opens the root whose part is the source of the copies.
func (c *Compiled) OpenOwner(db *gen.DB) gen.Root[Instance] {
	if len(c.Copies) == 0 {
		return gen.NewRoot(db, c.Owner.codec(), c.owner)
	}
	return gen.NewRoot(db, c.Owner.codec(), c.owner, gen.NewPart(c.codec(), c.aggregate))
}

// Descriptors returns the descriptors of the tables and types.
func (c *Compiled) Descriptors() *gen.Schema { return c.descriptors }

// Key encodes the primary key of a row.
func (c *Compiled) Key(row Record) *gen.Encoder {
	var e gen.Encoder
	for _, k := range c.Root.Key() {
		e.Blob(Encode(row[c.Root.index(k.Attribute)]))
	}
	return &e
}

// partition encodes the partition key of a row.
func (c *Compiled) partition(row Record) *gen.Encoder {
	var e gen.Encoder
	for _, k := range c.Root.PartitionKey {
		e.Blob(Encode(row[c.Root.index(k.Attribute)]))
	}
	return &e
}
