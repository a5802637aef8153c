package alternatives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/internal/article"
)

// losses describes the guarantees of the model that the design does not keep: versions, the existence of the roots to which elements refer, the number of roots of
// an element and of elements of a root, and the fields and references of the root.
func (a *Alternative) losses(r *Relationship) (out []string) {
	for _, s := range []*Side{r.Root, r.Element} {
		if r.guarded(s) && !a.guards(r, s) {
			out = append(out, a.droppedVersion(s))
		}
	}
	if out == nil && r.exists() && a.dangles(r) {
		out = append(out, "it does not check the references: "+strings.Join(a.Overlaps, "; "))
	}
	if r.Element.isUnique() && !a.hasUniqueKey(r) {
		k := r.Element.single()
		out = append(out, fmt.Sprintf("%s.%s is not unique: two %s can have %s with the same value", r.Element.Struct, k.Name, plural(r.Root.Struct), article.With(r.Element.Struct)))
	}
	switch {
	case !r.many() && a.ManyToMany:
		out = append(out, "an element can have several roots")
	case r.many() && !a.ManyToMany:
		out = append(out, "an element can have only one root")
	}
	if root := aggregate(a.Model, r.Root.Struct); root == nil || !root.IsSource() {
		out = append(out, fmt.Sprintf("no %s without elements can be stored, and each element has its own values of the fields of its %s", r.Root.Struct, r.Root.Struct))
		out = append(out, r.Root.dropped(root)...)
	}
	return out
}

// hasUniqueKey reports whether no two roots of the design can have an element with the same key: elements are roots with this key, or it is a unique value.
func (a *Alternative) hasUniqueKey(r *Relationship) bool {
	if x := aggregate(a.Model, r.Element.Struct); x != nil {
		return x.Root == nil
	}
	i := slices.IndexFunc(a.Model.Objects, func(o *model.Object) bool {
		return o.Struct.Name == r.Element.Struct && o.Struct.Path == a.Model.Package.Path
	})
	return i >= 0 && slices.ContainsFunc(a.Model.Objects[i].Attributes, func(at *model.Attribute) bool { return at.GoName() == r.Element.Key[0].Name && at.Tag.Has("unique") })
}

// unlimited describes the limit of the elements of a root that the design does not check; "" for none.
func (a *Alternative) unlimited(r *Relationship) string {
	limit := r.held.Multiplicity.Max
	if limit <= 0 || r.Form != Embedded && r.Form != FromRoot && r.Form != FromBoth {
		return ""
	}
	collection, _ := (&draft{Relationship: r}).collection()
	at := a.attribute(r.Root.Struct, func(at *model.Attribute) bool { return at.GoName() == collection })
	if at == nil {
		at = a.set(r.Root.Struct, r.Element.Struct)
	}
	if at != nil && at.Multiplicity.Max == limit {
		return ""
	}
	return fmt.Sprintf("max=%d is not checked: %s can have more %s", limit, article.With(r.Root.Struct), plural(r.Element.Struct))
}

// dropped describes the fields that a side does not have in a design in which other rows contain it, and the references that are plain values there.
func (s *Side) dropped(in *model.Aggregate) (out []string) {
	for _, f := range slices.Concat(s.Key, s.Others) {
		switch x := f.attribute.Association; {
		case in != nil && !slices.ContainsFunc(in.Attributes, func(at *model.Attribute) bool { return at.GoName() == f.Name }):
			out = append(out, fmt.Sprintf("it does not store %s.%s", s.Struct, f.Name))
		case x != nil && len(f.attribute.Path) == 1: // an embedded struct keeps its references
			out = append(out, fmt.Sprintf("%s.%s is a value that does not refer to %s", s.Struct, f.Name, article.With(x.Target.Struct.Name)))
		}
	}
	return out
}

// droppedVersion describes the loss of the version of a side, with the faults that overlapping writers can leave.
func (a *Alternative) droppedVersion(s *Side) string {
	out := "it drops the version of " + s.Struct
	if len(a.Overlaps) > 0 {
		out += ": " + strings.Join(a.Overlaps, "; ")
	}
	return out
}

// guarded reports whether the model has a version that each write of a side checks: its own, or the version of the root in whose row it is.
func (r *Relationship) guarded(s *Side) bool {
	return s.Version != "" || !s.Aggregate && r.Root.Version != ""
}

// guards reports whether the design has a version that each write of a side checks.
func (a *Alternative) guards(r *Relationship, s *Side) bool {
	x := aggregate(a.Model, s.Struct)
	switch {
	case x == nil: // a value of its root
		x = aggregate(a.Model, r.Root.Struct)
	case x != nil && x.Root != nil:
		x = x.Root
	}
	return x != nil && x.Version != nil
}

// exists reports whether the model guarantees that both sides of the relationship exist: the reference is checked, or a version guards a row that contains both.
func (r *Relationship) exists() bool {
	if r.Form == Embedded {
		return r.Root.Version != ""
	}
	return r.held.Association.Checked
}

// dangles reports whether a side of the relationship can refer to a root that does not exist.
func (a *Alternative) dangles(r *Relationship) bool {
	structs := a.structs(r)
	return slices.ContainsFunc(a.Model.Aggregates, func(x *model.Aggregate) bool {
		return structs[x] && slices.ContainsFunc(x.Associations, func(y *model.Association) bool {
			return !y.Checked && (y.Target.Struct.Name == r.Root.Struct || y.Target.Struct.Name == r.Element.Struct)
		})
	})
}

// many reports whether an element of the model can have several roots.
func (r *Relationship) many() bool {
	return slices.Contains([]Form{FromRoot, FromElements, FromBoth, PairsOfKeys}, r.Form)
}
