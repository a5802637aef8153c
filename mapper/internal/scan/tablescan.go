package scan

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/cassaml/cassaml/internal/servererror"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/internal/work"
)

// tableScan is a read of all rows of a table, slice by slice.
type tableScan struct {
	r      call.Reader
	op     string
	config mapper.ScanConfig
	use    func(context.Context, any) error // uses the value of a row
	pace   Pace
	sized  pageSize

	mu       sync.Mutex
	progress mapper.ScanProgress
}

// Table reads all rows of the table, and calls f with the value of each. The values of different slices are used at the same time.
func Table(ctx context.Context, r call.Reader, c mapper.ScanConfig, f func(context.Context, any) error) error {
	s, err := newTableScan(r, "Scan", c, f)
	if err != nil {
		return err
	}
	if f == nil {
		return r.WrapError(s.op, nil, errors.New("the function is nil"))
	}
	if c.Job != "" {
		return s.shared(ctx)
	}
	from, err := parseCheckpoint(c.Checkpoint, scanned(r.Codec.Table), c.Slices)
	if err != nil {
		return r.WrapError(s.op, nil, err)
	}
	return s.readAlone(ctx, &saver{save: c.SaveCheckpoint, at: from})
}

// errBreak ends a scan whose caller has left the loop.
var errBreak = errors.New("break")

// All yields all rows of the table in the order of their tokens. An error is yielded once, with a nil item, as the last element.
func All(ctx context.Context, r call.Reader, c mapper.ScanConfig, yield func(any, error) bool) {
	s, err := newTableScan(r, "All", c, func(_ context.Context, v any) error {
		if !yield(v, nil) {
			return errBreak
		}
		return nil
	})
	if err == nil && (c.Parallel != 0 || c.Slices != 0 || c.Checkpoint != "" || c.SaveCheckpoint != nil || c.Job != "") {
		err = r.WrapError(s.op, nil, errors.New("All accepts only Rate and Progress of mapper.ScanConfig: use Scan for the other fields"))
	}
	if err == nil {
		err = s.all(ctx)
	}
	if err != nil && err != errBreak {
		yield(nil, err)
	}
}

// newTableScan returns a scan of the table, or the error because of which nothing is sent.
func newTableScan(r call.Reader, op string, c mapper.ScanConfig, use func(context.Context, any) error) (*tableScan, error) {
	if r.DB == nil {
		return nil, call.ErrNotOpen
	}
	err := r.CheckScan()
	switch {
	case err != nil:
	case c.Job != "" && (c.Checkpoint != "" || c.SaveCheckpoint != nil):
		err = errors.New("mapper.ScanConfig.Job is not supported with Checkpoint and SaveCheckpoint: the checkpoints of a shared scan are in the table aml_work")
	default:
		err = CheckSlices(c.Slices, c.Parallel, c.Rate)
	}
	if err != nil {
		return nil, r.WrapError(op, nil, err)
	}
	c.Parallel = cmp.Or(c.Parallel, DefaultParallel)
	s := &tableScan{r: r, op: op, config: c, use: use}
	s.pace.Rate, s.sized.least = c.Rate, 1
	return s, nil
}

// readAlone reads the slices that are not complete in a checkpoint.
func (s *tableScan) readAlone(ctx context.Context, to *saver) error {
	n := len(to.at.tokens)
	s.progress.Done, s.progress.Total = to.at.done(), n
	next := work.NewLocal(work.Job{Slices: n, Phases: []work.Phase{{Name: "scan", Table: scanned(s.r.Codec.Table)}}})
	err := s.eachSlice(ctx, next, n, func(ctx context.Context, lease *work.Lease) error {
		i := lease.Slice
		if to.at.complete(i) {
			return lease.Done(ctx, nil)
		}
		err := s.slice(ctx, i, n, to.at.tokens[i], func(token int64) error { return to.reached(i, token) })
		if err == nil {
			err = lease.Done(ctx, nil)
		}
		if err == nil {
			s.advance(func(p *mapper.ScanProgress) { p.Done++ })
		}
		return err
	})
	if unsaved := to.end(); err == nil {
		err = unsaved
	}
	return err
}

// eachSlice calls do for each of n slices. More goroutines than slices would only wait.
func (s *tableScan) eachSlice(ctx context.Context, q *work.Queue, n int, do func(context.Context, *work.Lease) error) error {
	err := EachSlice(ctx, s.r.DB, q, 0, min(s.config.Parallel, n), do)
	if _, queue := err.(*work.SliceError); queue || err != nil && (err == ctx.Err() || err == call.ErrExited) {
		return s.r.WrapError(s.op, nil, err)
	}
	return err
}

