package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
)

// Keyspace is the part of system_schema that describes one keyspace.
type Keyspace struct {
	Name   string
	Tables map[string]map[string]Column // by table and column
	Types  map[string][]descriptor.Field

	Indexes map[string][]string // by table: the targets, as in [plan.Index]
	Options map[string]Options  // by table
}

// Options is the part of a row of system_schema.tables that a store depends on.
type Options struct {
	ID      string
	TTL     int // default_time_to_live
	GCGrace int // gc_grace_seconds
}

// Column is a row of system_schema.columns.
type Column struct {
	Kind     string // partition_key, clustering, static, regular
	Position int    // in the partition key or the clustering key; -1 for other columns
	Type     string
	Order    string // asc, desc; none
}

// Inspect reads the schema of the session's keyspace. It returns an error if a store cannot use the session or its servers.
func (s CQL) Inspect(ctx context.Context) (*Keyspace, error) {
	if err := s.verifyServers(ctx); err != nil {
		return nil, err
	}
	k := NewKeyspace(s.keyspace())
	if k.Name == "" {
		return nil, errors.New("mapper: the session has no keyspace: set Keyspace of the gocql.ClusterConfig")
	}
	if err := s.inspectColumns(ctx, k); err != nil {
		return nil, fmt.Errorf("mapper: read the columns of keyspace %s: %w", k.Name, err)
	}
	if err := s.inspectTypes(ctx, k); err != nil {
		return nil, fmt.Errorf("mapper: read the types of keyspace %s: %w", k.Name, err)
	}
	if err := s.inspectIndexes(ctx, k); err != nil {
		return nil, fmt.Errorf("mapper: read the indexes of keyspace %s: %w", k.Name, err)
	}
	if err := s.inspectOptions(ctx, k); err != nil {
		return nil, fmt.Errorf("mapper: read the options of the tables of keyspace %s: %w", k.Name, err)
	}
	return k, nil
}

func (s CQL) inspectOptions(ctx context.Context, k *Keyspace) error {
	it := s.read(ctx, `SELECT table_name, id, default_time_to_live, gc_grace_seconds
		FROM system_schema.tables WHERE keyspace_name = ?`, gocql.One, k.Name).Iter()
	var table string
	var o Options
	for it.Scan(&table, &o.ID, &o.TTL, &o.GCGrace) {
		k.Options[table] = o
	}
	return it.Close()
}

// GCGrace returns gc_grace_seconds of each table of the session's keyspace.
func (s CQL) GCGrace(ctx context.Context) (map[string]int, error) {
	k, err := s.Inspect(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]int{}
	for name, o := range k.Options {
		out[name] = o.GCGrace
	}
	return out, nil
}

func (s CQL) inspectIndexes(ctx context.Context, k *Keyspace) error {
	it := s.read(ctx, `SELECT table_name, options FROM system_schema.indexes WHERE keyspace_name = ?`, gocql.One, k.Name).Iter()
	var table string
	var options map[string]string
	for it.Scan(&table, &options) {
		k.Indexes[table] = append(k.Indexes[table], options["target"])
	}
	return it.Close()
}

func (s CQL) inspectColumns(ctx context.Context, k *Keyspace) error {
	it := s.read(ctx, `SELECT table_name, column_name, kind, position, type, clustering_order
		FROM system_schema.columns WHERE keyspace_name = ?`, gocql.One, k.Name).Iter()
	var table, name string
	var c Column
	for it.Scan(&table, &name, &c.Kind, &c.Position, &c.Type, &c.Order) {
		if k.Tables[table] == nil {
			k.Tables[table] = map[string]Column{}
		}
		k.Tables[table][name] = c
	}
	return it.Close()
}

func (s CQL) inspectTypes(ctx context.Context, k *Keyspace) error {
	it := s.read(ctx, `SELECT type_name, field_names, field_types
		FROM system_schema.types WHERE keyspace_name = ?`, gocql.One, k.Name).Iter()
	var name string
	var names, types []string
	for it.Scan(&name, &names, &types) {
		fields := make([]descriptor.Field, min(len(names), len(types)))
		for i := range fields {
			fields[i] = descriptor.Field{Name: names[i], Type: types[i]}
		}
		k.Types[name] = fields
	}
	return it.Close()
}

// Verify compares the keyspace with the schema of a store. extra lists the columns and fields that are in the keyspace but not
// in the store's tables and types. Other tables and types are ignored: another package may share the keyspace. err is a
// *[mapper.SchemaError].
func (k *Keyspace) Verify(want *descriptor.Schema) (extra []string, err error) {
	v := verifier{have: k, want: want}
	for _, t := range want.Types {
		v.verifyType(t)
	}
	for _, t := range want.Tables {
		v.verifyTable(t)
		v.verifyIndexes(t)
	}
	v.verifyGrace()
	slices.Sort(v.extra)
	if len(v.faults) > 0 {
		return v.extra, &mapper.SchemaError{Keyspace: k.Name, Faults: v.faults}
	}
	return v.extra, nil
}

type verifier struct {
	have   *Keyspace
	want   *descriptor.Schema
	faults []mapper.SchemaFault
	extra  []string
}

