package explain

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/aml/statement"
)

// reads explains the methods that read a table or a view of it.
func reads(t *schema.Table) []*Operation {
	many := newRead(t, t.Shown(t.Get()))
	many.Cause, many.If = EachKey, "for each different key, 16 at a time"
	out := []*Operation{{Name: "Get", RoundTrips: 1, Requests: []*Request{newRead(t, t.Shown(t.Get()))}}, {Name: "GetMany", RoundTrips: 1, Requests: []*Request{many}}}
	if len(t.ClusteringKey) > 0 {
		out = append(out,
			&Operation{Name: "Of", RoundTrips: 1, Paged: true, Requests: []*Request{newPartitionRead(t)}},
			&Operation{Name: "Of.First", RoundTrips: 1, Requests: []*Request{newFirstRead(t)}},
			&Operation{Name: "Of.Count", RoundTrips: 1, Paged: true, Requests: []*Request{newRead(t, t.SelectKeys()+wherePartition(t))}},
			readPartitions(t), readTogether(t))
		if slices.Contains(t.KeysetMethods(0), "After") {
			after := wherePartition(t) + " AND " + statement.Slice(schema.Names(t.Discriminators()), schema.KeysetOperator("After"))
			out = append(out, &Operation{Name: "Of.After", RoundTrips: 1, Paged: true, Restricted: true, Requests: []*Request{newRead(t, t.Shown(t.Select())+after)}})
		}
	}
	if s := t.SelectStatics(); s != "" {
		out = append(out, &Operation{Name: "Statics", RoundTrips: 1, Requests: []*Request{newRead(t, s)}})
	}
	for _, i := range t.Indexes {
		out = append(out, indexed(t, i)...)
	}
	out = append(out, &Operation{Name: "AllPage", RoundTrips: 1, AllNodes: true, Requests: []*Request{newRead(t, t.Shown(t.SelectAll()))}})
	for _, name := range []string{"All", "Scan"} {
		out = append(out, &Operation{Name: name, RoundTrips: 1, Paged: true, AllNodes: true, Requests: []*Request{newRead(t, t.Slice())}})
	}
	return out
}

// newPartitionRead returns the read of the rows of one partition.
func newPartitionRead(t *schema.Table) *Request {
	return newRead(t, t.Shown(t.Select())+wherePartition(t))
}

func wherePartition(t *schema.Table) string {
	return " WHERE " + strings.Join(schema.Names(t.Prefix()), " = ? AND ") + " = ?"
}

// newFirstRead returns the read of the first row of one partition. The rows of deleted roots are left out by the client.
func newFirstRead(t *schema.Table) *Request {
	if !t.KeepsDeleted() {
		return newRead(t, t.Shown(t.Select())+wherePartition(t)+" LIMIT ?")
	}
	r := newPartitionRead(t)
	r.Cause, r.If = EachPage, "for each page, until one has a row that is not of a deleted root"
	return r
}

// readPartitions explains the read of several partitions. With a token, each partition has a read for each run of clustering columns in one
// direction, and the first one includes the place of the token in the partitions after the token's partition.
func readPartitions(t *schema.Table) *Operation {
	first, after := newPartitionRead(t), newRead(t, "")
	key := schema.Names(t.Discriminators())
	desc := func(i int) bool { return t.Discriminators()[i].Order == model.Descending }
	after.Cause, after.If, after.Writes[0].Statements = WithToken, "with a token", nil
	statement.Runs(0, len(key), desc, func(from, to int) {
		operators := []string{">", ">="}
		if desc(from) {
			operators = []string{"<", "<="}
		}
		if to < len(key) {
			operators = operators[:1]
		}
		for _, operator := range operators {
			text := first.Writes[0].Statements[0].CQL
			for _, c := range key[:from] {
				text += " AND " + c + " = ?"
			}
			text += " AND " + statement.Slice(key[from:to], operator)
			after.Writes[0].Statements = append(after.Writes[0].Statements, Statement{CQL: text})
		}
	})
	return &Operation{Name: "OfEach", RoundTrips: 1, Paged: true, EachPartition: true, Requests: []*Request{first, after}}
}

// readTogether explains the read of several partitions with one request.
func readTogether(t *schema.Table) *Operation {
	var where []string
	for i, c := range t.Prefix() {
		comparison := " = ?"
		if i == len(t.PartitionKey)-1 {
			comparison = " IN ?"
		}
		where = append(where, c.Name+comparison)
	}
	order := statement.Order(schema.Names(t.ClusteringKey), func(i int) bool { return t.ClusteringKey[i].Order == model.Descending })
	return &Operation{Name: "OfEach.Together", RoundTrips: 1, Paged: true, Restricted: true,
		Requests: []*Request{newRead(t, t.Shown(t.Select())+" WHERE "+strings.Join(where, " AND ")+order+statement.PerPartitionLimit+" LIMIT ?")}}
}

// withParts explains the methods that read a root with the rows of one of its parts.
func withParts(root *schema.Table, s *schema.Schema) (out []*Operation) {
	for _, t := range s.Stored {
		if t.Aggregate == nil || t.Aggregate.Root != root.Aggregate {
			continue
		}
		name := model.CamelCase(t.Name)
		if t.Aggregate.InRootTable {
			name = t.Aggregate.Struct.Name
		}
		out = append(out, &Operation{Name: "GetWith" + name, RoundTrips: 2, Requests: []*Request{newRead(root, root.Get()), newPartitionRead(t)}})
		if root.Versioning != nil {
			empty := newRead(root, root.Get())
			empty.Cause, empty.If = EmptyPage, "if the page has no rows; then the page is read again"
			page := newRead(t, t.SelectWith(root)+wherePartition(t))
			out = append(out, &Operation{Name: "OfWith" + name, RoundTrips: 1, Paged: true, Requests: []*Request{page, empty}})
		}
	}
	return out
}

// byUnique explains the methods that read a versioned root by its unique values.
func byUnique(t *schema.Table) (out []*Operation) {
	if t.Versioning == nil {
		return nil
	}
	for _, u := range t.Versioning.Uniques {
		out = append(out, &Operation{Name: u.Method(), RoundTrips: 2, Requests: []*Request{newRead(u.Table, u.Table.Get()), newRead(t, t.Shown(t.Get()))}})
	}
	return out
}

// indexed explains the methods that read with an index: of all partitions and, if a partition has more than one row, of one
// partition.
func indexed(t *schema.Table, i *schema.Index) []*Operation {
	name := "By" + i.Column.Attribute.GoName()
	near := i.Read == schema.Near
	out := []*Operation{{Name: name, RoundTrips: 1, Paged: !near, LocalOne: near, AllNodes: true, Requests: []*Request{newRead(t, t.Shown(i.Find(t)))}}}
	if len(t.ClusteringKey) > 0 && i.Column.Kind != schema.PartitionKey {
		out = append(out, &Operation{Name: "Of." + name, RoundTrips: 1, Paged: !near, LocalOne: near, Requests: []*Request{newRead(t, t.Shown(i.FindIn(t)))}})
	}
	return out
}

func newRead(t *schema.Table, cql string) *Request {
	return &Request{Read: true, Writes: []*Write{{Table: t, Statements: []Statement{{CQL: cql}}, sure: true}}}
}

// noKeyset returns the methods that compare several clustering columns with values and do not exist.
func noKeyset(t *schema.Table) []NoMethod {
	methods, why := t.NoKeyset()
	if methods == "" {
		return nil
	}
	return []NoMethod{{Name: "Of(…)." + methods, Why: why}}
}
