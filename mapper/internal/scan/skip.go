package scan

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
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// A backfill skips rows whose copies cannot be written. Its checkpoints contain the positions of the first of these rows, and the
// last checkpoint belongs to a complete scan, so that a later run reads only these partitions again:
//
//	customers c784b1f0623f9efb                                       no row was skipped
//	customers c784b1f0623f9efb refused 7d0b904cfe1ca539 0            the scan continues
//	customers end refused 7d0b904cfe1ca539,da1f26e0623f9efb 12       12 further rows, after the last of these positions
const (
	refusedMark = " refused "
	scanEnd     = "end"
)

// maxSkipped is the number of positions in a checkpoint. A later run reads their partitions again.
const maxSkipped = 100

// refusedRow is the reason why a copy of a row cannot be written, with the position of the row.
type refusedRow struct {
	error
	at cell.Cell
}

func (e refusedRow) Unwrap() error { return e.error }

// skippable reports whether an error is about the content of one row that only a write of this row can change, and that affects no other
// row: a DuplicateError also affects the row that has the value.
func skippable(err error) bool {
	_, invalid := errors.AsType[*mapper.ConstraintError](err)
	_, damaged := errors.AsType[*mapper.DecodeError](err)
	_, large := errors.AsType[*mapper.BatchTooLargeError](err)
	_, duplicate := errors.AsType[*mapper.DuplicateError](err)
	return (invalid || damaged || large) && !duplicate
}

// Skipping runs a scan that skips rows whose copies cannot be written.
type Skipping struct {
	Job     string                                // the job in the error: backfill of vehicles
	Name    string                                // the name of the scan
	NewScan func(p *Skipping) (Runner, *PageScan) // returns a new scan that calls pass
	save    func(checkpoint string) error         // saves a checkpoint
	done    string                                // the last checkpoint of the scan; "": none
	ended   bool                                  // the scan is complete

	tokens  []int64      // the positions of the first rows that were skipped, in order, without repetition
	more    int          // further rows, after the last of tokens
	rows    int          // rows at tokens
	first   []error      // the reasons of the first rows
	pending []refusedRow // rows after the last checkpoint
}

// Run continues after a checkpoint. If rows were skipped, the error is a *mapper.RefusedRowsError.
func (p *Skipping) Run(ctx context.Context, from string, save func(string) error) error {
	p.save = save
	if err := p.parse(from); err != nil {
		return err
	}
	if err := p.rereadRefused(ctx); err != nil {
		return err
	}
	if !p.ended {
		s, _ := p.NewScan(p)
		if err := s.Run(ctx, p.done, p.saveScan); err != nil {
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
	return &mapper.RefusedRowsError{Job: p.Job, Rows: p.rows + p.more, First: p.first}
}

// skip keeps a row that is skipped, until the checkpoint after it is saved.
func (p *Skipping) skip(row refusedRow) { p.pending = append(p.pending, row) }

// rereadRefused reads the rows again that an earlier run has skipped. If one of their partitions has no such row any more and there are
// further rows, the scan continues after the last of these partitions.
func (p *Skipping) rereadRefused(ctx context.Context) error {
	before, more := p.tokens, p.more
	p.tokens, p.more = nil, 0
	for _, token := range before {
		r, s := p.NewScan(p)
		s.low, s.Read.Until = plan.Bigint(token-1), plan.Bigint(token)
		if err := r.Run(ctx, "", func(string) error { return nil }); err != nil {
			return err
		}
		p.commit(math.MaxInt64)
	}
	switch {
	case more > 0 && len(p.tokens) == len(before):
		p.more = more
	case more > 0:
		p.done, p.ended = newCheckpointText(p.Name, plan.Bigint(before[len(before)-1])), false
		return p.save(p.checkpoint())
	}
	return nil
}

// begin discards the rows of pages that are read again.
func (p *Skipping) begin() {
	if p != nil {
		p.pending = p.pending[:0]
	}
}

// commit counts the rows up to a token.
func (p *Skipping) commit(last int64) {
	slices.SortStableFunc(p.pending, func(a, b refusedRow) int { return cmp.Compare(positionToken(a.at), positionToken(b.at)) })
	n := 0
	for _, row := range p.pending {
		token := positionToken(row.at)
		if token > last {
			break
		}
		n++
		switch known := len(p.tokens); {
		case known > 0 && p.tokens[known-1] == token:
			p.rows++
		case known < maxSkipped:
			p.tokens, p.rows = append(p.tokens, token), p.rows+1
		default:
			p.more++
		}
		if len(p.first) < maxSkipped {
			p.first = append(p.first, row.error)
		}
	}
	p.pending = slices.Delete(p.pending, 0, n)
}

// saveScan saves a checkpoint of the scan with the rows before it.
func (p *Skipping) saveScan(checkpoint string) error {
	position, err := parsePosition(p.Name, checkpoint)
	if err != nil {
		return err
	}
	if len(p.pending) > 0 {
		p.commit(positionToken(position))
	}
	p.done = checkpoint
	return p.save(p.checkpoint())
}

// checkpoint returns the text of a checkpoint.
func (p *Skipping) checkpoint() string {
	text := p.done
	if p.ended {
		text = p.Name + " " + scanEnd
	}
	if len(p.tokens) == 0 {
		return text
	}
	positions := make([]string, len(p.tokens))
	for i, token := range p.tokens {
		positions[i] = hex.EncodeToString(plan.Bigint(token))
	}
	return cmp.Or(text, p.Name) + refusedMark + strings.Join(positions, ",") + " " + strconv.Itoa(p.more)
}

// parse reads a checkpoint.
func (p *Skipping) parse(from string) error {
	text, list, refused := strings.Cut(from, refusedMark)
	p.done = text
	if !refused {
		return nil // the scan reads it
	}
	name, position, _ := strings.Cut(text, " ")
	if name != p.Name {
		return CheckpointError(from, p.Name)
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
		p.tokens = append(p.tokens, positionToken(position))
	}
	var err error
	if p.more, err = strconv.Atoi(more); err != nil || p.more < 0 || len(p.tokens) > maxSkipped || !slices.IsSorted(p.tokens) {
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

// NewSkippingScan returns a scan that calls do with the key of each row, and skips rows whose copies cannot be written. refuse gets the
// rows of each page that are refused for another reason.
func NewSkippingScan(r call.Root, c FillConfig, name string, over *Skipping, refuse func(rows []error) error, do func(ctx context.Context, key cell.Row) error) (Runner, *PageScan) {
	var f *RowScan[placedKey]
	place := func(row cell.Row) (placedKey, error) {
		return placedKey{plan.CloneRow(row[:r.Codec.Table.Key]), f.at}, nil
	}
	f = NewRowScan(r, c, name, place, func(ctx context.Context, row placedKey) error {
		if err := do(ctx, row.key); err != nil {
			return refusedRow{err, row.at}
		}
		return nil
	})
	f.Refuse = func(rows []error) error {
		var others []error
		for _, err := range rows {
			row, placed := errors.AsType[refusedRow](err)
			if placed && skippable(err) {
				over.skip(refusedRow{row.error, row.at})
			} else {
				others = append(others, err)
			}
		}
		return refuse(others)
	}
	f.passing = over
	return f, &f.PageScan
}
