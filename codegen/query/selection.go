package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// request is a SELECT of one table.
type request struct {
	source
	whole    bool             // * of its columns
	part     *source          // whose rows are in the same table and are read, too; nil for none
	columns  []*schema.Column // that the rows must have
	where    []restriction
	keysets  []keyset
	order    []ordering
	near     *ordering // ANN OF; nil for none
	limit    *syntax.Value
	distinct *syntax.Span
	from     int // the offset of the statement
}

// restriction is a relation of one column.
type restriction struct {
	*schema.Column
	*syntax.Relation
}

// ordering is a column of ORDER BY.
type ordering struct {
	*schema.Column
	descending bool
	value      *syntax.Value // vector of ANN OF
	at         int
}

// shortfall is why a table does not answer a query.
type shortfall struct {
	at   int
	rule model.Rule
	what string
	fix  string // "" if only another table answers it
}

// selection checks a SELECT.
func (k *check) selection(s *syntax.Select) {
	sources := k.sources(s.Table)
	if sources == nil {
		k.unknown(s.Table)
		return
	}
	k.unsupported(s, k.chosen(s, sources))
	r := k.request(s, sources)
	k.values(r)
	if len(k.query.Faults) > 0 {
		k.counted(s, r)
		return
	}
	call, fault := k.find(r)
	defer k.pieces(s, r)
	switch {
	case s.Filtering != nil && fault == nil:
		k.fault(s.Filtering.From, RuleFiltering, "delete ALLOW FILTERING: "+call.text+" answers the query without it", "ALLOW FILTERING is not needed")
	case s.Filtering != nil:
		k.refuse(r, &shortfall{s.Filtering.From, RuleFiltering, "the query reads rows of " + r.table.Name + " that it does not return: " + fault.what, fault.fix})
	case fault != nil:
		k.refuse(r, fault)
	default:
		k.query.Method, k.query.Table, k.query.Values, k.query.Notes = call.text, call.table, call.values, call.notes
	}
}

// pieces adds a note to the answer for each piece of a column that a SELECT names: the entry of a map, or the field of a UDT.
func (k *check) pieces(s *syntax.Select, r *request) {
	notes := &k.query.Notes
	if o := k.query.Offer; o != nil {
		notes = &o.Notes
	}
	for _, c := range s.Columns {
		if at := r.column(c.Column); c.Piece != nil && at != nil && (k.query.Method != "" || k.query.Offer != nil) {
			*notes = append(*notes, fmt.Sprintf("no method reads %s alone: the rows have all of %s", oneLine(k.text[c.Piece.From:c.Piece.To]), at.Attribute.GoName()))
		}
	}
}

// refuse reports a query that no table answers, with the redundant aggregate that would, unless there is an easier way.
func (k *check) refuse(r *request, f *shortfall) {
	fix := f.fix
	if fix == "" {
		k.query.Offer, fix = k.offer(r)
	}
	if o := k.query.Offer; o != nil {
		fix = "add the redundant aggregate " + o.Name + ", which answers it: " + o.Method
	}
	k.fault(f.at, f.rule, fix, "%s", f.what)
}

// unsupported reports the parts of a SELECT that no method has.
func (k *check) unsupported(s *syntax.Select, of source) {
	if s.JSON != nil {
		k.fault(s.JSON.From, RuleNoMethod, "read the rows, and encode them with encoding/json", "no method returns JSON")
	}
	if s.PerPartition != nil {
		k.fault(s.PerPartition.From, RuleNoMethod, "use a query with Limit for each partition", "no method has a limit for each partition")
	}
	if s.GroupBy != nil {
		k.fault(s.GroupBy[0].From, RuleAggregate, "read the rows in their order and group them in Go, or keep a counter for each group", "GROUP BY is not supported")
	}
	for _, c := range s.Columns {
		switch {
		case c.Aggregates():
			k.aggregate(c)
		case c.Function == "writetime", c.Function == "ttl", c.Function == "maxwritetime":
			k.fault(c.From, RuleNoMethod, "store the time or the TTL in a column", "no method returns %s", c.Function)
		case c.Function != "":
			k.fault(c.From, RuleNoMethod, "read the column and compute it in Go", "no method calls the function %s", c.Function)
		case c.Column.Text == "":
			k.fault(c.From, RuleNoMethod, "delete it", "a constant is no column")
		}
	}
	for i := range s.Where {
		k.unsupportedRelation(&s.Where[i], of)
	}
}

func (k *check) aggregate(c syntax.Selector) {
	if c.Function == "count" {
		k.fault(c.From, RuleAggregate, "", "count reads all rows within one request")
		return
	}
	k.fault(c.From, RuleAggregate, "read the rows and compute it in Go, or keep it in a column", "%s reads all rows within one request", c.Function)
}

