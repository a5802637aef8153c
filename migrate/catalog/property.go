package catalog

import (
	"maps"
	"regexp"
	"slices"

	"github.com/cassaml/cassaml/aml/model/property"
)

// judge notes what is wrong with the value of a property, at its place. What a server may have beside others is for it to say.
func (p *parser) judge(name string, v value, at int) {
	if name == "id" && v.entries != nil {
		p.failAt(at, "id is no map")
	}
	for _, f := range property.Judge(name, property.Value{Text: v.text, Entries: v.entries}) {
		switch {
		case f.Local:
		case late(name, f):
			p.addFault("%s", f.What)
		default:
			p.failAt(at, f.What)
		}
	}
}

// late reports whether the server looks at what is wrong only when it comes to a table that the property is for: at how large
// numbers are, and at the options of a compaction but one.
func late(name string, f property.Fault) bool {
	return f.Range || name == "compaction" && f.Entry != "" && f.Entry != "class" && f.Entry != "provide_overlapping_tombstones"
}

// judgeTogether notes why the server refuses properties when it comes to a table that they are for.
func (p *parser) judgeTogether(given map[string]value, created bool) {
	intervals := map[string]property.Value{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		v := given[name]
		switch {
		case name == "id" && !created:
			p.addFault("the id of a table cannot be altered")
		case name == "id" && !tableID.MatchString(v.text):
			p.addFault("%q is no id of a table", v.text)
		case property.KindOf(name) == property.Unknown && name != "extensions" && name != "id":
			p.addFault("there is no property %s of a table", name)
		}
		intervals[name] = property.Value{Text: v.text}
	}
	if f := property.JudgeIntervals(intervals); f != nil {
		p.addFault("%s", f.What)
	}
}

// tableID is what is read as a UUID: five numbers of base 16.
var tableID = regexp.MustCompile(`^(?i:[0-9a-f]{1,12}(?:-[0-9a-f]{1,12}){4})$`)
