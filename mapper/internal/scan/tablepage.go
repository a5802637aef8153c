package scan

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/call"
)

// Page reads the page of all rows of a table that begins at token, calls add with each row, and returns the token of the next page. A page
// has as many rows as the pages of a scan.
func Page(ctx context.Context, r call.Reader, token string, add func(any)) (string, error) {
	const op = "AllPage"
	if r.DB == nil {
		return "", call.ErrNotOpen
	}
	if err := r.CheckScan(); err != nil {
		return "", r.WrapError(op, nil, err)
	}
	next := func(rows, bytes int) int {
		size := pageSize{least: 1}
		size.adapt(0, rows, bytes)
		return size.get()
	}
	return r.TablePage(ctx, op, token, call.PageSizes{First: firstPage, Most: LargestPage, Next: next}, add)
}