// counted completes the fault of a query that only counts: with the call that counts the same rows.
func (k *check) counted(s *syntax.Select, r *request) {
	i := slices.IndexFunc(k.query.Faults, func(d model.Diagnostic) bool { return d.Rule.Code == RuleAggregate.Code && d.Fix == "" })
	if i < 0 {
		return
	}
	f := &k.query.Faults[i]
	f.Fix = "read the rows with All and count them in Go"
	if len(k.query.Faults) > 1 || r == nil {
		return
	}
	plain := *r
	if of := k.sources(s.Table); r.table.Statics && len(of) > 1 && !slices.ContainsFunc(r.where, func(w restriction) bool { return !w.InKey() }) {
		plain = *k.request(s, of[1:]) // it has all rows that are counted
		f.Fix = "read the rows of " + plain.table.Aggregate.Struct.Name + " with s." + plain.field + ".All, and count them in Go"
	}
	plain.limit, plain.order, plain.columns, plain.whole = nil, nil, nil, false
	call, fault := k.find(&plain)
	if of, ok := strings.CutSuffix(call.text, ".All(ctx)"); ok && fault == nil {
		f.Fix = "call " + of + ".Count(ctx), which reads the keys page by page"
	} else if fault != nil {
		k.query.Faults = k.query.Faults[:i]
		k.refuse(&plain, &shortfall{s.Columns[0].From, RuleAggregate, "count reads all rows within one request, and " + fault.what, fault.fix})
	}
}

func (k *check) unsupportedRelation(r *syntax.Relation, of source) {
	const each = "restrict each column by itself"
	keyset, fix := newKeyset(r, of)
	switch {
	case r.Token:
		k.fault(r.From, RuleNoMethod, "Scan divides the table by tokens, and AllPage reads it page by page", "no method restricts tokens")
	case keyset != nil:
	case len(r.Columns) > 1:
		k.fault(r.From, RuleNoMethod, cmp.Or(fix, each), "no method restricts several columns together")
	case r.Element != nil:
		k.fault(r.From, RuleNoMethod, "use CONTAINS with an index, or a redundant aggregate with a row for each element", "no method restricts an element of a map")
	case slices.Contains([]syntax.Operator{syntax.NotEqual, syntax.Like, syntax.IsNotNull, syntax.ContainsKey}, r.Operator):
		k.fault(r.From, RuleNoMethod, "read the rows by their key and leave out those that do not match in Go, or add a redundant aggregate with when=", "no method has the operator %s", r.Operator)
	}
}

// request resolves the names of a SELECT. If the table has a root and its part, it is the one that has all columns.
func (k *check) request(s *syntax.Select, sources []source) *request {
	of := k.chosen(s, sources)
	r := &request{source: of, whole: s.Star != nil, limit: s.Limit, distinct: s.Distinct, from: s.From}
	use := func(n syntax.Name) *schema.Column {
		c := of.column(n)
		if c == nil {
			k.unknownColumn(n, sources)
		}
		return c
	}
	for _, n := range selected(s) {
		if c := use(n); c != nil {
			r.columns = append(r.columns, c)
		}
	}
	for i := range s.Where {
		if k, _ := newKeyset(&s.Where[i], of); k != nil {
			r.keysets = append(r.keysets, *k)
			continue
		}
		for _, n := range s.Where[i].Columns {
			if c := use(n); c != nil {
				r.where = append(r.where, restriction{c, &s.Where[i]})
			}
		}
	}
	for _, n := range s.GroupBy {
		use(n)
	}
	for _, o := range s.OrderBy {
		if c := use(o.Column); c != nil && o.Near != nil {
			r.near = &ordering{c, false, o.Near, o.Column.From}
		} else if c != nil {
			r.order = append(r.order, ordering{c, o.Descending, nil, o.Column.From})
		}
	}
	if r.whole && len(sources) > 1 && of.table.Statics {
		r.part = &sources[1]
	}
	if r.whole {
		r.columns = slices.DeleteFunc(of.columns(), func(c *schema.Column) bool { return c.Attribute.Field == nil })
	}
	return r
}

// chosen returns the first source that has all columns of a SELECT. For * of a table with the rows of a part that is the part, if its
// rows are restricted.
func (k *check) chosen(s *syntax.Select, sources []source) source {
	var names []syntax.Name
	names = append(names, selected(s)...)
	for _, w := range s.Where {
		names = append(names, w.Columns...)
	}
	for _, o := range s.OrderBy {
		names = append(names, o.Column)
	}
	if s.Star != nil && len(sources) > 1 && len(s.Where) > len(sources[0].table.PartitionKey) {
		sources = sources[1:]
	}
	return named(names, sources)
}

// selected returns the columns after SELECT, also those in functions.
func selected(s *syntax.Select) []syntax.Name {
	var out []syntax.Name
	var add func([]syntax.Selector)
	add = func(in []syntax.Selector) {
		for _, c := range in {
			if c.Column.Text != "" {
				out = append(out, c.Column)
			}
			add(c.Arguments)
		}
	}
	add(s.Columns)
	return out
}
