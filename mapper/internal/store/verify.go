package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
)

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
		v.verifyBuckets(t)
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
		case have[i].Name != f.Name || have[i].Type != f.Type && !v.equalIfFrozen(t.Name, have[i].Type, f.Type):
			fault.Want, fault.Have = f.Name+" "+f.Type, have[i].Name+" "+have[i].Type
			v.faults = append(v.faults, fault)
		}
	}
	for _, f := range have[min(len(t.Fields), len(have)):] {
		v.extra = append(v.extra, "type "+t.Name+"."+f.Name)
	}
}

// equalIfFrozen reports whether a field has the wanted encoding although its type differs: a collection in a UDT that is not declared
// frozen is frozen as a part of every frozen value, unless a column of the store has the UDT without frozen.
func (v *verifier) equalIfFrozen(udt, have, want string) bool {
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
		if !known[name] && !t.Statics { // the other columns belong to the part
			v.checkUnknown(t.Name, name, c)
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

// verifyBuckets checks that programs that were opened after this one read all buckets in which this one writes. A table with more buckets than
// the model belongs to a later release, see [Keyspace.Buckets].
func (v *verifier) verifyBuckets(t *descriptor.Table) {
	if o, ok := v.have.Options[t.Name]; ok && o.Buckets < t.Buckets {
		v.faults = append(v.faults, mapper.SchemaFault{Table: t.Name, Property: "comment", Want: descriptor.BucketsComment(t.Buckets), Have: descriptor.BucketsComment(o.Buckets)})
	}
}

// verifyGrace checks gc_grace_seconds of the tables whose batches may have to be replayed.
func (v *verifier) verifyGrace() {
	for _, t := range v.want.Batchlog() {
		if o, ok := v.have.Options[t.Name]; ok && o.GCGrace < minGCGrace {
			v.faults = append(v.faults, mapper.SchemaFault{Table: t.Name, Property: "gc_grace_seconds",
				Want: fmt.Sprintf("at least %d: a batch that is older is not replayed", minGCGrace), Have: strconv.Itoa(o.GCGrace)})
		}
	}
}

// checkUnknown handles a column that is not in the model: it is accepted as extra, unless it belongs to the key.
func (v *verifier) checkUnknown(table, name string, c Column) {
	if c.Position < 0 {
		v.extra = append(v.extra, "column "+table+"."+name)
		return
	}
	v.faults = append(v.faults, mapper.SchemaFault{Table: table, Column: name, Want: "outside the key", Have: describe(c)})
}

// minGCGrace is the smallest allowed gc_grace_seconds of a table that is written through the batchlog. The batchlog does not
// replay a batch that is older than the smallest gc_grace_seconds of its tables.
const minGCGrace = 3600

// Expiries returns the tables whose default_time_to_live differs from the model. This does not affect a store, which sends the TTL
// with every write, but it affects other programs.
func (k *Keyspace) Expiries(want *descriptor.Schema) (differ []string) {
	for _, t := range want.Tables {
		want := t.TTL
		if t.Lives {
			want = 0 // its statements have two TTLs
		}
		if o, ok := k.Options[t.Name]; ok && o.TTL != want {
			differ = append(differ, fmt.Sprintf("default_time_to_live of table %s is %d, not %d", t.Name, o.TTL, want))
		}
	}
	return differ
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