// shared reads the slices that this process leases.
func (s *tableScan) shared(ctx context.Context) error {
	db, t := s.r.DB, s.r.Codec.Table
	n := cmp.Or(s.config.Slices, DefaultSlices)
	s.progress.Total = n
	name := scanned(t)
	job := work.Job{Name: db.Schema.Package + " scan of " + name + " " + s.config.Job, Header: fmt.Sprintf("slices=%d", n), Slices: n,
		Phases: []work.Phase{{Name: "scan", Table: name}}}
	q, err := OpenQueue(ctx, db, "mapper.ScanConfig", s.config.Job, job)
	if err != nil {
		return s.r.WrapError(s.op, nil, err)
	}
	return s.eachSlice(ctx, q, n, func(ctx context.Context, lease *work.Lease) error {
		from := sliceStart(lease.Slice, n)
		if c := lease.Checkpoint; len(c) == tokenSize {
			from = positionToken(c)
		}
		err := RunLease(ctx, db, lease, func(ctx context.Context, save func(func() ([]byte, error)) error) ([]byte, error) {
			return nil, s.slice(ctx, lease.Slice, n, from, func(token int64) error {
				return save(func() ([]byte, error) { return plan.Bigint(token), nil })
			})
		})
		if err == nil {
			s.advance(func(p *mapper.ScanProgress) { p.Done++ })
		}
		return err
	})
}

// all reads the whole table as one slice. Its progress is counted in the default number of slices.
func (s *tableScan) all(ctx context.Context) error {
	s.progress.Total = DefaultSlices
	return s.slice(ctx, 0, 1, smallest, func(token int64) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.progress.Done = int((uint64(token) ^ 1<<63) / sliceWidth(DefaultSlices)); token == math.MaxInt64 {
			s.progress.Done = DefaultSlices
		}
		return nil
	})
}

// slice reads slice i of n after a token. It calls reached with each later token up to which all rows have been used, after each page
// and at the end.
func (s *tableScan) slice(ctx context.Context, i, n int, after int64, reached func(token int64) error) error {
	_, high := sliceTokens(i, n)
	p := &slicePages{tableScan: s, ctx: ctx, token: after, whole: after, first: true}
	p.read = store.Read{Table: s.r.Codec.Table, Positioned: true, Lasting: s.r.Lasting(), After: plan.Bigint(after), Until: plan.Bigint(high), Consistency: s.r.Consistency()}
	for state := []byte(nil); ; {
		next, err := p.page(state)
		if err == nil && len(next) == 0 {
			p.whole = high
		}
		if p.whole != after {
			err = cmp.Or(err, reached(p.whole))
		}
		if err == nil {
			err = s.used(ctx, p)
		}
		if err != nil || len(next) == 0 {
			return err
		}
		state = next
	}
}

// used counts the rows of a page, reports the progress, and waits if more rows were read than the rate allows.
func (s *tableScan) used(ctx context.Context, p *slicePages) error {
	s.sized.adapt(p.read.PageSize, p.rows, p.bytes)
	s.advance(func(c *mapper.ScanProgress) { c.Rows += int64(p.values) })
	s.pace.Add(p.rows)
	if s.pace.Wait(ctx) != nil {
		return s.r.WrapError(s.op, nil, ctx.Err())
	}
	return nil
}

// advance changes the progress and reports it.
func (s *tableScan) advance(change func(*mapper.ScanProgress)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.progress)
	if s.config.Progress != nil {
		s.config.Progress(s.progress)
	}
}

// saver saves the checkpoint of a scan.
type saver struct {
	save func(string) error // nil: none

	mu      sync.Mutex
	at      *checkpoint
	changed bool // changed since the last call of save

	saving sync.Mutex // held during a call of save
	failed error
}

// reached notes a token up to which all rows of a slice have been used, and saves the checkpoint. While another goroutine saves one, it
// does not wait: a later call saves this one, too.
func (s *saver) reached(slice int, token int64) error {
	s.mu.Lock()
	s.changed = s.changed || s.at.tokens[slice] != token
	s.at.tokens[slice] = token
	s.mu.Unlock()
	if s.save == nil || !s.saving.TryLock() {
		return nil
	}
	defer s.saving.Unlock()
	return s.flush()
}

