package projection

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// following are the fields of a root that follow fields of the target of a reference.
type following struct {
	by     *model.Association
	fields []model.CopiedField
}

// newFollowing returns the fields of a root that follow fields of other roots.
func newFollowing(a *model.Aggregate) (out []following) {
	for _, c := range a.Copies {
		by := &model.Association{Attribute: c.Attribute, Path: []*model.Attribute{c.Attribute}, Target: c.Target, OnDelete: c.OnDelete, Table: c.Table, Fields: c.Reference(a)}
		out = append(out, following{by, c.Fields})
	}
	return out
}

// followTargets returns a row with the values of the roots that it follows. Where a root does not exist, the row has the values of old.
func (s *References) followTargets(c *Compiled, row, old Record) Record {
	row = slices.Clone(row)
	set := func(f model.CopiedField, v Value) { row[c.Root.index(f.Held)] = v }
	for _, f := range c.following {
		refers := c.referencesBy(f.by, row)
		for _, field := range f.fields {
			switch target := s.target(refers); {
			case len(refers) == 0:
				set(field, nil)
			case target != nil:
				set(field, target[attributeIndex(f.by.Target.Attributes, field.From)])
			default:
				set(field, old[c.Root.index(field.Held)])
			}
		}
	}
	return row
}

// keeps reports whether a row refers to a root that does not exist.
func (s *References) keeps(c *Compiled, row Record) bool {
	return slices.ContainsFunc(c.following, func(f following) bool {
		refers := c.referencesBy(f.by, row)
		return len(refers) > 0 && s.target(refers) == nil
	})
}

// target returns the row of the target of a reference; nil if there is none.
func (s *References) target(refers []reference) Record {
	if len(refers) == 0 {
		return nil
	}
	return s.rows[s.root(refers[0].by.Target)][refers[0].target]
}

// followAll lets all rows follow a root that was saved.
func (s *References) followAll() {
	for i, c := range s.roots {
		for key, row := range s.rows[i] {
			s.rows[i][key] = s.followTargets(c, row, row)
		}
	}
}
