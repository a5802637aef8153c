package catalog

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/schema"
)

// Readdable returns why the server refuses a column because the table had one of that name: what is stored of it may still be
// there, and could not be read as anything else.
func (k *Keyspace) Readdable(table string, c *schema.Column) error {
	old := k.Dropped[table][c.Name]
	switch {
	case old == nil:
		return nil
	case old.Type.Counter():
		return fmt.Errorf("column %s of %s was a counter that was dropped, and a counter is never added again", c.Name, table)
	case (old.Kind == schema.Static) != (c.Kind == schema.Static):
		return fmt.Errorf("column %s of %s was dropped, and comes back neither static instead of regular nor the other way round", c.Name, table)
	case k.storedAs(c.Type, k.stored[table][c.Name]):
		return nil
	case len(names(c.Type)) > 0:
		return fmt.Errorf("column %s of %s was dropped as %s, and no column with a user-defined type in it comes back", c.Name, table, old.Type)
	}
	return fmt.Errorf("column %s of %s was dropped as %s, and comes back as nothing else", c.Name, table, old.Type)
}

// expanded returns a type as the server keeps that of a dropped column: in place of a user-defined type the tuple of its fields.
func (k *Keyspace) expanded(t *schema.Type) *schema.Type {
	out := *t
	out.Args = nil
	if u := k.Type(t.Name); t.UDT && u != nil {
		out = schema.Type{Name: "tuple", Frozen: true}
		for _, f := range u.Fields {
			out.Args = append(out.Args, k.expanded(f.Type))
		}
	}
	for _, a := range t.Args {
		out.Args = append(out.Args, k.expanded(a))
	}
	settle(&out)
	return &out
}

// The rest answers in three degrees whether values of an old type, in which no user-defined type is left, can be read as
// those of another: they are stored alike, they have the same bytes, or they have the same order, too.

// storedAs is the first degree, that of a whole column.
func (k *Keyspace) storedAs(now, old *schema.Type) bool {
	switch {
	case now.UDT:
		return false
	case collection(now):
		return k.valuesAs(now, old) && (now.Name == "set" || k.storedAs(last(now), last(old)))
	case now.Name == "blob" && collection(old):
		return false
	}
	return k.valuesAs(now, old) && length(now) == length(old) && now.MultiCell() == old.MultiCell()
}

func last(t *schema.Type) *schema.Type { return t.Args[len(t.Args)-1] }

// valuesAs is the second degree.
func (k *Keyspace) valuesAs(now, old *schema.Type) bool { return !now.UDT && k.bytesAs(now, old) }

// bytesAs is the second degree inside of a frozen list, where a user-defined type is what it is kept as.
func (k *Keyspace) bytesAs(now, old *schema.Type) bool {
	switch {
	case now.UDT, now.Name == "tuple":
		return k.members(now, old, k.valuesAs)
	case collection(now) && now.MultiCell():
		return k.orderedAs(now, old)
	case collection(now) && (old.Name != now.Name || old.MultiCell()):
		return false
	case now.Name == "list":
		return k.bytesAs(now.Args[0], old.Args[0])
	case now.Name == "set":
		return k.orderedAs(now.Args[0], old.Args[0])
	case now.Name == "map":
		return k.orderedAs(now.Args[0], old.Args[0]) && k.valuesAs(now.Args[1], old.Args[1])
	}
	return now.Name == "blob" || readBy[now.Name][old.Name] && len(old.Args) == 0 || k.orderedAs(now, old)
}

// orderedAs is the third degree.
func (k *Keyspace) orderedAs(now, old *schema.Type) bool {
	switch {
	case now.UDT, now.Name == "tuple":
		return k.members(now, old, k.orderedAs)
	case collection(now) && (old.Name != now.Name || old.MultiCell() != now.MultiCell()):
		return false
	case now.Name == "list" && now.MultiCell():
		return k.storedAs(now.Args[0], old.Args[0])
	case now.Name == "list", now.Name == "set":
		return k.orderedAs(now.Args[0], old.Args[0])
	case now.Name == "map" && now.MultiCell():
		return k.orderedAs(now.Args[0], old.Args[0]) && k.storedAs(now.Args[1], old.Args[1])
	case now.Name == "map":
		return k.orderedAs(now.Args[0], old.Args[0]) && k.orderedAs(now.Args[1], old.Args[1])
	}
	return sortedBy[now.Name][old.Name] || now.String() == old.String()
}

// members compares the members of two tuples, of which the new one may have more.
func (k *Keyspace) members(now, old *schema.Type, as func(now, old *schema.Type) bool) bool {
	if now.UDT {
		now = k.expandedOnce(now)
	}
	if old.Name != "tuple" || old.UDT || len(now.Args) < len(old.Args) {
		return false
	}
	for i, a := range old.Args {
		if !as(now.Args[i], a) {
			return false
		}
	}
	return true
}

// expandedOnce returns the tuple of the fields of a user-defined type, each as it was declared: a collection that is not frozen
// there is none in what a dropped column is kept as.
func (k *Keyspace) expandedOnce(t *schema.Type) *schema.Type {
	out := &schema.Type{Name: "tuple", Frozen: true}
	if u := k.Type(t.Name); u != nil {
		for _, f := range u.Fields {
			out.Args = append(out.Args, f.Type)
		}
	}
	return out
}

// readBy are types without arguments that read the bytes of others, and sortedBy those that order them alike, too.
var (
	readBy = map[string]map[string]bool{
		"bigint": setOf("timestamp"), "date": setOf("int"), "time": setOf("bigint"), "timestamp": setOf("bigint"),
		"uuid": setOf("timeuuid"), "varint": setOf("bigint int timestamp"),
	}
	sortedBy = map[string]map[string]bool{"blob": setOf("ascii text"), "text": setOf("ascii")}
)

// length returns the length of the values of a type; -1 is for one whose values differ in it.
func length(t *schema.Type) int {
	if n, ok := cqltype.Lookup(t.Name); ok && n.Fixed && !t.UDT {
		return n.Size
	}
	if t.Name == "vector" && !t.UDT {
		if n := length(t.Args[0]); n > 0 {
			return n * t.Size
		}
	}
	return -1
}
