package codegen

import (
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// statics adds the method that reads the static columns of a partition. read returns the attribute that a column is read into.
func (b *viewer) statics(v *tableView, columns []*schema.Column, read func(*schema.Column) *model.Attribute) {
	a := v.source.Aggregate
	var attributes []*model.Attribute
	var names []string
	s := &staticsView{}
	for _, c := range columns {
		if c.Kind != schema.Static {
			continue
		}
		at := *read(c)
		if !at.Hidden() {
			name := unique(at.GoName(), names)
			at.Path, names = []string{name}, append(names, name)
			s.Fields = append(s.Fields, keyField{name, b.imports.goType(at.Field.Type)})
		}
		attributes = append(attributes, &at)
	}
	if s.Fields == nil {
		return
	}
	s.Type = b.names.exported(v.Field+"Statics", a.Struct)
	s.Doc = doc("%s has the static columns of a partition of %s.", s.Type, v.Name)
	of := &model.Struct{Name: s.Type, Path: b.imports.self, Pos: a.Struct.Pos}
	s.Decode = b.codecs.decodeStruct(rowObject(of, attributes), s.Type)
	parameters := b.names.parameters(a.Identifier)
	s.Params, s.Encode = b.parameterList(a.Identifier, parameters), b.encodeKey(a.Identifier, parameters, a.Struct)
	v.StaticColumns = s
}
