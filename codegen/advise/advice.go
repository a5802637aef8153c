package advise

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/codegen/query"
)

// Report is the advice for a workload.
type Report struct {
	Unanswered    []*query.Query // sorted by their priorities
	Unused        []string       // the redundant tables that no query reads
	Relationships []*Relationship
}

// Relationship has the designs of one relationship, the others unchanged.
type Relationship struct {
	*alternatives.Listing
	Rates     map[alternatives.Operation]float64
	Proposals []*Proposal // sorted by their costs
	Cannot    []*Proposal // designs without a table for an operation of the workload
}

// Proposal is a design with its cost.
type Proposal struct {
	*alternatives.Alternative
	Number int     // counts all proposals of the report; 0 for a design that cannot be proposed
	Cost   float64 // processors
	Reason string
}

// adviser makes a report.
type adviser struct {
	*Workload
	Weights
	files  *load.Files
	model  *model.Model
	schema *schema.Schema
	reads  []read
	number int
}

// read is a query with its table and its rate.
type read struct {
	*query.Query
	rate, priority float64
}

// New advises on the relationships of the package in files. Faults are errors in the workload, which prevent a report.
func New(files *load.Files, w *Workload, weights Weights) (*Report, []Fault, error) {
	p, err := files.Package(files.Texts)
	if err != nil {
		return nil, nil, err
	}
	m, faults := model.Build(p)
	if model.Refused(faults) {
		return nil, nil, fmt.Errorf("advise: the model is refused: %s", faults[0])
	}
	a := &adviser{Workload: w, Weights: weights, files: files, model: m, schema: schema.New(m)}
	a.readQueries()
	if wrong := a.unknownWrites(); len(wrong) > 0 {
		return nil, wrong, nil
	}
	out := &Report{Unused: a.unused()}
	for _, r := range a.reads {
		if r.Method == "" {
			out.Unanswered = append(out.Unanswered, r.Query)
		}
	}
	for _, name := range alternatives.Names(m) {
		if r := a.relationship(name); r != nil {
			out.Relationships = append(out.Relationships, r)
		}
	}
	return out, nil, nil
}

// readQueries finds the answers of the queries, in the order of their priorities.
func (a *adviser) readQueries() {
	after := 0
	for _, q := range (query.Checker{Model: a.model, Schema: a.schema}).Check(a.Text, query.InFile(a.File, a.Text)) {
		a.reads = append(a.reads, read{q, a.comment("rate", after, q.Pos.Line, 0), a.comment("priority", after, q.Pos.Line, math.Inf(1))})
		after = q.Pos.Line
	}
	slices.SortStableFunc(a.reads, func(x, y read) int { return cmp.Or(cmp.Compare(x.priority, y.priority), byPosition(x.Pos, y.Pos)) })
}

// unknownWrites returns faults for writes of relationships and roots that the model does not have.
func (a *adviser) unknownWrites() (out []Fault) {
	known := alternatives.Names(a.model)
	for _, w := range a.Writes {
		if !slices.Contains(known, w.Name) && !slices.ContainsFunc(a.model.Aggregates, func(x *model.Aggregate) bool { return x.IsSource() && isMethod(x, w.Name) }) {
			out = append(out, Fault{w.Pos, fmt.Sprintf("the model has no relationship and no root with the method %s: its relationships are %v", w.Name, known)})
		}
	}
	return out
}

// isMethod reports whether a name is a method of a root with its struct.
func isMethod(a *model.Aggregate, name string) bool {
	for m := range methods {
		if name == a.Struct.Name+"."+m {
			return true
		}
	}
	return false
}

// unused returns the redundant tables that no query reads.
func (a *adviser) unused() (out []string) {
	for _, t := range a.schema.Tables {
		if t.Aggregate != nil && !t.Aggregate.IsSource() && !slices.ContainsFunc(a.reads, func(r read) bool { return r.Table == t.Name }) {
			out = append(out, t.Name)
		}
	}
	return out
}

// relationship orders the designs of a relationship; nil if the workload has no operation of it or if it has no designs.
func (a *adviser) relationship(name string) *Relationship {
	l, err := alternatives.List(a.files, name, alternatives.Config{})
	if err != nil {
		return nil
	}
	out := &Relationship{Listing: l, Rates: a.rates(l)}
	if len(out.Rates) == 0 {
		return nil
	}
	for _, x := range l.Alternatives {
		if x.Refused != "" {
			continue
		}
		p := &Proposal{Alternative: x}
		if p.Reason = out.missing(x); p.Reason != "" {
			out.Cannot = append(out.Cannot, p)
			continue
		}
		p.Cost, p.Reason = a.evaluate(out, x)
		out.Proposals = append(out.Proposals, p)
	}
	slices.SortStableFunc(out.Proposals, func(x, y *Proposal) int { return cmp.Compare(x.Cost, y.Cost) })
	for _, p := range out.Proposals {
		a.number++
		p.Number = a.number
	}
	return out
}

