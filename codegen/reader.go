package codegen

import (
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// view builds the type of a view: that of a redundant table, with the key of the table and the struct of the view.
func (b *viewer) view(s *schema.View) *tableView {
	name, of := s.Model.Struct.Name, s.Model.Struct
	v := &tableView{
		Name: s.Name, Key: keyText(s.Table), Field: name, Struct: b.imports.structType(of), View: true, Base: "Reader",
		Type:       b.names.exported(name+"Table", of),
		Descriptor: b.names.internal(name+"Table", of), Codec: b.names.internal(name+"Codec", of),
		Partition: len(s.PartitionKey), KeyLength: len(s.Key()), source: s.Table,
	}
	v.Doc = doc("%s reads %s: those columns of %s.", v.Type, name, s.Name)
	b.selects(v, name, of)
	b.viewColumns(v, s)
	b.keys(v)
	if len(s.ClusteringKey) > 0 {
		v.Query = b.query(s.Table, of, name)
	}
	return v
}

// viewColumns describes the columns and asks for the function that reads them. A field is as secret as the column, and as it
// says itself.
func (b *viewer) viewColumns(v *tableView, s *schema.View) {
	var read []*model.Attribute
	for _, c := range s.Ordered() {
		at := attributeOf(s, c)
		read = append(read, at)
		column := b.describe(c)
		column.Secret = column.Secret || secret(at)
		v.Columns = append(v.Columns, column)
	}
	v.Decode = b.codecs.decodeStruct(rowObject(s.Model.Struct, read), b.imports.structType(s.Model.Struct))
}

// attributeOf returns the attribute that a column is read into; one that is read into none is hidden.
func attributeOf(v *schema.View, c *schema.Column) *model.Attribute {
	if a := v.Attribute(c); a != nil {
		return a
	}
	return &model.Attribute{Name: c.Name, Type: c.Attribute.Type}
}
