package query

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/cassaml/cassaml/aml/model"
)

// variable returns the name of a variable: that of a marker if it has one, or else a new name.
func (w *writer) variable(marker, name, goType string) string {
	if marker != "" {
		name = identifier(model.LowerFirst(model.CamelCase(marker)), name)
	} else {
		name = w.unused(identifier(name, name))
	}
	if v := (Variable{name, goType}); !slices.Contains(w.values, v) {
		w.values = append(w.values, v)
	}
	return name
}

// unused returns a name that no other variable of the call has.
func (w *writer) unused(name string) string {
	unique := name
	for i := 2; w.used[unique]; i++ {
		unique = name + strconv.Itoa(i)
	}
	w.used[unique] = true
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
