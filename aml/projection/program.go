package projection

// Code is the operation of a step of a program.
type Code uint8

// The steps of a program. A program has at most one Each or Entry.
const (
	Split     Code = iota // Dst … Dst+N-1 = the members of the UDT or tuple in Src; missing members, and members of null, are null
	Make                  // Dst = a UDT or tuple of Args, never null
	MakeIf                // Dst = a UDT or tuple of Args, null when Src is null
	Each                  // the rest runs for each element of the list or set in Src: Dst = the element
	Entry                 // the rest runs for each entry of the map in Src: Dst = the key, Dst+1 = the value
	Need                  // the rest runs only if Src is not null
	NeedTrue              // the rest runs only if Src is true
	NeedOneOf             // the rest runs only if Src is one of Values
)

// GoString returns the name of the constant.
func (c Code) GoString() string {
	return [...]string{"Split", "Make", "MakeIf", "Each", "Entry", "Need", "NeedTrue", "NeedOneOf"}[c]
}

// Reads reports whether a step of this code reads Src; Make reads only Args.
func (c Code) Reads() bool { return c != Make }

// Loops reports whether the rest of the program runs for every element of a collection.
func (c Code) Loops() bool { return c == Each || c == Entry }

// Tests reports whether the rest of the program runs only under a condition.
func (c Code) Tests() bool { return c == Need || c == NeedTrue || c == NeedOneOf }

// Values returns the number of values of an element of the loop.
func (c Code) Values() int {
	if c == Entry {
		return 2
	}
	return 1
}

// Op is one step of a program.
type Op struct {
	Code   Code
	Src    uint16   // the register read
	Dst    uint16   // the first register written
	N      uint16   // Split: the number of registers written; Each: 2 if Dst+1 = the index in the list, an int
	Args   []uint16 // Make, MakeIf: the registers that become the members
	Values []string // NeedOneOf: encoded values; null is none of them
}

// Fills returns the number of registers that the step writes, starting at Dst.
func (o *Op) Fills() int {
	switch {
	case o.Code.Tests():
		return 0
	case o.Code == Split:
		return int(o.N)
	}
	return max(o.Code.Values(), int(o.N))
}

// Cell describes the cells of a column of the source or of the copy.
type Cell struct {
	Cells  Cells
	Fields int // the number of fields of a UDT
}

// Units returns the number of parts of a column that are written separately, without elements.
func (c Cell) Units() int {
	if c.Cells == UDT {
		return max(c.Fields, 1)
	}
	return 1
}

// Reads has the columns of the source that a method reads.
type Reads struct {
	Only    bool     // it reads only the Columns; otherwise it counts as reading everything
	Columns []uint16 // the columns of the source
}

// Program computes the rows of a copy from a row of its source. It works on registers: the first are the source's columns, the next are
// the results of the source's methods, and the others are written by the steps. Each register is written once.
type Program struct {
	Source  []Cell   // the columns of the source; at most 256 units
	Methods []Reads  // the results of methods
	Ops     []Op     // if there are none, the copy is the source under another key
	Copy    []Cell   // the columns of the copy
	Key     int      // the number of columns in the copy's primary key
	Columns []uint16 // the register of each column of the copy
}

// Place is where a row of a copy contains one column of its source's key.
type Place struct {
	Column int // the column of the copy
	Field  int // the field of the column's UDT; -1: the column itself is the value
}
