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

// drift is in what a keyspace differs from a model.
type drift struct {
	wrong   []catalog.Difference
	stays   []catalog.Difference // what is there beside the model and may be
	alike   []catalog.Difference // what says otherwise what is stored as the model asks for
	plan    *diff.Plan           // that leads to the model; nil where none does
	refused error                // why none does

	owners map[string]string // the folders of tables and types that belong to others, by what [catalog.Difference.Subject] calls them
}

// driftOf compares a keyspace with a model. What is there beside the model may stay where a migration would leave it: what
// the folder owns by hand, what was= names, a field at the end of a type, which no statement can drop. What Open takes for
// the same is no drift, either.
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
			d.stays = append(d.stays, x)
		default:
			d.wrong = append(d.wrong, x)
		}
	}
	return d, nil
}

// harmless reports whether something beside the model is owned by hand, or a field that a type has had before: were it not the
// last, those behind it would differ, too.
func harmless(d catalog.Difference, manual map[string]bool) bool {
	return manual[d.Table] || manual[d.Type] || manual[d.Index] || d.Type != "" && d.Column != ""
}

// print writes a line for each difference.
func (d *drift) print(out io.Writer) {
	for _, x := range d.stays {
		fmt.Fprintln(out, "beside the model:", d.beside(x))
	}
	for _, x := range d.alike {
		fmt.Fprintln(out, "stored alike:", x)
	}
	for _, x := range d.wrong {
		fmt.Fprintln(out, x)
	}
}

// beside describes what the keyspace has and the model does not.
func (d *drift) beside(x catalog.Difference) string {
	if x.Column == "" && x.Index == "" && x.Property == "" {
		if folder, ok := d.owners[x.Subject()]; ok {
			return x.Subject() + ", of " + ownerText(folder)
		}
		return x.Subject()
	}
	return x.Subject() + ": " + x.Have
}
