package outline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

func (p *Outline) operation(depth int, o *explain.Operation) {
	if depth == 1 {
		p.Add(0, "")
	}
	p.Add(depth, "%s: %s", o.Name, Cost(o))
	claims := slices.IndexFunc(o.Requests, func(r *explain.Request) bool { return !r.Read })
	for i, r := range o.Requests {
		if i == claims {
			p.checks(depth+1, o)
			p.claims(depth+1, o)
		}
		p.part(depth+1, o, r)
	}
	if claims < 0 {
		p.checks(depth+1, o)
	}
	if o.ByField {
		p.Add(depth+1, "%s", differences(o))
	}
	for _, r := range o.After {
		p.part(depth+1, o, r)
	}
	if o.Releases {
		p.Add(depth+1, "releases dropped unique values")
	}
}

// claims writes which unique values an operation claims before its save.
func (p *Outline) claims(depth int, o *explain.Operation) {
	switch {
	case o.Claims && o.Releases:
		p.Add(depth, "claims new unique values, and reads the reservations of dropped ones")
	case o.Claims:
		p.Add(depth, "claims the unique values")
	case o.Releases:
		p.Add(depth, "reads the reservations of the unique values")
	}
}

// part writes one request of an operation, with the way in which it is sent if the operation has several.
func (p *Outline) part(depth int, o *explain.Operation, r *explain.Request) {
	if r.Read || r.Conditional || !several(o) {
		p.request(depth, r)
		return
	}
	if r.If != "" {
		p.Add(depth, "%s  -- %s", Sending(r), r.If)
	} else {
		p.Add(depth, "%s", Sending(r))
	}
	p.request(depth+1, r)
}

// several reports whether an operation sends several requests that write.
func several(o *explain.Operation) bool {
	return o.After != nil || slices.ContainsFunc(o.Requests, func(r *explain.Request) bool { return r.Conditional || !r.Read && r.If != "" })
}

// checks writes the reads of rows to remove.
func (p *Outline) checks(depth int, o *explain.Operation) {
	for _, r := range o.Checks {
		w := r.Writes[0]
		p.statement(depth, explain.Statement{CQL: w.Statements[0].CQL, If: "for each row to remove from " + w.Table.Name + ", in parallel"})
	}
}

// Cost returns the number of requests that an operation waits for, and how the last of them is sent.
func Cost(o *explain.Operation) string {
	text := requests(o)
	if o.ByField || several(o) {
		return text
	}
	text += "; " + Sending(o.Requests[len(o.Requests)-1])
	if o.AllNodes {
		text += "; " + allNodes
	}
	return text
}

const allNodes = "queries all nodes, because there is no partition key"

// requests returns the number of requests that an operation waits for.
func requests(o *explain.Operation) string {
	text := "1 request"
	switch {
	case o.Paged && o.RoundTrips > 1:
		text = fmt.Sprintf("%d requests per page", o.RoundTrips)
	case o.EachPartition:
		text = "1 request per partition and page, 16 at a time"
	case o.Paged:
		text = "1 request per page"
	case several(o) && o.RoundTrips == 1:
		text += ", " + kinds(o)
	case o.RoundTrips > 1:
		text = fmt.Sprintf("%d requests, %s", o.RoundTrips, kinds(o))
	case o.LocalOne:
		text = "1 request at LOCAL_ONE"
	case len(o.Requests) == 1 && o.Requests[0].Read && o.Requests[0].If != "":
		text += " " + o.Requests[0].If
	}
	text += following(o)
	if len(o.Checks) > 0 {
		text += ", and 1 more if rows are removed from " + checked(o)
	}
	switch {
	case o.Claims && o.Releases:
		text += "; 1 more for each new unique value, 2 more for each dropped one"
	case o.Claims:
		text += "; 1 more for each unique value"
	case o.Releases:
		text += "; 2 more for each unique value"
	}
	return text + related(o)
}

