package alternatives

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// needsVersion reports whether other declarations than the relationship need a version on the root of a side: unique values, checked references and
// copies of its fields outside the relationship, and checked references and copies of other aggregates that refer to it.
func (r *Relationship) needsVersion(s *Side) bool {
	if slices.ContainsFunc(s.Others, needsVersion) || slices.ContainsFunc(s.Key, isChecked) {
		return true
	}
	for _, a := range r.model.Aggregates {
		own := a.Struct.Name == s.Struct
		for _, u := range a.Uniques {
			if own && s.has(u.Paths[0].Steps[0]) {
				return true
			}
		}
		for _, x := range a.Associations {
			if x.Checked && (own && s.has(x.Path[0]) || x.Target.Struct.Name == s.Struct && !r.hasRelationship(a, x.Path[0])) {
				return true
			}
		}
		for _, c := range a.Copies {
			if own && s.has(c.Attribute) || c.Target.Struct.Name == s.Struct && !r.hasRelationship(a, c.Attribute) {
				return true
			}
		}
	}
	return false
}

// needsVersion reports whether a field of an element needs a version on the root that has it.
func needsVersion(f Field) bool {
	return f.attribute.Tag.Has("unique") && f.attribute.Type.Kind != model.Set || isChecked(f)
}

func isChecked(f Field) bool { return f.attribute.Tag.Has("checked") }

// has reports whether an attribute is a field outside the key and the relationship.
func (s *Side) has(at *model.Attribute) bool {
	return slices.ContainsFunc(s.Others, func(f Field) bool { return f.attribute == at })
}

// hasRelationship reports whether an attribute of an aggregate has the relationship, or exists only for it.
func (r *Relationship) hasRelationship(a *model.Aggregate, at *model.Attribute) bool {
	field, ok := r.fields[a.Struct.Name]
	return ok && field == at.GoName() || slices.Contains(r.removed, a.Struct.Name)
}

// readCopies takes the copies that follow the reference of the relationship from the other fields of the element.
func (r *Relationship) readCopies(holder *model.Aggregate, at *model.Attribute) {
	for _, c := range slices.Concat(holder.Copies, holder.FinalCopies) {
		if c.Association == nil || c.Attribute != at {
			continue
		}
		r.Max = max(r.Max, c.Rows)
		r.following = r.following || slices.Contains(holder.Copies, c)
		for _, f := range c.Fields {
			r.copies = append(r.copies, newField(f.Held))
			r.Element.removeField(f.Held)
		}
	}
}

// keepsVersion reports whether a side has a version in the design if it is a root: an element that is not one leaves the need to its root.
func (d *draft) keepsVersion(s *Side) bool { return d.versioned || s.Needs }

// versionedRoot reports whether a root that has the elements in its row, or as its parts, has a version.
func (d *draft) versionedRoot() bool { return d.keepsVersion(d.Root) || d.Element.Needs }
