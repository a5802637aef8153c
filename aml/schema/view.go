package schema

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// View is what a view reads of its table: the whole key, by which a row is found and named in messages, and the columns of
// its fields.
type View struct {
	*Table // of the name and key of the view's table
	Model  *model.View
}

// viewOf returns the columns that a view reads; of a part in its root's table, those of the whole table.
func (s *Schema) viewOf(v *model.View) *View {
	of := s.tableOf(v.Of)
	t := &Table{Name: of.Name, Aggregate: v.Of, PartitionKey: of.PartitionKey, ClusteringKey: of.ClusteringKey}
	for _, c := range of.Columns {
		if slices.Contains(of.Key(), c) || slices.Contains(v.Columns, c.Attribute) {
			t.Columns = append(t.Columns, c)
		}
	}
	return &View{Table: t, Model: v}
}

// Attribute returns the view's own attribute of a column; nil for one of the key that the view has not.
func (v *View) Attribute(c *Column) *model.Attribute {
	if i := slices.Index(v.Model.Columns, c.Attribute); i >= 0 {
		return v.Model.Attributes[i]
	}
	return nil
}
