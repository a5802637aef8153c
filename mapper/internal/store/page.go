package store

import (
	"iter"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Page is a page of the rows of a query. A row is located in the answer of the server when it is taken, so that a caller that takes
// only some rows does not pay for the others. The context of the request may have ended.
type Page struct {
	Rows  int    // the number of rows that were read
	State []byte // the state of the page after it; empty: there are no more rows. A page with a State can have fewer rows than its size, or none

	next func() (cell.Row, error)
}

// NewPage returns a page of rows.
func NewPage(rows []cell.Row, state []byte) Page {
	next := func() (cell.Row, error) {
		if len(rows) == 0 {
			return nil, nil
		}
		row := rows[0]
		rows = rows[1:]
		return row, nil
	}
	return Page{Rows: len(rows), State: state, next: next}
}

// Next returns the next row, or nil at the end. The row is reused: it is valid until the next call. Its cells stay valid.
func (p *Page) Next() (cell.Row, error) {
	if p.next == nil {
		return nil, nil
	}
	return p.next()
}

// All returns the rows that [Page.Next] has not returned. An error is yielded once, without a row, as the last element.
func (p *Page) All() iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		for {
			row, err := p.Next()
			if row == nil && err == nil || !yield(row, err) || err != nil {
				return
			}
		}
	}
}
