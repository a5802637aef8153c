package advise

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/codegen/query"
)

// Config has the measurements from which the advice follows.
type Config struct {
	Weights
	Measurements []Measurement
	Published    bool // docs/study.md has the measurements, which are of another machine
}

// DefaultConfig returns the published measurements.
func DefaultConfig() Config { return Config{DefaultWeights(), DefaultMeasurements(), true} }

// Report is the advice for a workload.
type Report struct {
	Unanswered    []*query.Query  // sorted by their priorities
	Unused        []*schema.Table // the tables of aggregates that no query reads
	Unlimited     []Fault         // limits of queries that are not operations of a relationship
	Omitted       []string        // the other relationships, with the reasons
	Relationships []*Relationship
	Published     bool // latencies are compared with the measurements of docs/study.md
}

// Relationship has the designs of one relationship, the others unchanged.
type Relationship struct {
	*alternatives.Listing
	Priority  float64 // the least of its queries; infinite for none
	Rates     map[alternatives.Operation]float64
	Limits    map[alternatives.Operation]time.Duration // the greatest 99th percentile that is accepted
	Proposals []*Proposal                              // sorted by their costs; they keep the guarantees of the model
	Losing    []*Proposal                              // sorted by their costs; they lose at least one of the guarantees
	Cannot    []*Proposal                              // designs without a table for an operation of the workload
}

// Proposal is a design with its cost.
type Proposal struct {
	*alternatives.Alternative
	Number    int     // the number in the report, which counts designs that lose a guarantee after all others; 0 for a design that cannot be proposed
	Cost      float64 // processors
	Reason    string
	BreakEven string    // the reads for each write at which it costs as much as the first proposal; "" for none
	Latencies []Latency // the operations with a limit
}

// adviser makes a report.
type adviser struct {
	*Workload
	Config
	files  *load.Files
	model  *model.Model
	schema *schema.Schema
	reads  []read
	writes []Write // each Name is a relationship or a method of the model

	names   []string // the relationships of the model, and those that the workload names by their sides
	omitted []string // the written relationships that are not compared, with the reasons
	number  int
}

// read is a query with its table and its comments.
type read struct {
	*query.Query
	rate, priority float64
	latency        time.Duration
	compared       bool // it is an operation of a relationship
}

// New advises on the relationships of the package in files. Faults are errors in the workload, which prevent a report.
func New(files *load.Files, w *Workload, c Config) (*Report, []Fault, error) {
	p, err := files.Package(files.Texts)
	if err != nil {
		return nil, nil, err
	}
	m, faults := model.Build(p)
	if model.Refused(faults) {
		return nil, nil, fmt.Errorf("advise: the model is refused: %s", faults[0])
	}
	a := &adviser{Workload: w, Config: c, files: files, model: m, schema: schema.New(m)}
	a.readQueries()
	if wrong := append(a.misread(), a.resolveWrites()...); len(wrong) > 0 {
		return nil, wrong, nil
	}
	out := &Report{Unused: a.unused()}
	for _, r := range a.reads {
		if r.Method == "" {
			out.Unanswered = append(out.Unanswered, r.Query)
		}
	}
	for _, name := range a.names {
		r, err := a.relationship(name)
		if err != nil {
			out.Omitted = append(out.Omitted, err.Error())
			continue
		}
		out.Relationships = append(out.Relationships, r)
	}
	out.Omitted = append(out.Omitted, a.omitted...)
	slices.SortStableFunc(out.Relationships, func(x, y *Relationship) int { return cmp.Compare(x.Priority, y.Priority) })
	for _, r := range out.Relationships {
		a.count(r.Proposals)
	}
	for _, r := range out.Relationships {
		a.count(r.Losing)
	}
	out.Unlimited = a.unlimited()
	out.Published = c.Published && slices.ContainsFunc(out.Relationships, func(r *Relationship) bool { return len(r.Limits) > 0 })
	return out, nil, nil
}

// count numbers proposals, after those that already have a number.
func (a *adviser) count(all []*Proposal) {
	for _, p := range all {
		a.number++
		p.Number = a.number
	}
}

// readQueries finds the answers of the queries, in the order of their priorities.
func (a *adviser) readQueries() {
	after := 0
	for _, q := range (query.Checker{Model: a.model, Schema: a.schema}).Check(a.Text, query.InFile(a.File, a.Text)) {
		at := func(key string, absent float64) float64 { return a.comment(key, after, q.Pos.Line, absent) }
		a.reads = append(a.reads, read{Query: q, rate: at("rate", 0), priority: at("priority", math.Inf(1)), latency: time.Duration(at("latency", 0))})
		after = q.Pos.Line
	}
	slices.SortStableFunc(a.reads, func(x, y read) int { return cmp.Or(cmp.Compare(x.priority, y.priority), byPosition(x.Pos, y.Pos)) })
}

