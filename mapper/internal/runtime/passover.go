package runtime

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// A backfill passes over rows whose copies cannot be written. Its checkpoints contain the positions of the first of these rows, and the
// last checkpoint is that of a complete scan, so that a later run reads only these partitions again:
//
//	customers c784b1f0623f9efb                                       no row was passed over
//	customers c784b1f0623f9efb refused 7d0b904cfe1ca539 0            the scan continues
//	customers end refused 7d0b904cfe1ca539,da1f26e0623f9efb 12       12 further rows, after the last of these positions
const (
	refusedMark = " refused "
	scanEnd     = "end"
)

// maxPassed is the number of positions in a checkpoint. A later run reads their partitions again.
const maxPassed = 100

// refusedRow is the reason why a copy of a row cannot be written, with the position of the row.
type refusedRow struct {
	error
	at cell.Cell
}

func (e refusedRow) Unwrap() error { return e.error }

// passable reports whether an error is about the content of one row that only a write of this row can change, and that affects no other
// row: a DuplicateError also affects the row that has the value.
func passable(err error) bool {
	_, invalid := errors.AsType[*mapper.ConstraintError](err)
	_, damaged := errors.AsType[*mapper.DecodeError](err)
	_, large := errors.AsType[*mapper.BatchTooLargeError](err)
	_, duplicate := errors.AsType[*mapper.DuplicateError](err)
	return (invalid || damaged || large) && !duplicate
}

// passing runs a scan that passes over rows whose copies cannot be written.
type passing struct {
	job   string                           // of the error: backfill of vehicles
	name  string                           // of the scan
	scan  func(p *passing) (runner, *scan) // returns a new scan that calls pass
	save  func(checkpoint string) error    // saves a checkpoint
	done  string                           // the last checkpoint of the scan; "": none
	ended bool                             // the scan is complete

	tokens  []int64      // the positions of the first rows that were passed over, in order, without repetition
	more    int          // further rows, after the last of tokens
	rows    int          // rows at tokens
	first   []error      // the reasons of the first rows
	pending []refusedRow // rows after the last checkpoint
}

// run continues after a checkpoint. If rows were passed over, the error is a *mapper.RefusedRowsError.
func (p *passing) run(ctx context.Context, from string, save func(string) error) error {
	p.save = save
	if err := p.parse(from); err != nil {
		return err
	}
	if err := p.rereadRefused(ctx); err != nil {
		return err
	}
	if !p.ended {
		s, _ := p.scan(p)
		if err := s.run(ctx, p.done, p.saveScan); err != nil {
			return err
		}
		p.commit(math.MaxInt64)
		p.ended = true
	}
	if len(p.tokens) == 0 {
		return nil
	}
	if err := p.save(p.checkpoint()); err != nil {
		return err
	}
	return &mapper.RefusedRowsError{Job: p.job, Rows: p.rows + p.more, First: p.first}
}

// pass keeps a row that is passed over, until the checkpoint after it is saved.
func (p *passing) pass(row refusedRow) { p.pending = append(p.pending, row) }

// rereadRefused reads the rows again that an earlier run has passed over. If one of their partitions has no such row any more and there are
// further rows, the scan continues after the last of these partitions.
func (p *passing) rereadRefused(ctx context.Context) error {
	before, more := p.tokens, p.more
	p.tokens, p.more = nil, 0
	for _, token := range before {
		r, s := p.scan(p)
		s.low, s.read.Until = plan.Bigint(token-1), plan.Bigint(token)
		if err := r.run(ctx, "", func(string) error { return nil }); err != nil {
			return err
		}
		p.commit(math.MaxInt64)
	}
	switch {
	case more > 0 && len(p.tokens) == len(before):
		p.more = more
	case more > 0:
		p.done, p.ended = checkpointOf(p.name, plan.Bigint(before[len(before)-1])), false
		return p.save(p.checkpoint())
	}
	return nil
}

// begin discards the rows of pages that are read again.
func (p *passing) begin() {
	if p != nil {
		p.pending = p.pending[:0]
	}
}

