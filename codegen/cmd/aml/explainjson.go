package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

// packageJSON is the documented form of the first line of a package.
type packageJSON struct {
	Kind       string           `json:"kind"` // package
	Package    string           `json:"package"`
	Folder     string           `json:"folder"`
	Statements int              `json:"statements"`
	Missing    []diagnosticJSON `json:"not_executed"`
}

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
	Missing       string           `json:"not_executed"`
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

// rowsJSON counts rows.
type rowsJSON struct {
	Per     string `json:"per"`
	Changed bool   `json:"changed"`
	Max     int    `json:"max"`
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

type operationJSON struct {
	Operation   string        `json:"operation"`
	RoundTrips  int           `json:"round_trips"`
	Consistency string        `json:"consistency"`
	Paged       bool          `json:"paged"`
	Each        bool          `json:"each_partition"`
	AllNodes    bool          `json:"all_nodes"`
	ByField     bool          `json:"by_field"`
	EveryField  bool          `json:"every_field"`
	OrInsert    bool          `json:"or_insert"`
	Claims      bool          `json:"claims"`
	Releases    bool          `json:"releases"`
	Requests    []requestJSON `json:"requests"`
	Checks      []requestJSON `json:"checks"`
	After       []requestJSON `json:"after"`
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

// requestJSON is the documented form of a request.
type requestJSON struct {
	Read        bool               `json:"read"`
	Conditional bool               `json:"conditional"`
	Serial      bool               `json:"serial"`
	If          string             `json:"if"`
	Unlogged    bool               `json:"unlogged"`
	Batch       string             `json:"batch"`
	Batchlog    string             `json:"batchlog"`
	Statements  int                `json:"statement_count"`
	Tables      []requestTableJSON `json:"tables"`
	Then        *requestJSON       `json:"then"`
}

// requestTableJSON describes the effect of a request on one table.
type requestTableJSON struct {
	Table      string          `json:"table"`
	Rows       rowsJSON        `json:"rows"`
	When       string          `json:"when"`
	Place      string          `json:"place"`
	Spreads    bool            `json:"moves_partition"`
	Range      bool            `json:"range"`
	Whole      bool            `json:"whole_rows"`
	Keeps      bool            `json:"keeps_rows"`
	Change     string          `json:"change"`
	Columns    []string        `json:"columns"`
	Statements []statementJSON `json:"statements"`
}

type statementJSON struct {
	CQL string `json:"cql"`
	If  string `json:"if"`
}

// writeExplanationJSON writes a line for the package, a line for each table, and a line for each of its methods and fields.
func writeExplanationJSON(c *cobra.Command, dir, path string, e *explain.Explanation) error {
	p := packageJSON{"package", path, filepath.ToSlash(filepath.Clean(dir)), e.Statements(), mapped(e.Missing, jsonOf)}
	if err := writeJSON(c, p); err != nil {
		return err
	}
	for _, t := range e.Tables {
		line := tableLine(path, t.Table, t.Missing)
		line.Copies, line.Uniques = mapped(t.Copies, copyOf), mapped(t.Uniques, uniqueOf)
		line.No = mapped(t.No, noMethodOf)
		line.Methods = mapped(t.Methods, func(m explain.Method) methodJSON { return methodJSON{m.Name, m.Fields, m.Everything} })
		if err := writeJSON(c, line); err != nil {
			return err
		}
		if err := writeTableJSON(c, line, t.Operations, t.Fields); err != nil {
			return err
		}
	}
	for _, v := range e.Views {
		line := tableLine(path, v.Table, v.Missing)
		line.No = mapped(v.No, noMethodOf)
		line.Struct, line.Role, line.Of = v.Model.Struct.Name, "view", v.Table.Aggregate.Struct.Name
		if err := writeJSON(c, line); err != nil {
			return err
		}
		if err := writeTableJSON(c, line, v.Operations, nil); err != nil {
			return err
		}
	}
	return writeBatchJSON(c, path, e.Batch)
}

// writeTableJSON writes the methods and the fields of a table.
func writeTableJSON(c *cobra.Command, t tableJSON, operations []*explain.Operation, fields []*explain.Field) error {
	of := func(kind string) ofTableJSON { return ofTableJSON{kind, t.Package, t.Table, t.Struct} }
	methods := mapped(operations, func(o *explain.Operation) storeMethodJSON { return storeMethodJSON{of("operation"), operationOf(o)} })
	if err := writeJSON(c, methods...); err != nil {
		return err
	}
	return writeJSON(c, mapped(fields, func(f *explain.Field) fieldJSON {
		out := fieldJSON{of("field"), strings.Join(f.Attribute.Path, "."), f.Name, nil, nil, f.NoSet, mapped(f.Elements, elementOf)}
		if f.Update != nil {
			update := requestOf(f.Update)
			out.Update = &update
		}
		if f.Set != nil {
			set := operationOf(f.Set)
			out.Set = &set
		}
		return out
	})...)
}

func noMethodOf(m explain.NoMethod) noMethodJSON { return noMethodJSON{m.Name, m.Why} }

func elementOf(e *explain.Element) elementJSON {
	out := elementJSON{Method: e.Name, Reads: e.Reads, No: e.No}
	if e.Operation != nil {
		o := operationOf(e.Operation)
		out.Operation = &o
	}
	return out
}

func tableLine(path string, t *schema.Table, missing string) tableJSON {
	out := tableJSON{Kind: "table", Package: path, Table: t.Name, Struct: t.Aggregate.Struct.Name, Role: "root", TTL: t.TTL, TTLNames: ttlNames(t), Large: t.Aggregate.Large,
		PartitionKey: mapped(t.PartitionKey, columnName), Missing: missing, Copies: []copyJSON{}, Uniques: []uniqueJSON{}, Methods: []methodJSON{}}
	switch {
	case !t.Aggregate.IsSource():
		out.Role, out.Of = "redundant", t.Aggregate.Redundancy.Source.Struct.Name
	case t.Aggregate.Root != nil:
		out.Role, out.Of = "part", t.Aggregate.Root.Struct.Name
	}
	out.ClusteringKey = mapped(t.ClusteringKey, func(c *schema.Column) clusteringJSON {
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

func columnName(c *schema.Column) string { return c.Name }

// placeNames are the names of places in the JSON.
var placeNames = map[schema.Place]string{
	schema.WithSource: "same_partition",
	schema.OneOther:   "other_partition",
	schema.PerElement: "partition_for_each",
}

func copyOf(c *explain.Copy) copyJSON {
	return copyJSON{c.Table.Name, rowsJSON(c.Rows), placeNames[c.Place()], c.When, c.Table.Aggregate.Redundancy.Shared, c.Table.Aggregate.Redundancy.Unlogged, c.Table.Aggregate.Redundancy.Cache,
		c.Owner() != nil, c.Table.TTL, ttlNames(c.Table), c.Diverge}
}

func uniqueOf(u *explain.Unique) uniqueJSON {
	return uniqueJSON{u.Table.Name, u.Fields, rowsJSON(u.Rows), mapped(u.Claim, requestOf), mapped(u.Release, requestOf)}
}

func operationOf(o *explain.Operation) operationJSON {
	out := operationJSON{Operation: o.Name, RoundTrips: o.RoundTrips, Paged: o.Paged, Each: o.EachPartition, AllNodes: o.AllNodes, ByField: o.ByField,
		EveryField: o.EveryField, OrInsert: o.OrInsert, Claims: o.Claims, Releases: o.Releases, Requests: mapped(o.Requests, requestOf),
		Checks: mapped(o.Checks, requestOf), After: mapped(o.After, requestOf)}
	if o.LocalOne {
		out.Consistency = "LOCAL_ONE"
	}
	return out
}

// certainties are the names of certainties in the JSON.
var certainties = map[explain.Certainty]string{explain.Never: "never", explain.Sometimes: "sometimes", explain.Always: "always"}

func requestOf(r *explain.Request) requestJSON {
	out := requestJSON{Read: r.Read, Conditional: r.Conditional, Serial: r.Serial, If: r.If, Unlogged: r.Unlogged, Batch: certainties[r.Batch], Batchlog: certainties[r.Batchlog], Tables: mapped(r.Writes, requestTable)}
	if r.Then != nil {
		then := requestOf(r.Then)
		out.Then = &then
	}
	for i, t := range out.Tables {
		out.Statements += len(t.Statements)
		if r.Read {
			out.Tables[i].Place = ""
		}
	}
	return out
}

// changes are the names in the JSON for the effect of a changed field on rows.
var changes = map[explain.RowEffect]string{explain.Stays: "stays", explain.Moves: "moves", explain.Depends: "depends"}

func requestTable(w *explain.Write) requestTableJSON {
	place := schema.WithSource
	switch {
	case w.Each:
		place = schema.PerElement
	case w.Elsewhere:
		place = schema.OneOther
	}
	return requestTableJSON{w.Table.Name, rowsJSON(w.Rows), w.When, placeNames[place], w.Spreads, w.Range, w.Whole, w.Keeps,
		changes[w.RowEffect], mapped(w.Cells, columnName), mapped(w.Statements, func(s explain.Statement) statementJSON { return statementJSON(s) })}
}
