package catalog

import (
	"cmp"
	"fmt"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

// indexes reads the indexes of all tables.
func (in *inspection) indexes() error {
	var table, name, kind string
	var options map[string]string
	var fault error
	err := in.each("SELECT table_name, index_name, kind, options FROM system_schema.indexes", func() {
		t, err := in.table(table)
		fault = cmp.Or(fault, err)
		if t != nil {
			in.index(t, name, kind, options)
		}
		options = nil
	}, &table, &name, &kind, &options)
	return cmp.Or(err, fault)
}

func (in *inspection) index(t *schema.Table, name, kind string, options map[string]string) {
	class := indexname.Legacy
	if kind == "CUSTOM" {
		class = indexClass(options["class_name"])
	}
	i := &schema.Index{Name: name, Target: options["target"], Options: indexOptions(options), Class: class}
	t.Indexes = append(t.Indexes, i)
	if class != "" && class != indexname.Legacy && class != "SASIIndex" {
		in.note("index", model.Quote(name), t.Name, "it is of a class that this server has beside its own: %s", customIndex(t, i, options["class_name"]))
	}
}

// customIndex returns the statement that creates an index of a class with its whole name.
func customIndex(t *schema.Table, i *schema.Index, class string) string {
	return fmt.Sprintf("CREATE CUSTOM INDEX %s ON %s (%s) USING %s%s", model.Quote(i.Name), model.Quote(t.Name), i.Target, model.QuoteText(class), i.With())
}
