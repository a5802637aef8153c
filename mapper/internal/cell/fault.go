package cell

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/form"
)

// Fault describes what a value has that CQL cannot hold, or what bytes have that the type does not allow, and
// where.
type Fault struct {
	Path    []Step // from the column inwards
	Problem string // "is not valid UTF-8"

	at    int // where the outermost value that is known to hold the fault starts in the encoder's bytes
	place int // of the decoder: 1 + the member that the fault is about; 0: the one that was read last
}

// Step is one step of a path: a column, a UDT's or tuple's member, a collection's element.
type Step struct {
	Member int    // the number of the column or member, from 0; not used when Text is set
	Text   string // [2] or ["home"] for an element
}

// Error returns the path by numbers; who knows the columns' names prints [Fault.Problem] after their own path.
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

// Faults is everything that a value cannot be encoded for, in the order of its columns and elements.
type Faults []Fault

// Error lists the faults.
func (f Faults) Error() string {
	text := make([]string, len(f))
	for i := range f {
		text[i] = f[i].Error()
	}
	return strings.Join(text, "; ")
}

// inMember notes for the faults of the UDT that starts at start in which of its members they lie.
func (e *Encoder) inMember(start int) {
	for f := range e.within(start) {
		f.wrap(start, Step{Member: countValues(e.b[start+lengthSize : f.at])})
	}
}

// inElement notes for the faults found since the last element that they lie in element i of the collection that starts
// at start.
func (e *Encoder) inElement(start, i int) {
	for f := range e.within(start) {
		f.wrap(start, elementStep(i))
	}
}

// inKey does the same for an entry of a map, which is named by its key.
func (e *Encoder) inKey(start int, key any) {
	for f := range e.within(start) {
		f.wrap(start, Step{Text: KeyText(key)})
	}
}

// within returns the faults that lie in the value at start and do not know yet where in it. They are the last ones: a
// fault from before the value is before start.
func (e *Encoder) within(start int) func(yield func(*Fault) bool) {
	return func(yield func(*Fault) bool) {
		for i := len(e.faults) - 1; i >= 0 && e.faults[i].at >= start; i-- {
			if e.faults[i].at > start {
				yield(&e.faults[i])
			}
		}
	}
}

// faultAt reports whether the value at start is known to hold a fault.
func (e *Encoder) faultAt(start int) bool {
	n := len(e.faults)
	return n > 0 && e.faults[n-1].at == start
}

func (f *Fault) wrap(at int, s Step) {
	f.at = at
	f.within(s)
}

// inMember notes in which member the fault is, given the one that was read last.
func (f *Fault) inMember(last int) {
	if f.place > 0 {
		last, f.place = f.place-1, 0
	}
	f.within(Step{Member: last})
}

func (f *Fault) within(s Step) { f.Path = append([]Step{s}, f.Path...) }

// inMember notes that the fault is in the member of the UDT c that was read last.
func (d *Decoder) inMember(c Cell) {
	d.fault.inMember(countValues(c[:d.at]) - 1)
}

func (d *Decoder) inElement(i int) { d.fault.within(elementStep(i)) }

// inKey names an entry whose key could not be read by its place among the encoded ones.
func (d *Decoder) inKey(i int) { d.fault.within(Step{Text: "[key " + strconv.Itoa(i) + "]"}) }

func elementStep(i int) Step { return Step{Text: "[" + strconv.Itoa(i) + "]"} }

// KeyText writes a map's key as a step of a path: ["home"], [7].
func KeyText(key any) string {
	if s, ok := key.(string); ok {
		return "[" + strconv.Quote(s) + "]"
	}
	return fmt.Sprintf("[%v]", key)
}

// countValues counts the values in b; one that is cut short counts, too.
func countValues(b []byte) (n int) {
	for ; len(b) > 0; n++ {
		_, b, _ = form.Next(b)
	}
	return n
}
