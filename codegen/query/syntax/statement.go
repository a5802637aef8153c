package syntax

import "slices"

// Statement is a [*Select], a [*Write], a [*Batch] or an [*Other].
type Statement interface{ Place() Span }

// Span is a piece of the text: text[From:To].
type Span struct{ From, To int }

// Place returns where the statement is, without the semicolon.
func (s Span) Place() Span { return s }

// Name is the name of a table or column.
type Name struct {
	Span
	Text    string // name that the server stores: lower case, unless it is in quotes
	Written string // name in the text, without quotes
}

// Select reads rows.
type Select struct {
	Span
	Table        Name
	Star         *Span      // place of *; nil if the columns are named
	Columns      []Selector // none for *
	Distinct     *Span      // place of DISTINCT; nil for none
	JSON         *Span      // place of JSON; nil for none
	Where        []Relation
	GroupBy      []Name
	OrderBy      []Ordering
	PerPartition *Value // PER PARTITION LIMIT; nil for none
	Limit        *Value // nil for none
	Filtering    *Span  // place of ALLOW FILTERING; nil for none
}

// Selector is an expression after SELECT.
type Selector struct {
	Span
	Column    Name       // also of a field or element of a column; no Text for a function or a constant
	Piece     *Span      // place of a field or element of the column, with its name; nil for the column
	Function  string     // name in lower case, such as count; "" for none
	Arguments []Selector // arguments that are columns or functions
}

// Aggregates reports whether the selector is a function that aggregates rows.
func (s Selector) Aggregates() bool {
	switch s.Function {
	case "count", "min", "max", "sum", "avg":
		return true
	}
	return false
}

// Relation is a restriction after WHERE.
type Relation struct {
	Span
	Columns  []Name   // several: (a, b) = …, or TOKEN(a, b) = …
	Token    bool     // TOKEN(…)
	Element  *Value   // m['key'] = …: the key; nil for none
	Operator Operator // =
	Values   []Value  // several: IN (1, 2)
	List     bool     // the values of IN are a list in the text; otherwise one marker has all of them
}

// Operator is the operator of a relation in upper case, with single spaces.
type Operator string

// The operators.
const (
	Equal       Operator = "="
	Less        Operator = "<"
	AtMost      Operator = "<="
	More        Operator = ">"
	AtLeast     Operator = ">="
	NotEqual    Operator = "!="
	In          Operator = "IN"
	Contains    Operator = "CONTAINS"
	ContainsKey Operator = "CONTAINS KEY"
	Like        Operator = "LIKE"
	IsNotNull   Operator = "IS NOT NULL"
)

// Ordering is a column after ORDER BY.
type Ordering struct {
	Column     Name
	Descending bool
	Near       *Value // ANN OF; nil for none
}

// Write changes rows of one table.
type Write struct {
	Span
	Verb        string // INSERT, UPDATE, DELETE or TRUNCATE
	Table       Name
	Columns     []Name // those that the statement names, in its order
	Conditional bool   // it has IF
}

// Batch has several writes.
type Batch struct {
	Span
	Writes []*Write
}

// Other is a statement that neither reads nor writes rows.
type Other struct {
	Span
	Verb string // its first word, in upper case
}

// Error reports an invalid statement.
type Error struct {
	Offset int // place of the unexpected word, in bytes
	Reason string
}

func (e *Error) Error() string { return e.Reason }

// Positions returns a function that returns the line and the column of an offset in a text. Both count from 1, columns in bytes.
func Positions(text string) func(offset int) (line, column int) {
	starts := []int{0} // the offsets of lines
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return func(offset int) (line, column int) {
		offset = min(offset, len(text))
		line, _ = slices.BinarySearch(starts, offset+1) // the number of lines that begin at the offset or before it
		return line, 1 + offset - starts[line-1]
	}
}

// Value is a marker, a literal or a call of a function.
type Value struct {
	Span
	Kind Kind
	Text string  // the name of a marker or function, the content of a string, or the literal as in the text
	Of   []Value // the elements of a collection or tuple, and the arguments of a function; of a map: each key and its value
}

// Kind is the kind of a value.
type Kind int

// The kinds of values.
const (
	Marker   Kind = iota // ? or :name; the text is the name
	String               // 'text'
	Integer              // 1
	Float                // 1.5, 1e9, NaN or Infinity
	Boolean              // true or false
	UUID                 // 6f1c2c52-64d1-11f0-9d0b-0242ac120002
	Blob                 // 0xcafe
	Duration             // 1h30m or P1D
	Null                 // null
	List                 // [1, 2]
	Set                  // {1, 2}, or {}
	Map                  // {'a': 1}
	UDT                  // {street: 'a'}
	Tuple                // (1, 2)
	Function             // now()
)
