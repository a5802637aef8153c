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

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// Workload is a file of SELECTs with their rates, and of operations that write.
type Workload struct {
	File   string
	Text   string
	Writes []Write

	notes []note
}

// Write is an operation of a relationship, or a method of a root, with its rate.
type Write struct {
	Pos       model.Pos
	Name      string // Customer.Vehicles or Customer.Update
	Operation alternatives.Operation
	Rate      float64       // calls in a second
	Latency   time.Duration // the limit of the 99th percentile; 0: none
}

// note is a comment about the next SELECT.
type note struct {
	pos   model.Pos
	key   string  // rate, priority or latency
	value float64 // calls in a second, a position, or nanoseconds
}

// Fault is an error in a workload.
type Fault struct {
	Pos  model.Pos
	What string // the error and its fix
}

func (f Fault) String() string { return f.Pos.String() + ": " + f.What }

var (
	directive = regexp.MustCompile(`^\s*(?:--|//)\s*aml:\s*(\w+)\s*(.*?)\s*$`)
	misplaced = regexp.MustCompile(`(?:--|//)\s*(aml:\s*\w+)`)
	rate      = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)/s$`)
)

// The limits of numbers. With others a cost could be infinite, or 0 for all designs.
const (
	minRate, maxRate = 1e-6, 1e9
	rates            = "from 0.000001/s to 1000000000/s"
	maxPriority      = 1_000_000
)

// methods are the methods of a root that are operations of its relationships.
var methods = map[string]alternatives.Operation{"Insert": alternatives.Insert, "Update": alternatives.Rename, "Delete": alternatives.Delete}

// parser reads the comments of a workload.
type parser struct {
	*Workload
	faults  []Fault
	latency *note // the limit above the next SELECT or write
}

// Parse reads the comments of a workload.
func Parse(file, text string) (*Workload, []Fault) {
	text = strings.TrimPrefix(text, "\ufeff") // the byte order mark
	p := &parser{Workload: &Workload{File: file, Text: text}}
	for i, line := range strings.Split(text, "\n") {
		p.line(line, i+1)
	}
	p.checkPlaces()
	slices.SortStableFunc(p.faults, func(a, b Fault) int { return byPosition(a.Pos, b.Pos) })
	return p.Workload, p.faults
}

// line reads a line.
func (p *parser) line(text string, number int) {
	m := directive.FindStringSubmatchIndex(text)
	if m != nil {
		p.read(model.Pos{File: p.File, Line: number, Col: m[2] + 1}, text[m[2]:m[3]], text[m[4]:m[5]])
		return
	}
	if m := misplaced.FindStringSubmatchIndex(text); m != nil {
		p.fault(model.Pos{File: p.File, Line: number, Col: m[2] + 1}, "%s follows other text on its line, where it has no effect: write it on a line of its own, above the SELECT", text[m[2]:m[3]])
	}
	if text = strings.TrimSpace(text); text != "" && !strings.HasPrefix(text, "--") && !strings.HasPrefix(text, "//") {
		p.latency = nil // it is above this statement
	}
}

func (p *parser) fault(pos model.Pos, form string, args ...any) {
	p.faults = append(p.faults, Fault{pos, fmt.Sprintf(form, args...)})
}

// read reads one comment.
func (p *parser) read(pos model.Pos, key, value string) {
	switch key {
	case "rate":
		n, ok := parseRate(value)
		if !ok {
			p.fault(pos, "the rate %q is not a number of calls in a second, %s: write -- aml:rate 500/s", value, rates)
		}
		p.notes = append(p.notes, note{pos, key, n})
	case "priority":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > maxPriority {
			p.fault(pos, "the priority %q is not a number from 1 to 1000000: write -- aml:priority 1", value)
		}
		p.notes = append(p.notes, note{pos, key, float64(n)})
	case "latency":
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			p.fault(pos, "the latency %q is not a time: write -- aml:latency 10ms", value)
		}
		p.latency = &note{pos, key, float64(d)}
		p.notes = append(p.notes, *p.latency)
	case "write":
		p.write(pos, value)
	default:
		p.fault(pos, "unknown comment aml:%s: the comments are aml:rate, aml:priority, aml:latency and aml:write", key)
	}
}

// checkPlaces reports comments without a SELECT, and several of one kind above one SELECT. A text that is not CQL has faults of its own.
func (p *parser) checkPlaces() {
	statements, errs := syntax.Parse(p.Text)
	if len(errs) > 0 {
		return
	}
	if len(statements)+len(p.Writes)+len(p.notes)+len(p.faults) == 0 {
		p.fault(model.Pos{File: p.File, Line: 1, Col: 1}, "the workload has neither a SELECT nor an aml:write: write the queries as for aml check -queries, with -- aml:rate 500/s above each")
	}
	at := syntax.Positions(p.Text)
	after, seen := 0, 0
	for _, s := range statements {
		line, _ := at(s.Place().From)
		_, selects := s.(*syntax.Select)
		seen += p.checkNotes(after, line, selects)
		after = line
	}
	if seen < len(p.notes) {
		p.checkNotes(after, math.MaxInt, false)
	}
}

// checkNotes checks the comments between two lines, of which a statement is in the second, and returns their number.
func (p *parser) checkNotes(after, line int, selects bool) (number int) {
	found := map[string]bool{}
	for _, n := range p.notes {
		if n.pos.Line <= after || n.pos.Line >= line {
			continue
		}
		number++
		switch {
		case !selects:
			p.fault(n.pos, "aml:%s has no SELECT below it: write it above one", n.key)
		case found[n.key]:
			p.fault(n.pos, "the SELECT in line %d has another aml:%s: delete one", line, n.key)
		}
		found[n.key] = true
	}
	return number
}

const writeForm = "write -- aml:write Customer.Vehicles add 5/s, or -- aml:write Customer.Update 20/s"

// write reads the comment of an operation that writes, which has the limit above it.
func (p *parser) write(pos model.Pos, value string) {
	words := strings.Fields(value)
	if len(words) < 2 || !strings.Contains(words[0], ".") {
		p.fault(pos, "a write has a relationship and an operation, or a method, and a rate: %s", writeForm)
		return
	}
	n, ok := parseRate(words[len(words)-1])
	if !ok {
		p.fault(pos, "%q is not a number of calls in a second, %s: %s", words[len(words)-1], rates, writeForm)
		return
	}
	x := Write{Pos: pos, Name: words[0], Rate: n, Operation: alternatives.Operation(strings.Join(words[1:len(words)-1], " "))}
	if p.latency != nil {
		x.Latency = time.Duration(p.latency.value)
		p.notes = slices.DeleteFunc(p.notes, func(n note) bool { return n == *p.latency })
		p.latency = nil
	}
	if x.Operation == "" {
		_, method, _ := strings.Cut(x.Name, ".")
		x.Operation = methods[method]
	}
	switch {
	case x.Operation == "":
		p.fault(pos, "%s is neither Insert, Update nor Delete of a root, nor a relationship with an operation: %s", x.Name, writeForm)
	case !slices.Contains(alternatives.Operations(), x.Operation):
		p.fault(pos, "there is no operation %q: the operations are %s", x.Operation, operations())
	default:
		p.Writes = append(p.Writes, x)
	}
}

func operations() string {
	var out []string
	for _, o := range alternatives.Operations() {
		out = append(out, string(o))
	}
	return strings.Join(out, ", ")
}

func parseRate(text string) (float64, bool) {
	m := rate.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	return n, err == nil && n >= minRate && n <= maxRate
}

// Rate returns the rate of the SELECT in a line, in calls in a second: the last comment between the SELECT in the line after,
// which comes before it, and the line has it. It is 0 if there is none.
func (w *Workload) Rate(after, line int) float64 { return w.comment("rate", after, line, 0) }

// comment returns the value of the comments about a statement that begins at a line, after the statement before it, or absent.
func (w *Workload) comment(key string, after, line int, absent float64) float64 {
	out := absent
	for _, n := range w.notes {
		if n.key == key && n.pos.Line > after && n.pos.Line < line {
			out = n.value
		}
	}
	return out
}

// byPosition compares positions in one file.
func byPosition(a, b model.Pos) int { return cmp.Or(a.Line-b.Line, a.Col-b.Col) }