// misread returns faults for texts that are not CQL. A query of a table that does not exist is one that no table answers.
func (a *adviser) misread() (faults []Fault) {
	for _, r := range a.reads {
		for _, f := range r.Faults {
			if f.Rule.Code == query.RuleSyntax.Code {
				faults = append(faults, Fault{f.Pos, strings.TrimPrefix(f.String(), f.Pos.String()+": ")})
			}
		}
	}
	return faults
}

// unused returns the tables of aggregates that no query reads, the redundant ones first.
func (a *adviser) unused() (out []*schema.Table) {
	for _, t := range a.schema.Tables {
		if t.Aggregate != nil && !slices.ContainsFunc(a.reads, func(r read) bool { return r.Table == t.Name }) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(x, y *schema.Table) int { return compareBool(x.Aggregate.IsSource(), y.Aggregate.IsSource()) })
	return out
}

// compareBool orders false before true.
func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// unlimited returns the limits of queries that are operations of no relationship: no design of it can keep them.
func (a *adviser) unlimited() (out []Fault) {
	for _, r := range a.reads {
		if r.latency > 0 && !r.compared {
			out = append(out, Fault{r.Pos, fmt.Sprintf("latency %s: only operations of relationships are measured, and this query is not one of them: delete its aml:latency", r.latency)})
		}
	}
	return out
}

// relationship orders the designs of a relationship. An error is the reason why it has none, or why they are not compared.
func (a *adviser) relationship(name string) (*Relationship, error) {
	found, err := alternatives.Find(a.model, name, nil)
	if err != nil {
		return nil, err
	}
	out := &Relationship{Listing: &alternatives.Listing{Relationship: found}, Priority: math.Inf(1), Rates: map[alternatives.Operation]float64{}, Limits: map[alternatives.Operation]time.Duration{}}
	a.readWrites(out)
	a.readReads(out)
	if len(out.Rates) == 0 {
		return nil, fmt.Errorf("%s: the workload has no rate for any of its operations", name)
	}
	if out.Listing, err = alternatives.List(a.files, name, alternatives.Config{}); err != nil {
		return nil, err
	}
	for _, x := range out.Alternatives {
		switch p := a.propose(out, x); {
		case p == nil:
		case len(p.Loses) > 0:
			out.Losing = append(out.Losing, p)
		default:
			out.Proposals = append(out.Proposals, p)
		}
	}
	for _, all := range [][]*Proposal{out.Proposals, out.Losing} {
		slices.SortStableFunc(all, func(x, y *Proposal) int {
			return cmp.Or(cmp.Compare(x.Cost, y.Cost), compareBool(y.Current, x.Current))
		})
	}
	for _, p := range out.Proposals[min(1, len(out.Proposals)):] {
		p.BreakEven = out.BreakEven(a.Weights, out.Proposals[0], p)
	}
	return out, nil
}

// propose evaluates a design. A design that cannot serve the workload is added to Cannot, and the result is nil.
func (a *adviser) propose(r *Relationship, x *alternatives.Alternative) *Proposal {
	p := &Proposal{Alternative: x, Reason: r.missing(x)}
	if p.Reason != "" {
		r.Cannot = append(r.Cannot, p)
		return nil
	}
	x.Loses = append(x.Loses, a.unread(x)...)
	p.Cost, p.Reason = a.evaluate(r, x)
	p.Latencies = a.latencies(r, x.Name)
	return p
}

// unread describes the tables of the model that a design does not have, although queries read them that are not operations of the relationship.
func (a *adviser) unread(x *alternatives.Alternative) (out []string) {
	for _, q := range a.reads {
		t := a.table(q.Table)
		if t == nil || q.compared || slices.ContainsFunc(x.Model.Package.Structs, func(s *model.Struct) bool { return s.Name == t.Aggregate.Struct.Name }) {
			continue
		}
		out = append(out, fmt.Sprintf("it does not have %s, which the query at %s reads: declare it again for the design", t.Aggregate.Struct.Name, q.Pos))
	}
	return out
}

// table returns the table of an aggregate of the model; nil for none.
func (a *adviser) table(name string) *schema.Table {
	i := slices.IndexFunc(a.schema.Tables, func(t *schema.Table) bool { return t.Name == name && t.Aggregate != nil })
	if i < 0 {
		return nil
	}
	return a.schema.Tables[i]
}

