package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
)

// drift is the difference between a keyspace and a model.
type drift struct {
	wrong   []catalog.Difference
	extra   []catalog.Difference // additional objects that are not drift
	alike   []catalog.Difference // objects that are declared differently, but stored as in the model
	plan    *diff.Plan           // the plan that changes the keyspace to match the model; nil if it is refused
	refused error                // why there is no plan

	owners map[string]string // the folders that other tables and types belong to, by [catalog.Difference.Subject]
}

// driftOf compares a keyspace with a model. Additional objects are not drift if no migration would remove them: those that the
// folder declares as manual, those of was=, and fields at the end of a type, which no statement can drop. Differences that Open
// ignores are not drift either.
func driftOf(have *catalog.Keyspace, s *schema.Schema) (*drift, error) {
	want, err := catalog.Of(s)
	if err != nil {
		return nil, err
	}
	d := &drift{}
	d.plan, d.refused = diff.Diff(have, s)
	if d.refused != nil && !errors.Is(d.refused, diff.ErrRefused) {
		return nil, d.refused
	}
	var left []catalog.Difference
	if d.plan != nil {
		left = catalog.Compare(d.plan.After, want)
	}
	for _, x := range catalog.Compare(have, want) {
		switch {
		case catalog.AlikeField(have, want, x.Type, x.Column):
			d.alike = append(d.alike, x)
		case x.Want == "" && (harmless(x, have.Manual) || slices.Contains(left, x)):
			d.extra = append(d.extra, x)
		default:
			d.wrong = append(d.wrong, x)
		}
	}
	return d, nil
}

// harmless reports whether an additional object is declared as manual, or is an earlier field of a type. If that field were not
// the last, the following fields would differ as well.
func harmless(d catalog.Difference, manual map[string]bool) bool {
	return manual[d.Table] || manual[d.Type] || manual[d.Index] || d.Type != "" && d.Column != ""
}

// print writes one line per difference.
func (d *drift) print(out io.Writer) {
	for _, x := range d.extra {
		fmt.Fprintln(out, "not in the model:", d.describeExtra(x))
	}
	for _, x := range d.alike {
		fmt.Fprintln(out, "stored the same:", x)
	}
	for _, x := range d.wrong {
		fmt.Fprintln(out, x)
	}
}

// describeExtra describes an object of the keyspace that is not in the model.
func (d *drift) describeExtra(x catalog.Difference) string {
	if x.Column == "" && x.Index == "" && x.Property == "" {
		if folder, ok := d.owners[x.Subject()]; ok {
			return x.Subject() + ": it belongs to " + ownerText(folder)
		}
		return x.Subject()
	}
	return x.Subject() + ": " + x.Have
}