// following returns the number of requests that follow the last one of an operation.
func following(o *explain.Operation) string {
	n := 0
	for _, all := range [][]*explain.Request{o.Requests, o.After} {
		for _, r := range all {
			for then := r.Then; then != nil; then = then.Then {
				n++
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d after them", n)
}

// kinds lists the requests that an operation always sends.
func kinds(o *explain.Operation) string {
	var out []string
	add := func(requests []*explain.Request) {
		for _, r := range requests {
			switch {
			case r.If != "":
			case r.Read:
				out = append(out, "a read")
			case r.Conditional && r.Batch == explain.Never:
				out = append(out, "a conditional statement")
			case r.Conditional:
				out = append(out, "a conditional batch")
			default:
				out = append(out, "a write")
			}
		}
	}
	if add(o.Requests); o.ByField {
		out = append(out, "a write")
	}
	add(o.After)
	switch len(out) {
	case 0:
		return "a write" // each is for some values
	case 1:
		return out[0]
	}
	last := len(out) - 1
	return strings.Join(out[:last], ", ") + " and " + out[last]
}

// checked lists the tables that the checks of an operation read.
func checked(o *explain.Operation) string {
	var names []string
	for _, r := range o.Checks {
		names = append(names, r.Writes[0].Table.Name)
	}
	return strings.Join(names, " or ")
}

func differences(o *explain.Operation) string {
	text := "writes the differences, as described for the fields below; nothing if there are none"
	if o.EveryField {
		text = "writes every field, as described for the fields below; nothing if the row is as new"
	}
	if o.OrAll {
		text = "writes the differences, as described for the fields below; all rows if there are none, because an earlier call can have ended before the copies"
	}
	if o.OrInsert {
		text += "; if there is no row, the same as Insert"
	}
	return text
}

// Sending returns how the statements of a request are sent.
func Sending(r *explain.Request) string {
	through := "through the batchlog (server: +1)"
	switch {
	case r.Unlogged && r.Batch == explain.Never:
		return "one statement, no batch"
	case r.Unlogged:
		return "unlogged batches of at most 10 partitions and Config.BatchWarning, in parallel"
	case r.Read || r.Batch == explain.Never:
		return "one statement, no batch"
	case r.Batch == explain.Always && r.Batchlog == explain.Never:
		return "a logged batch of one partition, no batchlog"
	case r.Batch == explain.Always && r.Batchlog == explain.Always:
		return "a logged batch, " + through
	case r.Batch == explain.Always:
		return "a logged batch, " + through + " if it writes to " + otherTables(r)
	case r.Batchlog == explain.Never:
		return "one statement, or a logged batch of one partition if there are more; no batchlog"
	}
	return "one statement, or a logged batch if there are more; " + through + " if it writes to " + otherTables(r)
}

// otherTables lists the tables in which a request writes to other partitions than the partition of the root's row.
func otherTables(r *explain.Request) string {
	if !slices.ContainsFunc(r.Writes, func(w *explain.Write) bool { return !w.Elsewhere }) {
		return "several partitions"
	}
	var names []string
	for _, w := range r.Writes {
		if w.Elsewhere {
			names = append(names, w.Table.Name)
		}
	}
	return strings.Join(names, " or ")
}

func (p *Outline) request(depth int, r *explain.Request) {
	if r.Read || r.Conditional {
		for _, s := range r.Writes[0].Statements {
			p.statement(depth, s, consistency(r), r.If)
		}
		for _, w := range r.Writes[1:] {
			p.Add(depth, "in one batch with it:")
			for _, s := range w.Statements {
				p.statement(depth+1, s)
			}
		}
		return
	}
	p.Add(depth, "partitions: %s", Partitions(r))
	for _, w := range r.Writes {
		p.Add(depth, "%s: %s", w.Table.Name, Effect(w))
		for _, s := range w.Statements {
			p.statement(depth+1, s)
		}
	}
	p.followUp(depth, r.Then)
}

// followUp prints a request that is sent after another one has been acknowledged.
func (p *Outline) followUp(depth int, r *explain.Request) {
	switch {
	case r == nil:
		return
	case r.If != "":
		p.Add(depth, "then, %s: %s", r.If, Sending(r))
	default:
		p.Add(depth, "then: %s", Sending(r))
	}
	p.request(depth+1, r)
}

func consistency(r *explain.Request) string {
	if r.Serial {
		return "at the serial consistency"
	}
	return ""
}

// statement writes a statement, with its condition and its notes.
func (p *Outline) statement(depth int, s explain.Statement, notes ...string) {
	notes = slices.DeleteFunc(append(notes, s.If), func(n string) bool { return n == "" })
	p.Lines = append(p.Lines, Line{Depth: depth, CQL: s.CQL, Text: strings.Join(notes, ", ")})
}

// Partitions returns the number of partitions that a request touches.
func Partitions(r *explain.Request) string {
	if r.Batchlog == explain.Never && !r.Unlogged && len(r.Writes) > 1 {
		return "1"
	}
	var list []string
	if slices.ContainsFunc(r.Writes, func(w *explain.Write) bool { return !w.Elsewhere }) {
		list = append(list, "1")
	}
	for _, w := range r.Writes {
		var text string
		switch {
		case !w.Elsewhere:
			continue
		case w.Each && w.RowEffect == explain.Stays:
			text = "1" + elements(w.Rows) + " in " + w.Table.Name
		case w.Each:
			text = "1" + elements(w.Rows) + ", old and new, in " + w.Table.Name
		case w.Spreads:
			text = "2, the old and the new one, in " + w.Table.Name
		default:
			text = "1 in " + w.Table.Name
		}
		list = append(list, text)
	}
	return strings.Join(list, " + ")
}

// Effect returns the effect of a request on one table.
func Effect(w *explain.Write) string {
	text := countRows(w.Rows)
	switch {
	case w.Range && (w.Table.Aggregate.IsSource() || w.Selected):
		text = "a range of rows"
	case w.Range:
		text = "all rows of the root"
	case w.Keeps:
		text += ", inserted and never deleted"
	case w.RowEffect == explain.Moves:
		text = "moves " + text + ", by an insert and a delete"
	case w.RowEffect != explain.Stays && w.Rows.Per != "":
		text = "rewrites " + text + ", deletes removed rows"
	case w.RowEffect != explain.Stays:
		text += ", which is inserted, deleted or rewritten"
	case len(w.Cells) > 0 && !w.Whole:
		text += ", cells only: " + strings.Join(schema.Names(w.Cells), ", ")
	}
	if w.When != "" {
		text += "; only while " + w.When + " holds"
	}
	if w.Whole {
		text += "; whole rows, " + w.Table.TTLText()
	}
	return text
}

// countRows returns the number of rows as text.
func countRows(r explain.Rows) string { return "one row" + elements(r) }

// elements returns the elements that have one row each; "" for a single row.
func elements(r explain.Rows) string {
	switch {
	case r.Per == "":
		return ""
	case r.Changed:
		return " for each element of " + r.Per + " that is added, changed or removed"
	case r.Max > 0:
		return fmt.Sprintf(" for each element of %s (at most %d)", r.Per, r.Max)
	}
	return " for each element of " + r.Per
}
