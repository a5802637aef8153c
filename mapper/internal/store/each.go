package store

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Streaming is a [Store] that passes on the rows of a page without a copy of them.
type Streaming interface {
	// Each is like Page, and calls take with each row instead of returning them, until take returns false. The row is reused: its
	// cells are valid until the next row. An error of the database comes before the first row.
	Each(ctx context.Context, r Read, state []byte, take func(cell.Row) bool) (next []byte, err error)
}

// Each reads a page, and calls take with each of its rows until take returns false.
func Each(ctx context.Context, s Store, r Read, state []byte, take func(cell.Row) bool) (next []byte, err error) {
	if s, ok := s.(Streaming); ok {
		return s.Each(ctx, r, state, take)
	}
	rows, next, err := s.Page(ctx, r, state)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if !take(row) {
			break
		}
	}
	return next, nil
}
