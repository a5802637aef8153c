package conceptual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// Reads are the rates of the queries of a workload, in calls per second.
type Reads struct {
	Total map[*Entity]float64 // all that read the entity
	Alone map[*Entity]float64 // those that do not restrict the key of another entity
	With  map[[2]*Entity]bool // the first entity is read by the key of the second
}

// Reads returns the rates of the SELECTs of a workload, whose form docs/advice.md describes. Tables have the names of entities, and columns the names of
// attributes, without regard to case and signs. The key of another entity begins with its name: customer_id.
func (d *Diagram) Reads(file, text string) (*Reads, []Fault) {
	w, found := advise.Parse(file, text)
	var faults []Fault
	for _, f := range found {
		faults = append(faults, Fault{f.Pos, f.What})
	}
	statements, errs := syntax.Parse(text)
	at := syntax.Positions(text)
	position := func(offset int) model.Pos {
		line, column := at(offset)
		return model.Pos{File: file, Line: line, Col: column}
	}
	for _, e := range errs {
		faults = append(faults, Fault{position(e.Offset), e.Error()})
	}
	r, after := &Reads{Total: map[*Entity]float64{}, Alone: map[*Entity]float64{}, With: map[[2]*Entity]bool{}}, 0
	for _, s := range statements {
		q, ok := s.(*syntax.Select)
		if !ok {
			continue
		}
		pos := position(q.Table.From)
		rate := w.Rate(after, pos.Line)
		after = pos.Line
		e := d.written(q.Table.Written)
		if e == nil {
			faults = append(faults, Fault{pos, fmt.Sprintf("there is no entity %s: write the name of an entity of %s after FROM", q.Table.Written, d.File)})
			continue
		}
		for _, c := range columns(q) {
			if !d.hasColumn(e, c.Text) {
				what := fmt.Sprintf("%s has no attribute %s: write one of its attributes, or the key of another entity after its name, such as %s", e.Name, c.Written, d.exampleOfKey(e))
				faults = append(faults, Fault{position(c.From), what})
			}
		}
		r.Total[e] += rate
		keys := d.otherKeys(e, q)
		for _, o := range keys {
			r.With[[2]*Entity{e, o}] = true
		}
		if keys == nil {
			r.Alone[e] += rate
		}
	}
	return r, faults
}

// written returns the entity with a name, without regard to case and signs, or nil.
func (d *Diagram) written(name string) *Entity {
	for _, e := range d.Entities {
		if plain(e.Name) == plain(name) || plain(plural(e.Name)) == plain(name) {
			return e
		}
	}
	return nil
}

// columns returns the columns that a query names.
func columns(q *syntax.Select) (out []syntax.Name) {
	for _, s := range q.Columns {
		if s.Column.Text != "" {
			out = append(out, s.Column)
		}
	}
	for _, r := range q.Where {
		out = append(out, r.Columns...)
	}
	for _, o := range q.OrderBy {
		out = append(out, o.Column)
	}
	return out
}

// hasColumn reports whether a column is an attribute of an entity, or of one that it specialises or that specialises it, or the key of another entity.
func (d *Diagram) hasColumn(e *Entity, column string) bool {
	if e.hasAttribute(column) || d.withKey(e, column) != nil {
		return true
	}
	for _, s := range d.Specialisations {
		if s.Super == e && slices.ContainsFunc(s.Subtypes, func(sub *Entity) bool { return sub.hasAttribute(column) }) {
			return true
		}
	}
	return e.super != nil && e.super.Super.hasAttribute(column)
}

// hasAttribute reports whether an attribute of an entity, or a part of one, has a name, without regard to case and signs.
func (e *Entity) hasAttribute(name string) bool {
	is := func(a *Attribute) bool { return plain(a.Name) == plain(name) || plain(plural(a.Name)) == plain(name) }
	return slices.ContainsFunc(e.Attributes, func(a *Attribute) bool { return is(a) || slices.ContainsFunc(a.Parts, is) })
}

// withKey returns the entity whose key a column has: another one, or the other side of a relationship with a label that the column begins with; or nil.
func (d *Diagram) withKey(e *Entity, column string) *Entity {
	for _, o := range d.Entities {
		for _, k := range o.key() {
			if o != e && plain(column) == plain(prefixed(o.Name, k.Name)) {
				return o
			}
		}
	}
	for _, r := range d.Relationships {
		other := r.Left
		if r.Left == e {
			other = r.Right
		}
		labelled := r.Label != "" && strings.HasPrefix(plain(column), plain(r.Label))
		if labelled && (r.Left == e || r.Right == e) && slices.ContainsFunc(other.key(), func(k *Attribute) bool { return strings.HasSuffix(plain(column), plain(k.Name)) }) {
			return other
		}
	}
	return nil
}

// exampleOfKey returns a column with the key of another entity, or of one that is called customer.
func (d *Diagram) exampleOfKey(e *Entity) string {
	for _, o := range d.Entities {
		if key := o.key(); o != e && len(key) > 0 {
			return model.SnakeCase(prefixed(o.Name, key[0].Name))
		}
	}
	return "customer_id"
}

// otherKeys returns the other entities whose keys a query restricts.
func (d *Diagram) otherKeys(e *Entity, q *syntax.Select) (out []*Entity) {
	for _, r := range q.Where {
		for _, c := range r.Columns {
			if o := d.withKey(e, c.Text); o != nil {
				out = append(out, o)
			}
		}
	}
	return out
}
