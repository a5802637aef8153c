package diff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Hint is something of the model that may not be what is meant: a was= of what there is no more, or none where something
// goes and its like is new.
type Hint struct {
	Pos  model.Pos
	Text string
}

// String gives file:line:col: text.
func (h Hint) String() string { return h.Pos.String() + ": " + h.Text }

// hints finds what may not be what is meant.
func (p *planner) hints() {
	for _, t := range p.to.Tables {
		a := t.Aggregate
		if a == nil {
			continue
		}
		if a.Was != "" && p.from.Table(a.Was) == nil {
			p.hint(a.Tag, markerOf(a), "table", a.Was)
		}
		for _, c := range t.Columns {
			at := c.Attribute
			if old := p.from.Table(t.Name); old != nil && at != nil && at.Was != "" && catalog.Column(old, at.Was) == nil {
				p.hint(at.Tag, at.Pos, "column", at.Was)
			}
		}
	}
	for _, u := range p.to.Types {
		if tag, err := model.ParseTag(u.Object.Struct.Tag); err == nil && u.Object.Was != "" && p.from.Type(u.Object.Was) == nil {
			p.hint(tag, placeOfType(u), "type", u.Object.Was)
		}
		old := p.from.Type(u.Name)
		for _, f := range u.Fields {
			if old != nil && f.Attribute.Was != "" && !slices.Contains(fieldNames(old), f.Attribute.Was) {
				p.hint(f.Attribute.Tag, f.Attribute.Pos, "field", f.Attribute.Was)
			}
		}
	}
	p.likenesses()
	slices.SortFunc(p.plan.Hints, func(a, b Hint) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	p.plan.Hints = slices.Compact(p.plan.Hints)
}

func (p *planner) hint(tag model.Tag, otherwise model.Pos, what, was string) {
	pos := otherwise
	if o, ok := tag.Option("was"); ok {
		pos = o.Pos
	}
	p.plan.Hints = append(p.plan.Hints, Hint{Pos: pos, Text: fmt.Sprintf("there is no %s %s any more; take was=%s off", what, was, was)})
}