// rates returns the rate of each operation of a relationship.
func (a *adviser) rates(l *alternatives.Listing) map[alternatives.Operation]float64 {
	out := map[alternatives.Operation]float64{}
	for _, w := range a.Writes {
		root := w.Name == l.Root.Struct+".Insert" || w.Name == l.Root.Struct+".Update" || w.Name == l.Root.Struct+".Delete"
		if w.Name == l.Name || root {
			out[w.Operation] += w.Rate
		}
	}
	for _, r := range a.reads {
		if o := a.operation(l, r.Table); o != "" && r.rate > 0 {
			out[o] += r.rate
		}
	}
	return out
}

// operation returns the operation of a relationship that a read of a table is; "" for none.
func (a *adviser) operation(l *alternatives.Listing, table string) alternatives.Operation {
	i := slices.IndexFunc(a.schema.Tables, func(t *schema.Table) bool { return t.Name == table && t.Aggregate != nil })
	if i < 0 {
		return ""
	}
	name := a.schema.Tables[i].Aggregate.Struct.Name
	switch {
	case name == l.Root.Struct && l.Form == alternatives.Embedded:
		return alternatives.ReadByRoot
	case name == l.Element.Struct, slices.ContainsFunc(l.Dependent, func(d alternatives.Dependent) bool { return d.Name == name && d.View }):
		return alternatives.ReadByElement
	}
	return ""
}

// missing returns why a design cannot serve the workload; "" if it can.
func (r *Relationship) missing(x *alternatives.Alternative) string {
	if x.NoStore != "" {
		return "store: " + x.NoStore
	}
	for _, o := range alternatives.Operations() {
		if r.Rates[o] > 0 && x.Costs[o] == nil {
			return fmt.Sprintf("%s: %s", o, x.No[o])
		}
	}
	return ""
}

// evaluate returns the cost of a design, and the operation that costs most.
func (a *adviser) evaluate(r *Relationship, x *alternatives.Alternative) (float64, string) {
	sum, most, reason := 0.0, -1.0, ""
	for _, o := range alternatives.Operations() {
		if r.Rates[o] == 0 {
			continue
		}
		c := x.Costs[o]
		of := r.Rates[o] * a.Cost(c) / 1e6
		if sum += of; of > most {
			most = of
			reason = fmt.Sprintf("%s (requests: %d, conditional: %d, statements: %d)", o, c.Requests, c.Conditional, c.Statements)
		}
	}
	return sum, fmt.Sprintf("%.0f %% is %s", 100*most/sum, reason)
}

// BreakEven describes the number of reads for each write at which another design costs as much as the first, or "".
func (r *Relationship) BreakEven(w Weights, first, other *Proposal) string {
	readsFirst, writesFirst := r.split(w, first)
	readsOther, writesOther := r.split(w, other)
	reads, writes := r.count(true), r.count(false)
	if reads == 0 || writes == 0 {
		return ""
	}
	at := (writesFirst - writesOther) / writes / ((readsOther - readsFirst) / reads)
	if math.IsNaN(at) || math.IsInf(at, 0) || at <= 0 {
		return ""
	}
	if readsOther > readsFirst {
		return fmt.Sprintf("below %.2g reads a write, %s is cheaper", at, other.Name)
	}
	return fmt.Sprintf("above %.2g reads a write, %s is cheaper", at, other.Name)
}

// isRead reports whether an operation reads.
func isRead(o alternatives.Operation) bool {
	return o == alternatives.ReadByRoot || o == alternatives.ReadByElement
}

// count returns the rate of all operations that read, or of all others.
func (r *Relationship) count(reads bool) (sum float64) {
	for o, n := range r.Rates {
		if isRead(o) == reads {
			sum += n
		}
	}
	return sum
}

// split returns the costs of the operations that read, and of the others.
func (r *Relationship) split(w Weights, p *Proposal) (reads, writes float64) {
	for o, n := range r.Rates {
		c := n * w.Cost(p.Costs[o])
		if isRead(o) {
			reads += c
		} else {
			writes += c
		}
	}
	return reads, writes
}
