package conformance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// compareStamped compares the reads of backfills: every row of the tables, in order, with the write times and TTLs of its cells.
func (b *both) compareStamped(ctx context.Context) (*Report, error) {
	r := &Report{}
	for _, t := range []*plan.Table{cellsTable, singleTable} {
		server, err := stamped(ctx, r, b.server, t)
		if err != nil {
			return r, fmt.Errorf("conformance: the server, write times of %s: %w", t.Name, err)
		}
		local, err := stamped(ctx, r, b.local, t)
		if err != nil {
			return r, fmt.Errorf("conformance: the backend, write times of %s: %w", t.Name, err)
		}
		r.differ("write times of "+t.Name, strings.Join(server, ""), strings.Join(local, ""))
		r.Stamped += len(server)
	}
	return r, nil
}

// stamped returns a table as text. It reads the rows after the position of the middle a second time.
func stamped(ctx context.Context, r *Report, s store.Store, t *plan.Table) (lines []string, err error) {
	q := store.Read{Table: t, Stamped: true, PageSize: 100, Consistency: driver.LocalQuorum}
	rows, err := collect(ctx, s, q)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	for _, row := range rows {
		lines = append(lines, stampedText(t, row))
	}
	q.After = q.Position(rows[len(rows)/2])
	last := func(row cell.Row) bool { return string(q.Position(row)) == string(q.After) }
	from := slices.IndexFunc(rows, last)
	for from < len(rows) && last(rows[from]) {
		from++
	}
	rest, err := collect(ctx, s, q)
	if err != nil {
		return nil, err
	}
	var after []string
	for _, row := range rest {
		after = append(after, stampedText(t, row))
	}
	r.differ("rows after a position of "+t.Name, strings.Join(lines[from:], ""), strings.Join(after, ""))
	return lines, unstamped(ctx, r, s, t, rows)
}

// unstamped compares the other reads of all rows with the rows that were read with stamps: the rows have positions, nothing, or the newest
// write time of each column and positions.
func unstamped(ctx context.Context, r *Report, s store.Store, t *plan.Table, rows []cell.Row) error {
	n := len(t.Columns)
	for _, q := range []store.Read{{Positioned: true}, {Within: true}, {Positioned: true, Written: true}} {
		q.Table, q.PageSize, q.Consistency = t, 100, driver.LocalQuorum
		have, err := collect(ctx, s, q)
		if err != nil {
			return err
		}
		var want []cell.Row
		for _, row := range rows {
			w := row[:n:n]
			for i := t.Key; i < n && q.Written; i++ {
				all := list(t, i, raw(row[i+n-t.Key]))
				w = append(w, slices.MaxFunc(append(all, nil), func(a, b cell.Cell) int { return cmp.Compare(number(a), number(b)) }))
			}
			if q.Positioned {
				w = append(w, row[len(row)-1])
			}
			want = append(want, w)
		}
		r.differ(fmt.Sprintf("rows of %s, with positions %v, with write times %v", t.Name, q.Positioned, q.Written), fmt.Sprint(want), fmt.Sprint(have))
	}
	return nil
}

// stampedText formats a row. The seconds that have passed do not change the remaining TTL.
func stampedText(t *plan.Table, row cell.Row) string {
	line := fmt.Sprintf("\n   %s position %x", t.KeyText(row[:t.Key]), []byte(row[len(row)-1]))
	beyond := len(t.Columns) - t.Key
	for i := t.Key; i < len(t.Columns); i++ {
		line += fmt.Sprintf(" %s=%x", t.Columns[i].Name, []byte(row[i]))
		ttls := list(t, i, raw(row[i+2*beyond]))
		for k, at := range list(t, i, raw(row[i+beyond])) {
			line += fmt.Sprintf("@%d/%d", number(at), (number(ttls[k])+ttlStep-1)/ttlStep)
		}
	}
	return line
}
