package diagram

import (
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
)

// queriesOf returns the methods of the store that read a table.
func queriesOf(s *schema.Schema, t *schema.Table) (out []string) {
	if t.Aggregate == nil {
		return nil
	}
	out = append(out, "Get("+strings.Join(schema.Names(t.Key()), ", ")+")")
	if len(t.ClusteringKey) > 0 {
		q := "Of(" + strings.Join(schema.Names(t.PartitionKey), ", ") + ")"
		for _, c := range t.ClusteringKey {
			q += "." + c.Attribute.GoName()
		}
		out = append(out, q)
	}
	for _, i := range t.Indexes {
		out = append(out, finder(i)+"("+i.Column.Name+")")
	}
	for _, v := range s.Views {
		if v.Table.Name == t.Name {
			out = append(out, v.Model.Struct.Name+": view")
		}
	}
	return out
}

// finder returns the name of the method that reads with an index.
func finder(i *schema.Index) string {
	if i.Read == schema.Near {
		return "Near" + i.Column.Attribute.GoName()
	}
	return "By" + i.Column.Attribute.GoName()
}
