package drift

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
)

// Drift is the difference between a keyspace and a model.
type Drift struct {
	Wrong  []catalog.Difference
	Plan   *diff.Plan        // the plan that changes the keyspace to match the model; nil if it is refused
	Owners map[string]string // the folders that other tables and types belong to, by [catalog.Difference.Subject]

	extra   []catalog.Difference // additional objects that are not drift
	alike   []catalog.Difference // objects that are declared differently, but stored as in the model
	refused error                // why there is no plan
}

// Compare compares a keyspace with a model. Additional objects are not drift if no migration would remove them: objects that the
// folder declares as manual, earlier names in was=, and fields at the end of a type, which no statement can drop. Differences that Open
// ignores are not drift either.
func Compare(have *catalog.Keyspace, s *schema.Schema) (*Drift, error) {
	want, err := catalog.New(s)
	if err != nil {
		return nil, err
	}
	d := &Drift{}
	d.Plan, d.refused = diff.Diff(have, s)
	if d.refused != nil && !errors.Is(d.refused, diff.ErrRefused) {
		return nil, d.refused
	}
	var left []catalog.Difference
	if d.Plan != nil {
		left = catalog.Compare(d.Plan.After, want)
	}
	for _, x := range catalog.Compare(have, want) {
		switch {
		case catalog.SameFieldStorage(have, want, x.Type, x.Column):
			d.alike = append(d.alike, x)
		case x.Want == "" && (harmless(x, have.Manual) || slices.Contains(left, x)):
			d.extra = append(d.extra, x)
		default:
			d.Wrong = append(d.Wrong, x)
		}
	}
	return d, nil
}

// harmless reports whether an additional object is declared as manual, or is an earlier field of a type. If that field were not
// the last, the following fields would differ as well.
func harmless(d catalog.Difference, manual map[string]bool) bool {
	return manual[d.Table] || manual[d.Type] || manual[d.Index] || d.Type != "" && d.Column != ""
}

// Print writes one line per difference.
func (d *Drift) Print(out io.Writer) {
	for _, x := range d.extra {
		fmt.Fprintln(out, "not in the model:", d.describeExtra(x))
	}
	for _, x := range d.alike {
		fmt.Fprintln(out, "stored the same:", x)
	}
	for _, x := range d.Wrong {
		fmt.Fprintln(out, x)
	}
}

// describeExtra describes an object of the keyspace that is not in the model.
func (d *Drift) describeExtra(x catalog.Difference) string {
	if x.Column == "" && x.Index == "" && x.Property == "" {
		if folder, ok := d.Owners[x.Subject()]; ok {
			return x.Subject() + ": it belongs to " + migrationfolder.OwnerText(folder)
		}
		return x.Subject()
	}
	return x.Subject() + ": " + x.Have
}

// PrintSteps prints the statements that change the keyspace to match the model, or why there are none.
func (d *Drift) PrintSteps(out io.Writer) {
	if d.refused != nil {
		fmt.Fprintf(out, "\nno statements can change the keyspace to match the model:\n%s\n", d.refused)
		return
	}
	fmt.Fprintf(out, "\n-- statements that change the keyspace to match the model; if the folder creates this keyspace, aml diff NAME writes them as a migration\n")
	fmt.Fprint(out, d.Plan)
}
