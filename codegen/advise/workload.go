package advise

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/alternatives"
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
	Rate      float64 // calls in a second
}

// note is a comment about the next SELECT.
type note struct {
	pos   model.Pos
	key   string // rate or priority
	value float64
}

// Fault is an error in a workload.
type Fault struct {
	Pos  model.Pos
	What string // the error and its fix
}

func (f Fault) String() string { return f.Pos.String() + ": " + f.What }

var (
	directive = regexp.MustCompile(`^\s*--\s*aml:(\w+)\s*(.*?)\s*$`)
	rate      = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)/s$`)
)

// methods are the methods of a root that are operations of its relationships.
var methods = map[string]alternatives.Operation{"Insert": alternatives.Insert, "Update": alternatives.Rename, "Delete": alternatives.Delete}

// Parse reads the comments of a workload.
func Parse(file, text string) (*Workload, []Fault) {
	w := &Workload{File: file, Text: text}
	var faults []Fault
	for i, line := range strings.Split(text, "\n") {
		m := directive.FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		pos := model.Pos{File: file, Line: i + 1, Col: m[2] + 1}
		if why := w.read(pos, line[m[2]:m[3]], line[m[4]:m[5]]); why != "" {
			faults = append(faults, Fault{pos, why})
		}
	}
	return w, faults
}

// read reads one comment, and returns its fault; "" for none.
func (w *Workload) read(pos model.Pos, key, value string) string {
	switch key {
	case "rate":
		n, ok := parseRate(value)
		if !ok {
			return fmt.Sprintf("the rate %q is not a number of calls in a second: write -- aml:rate 500/s", value)
		}
		w.notes = append(w.notes, note{pos, key, n})
	case "priority":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Sprintf("the priority %q is not a number from 1: write -- aml:priority 1", value)
		}
		w.notes = append(w.notes, note{pos, key, float64(n)})
	case "write":
		return w.readWrite(pos, value)
	default:
		return fmt.Sprintf("unknown comment aml:%s: the comments are aml:rate, aml:priority and aml:write", key)
	}
	return ""
}

const writeForm = "write -- aml:write Customer.Vehicles add 5/s, or -- aml:write Customer.Update 20/s"

func (w *Workload) readWrite(pos model.Pos, value string) string {
	words := strings.Fields(value)
	if len(words) < 2 || !strings.Contains(words[0], ".") {
		return "a write has a relationship and an operation, or a method, and a rate: " + writeForm
	}
	n, ok := parseRate(words[len(words)-1])
	if !ok {
		return fmt.Sprintf("%q is not a number of calls in a second: %s", words[len(words)-1], writeForm)
	}
	x := Write{Pos: pos, Name: words[0], Rate: n, Operation: alternatives.Operation(strings.Join(words[1:len(words)-1], " "))}
	if x.Operation == "" {
		_, method, _ := strings.Cut(x.Name, ".")
		x.Operation = methods[method]
		if x.Operation == "" {
			return fmt.Sprintf("%s is neither Insert, Update nor Delete of a root, nor a relationship with an operation: %s", x.Name, writeForm)
		}
	} else if !slices.Contains(alternatives.Operations(), x.Operation) {
		return fmt.Sprintf("there is no operation %q: the operations are %s", x.Operation, operations())
	}
	w.Writes = append(w.Writes, x)
	return ""
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
	return n, err == nil
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