// readWrites reads the rates and the limits of the operations that write.
func (a *adviser) readWrites(r *Relationship) {
	for _, w := range a.writes {
		root := w.Name == r.Root.Struct+".Insert" || w.Name == r.Root.Struct+".Update" || w.Name == r.Root.Struct+".Delete"
		if w.Name == r.Name || root {
			r.Rates[w.Operation] += w.Rate
			r.limit(w.Operation, w.Latency)
		}
	}
}

// readsOne matches the call of a store that reads a row by its key.
var readsOne = regexp.MustCompile(`\.\w+\.Get(Many)?\(`)

// readReads reads the rates, the limits and the priorities of the queries.
func (a *adviser) readReads(r *Relationship) {
	for i := range a.reads {
		q := &a.reads[i]
		o := a.operation(r.Listing, q.Table)
		if o == "" || o == alternatives.ReadByElement && !readsOne.MatchString(q.Method) { // several elements are not found by the key of one
			continue
		}
		q.compared = true
		r.Priority = min(r.Priority, q.priority)
		r.limit(o, q.latency)
		if q.rate > 0 {
			r.Rates[o] += q.rate
		}
	}
}

// limit sets the limit of an operation if it is less than another one. 0 means no limit.
func (r *Relationship) limit(o alternatives.Operation, d time.Duration) {
	if d > 0 && (r.Limits[o] == 0 || d < r.Limits[o]) {
		r.Limits[o] = d
	}
}

// operation returns the operation of a relationship that a read of a table is; "" for none.
func (a *adviser) operation(l *alternatives.Listing, table string) alternatives.Operation {
	t := a.table(table)
	if t == nil {
		return ""
	}
	return l.ReadOperation(t.Aggregate)
}

// missing returns why a design cannot serve the workload; "" if it can.
func (r *Relationship) missing(x *alternatives.Alternative) string {
	switch {
	case x.Refused != "":
		return "refused: " + x.Refused
	case x.NoStore != "":
		return "no store: " + x.NoStore
	}
	for _, o := range alternatives.Operations() {
		if r.Rates[o] > 0 && x.Costs[o] == nil {
			return fmt.Sprintf("no %s: %s", o, x.No[o])
		}
	}
	return ""
}

// evaluate returns the cost of a design, and a sentence about the operation that costs most.
func (a *adviser) evaluate(r *Relationship, x *alternatives.Alternative) (float64, string) {
	sum, most, reason := 0.0, -1.0, ""
	for _, o := range alternatives.Operations() {
		if r.Rates[o] == 0 {
			continue
		}
		c := x.Costs[o]
		part := r.Rates[o] * a.Cost(c) / 1e6
		if sum += part; part > most {
			most, reason = part, fmt.Sprintf("%s, which needs %s", o, requests(c))
		}
	}
	return sum, fmt.Sprintf("%.0f %% of it is %s", 100*most/sum, reason)
}

// requests describes the requests of an operation.
func requests(c *alternatives.Cost) string {
	var out []string
	for _, k := range []struct {
		n    int
		name string
	}{{c.Reads, "read"}, {c.Requests - c.Conditional - c.Reads - c.Batches, "write"}, {c.Conditional, "conditional request"}} {
		if k.n > 0 {
			out = append(out, counted(k.n, k.name))
		}
	}
	if c.Batches > 0 {
		out = append(out, fmt.Sprintf("%s of %s", strings.Replace(counted(c.Batches, "batch"), "batchs", "batches", 1), counted(c.Batched, "statement")))
	}
	return strings.Join(out, ", ")
}

func counted(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}

// BreakEven describes the number of reads for each write at which another design costs as much as the first, or "".
func (r *Relationship) BreakEven(w Weights, first, other *Proposal) string {
	readsFirst, writesFirst := r.split(w, first)
	readsOther, writesOther := r.split(w, other)
	at := (writesFirst - writesOther) / r.count(false) / ((readsOther - readsFirst) / r.count(true)) // not a finite number without reads or without writes
	if math.IsNaN(at) || math.IsInf(at, 0) || at <= 0 {
		return ""
	}
	if readsOther > readsFirst {
		return fmt.Sprintf("below %s reads a write, %s is cheaper", Short(at), other.Name)
	}
	return fmt.Sprintf("above %s reads a write, %s is cheaper", Short(at), other.Name)
}

// Short formats a number with two significant digits, without an exponent.
func Short(n float64) string {
	return strconv.FormatFloat(Round(n, 2), 'f', -1, 64)
}

// Round rounds n to a number of significant digits.
func Round(n float64, digits int) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(n, 'g', digits, 64), 64) // the text is a number
	return out
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
