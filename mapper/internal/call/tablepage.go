package call

import (
	"context"
	"encoding/binary"
	"iter"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// PageSizes are the numbers of rows of the pages of a whole table.
type PageSizes struct {
	First, Most int
	Next        func(rows, bytes int) int // returns the size of the page after one with rows of so many bytes
}

// TablePage reads the page of all rows that begins at token, calls add with each row, and returns the token of the next page. The state
// of a token begins with the size of its page.
func (r Reader) TablePage(ctx context.Context, op, token string, sizes PageSizes, add func(any)) (string, error) {
	ctx, stop, err := r.Begin(ctx)
	if err != nil {
		return "", err
	}
	defer stop()
	asked := asked{Read: store.Read{Table: r.Codec.Table, Lasting: r.Lasting(), PageSize: sizes.First, Consistency: r.Consistency()}}
	state, err := r.DB.tokens.read(&asked, token)
	if err == nil && state != nil {
		asked.PageSize, state, err = cutSize(state, sizes.Most)
	}
	if err != nil {
		return "", r.WrapError(op, nil, err)
	}
	ctx, end := r.DB.TraceRead(ctx, op, &asked.Read)
	page, err := r.DB.Store.Page(ctx, asked.Read, state)
	n, bytes := 0, 0
	if err == nil {
		q := Query{selection: &selection{r: r}}
		n, err = r.rows(q.rows(ctx, op, counted(page.All(), &bytes)), func(v any, _ error) bool { add(v); return true })
	}
	if end(err, n); err != nil {
		return "", r.WrapError(op, nil, err)
	}
	if len(page.State) == 0 {
		return "", nil
	}
	size := asked.PageSize
	if page.Rows > 0 {
		size = sizes.Next(page.Rows, bytes)
	}
	return r.DB.tokens.write(&asked, append(binary.BigEndian.AppendUint32(nil, uint32(size)), page.State...)), nil
}

// counted yields rows, and adds their bytes to a number.
func counted(rows iter.Seq2[cell.Row, error], bytes *int) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		for row, err := range rows {
			for _, c := range row {
				*bytes += len(c)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// cutSize splits the state of a token into the size of its page and the paging state. A token that is not sealed can be forged.
func cutSize(state []byte, most int) (int, []byte, error) {
	if len(state) <= 4 {
		return 0, nil, mapper.ErrPageToken
	}
	size := binary.BigEndian.Uint32(state)
	if size < 1 || size > uint32(most) {
		return 0, nil, mapper.ErrPageToken
	}
	return int(size), state[4:], nil
}
