package codegen

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
)

// each adds to the query of a table or a view the method that reads several partitions. A view has the keys of its table.
func (b *viewer) each(v *tableView) {
	a := v.source.Aggregate
	key := a.Identifier
	e := &eachView{Doc: eachDoc(v.source), Rows: v.Query.Rows}
	e.Rows = strings.NewReplacer("gen.WhereRows(", "gen.WhereEachRows(", "gen.Where(", "gen.WhereEach(").Replace(e.Rows)
	v.Query.Each = e
	args := []string{"key"}
	switch of, ok := b.partitionTypes[a]; {
	case len(key) == 1:
		e.Keys.Type = b.imports.goType(key[0].Field.Type)
	case ok:
		e.Keys.Type, args = of.Type, of.args
	default:
		e.Keys, args = b.keyStruct(key, b.names.exported(v.Field+"PartitionKey", a.Struct))
		e.Keys.Doc = doc("%s is the partition key of %s.", e.Keys.Type, v.Name)
		b.partitionTypes[a] = partitionType{e.Keys.Type, args}
	}
	e.Encode = b.encodeKey(key, args, a.Struct)
}

func eachDoc(t *schema.Table) string {
	order := strings.Join(schema.Names(t.ClusteringKey), ", ")
	return doc("OfEach %s", fmt.Sprintf("reads the rows of several partitions, merged in the order of %s. Rows in which these are equal are in the order of "+
		"keys. Each partition is read with requests of its own, 16 at a time; equal keys are one partition.", order))
}
