package model

import "slices"

// Reads returns the attributes that a method of the aggregate's struct reads. If it counts as reading all of them, why is the reason.
func (a *Aggregate) Reads(m *Method) (out []*Attribute, why string) {
	switch {
	case m.Reads == nil:
		return nil, "its source is not known"
	case m.Reads.Everything != "":
		return nil, m.Reads.Everything
	}
	for _, path := range m.Reads.Paths {
		i := slices.IndexFunc(a.Attributes, func(at *Attribute) bool { return slices.Equal(at.Path, path) })
		switch {
		case i < 0:
			return nil, "it reads " + path[len(path)-1] + ", which is not stored"
		case a.Attributes[i].Disjunction != nil && a.Attributes[i].Disjunction.Column == a.Attributes[i]:
			return nil, "it reads " + path[len(path)-1] + ", which the store sets"
		}
		out = append(out, a.Attributes[i])
	}
	return out, ""
}
