package effect

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/lex"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

// NewFeatures returns the features of a statement that servers before Cassandra 5.0 do not have. It does not look for CQL functions.
func NewFeatures(text string) (out []string) {
	s, _ := ddl.Parse(text) // what can be read is enough
	switch s := s.(type) {
	case *ddl.CreateIndex:
		if s.Class == indexname.SAI {
			out = append(out, "a storage-attached index (SAI)")
		}
	case *ddl.CreateTable:
		if s.Table != nil && slices.ContainsFunc(s.Table.Columns, hasVector) {
			out = append(out, "vectors")
		}
		out = append(out, newProperties(s.Properties)...)
	case *ddl.AddColumns:
		if slices.ContainsFunc(s.Columns, hasVector) {
			out = append(out, "vectors")
		}
	case *ddl.CreateType:
		if s.Type != nil && slices.ContainsFunc(s.Type.Fields, func(f *schema.Field) bool { return isVector(f.Type) }) {
			out = append(out, "vectors")
		}
	case *ddl.AddField:
		if s.Field != nil && isVector(s.Field.Type) {
			out = append(out, "vectors")
		}
	case *ddl.SetProperties:
		out = append(out, newProperties(s.Properties)...)
	}
	if s != nil && masks(text) {
		out = append(out, "data masking (MASKED WITH)")
	}
	return out
}

func hasVector(c *schema.Column) bool { return isVector(c.Type) }

func isVector(t *schema.Type) bool {
	return t != nil && (t.Name == "vector" && !t.UDT || slices.ContainsFunc(t.Args, isVector))
}

// newProperties returns the properties that only later servers have.
func newProperties(all map[string]property.Value) (out []string) {
	for _, name := range []string{"allow_auto_snapshot", "incremental_backups"} {
		if _, ok := all[name]; ok {
			out = append(out, "the property "+name)
		}
	}
	if property.ShortClass(all["compaction"].Entries["class"]) == "UnifiedCompactionStrategy" {
		out = append(out, "UnifiedCompactionStrategy")
	}
	return out
}

// masks reports whether a statement masks a column.
func masks(text string) bool {
	words := lex.Words(text)
	for i, w := range words {
		if w.Is("MASKED") && i+1 < len(words) && words[i+1].Is("WITH") {
			return true
		}
	}
	return false
}
