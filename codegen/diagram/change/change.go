package change

import (
	"strings"

	"github.com/cassaml/cassaml/codegen/diagram"
)

// Change is the difference between two schemas.
type Change struct {
	Of         string    // the package
	From, To   string    // names of the two states, such as a file
	Objects    []Object  // those that differ
	Same       []Count   // numbers of objects that do not differ
	Statements []Section // the statements of each file
	Findings   []Finding
	Notes      []string // tasks besides applying the statements
}

// Sign is the kind of a difference.
type Sign int

// The signs.
const (
	Same Sign = iota
	Added
	Changed
	Removed
)

// String returns the sign: + ~ − or nothing.
func (s Sign) String() string { return [...]string{"", "+", "~", "−"}[s] }

// word returns the word for a sign.
func (s Sign) word() string { return [...]string{"without change", "added", "changed", "removed"}[s] }

// Object is a table or a type.
type Object struct {
	Kind string // table, or type
	Name string
	Sign Sign
	Rows []Row
}

// Row is a column, a field, an index or a property, before and after.
type Row struct {
	Sign          Sign
	Before, After *Cell // nil if it does not exist
}

// Cell is one side of a row.
type Cell struct {
	Name string
	Type string // or the definition of an index, or the value of a property
	Mark string // K partition key, C clustering key with its order, S static
}

// Count is a number of objects of a kind.
type Count struct {
	Number int
	Kind   string
}

// Section is a file with its statements.
type Section struct{ Name, Text string }

// Finding is an effect of a statement that needs a decision.
type Finding struct {
	Where   string // file:line
	Code    string
	Message string
	Fix     string
	Allowed string // the reason why it is allowed; "" if it is not
}

// answer returns the reason why the finding is allowed, or its fix.
func (f *Finding) answer() (name, text string) {
	if f.Allowed != "" {
		return "Allowed", f.Allowed
	}
	return "Fix", f.Fix
}

// summary returns the numbers of differences in one line: 1 table added, 2 tables changed.
func (c *Change) summary() string {
	var out []string
	for _, sign := range []Sign{Added, Changed, Removed} {
		for _, kind := range []string{"table", "type"} {
			n := 0
			for _, o := range c.Objects {
				if o.Sign == sign && o.Kind == kind {
					n++
				}
			}
			if n > 0 {
				out = append(out, diagram.Counted(n, kind)+" "+sign.word())
			}
		}
	}
	if out == nil {
		return "No table and no type differs."
	}
	return strings.Join(out, ", ") + "."
}

// same returns the numbers of objects that do not differ, or "".
func (c *Change) same() string {
	var out []string
	for _, n := range c.Same {
		if n.Number > 0 {
			out = append(out, diagram.Counted(n.Number, n.Kind))
		}
	}
	if out == nil {
		return ""
	}
	return "Unchanged and not shown: " + strings.Join(out, ", ") + "."
}
