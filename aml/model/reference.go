package model

import "slices"

// Reference is one reference to a root: the fields of one struct that together contain its key.
type Reference struct {
	Target *Aggregate
	Fields []*Attribute // ordered like the target's key; one field if it contains the whole key, or many whole keys
}

// References returns the references that fields of one struct contain, in the order of their first fields. The model must not have
// refusals.
func References(fields []*Attribute) []*Reference {
	several := references(fields)
	var out []*Reference
	for _, at := range fields {
		if at.Association == nil {
			continue
		}
		if at.Association.Of == nil {
			out = append(out, &Reference{at.Association.Target, []*Attribute{at}})
			continue
		}
		if i := slices.IndexFunc(several, func(r *reference) bool { return r.fields[0] == at }); i >= 0 {
			out = append(out, several[i].inOrder())
		}
	}
	return out
}

// inOrder returns the reference with its fields in the order of the target's key.
func (r *reference) inOrder() *Reference {
	out := &Reference{Target: r.target}
	for _, k := range r.target.Key() {
		i := slices.IndexFunc(r.fields, func(at *Attribute) bool { return at.Association.Of == k })
		out.Fields = append(out.Fields, r.fields[i])
	}
	return out
}

// reference contains the fields that together store a key of several fields.
type reference struct {
	target *Aggregate
	fields []*Attribute
}

func (r *reference) holds(key *Attribute) bool {
	return slices.ContainsFunc(r.fields, func(at *Attribute) bool { return at.Association.Of == key })
}

// references collects the fields of each reference; a key field that appears again starts the next reference.
func references(in []*Attribute) []*reference {
	var out []*reference
	for _, at := range in {
		x := at.Association
		if x == nil || x.Of == nil {
			continue
		}
		i := slices.IndexFunc(out, func(r *reference) bool { return r.target == x.Target && !r.holds(x.Of) })
		if i < 0 {
			out = append(out, &reference{target: x.Target})
			i = len(out) - 1
		}
		out[i].fields = append(out[i].fields, at)
	}
	return out
}
