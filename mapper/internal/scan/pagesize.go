package scan

import (
	"cmp"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// The limits of the number of rows of a page, and the number of bytes that a page should have.
const (
	firstPage    = 100
	smallestPage = 10
	LargestPage  = 5000
	pageBytes    = 1 << 20
)

// pageSize is the number of rows of the pages of a table. A page has about pageBytes if its rows are as large as the rows of
// the page before. The scans of all slices of a table share it.
type pageSize struct {
	rows  atomic.Int64
	least int // rows; 0: smallestPage
	most  int // rows; 0: LargestPage
}

// get returns the number of rows of the next page.
func (p *pageSize) get() int {
	if n := p.rows.Load(); n > 0 {
		return int(n)
	}
	return firstPage
}

// adapt sets the number of rows of the next pages after a page, and reports whether it is at least twice or at most half of the
// number of rows of the page: then a new query is necessary.
func (p *pageSize) adapt(page, rows, bytes int) bool {
	if rows == 0 {
		return false
	}
	p.rows.Store(int64(min(max(cmp.Or(p.least, smallestPage), pageBytes/max(1, bytes/rows)), cmp.Or(p.most, LargestPage))))
	now := p.get()
	return now >= 2*page || now <= page/2
}

// PageSizes has the sizes of the pages of several tables.
type PageSizes struct {
	Most   int // rows; 0: LargestPage
	tables sync.Map
}

// size returns the size of the pages of a table.
func (p *PageSizes) size(t *plan.Table) *pageSize {
	size, _ := p.tables.LoadOrStore(t.Name, &pageSize{most: p.Most})
	return size.(*pageSize)
}

// errResized ends a query because the next pages should have a different number of rows.
var errResized = errors.New("the size of pages has changed")

// rowBytes returns the number of bytes of a row.
func rowBytes(row cell.Row) (n int) {
	for _, c := range row {
		n += len(c)
	}
	return n
}