// commit counts the rows up to a token.
func (p *passing) commit(last int64) {
	slices.SortStableFunc(p.pending, func(a, b refusedRow) int { return cmp.Compare(tokenOf(a.at), tokenOf(b.at)) })
	n := 0
	for _, row := range p.pending {
		token := tokenOf(row.at)
		if token > last {
			break
		}
		n++
		switch known := len(p.tokens); {
		case known > 0 && p.tokens[known-1] == token:
			p.rows++
		case known < maxPassed:
			p.tokens, p.rows = append(p.tokens, token), p.rows+1
		default:
			p.more++
		}
		if len(p.first) < maxPassed {
			p.first = append(p.first, row.error)
		}
	}
	p.pending = slices.Delete(p.pending, 0, n)
}

// saveScan saves a checkpoint of the scan with the rows before it.
func (p *passing) saveScan(checkpoint string) error {
	position, err := positionOf(p.name, checkpoint)
	if err != nil {
		return err
	}
	if len(p.pending) > 0 {
		p.commit(tokenOf(position))
	}
	p.done = checkpoint
	return p.save(p.checkpoint())
}

// checkpoint returns the text of a checkpoint.
func (p *passing) checkpoint() string {
	text := p.done
	if p.ended {
		text = p.name + " " + scanEnd
	}
	if len(p.tokens) == 0 {
		return text
	}
	positions := make([]string, len(p.tokens))
	for i, token := range p.tokens {
		positions[i] = hex.EncodeToString(plan.Bigint(token))
	}
	return cmp.Or(text, p.name) + refusedMark + strings.Join(positions, ",") + " " + strconv.Itoa(p.more)
}

// parse reads a checkpoint.
func (p *passing) parse(from string) error {
	text, list, refused := strings.Cut(from, refusedMark)
	p.done = text
	if !refused {
		return nil // the scan reads it
	}
	name, position, _ := strings.Cut(text, " ")
	if name != p.name {
		return foreignCheckpoint(from, p.name)
	}
	if p.ended = position == scanEnd; p.ended || position == "" {
		p.done = ""
	}
	positions, more, _ := strings.Cut(list, " ")
	for text := range strings.SplitSeq(positions, ",") {
		position, err := hex.DecodeString(text)
		if err != nil || len(position) != 8 {
			return damagedCheckpoint(from)
		}
		p.tokens = append(p.tokens, tokenOf(position))
	}
	var err error
	if p.more, err = strconv.Atoi(more); err != nil || p.more < 0 || len(p.tokens) > maxPassed || !slices.IsSorted(p.tokens) {
		return damagedCheckpoint(from)
	}
	return nil
}

func damagedCheckpoint(checkpoint string) error {
	return fmt.Errorf("the checkpoint %.200q is damaged: use an empty checkpoint to begin again", checkpoint)
}

// placedKey is the key of a row with its position.
type placedKey struct {
	key cell.Row
	at  cell.Cell
}

// passingScan returns a scan that calls do with the key of each row, and passes over rows whose copies cannot be written. refuse gets the
// rows of each page that are refused for another reason.
func (r Root) passingScan(c FillConfig, name string, over *passing, refuse func(rows []error) error, do func(ctx context.Context, key cell.Row) error) (runner, *scan) {
	var f *rowScan[placedKey]
	place := func(row cell.Row) (placedKey, error) {
		return placedKey{plan.CloneRow(row[:r.c.Table.Key]), f.at}, nil
	}
	f = newRowScan(r, c, name, place, func(ctx context.Context, row placedKey) error {
		if err := do(ctx, row.key); err != nil {
			return refusedRow{err, row.at}
		}
		return nil
	})
	f.refuse = func(rows []error) error {
		var others []error
		for _, err := range rows {
			row, placed := errors.AsType[refusedRow](err)
			if placed && passable(err) {
				over.pass(refusedRow{row.error, row.at})
			} else {
				others = append(others, err)
			}
		}
		return refuse(others)
	}
	f.passing = over
	return f, &f.scan
}
