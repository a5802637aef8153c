package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// Counts has the number of occurrences of constructs, options, types and faults in models.
type Counts map[string]int

// Count counts the constructs of a model.
func Count(models []*Model) Counts {
	c := Counts{}
	for _, o := range options {
		c["option "+o] = 0
	}
	for _, f := range Faults() {
		c["fault "+f.Code] = 0
	}
	for _, t := range scalars() {
		for _, at := range places {
			if possible(t, at) {
				c["type "+t.name()+" as "+at] = 0
			}
		}
	}
	for _, m := range models {
		c.model(m)
	}
	return c
}

// options are all options of the language.
var options = strings.Fields(`identifier discriminator asc desc static required final unique composition qualifier association checked ondelete xor any
	min max version counter index type from copy secret was redundant distinct shared unlogged cache large when part of rows ttl comment gc_grace with`)

// places are the positions of a single value.
var places = []string{atColumn, atStatic, atPartition, atClustering, atField, atElement, atSetElement, atMapKey, atMapValue, atMember}

// possible reports whether a single value is allowed in a place.
func possible(t *Type, at string) bool {
	switch at {
	case atPartition, atClustering:
		return !t.duration()
	case atMapKey:
		return !t.duration() && t.comparable() && t.Kind != Texted
	case atSetElement:
		return !t.duration() && t.comparable()
	}
	return true
}

func (c Counts) model(m *Model) {
	for _, construct := range m.Has {
		c["construct "+construct]++
	}
	for _, f := range m.Faults {
		c["fault "+f.Fault.Code]++
	}
	for _, s := range m.Structs {
		_, marker, _ := strings.Cut(string(s.Marker), "aml.") // a fault puts a * or a name before it
		c["marker "+marker]++
		c.tag(s.Tag)
		for _, f := range s.Fields {
			c.tag(f.Tag)
			if f.Type != nil && !f.Embedded {
				c.place(f.Type, fieldPlace(s, f))
			}
		}
	}
}

func (c Counts) tag(t *Tag) {
	if t == nil {
		return
	}
	switch name := t.Name; {
	case name == "":
		c["name by default"]++
	case strings.ContainsFunc(name, func(r rune) bool { return r > 127 }):
		c["name with other letters"]++
	case strings.ToLower(name) != name:
		c["name with capitals"]++
	case strings.ContainsFunc(name, func(r rune) bool { return r < '0' }):
		c["name with punctuation"]++
	case strings.HasPrefix(name, "_"):
		c["name that begins with _"]++
	case slices.Contains(words, name) || slices.Contains(typeNames, name):
		c["name that is a word of CQL"]++
	}
	for _, o := range t.Options {
		if slices.Contains(options, o.Key) {
			c["option "+o.Key]++
		}
	}
}

// fieldPlace returns the place of a field.
func fieldPlace(s *Struct, f *Field) string {
	switch {
	case s.Role == Object:
		return atField
	case s.Role == TupleOf:
		return atMember
	case f.Has("identifier"):
		return atPartition
	case f.Has("discriminator"):
		return atClustering
	case f.Has("static"):
		return atStatic
	}
	return atColumn
}

// place counts a type in its place, and the types in it in theirs.
func (c Counts) place(t *Type, at string) {
	if t.name() == "" {
		return
	}
	key := "type " + t.name() + " as " + at
	if _, known := c[key]; known || t.Kind > Texted {
		c[key]++
	}
	switch t.Kind {
	case Pointer, Null:
		c.place(t.Elem, at)
	case Slice:
		c.place(t.Elem, atElement)
	case Map:
		c.place(t.Key, atMapKey)
		c.place(t.Elem, atMapValue)
	case MapSet:
		c.place(t.Key, atSetElement)
	}
}

// FewerThan returns the names of everything that occurs less than n times, with their numbers.
func (c Counts) FewerThan(n int) []string {
	var out []string
	for _, k := range c.names() {
		if c[k] < n {
			out = append(out, fmt.Sprintf("%s: %d", k, c[k]))
		}
	}
	return out
}

func (c Counts) names() []string {
	var out []string
	for k := range c {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// String returns one line for each kind of count.
func (c Counts) String() string {
	var b strings.Builder
	last := ""
	for _, k := range c.names() {
		kind, name, _ := strings.Cut(k, " ")
		if kind == "type" {
			name, at, _ := strings.Cut(name, " as ")
			kind = "type " + name + ":"
			if kind != last {
				b.WriteString("\n" + kind)
			}
			fmt.Fprintf(&b, " %s %d,", at, c[k])
		} else {
			if kind != last {
				b.WriteString("\n" + kind + "s:")
			}
			fmt.Fprintf(&b, " %s %d,", name, c[k])
		}
		last = kind
	}
	return strings.TrimSpace(b.String())
}
