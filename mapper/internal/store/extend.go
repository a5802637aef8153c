package store

import (
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
)

// Extend returns the keyspace with the tables, columns, types and fields of the schema added. It returns a
// *[mapper.SchemaError] if the keyspace has one of them in a different form.
func (k *Keyspace) Extend(schema *descriptor.Schema) (*Keyspace, error) {
	if faults := k.conflicts(schema); len(faults) > 0 {
		return nil, &mapper.SchemaError{Keyspace: k.Name, Faults: faults}
	}
	k = k.clone()
	for _, t := range schema.Types {
		k.Types[t.Name] = append(k.Types[t.Name], t.Fields[min(len(k.Types[t.Name]), len(t.Fields)):]...)
	}
	for _, t := range schema.Tables {
		if k.Tables[t.Name] == nil {
			k.Tables[t.Name] = map[string]Column{}
		}
		for i := range t.Columns {
			k.Tables[t.Name][t.Columns[i].Name] = wanted(t, i)
		}
	}
	return k, nil
}

// conflicts returns the differences that cannot be fixed by adding.
func (k *Keyspace) conflicts(schema *descriptor.Schema) []mapper.SchemaFault {
	v := verifier{have: k}
	for _, t := range schema.Types {
		v.verifyType(t)
	}
	for _, t := range schema.Tables {
		v.verifyTable(t)
	}
	return slices.DeleteFunc(v.faults, func(f mapper.SchemaFault) bool { return f.Have == "" && !k.inKey(schema, f) })
}

// inKey reports whether a missing column belongs to the key of an existing table.
func (k *Keyspace) inKey(schema *descriptor.Schema, f mapper.SchemaFault) bool {
	if f.Table == "" || f.Column == "" {
		return false
	}
	t := schema.Tables[slices.IndexFunc(schema.Tables, func(t *descriptor.Table) bool { return t.Name == f.Table })]
	return slices.ContainsFunc(t.Columns[:t.Key], func(c descriptor.Column) bool { return c.Name == f.Column })
}
