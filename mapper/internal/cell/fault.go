package cell

import (
	"fmt"
	"strconv"
	"strings"
)

// Fault says what a value has that CQL cannot hold, or what bytes have that the type does not allow, and
// where.
type Fault struct {
	Path    []Step // from the column inwards
	Problem string // "is not valid UTF-8"

	at int // where the outermost value that is known to hold the fault starts in the encoder's bytes
}

// Step is one step of a path: a column, a UDT's member, a collection's element.
type Step struct {
	Member int    // the number of the column or member, from 0; not used when Text is set
	Text   string // [2] or ["home"] for an element
}

// Error gives the path by numbers; who knows the columns' names prints [Fault.Problem] after their own path.
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

// inMember notes that the fault lies in a member of the UDT that starts at start. A fault before start is not in
// it, and one at start is already noted.
func (e *Encoder) inMember(start int) {
	if f := e.fault; f.at > start {
		f.wrap(start, Step{Member: countValues(e.b[start+lengthSize : f.at])})
	}
}

// inElement notes that the fault lies in element i of the collection that starts at start.
func (e *Encoder) inElement(start, i int) {
	if f := e.fault; f.at > start {
		f.wrap(start, Step{Text: "[" + strconv.Itoa(i) + "]"})
	}
}

// inKey does the same for an entry of a map, which is named by its key.
func (e *Encoder) inKey(start int, key any) {
	if f := e.fault; f.at > start {
		f.wrap(start, Step{Text: KeyText(key)})
	}
}

func (f *Fault) wrap(at int, s Step) {
	f.at, f.Path = at, append([]Step{s}, f.Path...)
}

// KeyText writes a map's key as a step of a path: ["home"], [7].
func KeyText(key any) string {
	if s, ok := key.(string); ok {
		return "[" + strconv.Quote(s) + "]"
	}
	return fmt.Sprintf("[%v]", key)
}

// countValues counts the whole values in b.
func countValues(b []byte) (n int) {
	for ; len(b) > 0; n++ {
		_, b, _ = split(b)
	}
	return n
}
