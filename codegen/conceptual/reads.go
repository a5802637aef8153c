package conceptual

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// Reads are the rates of the queries of a workload, in calls per second.
type Reads struct {
	Total map[*Entity]float64 // all that read the entity
	Alone map[*Entity]float64 // those that do not restrict the key of another entity
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
	r, after := &Reads{Total: map[*Entity]float64{}, Alone: map[*Entity]float64{}}, 0
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
		r.Total[e] += rate
		if !d.byAnother(e, q) {
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

// byAnother reports whether a query restricts the key of another entity.
func (d *Diagram) byAnother(e *Entity, q *syntax.Select) bool {
	for _, r := range q.Where {
		for _, c := range r.Columns {
			for _, o := range d.Entities {
				for _, k := range o.key() {
					if o != e && plain(c.Text) == plain(prefixed(o.Name, k.Name)) {
						return true
					}
				}
			}
		}
	}
	return false
}
