package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// compareStamped compares what backfills read: every row of the tables with the write times and times to live of its cells. Partitions
// come in an order of each side's own.
func (b *both) compareStamped(ctx context.Context) (*Report, error) {
	r := &Report{}
	for _, t := range []*plan.Table{cellsTable, singleTable} {
		server, err := stamped(ctx, r, b.server, t)
		if err != nil {
			return r, fmt.Errorf("conformance: the server, stamps of %s: %w", t.Name, err)
		}
		local, err := stamped(ctx, r, b.local, t)
		if err != nil {
			return r, fmt.Errorf("conformance: the backend, stamps of %s: %w", t.Name, err)
		}
		r.differ("stamps of "+t.Name, without(server, local), without(local, server))
		r.Stamped += len(server)
	}
	return r, nil
}

// without returns the lines that the others have not.
func without(lines, others []string) (out string) {
	for _, l := range lines {
		if !slices.Contains(others, l) {
			out += l
		}
	}
	return out
}

// stamped reads a table as text, and what is after the position of its middle once more.
func stamped(ctx context.Context, r *Report, s store.Store, t *plan.Table) (lines []string, err error) {
	q := store.Read{Table: t, Stamped: true, PageSize: 100, Consistency: gocql.LocalQuorum}
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
	var behind []string
	for _, row := range rest {
		behind = append(behind, stampedText(t, row))
	}
	r.differ("rows behind a position of "+t.Name, strings.Join(lines[from:], ""), strings.Join(behind, ""))
	return lines, nil
}

// stampedText writes a row; seconds that have passed do not count for what is left.
func stampedText(t *plan.Table, row cell.Row) string {
	line := "\n   " + t.KeyText(row[:t.Key])
	beyond := len(t.Columns) - t.Key
	for i := t.Key; i < len(t.Columns); i++ {
		line += fmt.Sprintf(" %s=%x", t.Columns[i].Name, []byte(row[i]))
		lives := list(t, i, raw(row[i+2*beyond]))
		for k, at := range list(t, i, raw(row[i+beyond])) {
			line += fmt.Sprintf("@%d/%d", number(at), (number(lives[k])+ttlStep-1)/ttlStep)
		}
	}
	return line
}
