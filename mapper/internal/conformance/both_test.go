package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// both is a server and a memory backend.
type both struct {
	session *gocql.Session
	server  store.Store
	backend *memory.Backend
	local   store.Store
}

// Apply writes to both.
func (b *both) Apply(ctx context.Context, mutations []plan.Mutation, w store.Write) error {
	if err := b.server.Apply(ctx, mutations, w); err != nil {
		return fmt.Errorf("the server: %w", err)
	}
	if err := b.local.Apply(ctx, mutations, w); err != nil {
		return fmt.Errorf("the backend: %w", err)
	}
	return nil
}

// compareRead reads from both and returns the rows of the server.
func (b *both) compareRead(ctx context.Context, r *Report, q store.Read) ([]cell.Row, error) {
	if q.Find.Index == nil || q.Find.Index.Read != projection.Near {
		q.Consistency = driver.LocalQuorum
	}
	server, err := collect(ctx, b.server, q)
	if err != nil {
		return nil, fmt.Errorf("conformance: the server, %s: %w", q.Statement(), err)
	}
	local, err := collect(ctx, b.local, q)
	if err != nil {
		return nil, fmt.Errorf("conformance: the backend, %s: %w", q.Statement(), err)
	}
	r.differ(fmt.Sprintf("%s %x", q.Statement(), q.Args()), joined(&q, server), joined(&q, local))
	return server, nil
}

// joined formats rows. The rows that an index finds in all partitions are sorted: in memory the order of partitions is
// different.
func joined(q *store.Read, rows []cell.Row) string {
	lines := text(q, rows)
	if q.Find.Index != nil && q.Find.Index.Read != projection.Near && len(q.Key) == 0 {
		slices.Sort(lines)
	}
	return strings.Join(lines, "")
}

func collect(ctx context.Context, s store.Store, q store.Read) (rows []cell.Row, err error) {
	for row, err := range s.Rows(ctx, q) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, append(cell.Row(nil), row...))
	}
	return rows, nil
}

// text formats rows, each in a line, and distinguishes null from the empty value. The values after the columns are
// timestamps.
func text(q *store.Read, rows []cell.Row) (lines []string) {
	for _, row := range rows {
		var line strings.Builder
		line.WriteString("\n   ")
		for i, v := range row {
			column := i
			if i >= len(q.Table.Columns) {
				column += q.Table.Key - len(q.Table.Columns)
			}
			switch name := q.Table.Columns[column].Name; {
			case v == nil:
				fmt.Fprintf(&line, " %s=null", name)
			case column != i:
				fmt.Fprintf(&line, " %s@%d", name, number(v))
			default:
				fmt.Fprintf(&line, " %s=%x", name, []byte(v))
			}
		}
		lines = append(lines, line.String())
	}
	return lines
}
