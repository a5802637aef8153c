package query

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/cassaml/cassaml/aml/model"
)

// variables are the variables of a call.
type variables struct {
	values []Variable
	named  map[Variable]string // the variables of markers with a name, by that name and the type
	used   map[string]bool     // names of variables
	next   map[string]int      // the number after a name from which numbers are unused
}

func newVariables(reserved ...string) variables {
	v := variables{named: map[Variable]string{}, used: map[string]bool{}, next: map[string]int{}}
	for _, name := range reserved {
		v.used[name] = true
	}
	return v
}

// variable returns the name of a variable. A marker with a name has one variable for each type, named like the marker; every other value
// has a new one.
func (v *variables) variable(marker, name, goType string) string {
	if marker == "" {
		return v.add(identifier(name, name), goType)
	}
	key := Variable{marker, goType}
	if v.named[key] == "" {
		v.named[key] = v.add(identifier(model.LowerFirst(model.CamelCase(marker)), name), goType)
	}
	return v.named[key]
}

// add adds a variable with a name that no other variable of the call has.
func (v *variables) add(name, goType string) string {
	unique := name
	for i := max(2, v.next[name]); v.used[unique]; i++ {
		unique, v.next[name] = name+strconv.Itoa(i), i+1
	}
	v.used[unique] = true
	v.values = append(v.values, Variable{unique, goType})
	return unique
}

// meantOtherwise are the names of variables and packages in calls.
var meantOtherwise = []string{"s", "ctx", "keys", "mapper", "gocql", "time", "big", "inf", "net", "netip"}

// identifier returns a name that a program can declare and that hides no type or package of the call.
func identifier(name, instead string) string {
	if !token.IsIdentifier(name) && !token.IsKeyword(name) {
		name = instead
	}
	if token.IsKeyword(name) || types.Universe.Lookup(name) != nil || slices.Contains(meantOtherwise, name) {
		name += "_"
	}
	return name
}
