package codegen

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// several sets the type of the keys of a table. A view has the keys of its table.
func (b *viewer) several(v *tableView) {
	a := v.source.Aggregate
	key := a.Key()
	if len(key) == 1 {
		v.Key.Many = keysView{Type: b.imports.goType(key[0].Field.Type), Encode: "t.key"}
		return
	}
	if of, ok := b.keyTypes[a]; ok {
		of.Fields = nil
		v.Key.Many = of
		return
	}
	k, args := b.keyStruct(key, b.names.exported(v.Field+"Key", a.Struct))
	k.Doc = doc("%s is the primary key of one %s.", k.Type, a.Struct.Name)
	k.Encode = fmt.Sprintf("func(key %s) *gen.Encoder { return t.key(%s) }", k.Type, strings.Join(args, ", "))
	v.Key.Many = k
	b.keyTypes[a] = k
}

// keyStruct returns the struct of a key of several columns, and the fields of a value key.
func (b *viewer) keyStruct(key []*model.Attribute, typeName string) (k keysView, args []string) {
	k.Type = typeName
	var names []string
	for _, a := range key {
		name := unique(a.GoName(), names)
		names, args = append(names, name), append(args, "key."+name)
		k.Fields = append(k.Fields, keyField{name, b.imports.goType(a.Field.Type)})
	}
	return k, args
}
