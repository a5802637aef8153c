package cell

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/form"
)

// Fault describes a value that CQL cannot represent, or bytes that are invalid for the type, and where they are.
type Fault struct {
	Path    []Step // the steps to the value, starting at the column
	Problem string // "is not valid UTF-8"

	at    int // the start of the outermost value that is known to contain the fault, in the encoder's bytes
	place int // set by the decoder: 1 + the member with the fault; 0: the member that was read last
}

// Step is one step of a path: a column, a UDT's or tuple's member, a collection's element.
type Step struct {
	Member int    // the number of the column or member, from 0; unused if Text is set
	Text   string // [2] or ["home"] for an element
}

// Error returns the path as numbers. A caller with the names of the columns prints [Fault.Problem] after its own path.
func (f *Fault) Error() string {
	var b strings.Builder
	for i, s := range f.Path {
		switch {
		case s.Text != "":
			b.WriteString(s.Text)
		case i == 0:
			fmt.Fprintf(&b, "column %d", s.Member)
		default:
			fmt.Fprintf(&b, " member %d", s.Member)
		}
	}
	return b.String() + " " + f.Problem
}

// Faults has every fault of a value, in the order of its columns and elements.
type Faults []Fault

// Error lists the faults.
func (f Faults) Error() string {
	text := make([]string, len(f))
	for i := range f {
		text[i] = f[i].Error()
	}
	return strings.Join(text, "; ")
}

// inMember adds the member to the paths of the faults of the UDT that starts at start.
func (e *Encoder) inMember(start int) {
	for f := range e.unplaced(start) {
		f.wrap(start, Step{Member: countValues(e.b[start+lengthSize : f.at])})
	}
}

// inElement adds element i to the paths of the new faults of the collection that starts at start.
func (e *Encoder) inElement(start, i int) {
	for f := range e.unplaced(start) {
		f.wrap(start, elementStep(i))
	}
}

// inKey does the same for an entry of a map, which is identified by its key.
func (e *Encoder) inKey(start int, key any) {
	for f := range e.unplaced(start) {
		f.wrap(start, Step{Text: KeyText(key)})
	}
}

// unplaced returns the faults in the value at start whose position in it is not known yet. They are the last ones: an earlier
// fault is before start.
func (e *Encoder) unplaced(start int) func(yield func(*Fault) bool) {
	return func(yield func(*Fault) bool) {
		for i := len(e.faults) - 1; i >= 0 && e.faults[i].at >= start; i-- {
			if e.faults[i].at > start {
				yield(&e.faults[i])
			}
		}
	}
}

// faultAt reports whether the value at start is known to contain a fault.
func (e *Encoder) faultAt(start int) bool {
	n := len(e.faults)
	return n > 0 && e.faults[n-1].at == start
}

func (f *Fault) wrap(at int, s Step) {
	f.at = at
	f.prepend(s)
}

// inMember adds the member of the fault to its path, given the member that was read last.
func (f *Fault) inMember(last int) {
	if f.place > 0 {
		last, f.place = f.place-1, 0
	}
	f.prepend(Step{Member: last})
}

func (f *Fault) prepend(s Step) { f.Path = append([]Step{s}, f.Path...) }

// inMember adds the member of the UDT c that was read last.
func (d *Decoder) inMember(c Cell) {
	d.fault.inMember(countValues(c[:d.at]) - 1)
}

func (d *Decoder) inElement(i int) { d.fault.prepend(elementStep(i)) }

// inKey adds an entry whose key could not be read, by its position among the encoded entries.
func (d *Decoder) inKey(i int) { d.fault.prepend(Step{Text: "[key " + strconv.Itoa(i) + "]"}) }

func elementStep(i int) Step { return Step{Text: "[" + strconv.Itoa(i) + "]"} }

// KeyText returns a map's key as a step of a path: ["home"], [7].
func KeyText(key any) string {
	if s, ok := key.(string); ok {
		return "[" + strconv.Quote(s) + "]"
	}
	return fmt.Sprintf("[%v]", key)
}

// countValues returns the number of values in b, including one that is incomplete.
func countValues(b []byte) (n int) {
	for ; len(b) > 0; n++ {
		_, b, _ = form.Next(b)
	}
	return n
}
