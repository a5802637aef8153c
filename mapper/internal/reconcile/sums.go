package reconcile

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/scan"
)

// The sums of a copy are in blocks, which are made when they are needed. They need at most a megabyte, whatever the number of rows is.
const (
	sumBlocks    = 512
	sumsPerBlock = 256
)

// sums compare the rows of a copy with the rows that follow from its roots, although no partition has both, by scans alone. The key of each
// row determines a bucket. The hashes of the rows that follow from the roots are added to it, and the hashes of the rows of the copy are
// subtracted. A bucket that is not zero afterwards has rows that differ, or were written between the two scans: only they are
// examined. A difference that exists during the whole run makes a bucket nonzero, unless it cancels another one, which has a
// probability of 2^-64.
type sums struct {
	copy   *plan.Projection
	hasher *plan.Hasher

	blocks  [sumBlocks]atomic.Pointer[[sumsPerBlock]atomic.Uint64]
	compare sync.Once
	differs bool
}

// newSums returns the sums for the copies of a root, by their index; nil for those whose rows are read by their keys, or with the root.
// Several roots have the same row of a shared copy, rows of a copy with a time to live are missing without a difference, and processes
// that share a run have no common sums.
func (x *run) newSums(r call.Root, near func(c *plan.Projection) bool) []*sums {
	out := make([]*sums, len(r.Aggregate.Copies))
	seed := x.db.Env.SumSeed()
	if x.config.Job != "" || seed == nil {
		return out
	}
	for i := range r.Aggregate.Copies {
		c := &r.Aggregate.Copies[i]
		if near(c) || c.Shared || r.Aggregate.TTL(c.Table) > 0 || c.Range && c.SourceKey == nil {
			continue
		}
		out[i] = &sums{copy: c, hasher: x.db.Schema.NewHasher(c.Table, seed)}
	}
	return out
}

// bucket returns the bucket of a row.
func (s *sums) bucket(h plan.RowHash) *atomic.Uint64 {
	at := &s.blocks[h.Key/sumsPerBlock%sumBlocks]
	block := at.Load()
	if block == nil {
		at.CompareAndSwap(nil, new([sumsPerBlock]atomic.Uint64))
		block = at.Load()
	}
	return &block[h.Key%sumsPerBlock]
}

// suspects reports whether a row of the copy must be examined; without sums, all must.
func (s *sums) suspects(row cell.Row) bool {
	return s == nil || s.bucket(s.hasher.Hash(row)).Load() != 0
}

// showsDifference reports whether a row that follows from a row of the root must be examined. Without sums, or if the root cannot be projected,
// another scan examines it.
func (s *sums) showsDifference(a *plan.Aggregate, root cell.Row) bool {
	if s == nil {
		return false
	}
	rows, err := a.Valid(s.copy, root)
	return err == nil && slices.ContainsFunc(rows, s.suspects)
}

// differ reports, after all scans that change the sums, whether any row must be examined.
func (s *sums) differ() bool {
	if s == nil {
		return true
	}
	s.compare.Do(func() {
		for i := range s.blocks {
			block := s.blocks[i].Load()
			s.differs = s.differs || block != nil && nonzero(block)
		}
	})
	return s.differs
}

func nonzero(block *[sumsPerBlock]atomic.Uint64) bool {
	for i := range block {
		if block[i].Load() != 0 {
			return true
		}
	}
	return false
}

// differ reports whether rows of any of the copies with sums must be examined.
func differ(all []*sums) bool {
	for _, s := range all {
		if s != nil && s.differ() {
			return true
		}
	}
	return false
}

// add adds the rows that follow from a row of the root.
func (s *sums) add(a *plan.Aggregate, root cell.Row) error {
	rows, err := a.Valid(s.copy, root)
	if err != nil {
		return err
	}
	for _, row := range rows {
		h := s.hasher.Hash(row)
		s.bucket(h).Add(h.Row)
	}
	return nil
}

// sumPhases returns the scans of the copies that have sums. They follow the scan of the root, which adds its rows.
func sumPhases(r call.Root, all []*sums) (out []phase) {
	for _, s := range all {
		if s != nil {
			out = append(out, phase{name: "sums", table: s.copy.Table, scan: func(x *run) slice { return newSumScan(x, r, s) }})
		}
	}
	return out
}

// releasing returns phases after which the memory of the sums is released.
func releasing(phases []phase, all []*sums) []phase {
	phases[len(phases)-1].end = func() {
		for i := range all {
			all[i].release()
		}
	}
	return phases
}

// release releases the blocks, which are not used anymore.
func (s *sums) release() {
	if s == nil {
		return
	}
	for i := range s.blocks {
		s.blocks[i].Store(nil)
	}
}

// sumScan subtracts the rows of a copy.
type sumScan struct {
	scan.PageScan
	x       *run
	sums    *sums
	page    []plan.RowHash // a page that is read again counts once
	statics []cell.Row     // the partitions that have only static values
}

func newSumScan(x *run, r call.Root, s *sums) *sumScan {
	out := &sumScan{PageScan: scan.NewSliceScan(r, s.copy.Table, false), x: x, sums: s}
	out.Handler = out
	return out
}

func (s *sumScan) Begin() { s.page, s.statics = s.page[:0], nil }

func (s *sumScan) Add(row cell.Row) {
	if p, static := staticPartition(s.sums.copy, row); static {
		s.statics = append(s.statics, p)
		return
	}
	s.page = append(s.page, s.sums.hasher.Hash(row))
}

func (s *sumScan) End(ctx context.Context) error {
	if err := s.x.newCopyCheck(s.Root, s.sums.copy).purgeStatics(ctx, s.statics); err != nil {
		return err
	}
	for _, h := range s.page {
		s.sums.bucket(h).Add(-h.Row)
	}
	return nil
}

// unlessEqual is a scan that reads nothing if all sums are zero.
type unlessEqual struct {
	slice
	differ func() bool
}

func (s unlessEqual) Run(ctx context.Context, from string, save func(string) error) error {
	if !s.differ() {
		return nil
	}
	return s.slice.Run(ctx, from, save)
}