// verifyType compares the fields by position, because a value contains its fields in this order: fields can only be appended.
func (v *verifier) verifyType(t *descriptor.Type) {
	have, ok := v.have.Types[t.Name]
	if !ok {
		v.faults = append(v.faults, mapper.SchemaFault{Type: t.Name})
		return
	}
	for i, f := range t.Fields {
		fault := mapper.SchemaFault{Type: t.Name, Column: f.Name, Want: f.Type}
		switch {
		case i >= len(have):
			v.faults = append(v.faults, fault)
		case have[i].Name != f.Name || have[i].Type != f.Type && !v.alike(t.Name, have[i].Type, f.Type):
			fault.Want, fault.Have = f.Name+" "+f.Type, have[i].Name+" "+have[i].Type
			v.faults = append(v.faults, fault)
		}
	}
	for _, f := range have[min(len(t.Fields), len(have)):] {
		v.extra = append(v.extra, "type "+t.Name+"."+f.Name)
	}
}

// alike reports whether a field has the wanted encoding although its type differs: a collection in a UDT that is not declared
// frozen is frozen as a part of every frozen value, unless a column of the store has the UDT without frozen.
func (v *verifier) alike(udt, have, want string) bool {
	if "frozen<"+have+">" != want {
		return false
	}
	for _, t := range v.want.Tables {
		for _, c := range t.Columns {
			if c.Type == udt || c.Type == `"`+strings.ReplaceAll(udt, `"`, `""`)+`"` {
				return false
			}
		}
	}
	return true
}

func (v *verifier) verifyTable(t *descriptor.Table) {
	have, ok := v.have.Tables[t.Name]
	if !ok {
		v.faults = append(v.faults, mapper.SchemaFault{Table: t.Name})
		return
	}
	known := map[string]bool{}
	for i := range t.Columns {
		c := &t.Columns[i]
		known[c.Name] = true
		fault := mapper.SchemaFault{Table: t.Name, Column: c.Name, Want: describe(wanted(t, i))}
		if h, ok := have[c.Name]; ok {
			fault.Have = describe(h)
		}
		if fault.Have != fault.Want {
			v.faults = append(v.faults, fault)
		}
	}
	for name, c := range have {
		if !known[name] && !t.Statics { // the other columns are those of the part
			v.beyond(t.Name, name, c)
		}
	}
}

// verifyIndexes checks that there is an index for every target, with any name. Without it, reads by the index fail.
func (v *verifier) verifyIndexes(t *descriptor.Table) {
	for _, i := range t.Indexes {
		if v.have.Tables[t.Name] != nil && !slices.Contains(v.have.Indexes[t.Name], i.Target) {
			v.faults = append(v.faults, mapper.SchemaFault{Table: t.Name, Index: i.Target})
		}
	}
}

// minGCGrace is the smallest allowed gc_grace_seconds of a table that is written through the batchlog. The batchlog does not
// replay a batch that is older than the smallest gc_grace_seconds of its tables.
const minGCGrace = 3600

// verifyGrace checks gc_grace_seconds of the tables whose batches may have to be replayed.
func (v *verifier) verifyGrace() {
	for _, t := range v.want.Batchlog() {
		if o, ok := v.have.Options[t.Name]; ok && o.GCGrace < minGCGrace {
			v.faults = append(v.faults, mapper.SchemaFault{Table: t.Name, Property: "gc_grace_seconds",
				Want: fmt.Sprintf("at least %d: a batch that is older is not replayed", minGCGrace), Have: strconv.Itoa(o.GCGrace)})
		}
	}
}

// Expiries returns the tables whose default_time_to_live differs from the model. This does not affect a store, which sends the TTL
// with every write, but it affects other programs.
func (k *Keyspace) Expiries(want *descriptor.Schema) (differ []string) {
	for _, t := range want.Tables {
		if o, ok := k.Options[t.Name]; ok && o.TTL != t.TTL {
			differ = append(differ, fmt.Sprintf("default_time_to_live of table %s is %d, not %d", t.Name, o.TTL, t.TTL))
		}
	}
	return differ
}

// beyond handles a column that is not in the model: it is accepted as extra, unless it belongs to the key.
func (v *verifier) beyond(table, name string, c Column) {
	if c.Position < 0 {
		v.extra = append(v.extra, "column "+table+"."+name)
		return
	}
	v.faults = append(v.faults, mapper.SchemaFault{Table: table, Column: name, Want: "outside the key", Have: describe(c)})
}

// wanted returns column i of a table as system_schema would have it.
func wanted(t *descriptor.Table, i int) Column {
	c := &t.Columns[i]
	w := Column{Kind: c.Kind.String(), Position: -1, Type: c.Type, Order: "none"}
	switch {
	case i >= t.Key && t.Statics:
		w.Kind = projection.Static.String()
	case i < t.Partition:
		w.Position = i
	case i < t.Key:
		w.Position, w.Order = i-t.Partition, "asc"
		if c.Desc {
			w.Order = "desc"
		}
	}
	return w
}

// describe returns a column as text: "int, clustering 0 desc", "text, static", "text".
func describe(c Column) string {
	switch {
	case c.Position < 0 && c.Kind == projection.Regular.String():
		return c.Type
	case c.Position < 0:
		return c.Type + ", " + c.Kind
	case c.Order == "none":
		return fmt.Sprintf("%s, %s %d", c.Type, c.Kind, c.Position)
	}
	return fmt.Sprintf("%s, %s %d %s", c.Type, c.Kind, c.Position, c.Order)
}
