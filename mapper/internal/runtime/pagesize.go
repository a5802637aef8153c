package runtime

import (
	"errors"
	"sync/atomic"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// The number of rows of a page that is adapted to the size of the rows.
const (
	firstPage    = 100
	smallestPage = 10
	largestPage  = 5000
	pageBytes    = 1 << 20
)

// pageSize is the number of rows of the pages of a table: as many as have about pageBytes, if all rows are as large as those of the page
// before. The scans of all slices of the table use the same.
type pageSize struct{ rows atomic.Int64 }

// get returns the number of rows of the next page.
func (p *pageSize) get() int {
	if n := p.rows.Load(); n > 0 {
		return int(n)
	}
	return firstPage
}

// adapt sets the number of rows after a page, and reports whether it is so different from that of the page that it is worth a new query.
func (p *pageSize) adapt(page, rows, bytes int) bool {
	if rows == 0 {
		return false
	}
	p.rows.Store(int64(min(max(smallestPage, pageBytes/max(1, bytes/rows)), largestPage)))
	now := p.get()
	return now >= 2*page || now <= page/2
}

// errResized ends a query whose pages have another number of rows than the next ones should have.
var errResized = errors.New("the size of pages has changed")

// bytesOf returns the number of bytes of a row.
func bytesOf(row cell.Row) (n int) {
	for _, c := range row {
		n += len(c)
	}
	return n
}
