package carry

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// write writes a row: what belongs to its partition, then what belongs to it.
func (c *copying) write(ctx context.Context, r row) error {
	static := slices.ContainsFunc(c.others, func(of column) bool { return of.to.Kind == schema.Static })
	if static && !r.repeats {
		if err := c.writeKind(ctx, r, schema.Static, c.partition); err != nil {
			return c.at(r, err)
		}
	}
	if r.static {
		return nil
	}
	return c.at(r, c.writeKind(ctx, r, schema.Regular, slices.Concat(c.partition, c.cluster)))
}

// at says in which partition a row is, without a value of it.
func (c *copying) at(r row, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("a row of %s where token(%s) = %d: %w", model.Quote(c.from.Name), names(c.from.PartitionKey), r.token, err)
}

func names(of []*schema.Column) string {
	var out []string
	for _, c := range of {
		out = append(out, model.Quote(c.Name))
	}
	return strings.Join(out, ", ")
}

// writeKind writes what belongs to a row, or what belongs to its partition: all that can be sent twice in one mutation, then
// the lists.
func (c *copying) writeKind(ctx context.Context, r row, kind schema.Kind, key []column) error {
	w := &writing{table: c.to.Name, exists: r.exists(c.others)}
	for _, k := range key {
		v, err := k.converted(r.of[k.from.Name])
		if err == nil && v == nil {
			err = fmt.Errorf("column %s is null, and column %s of the primary key cannot be", model.Quote(k.from.Name), model.Quote(k.to.Name))
		}
		if err != nil {
			return err
		}
		w.key = append(w.key, assignment{k.to.Name, v})
	}
	if kind == schema.Regular && c.from.Name != c.to.Name {
		w.marker()
	}
	for _, of := range c.others {
		if x := r.of[of.from.Name]; of.to.Kind == kind && x.value != nil {
			if err := c.add(w, of, x); err != nil {
				return err
			}
		}
	}
	return w.send(ctx, c.session)
}

// add adds a value to what is written, cell by cell.
func (c *copying) add(w *writing, of column, x cells) error {
	t := of.to.Type
	switch {
	case !t.MultiCell():
		v, err := of.converted(x)
		if err != nil || v == nil {
			return err
		}
		w.set(w.whole(x), of.to.Name, v)
	case t.UDT:
		known := c.types.Type(t.Name).Fields
		for i, f := range fields(x.value) {
			if f != nil && i < len(known) {
				w.put(w.element(x, i), model.Quote(of.to.Name)+"."+model.Quote(known[i].Name)+" = ?", f)
			}
		}
	case t.Name == "list":
		w.lists = append(w.lists, list{of.to.Name, x.value, w.whole(x)})
	default:
		w.add(of, x)
	}
	return nil
}

// exists is the stamp of the row itself: the latest of its cells, and as long a life as any of them has.
func (r row) exists(others []column) stamp {
	var all []stamp
	for _, of := range others {
		if of.from.Kind == schema.Regular {
			all = append(all, r.of[of.from.Name].stamps...)
		}
	}
	if s := together(all); s != none {
		return s
	}
	return stamp{at: longAgo}
}
