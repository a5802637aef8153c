package catalog

import (
	"fmt"
	"regexp"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

// Names that the server allows: of an index, and of a column with one that is not of the oldest class. What the name of an
// index is too long for is a file, and the server does not survive that.
var (
	indexName   = regexp.MustCompile(`^[0-9A-Za-z_]{1,222}$`)
	indexedName = regexp.MustCompile(`^[0-9A-Za-z_]{1,48}$`)
	targets     = regexp.MustCompile(`^(?s)(?:keys|values|entries|full)\((.*)\)$`)
)

// check returns why the server refuses an index of a column, whatever else the table has.
func (i indexSpec) check(k *Keyspace, t *schema.Table, c *schema.Column) error {
	frozen := collection(c.Type) && c.Type.Frozen
	switch {
	case i.written != indexname.Legacy && !indexedName.MatchString(c.Name):
		return fmt.Errorf("column %q has a name that is not of up to 48 letters, digits and _, and can have no such index", c.Name)
	case k.containsDuration(c.Type):
		return fmt.Errorf("column %s of %s is %s: durations cannot be indexed", c.Name, t.Name, c.Type)
	case c.Kind == schema.PartitionKey && len(t.PartitionKey) == 1:
		return fmt.Errorf("column %s is the whole partition key of %s, and needs no index", c.Name, t.Name)
	case frozen != (i.function == "full"):
		return fmt.Errorf("column %s of %s is %s: full(%[1]s) is for frozen collections, and for nothing else", c.Name, t.Name, c.Type)
	case i.function != "" && !collection(c.Type):
		return fmt.Errorf("column %s of %s is %s, which has no %s", c.Name, t.Name, c.Type, i.function)
	case (i.function == "keys" || i.function == "entries") && c.Type.Name != "map":
		return fmt.Errorf("column %s of %s is %s: %s() is for maps", c.Name, t.Name, c.Type, i.function)
	case c.Type.UDT && c.Type.MultiCell():
		return fmt.Errorf("column %s of %s is not frozen, and cannot be indexed", c.Name, t.Name)
	}
	return nil
}

// accepted returns why the class of an index refuses it.
func (i indexSpec) accepted(t *schema.Table, c *schema.Column) error {
	switch {
	case i.written == sasiClass && (c.Type.MultiCell() || c.Kind == schema.PartitionKey):
		return fmt.Errorf("column %s of %s cannot have an index of %s", c.Name, t.Name, sasi)
	case i.class == "":
		return i.attached(c)
	}
	return nil
}

// attached returns why SAI refuses an index.
func (i indexSpec) attached(c *schema.Column) error {
	terms := i.terms(c.Type)
	for _, t := range terms {
		if !indexable(t) {
			return fmt.Errorf("column %s is %s, and SAI has no index of %s", c.Name, c.Type, t)
		}
	}
	of := property.Indexed{Key: c.InKey()}
	if only := terms[0]; len(terms) == 1 && !only.UDT {
		of.Text = only.Name == "text" || only.Name == "ascii"
		of.Vector = only.Size
		if only.Name == "vector" && (only.Args[0].UDT || only.Args[0].Name != "float") {
			return fmt.Errorf("SAI has indexes of vectors of float, not of %s", only)
		}
	}
	if why := of.Judge(i.options); why != "" {
		return fmt.Errorf("index of column %s, %s: %s", c.Name, c.Type, why)
	}
	return nil
}

// terms returns the types of what is looked up in an index.
func (i indexSpec) terms(t *schema.Type) []*schema.Type {
	switch {
	case !collection(t) || t.Frozen:
		return []*schema.Type{t}
	case i.function == "entries":
		return t.Args
	case i.function == "keys":
		return t.Args[:1]
	}
	return t.Args[len(t.Args)-1:]
}

// indexable reports whether SAI has an index of a type.
func indexable(t *schema.Type) bool {
	n, native := cqltype.Lookup(t.Name)
	return t.UDT || !native || n.Indexed
}

// besides returns why an index cannot be beside another one, and whether it would be quite the same.
func (k *Keyspace) besides(t *schema.Table, i *schema.Index, class string) (same *schema.Index, err error) {
	for _, o := range t.Indexes {
		if SameIndex(o, i) && k.classOf(o) == class {
			return o, nil
		}
	}
	for _, o := range t.Indexes {
		if i.Class == "" && o.Class == "" && o.Target == i.Target {
			return nil, fmt.Errorf("index %s would be of what index %s is of", i.Name, o.Name)
		}
	}
	return nil, nil
}

// classOf returns the class of an index as it was written.
func (k *Keyspace) classOf(i *schema.Index) string {
	if written, known := k.classes[i.Name]; known {
		return written
	}
	if i.Class == "" {
		return indexname.SAI
	}
	return i.Class
}
