package explaincmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/explain"
)

// tableJSON is the documented form of a table or a view.
type tableJSON struct {
	Kind          string           `json:"kind"` // table
	Package       string           `json:"package"`
	Table         string           `json:"table"`
	Struct        string           `json:"struct"`
	Role          string           `json:"role"`
	Of            string           `json:"of"`
	PartitionKey  []string         `json:"partition_key"`
	ClusteringKey []clusteringJSON `json:"clustering_key"`
	TTL           int              `json:"ttl_seconds"`
	TTLNames      []string         `json:"ttl_names"`
	Large         bool             `json:"large"`
	Copies        []copyJSON       `json:"copies"`
	Uniques       []uniqueJSON     `json:"uniques"`
	Methods       []methodJSON     `json:"methods"`
	No            []noMethodJSON   `json:"no_methods"`
}

// noMethodJSON is a method that the store does not have.
type noMethodJSON struct {
	Method string `json:"method"`
	Reason string `json:"reason"`
}

// methodJSON is a method that the copies of a root call.
type methodJSON struct {
	Method     string   `json:"method"`
	Fields     []string `json:"fields"`
	Everything string   `json:"every_field"`
}

// uniqueJSON describes the requests for unique values.
type uniqueJSON struct {
	Table   string        `json:"table"`
	Fields  string        `json:"fields"`
	Rows    rowsJSON      `json:"rows"`
	Claim   []requestJSON `json:"claim"`
	Release []requestJSON `json:"release"`
}

type clusteringJSON struct {
	Column     string `json:"column"`
	Descending bool   `json:"descending"`
}

// copyJSON is a redundant table that is written with its root.
type copyJSON struct {
	Table    string   `json:"table"`
	Rows     rowsJSON `json:"rows"`
	Place    string   `json:"place"`
	When     string   `json:"when"`
	Shared   bool     `json:"shared"`
	Unlogged bool     `json:"unlogged"`
	Cache    int      `json:"cache_seconds"`
	Distinct bool     `json:"distinct"`
	TTL      int      `json:"ttl_seconds"`
	TTLNames []string `json:"ttl_names"`
	Diverge  string   `json:"diverges"`
}

// ofTableJSON has the common first names of the objects of a table.
type ofTableJSON struct {
	Kind    string `json:"kind"`
	Package string `json:"package"`
	Table   string `json:"table"`
	Struct  string `json:"struct"`
}

// storeMethodJSON is the documented form of a method of a store.
type storeMethodJSON struct {
	ofTableJSON // operation
	operationJSON
}

// fieldJSON is the documented form of a field of a root.
type fieldJSON struct {
	ofTableJSON                // field
	Field       string         `json:"field"`
	Column      string         `json:"column"`
	Update      *requestJSON   `json:"update"`
	Set         *operationJSON `json:"set"`
	NoSet       string         `json:"no_set"`
	Elements    []elementJSON  `json:"elements"`
}

// elementJSON is the documented form of a method for one element of a field.
type elementJSON struct {
	Method    string         `json:"method"`
	Operation *operationJSON `json:"operation"`
	Reads     string         `json:"reads"`
	No        string         `json:"no"`
}

func newNoMethodJSON(m explain.NoMethod) noMethodJSON { return noMethodJSON{m.Name, m.Why} }

func newElementJSON(e *explain.Element) elementJSON {
	out := elementJSON{Method: e.Name, Reads: e.Reads, No: e.No}
	if e.Operation != nil {
		o := newOperationJSON(e.Operation)
		out.Operation = &o
	}
	return out
}

func newTableJSON(path string, t *schema.Table) tableJSON {
	out := tableJSON{Kind: "table", Package: path, Table: t.Name, Struct: t.Aggregate.Struct.Name, Role: "root", TTL: t.TTL, TTLNames: ttlNames(t), Large: t.Aggregate.Large,
		PartitionKey: jsonline.Map(t.PartitionKey, columnName), Copies: []copyJSON{}, Uniques: []uniqueJSON{}, Methods: []methodJSON{}}
	switch {
	case !t.Aggregate.IsSource():
		out.Role, out.Of = "redundant", t.Aggregate.Redundancy.Source.Struct.Name
	case t.Aggregate.Root != nil:
		out.Role, out.Of = "part", t.Aggregate.Root.Struct.Name
	}
	out.ClusteringKey = jsonline.Map(t.ClusteringKey, func(c *schema.Column) clusteringJSON {
		return clusteringJSON{c.Name, c.Order == model.Descending}
	})
	return out
}

func ttlNames(t *schema.Table) []string {
	out := []string{}
	for _, l := range t.Lifetimes {
		if l.Name != "" {
			out = append(out, l.Name)
		}
	}
	return out
}

func newCopyJSON(c *explain.Copy) copyJSON {
	return copyJSON{c.Table.Name, newRowsJSON(c.Rows), placeNames[c.Place()], c.When, c.Table.Aggregate.Redundancy.Shared, c.Table.Aggregate.Redundancy.Unlogged, c.Table.Aggregate.Redundancy.Cache,
		c.Owner() != nil, c.Table.TTL, ttlNames(c.Table), c.Diverge}
}

func newUniqueJSON(u *explain.Unique) uniqueJSON {
	return uniqueJSON{u.Table.Name, u.Fields, newRowsJSON(u.Rows), jsonline.Map(u.Claim, newRequestJSON), jsonline.Map(u.Release, newRequestJSON)}
}

// writeTableJSON writes the methods and the fields of a table.
func writeTableJSON(c *cobra.Command, t tableJSON, operations []*explain.Operation, fields []*explain.Field) error {
	of := func(kind string) ofTableJSON { return ofTableJSON{kind, t.Package, t.Table, t.Struct} }
	methods := jsonline.Map(operations, func(o *explain.Operation) storeMethodJSON {
		return storeMethodJSON{of("operation"), newOperationJSON(o)}
	})
	if err := jsonline.Write(c, methods...); err != nil {
		return err
	}
	return jsonline.Write(c, jsonline.Map(fields, func(f *explain.Field) fieldJSON {
		out := fieldJSON{of("field"), strings.Join(f.Attribute.Path, "."), f.Name, nil, nil, f.NoSet, jsonline.Map(f.Elements, newElementJSON)}
		if f.Update != nil {
			update := newRequestJSON(f.Update)
			out.Update = &update
		}
		if f.Set != nil {
			set := newOperationJSON(f.Set)
			out.Set = &set
		}
		return out
	})...)
}
