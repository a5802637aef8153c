package alternatives

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/explain"
)

// unique adds the requests for the unique values that the call adds, removes or keeps.
func (x *measuring) unique(u *explain.Unique, o *explain.Operation) {
	added, removed, kept := x.uniqueValues(u)
	if o.Claims {
		x.times(u.Claim[0], added)
	}
	for _, r := range u.Claim {
		if o.Claims && x.released && strings.HasPrefix(r.If, "if the value was released") {
			x.times(r, added)
		}
	}
	if o.Releases {
		for i, r := range u.Release {
			if i < 2 {
				x.times(r, removed)
			} else {
				x.times(r, kept)
			}
		}
	}
}

// uniqueValues returns the numbers of values that a call adds, removes and keeps.
func (x *measuring) uniqueValues(u *explain.Unique) (added, removed, kept int) {
	all, ofElements := x.rowCount(u.Rows), u.Rows.Per != "" && u.Rows.Per == x.collection
	switch {
	case x.Effect == Inserting:
		return all, 0, 0
	case x.Effect == Deleting:
		return 0, all, 0
	case ofElements && x.Effect == Adding:
		return 1, 0, all - 1
	case ofElements && x.Effect == Removing:
		return 0, 1, all - 1
	case ofElements && x.Effect == Changing && hasStep(u.Fields, x.field), u.Rows.Per == "" && x.Effect == Renaming && hasStep(u.Fields, x.Field):
		return 1, 1, all - 1
	}
	return 0, 0, all
}

// hasStep reports whether one of some paths, as an explanation lists the fields of a unique value, has a step with a name.
func hasStep(paths, name string) bool {
	for _, p := range strings.Split(paths, ", ") {
		if slices.Contains(strings.Split(p, "."), name) {
			return true
		}
	}
	return false
}