// end saves the last checkpoint.
func (s *saver) end() error {
	if s.save == nil {
		return nil
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	return s.flush()
}

// flush saves the checkpoint if it has changed, unless an earlier one could not be saved.
func (s *saver) flush() error {
	s.mu.Lock()
	text, changed := "", s.changed && s.failed == nil
	if s.changed = false; changed {
		text = s.at.String()
	}
	s.mu.Unlock()
	if changed {
		s.failed = s.save(text)
	}
	return s.failed
}

// tokenSize is the size of a token in bytes.
const tokenSize = 8

// positionToken returns the token in a position.
func positionToken(position cell.Cell) int64 { return int64(binary.BigEndian.Uint64(position)) }

// slicePages reads a slice page by page.
type slicePages struct {
	*tableScan
	ctx  context.Context
	read store.Read
	d    cell.Decoder

	first bool  // no row has been read
	token int64 // the token of the last row
	whole int64 // the token up to which all rows have been used

	rows, values, bytes int   // counted in the page
	err                 error // ended the page: it is not an error of the read
}

// readAttempts is how often the request of a page is sent. A read of a slice waits for a replica that has just ended as long as the
// server allows, because the server does not ask another one, so the time of a call limits each attempt and not all of them.
const readAttempts = 6

// page reads the page after a state, and uses its rows. A page that cannot be read is requested again, with fewer rows.
func (p *slicePages) page(state []byte) (next []byte, err error) {
	p.read.PageSize = p.sized.get()
	if p.config.Rate > 0 {
		p.read.PageSize = min(p.read.PageSize, p.config.Rate)
	}
	for attempt := 1; ; attempt++ {
		next, err = p.fetch(state)
		switch {
		case p.err != nil:
			return nil, p.err
		case err == nil:
			return next, nil
		case p.rows > 0 || attempt == readAttempts || isRefused(err) || !p.r.DB.Env.Resend(p.ctx, attempt):
			return nil, p.r.WrapError(p.op, nil, err)
		}
		p.read.PageSize = max(1, p.read.PageSize/2)
	}
}

// isRefused reports whether the server would refuse a request again.
func isRefused(err error) bool {
	code, answered := driver.Code(err)
	return answered && servererror.Permanent(code)
}

// fetch sends one request.
func (p *slicePages) fetch(state []byte) (next []byte, err error) {
	ctx, stop, err := p.r.Begin(p.ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	p.rows, p.values, p.bytes = 0, 0, 0
	ctx, end := p.r.DB.TraceRead(ctx, p.op, &p.read)
	page, err := p.r.DB.Store.Page(ctx, p.read, state)
	if err == nil {
		err = p.addPage(page)
	}
	end(err, p.rows)
	return page.State, err
}

// addPage uses the rows of a page.
func (p *slicePages) addPage(page store.Page) error {
	for row, err := range page.All() {
		if err != nil || !p.add(row) {
			return err
		}
	}
	return nil
}

// add uses a row, and reports whether to continue.
func (p *slicePages) add(row cell.Row) bool {
	position := p.read.Position(row)
	if len(position) != tokenSize {
		p.err = p.r.WrapError(p.op, nil, fmt.Errorf("the token %x has not %d bytes: a scan needs Murmur3Partitioner", []byte(position), tokenSize))
		return false
	}
	if token := positionToken(position); p.first || token != p.token {
		if !p.first {
			p.whole = p.token
		}
		p.first, p.token = false, token
	}
	p.rows, p.bytes = p.rows+1, p.bytes+rowBytes(row)
	p.err = p.useRow(row)
	return p.err == nil
}

// useRow decodes a row and uses its value, unless readers do not return the row.
func (p *slicePages) useRow(row cell.Row) error {
	if p.r.Omits(row) {
		return nil
	}
	if p.r.Verifies() {
		var err error
		if row, err = p.current(row); row == nil || err != nil {
			return err
		}
	}
	v, err := p.r.DecodeRead(&p.d, row)
	if err != nil {
		return err
	}
	if err := p.ctx.Err(); err != nil {
		return p.r.WrapError(p.op, nil, err)
	}
	p.values++
	return p.use(p.ctx, v)
}

// current returns a row of a redundant table as it follows from its root, or nil.
func (p *slicePages) current(row cell.Row) (now cell.Row, err error) {
	err = Retry(p.ctx, p.r.DB, func() error {
		now, err = p.r.CurrentRow(p.ctx, p.op, row)
		return err
	})
	if err != nil {
		return nil, p.r.WrapError(p.op, row, err)
	}
	return now, nil
}
