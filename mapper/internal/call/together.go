package call

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Together returns q with one request for all partitions.
func (q Query) Together() Query { q.together = true; return q }

// checkTogether returns the reason why the partitions cannot be read with one request, or nil.
func (q Query) checkTogether() error {
	switch t := q.r.Codec.Table; {
	case !q.together:
	case q.partitions == nil:
		return errors.New("Together is for OfEach: Of reads one partition")
	case q.limit == 0 && q.pageSize == 0:
		return errors.New("Together needs Limit or PageSize, because each request reads that many rows of each partition")
	case q.r.DB.serial:
		return errors.New("mapper.Options.Serial is for a query of one partition: use OfEach without Together")
	default:
		for _, key := range q.partitions {
			for i := range t.Partition - 1 {
				if string(key[i]) != string(q.partitions[0][i]) {
					return fmt.Errorf("Together needs keys that differ only in %s, and they differ in %s: use OfEach without Together", t.Columns[t.Partition-1].Field, t.Columns[i].Field)
				}
			}
		}
	}
	return nil
}

// tie is the place of the last row of a request for several partitions. Other partitions can have rows with the same clustering key, of
// which some were returned.
type tie struct {
	clustering cell.Row
	returned   []int // the places of the partitions whose row was returned
}

// add moves the place to a row.
func (p *tie) add(partition int, clustering cell.Row) {
	if !slices.EqualFunc(p.clustering, clustering, func(a, b cell.Cell) bool { return string(a) == string(b) }) {
		p.clustering, p.returned = slices.Clone(clustering), p.returned[:0]
	}
	p.returned = append(p.returned, partition)
}

// has reports whether a row was returned.
func (p *tie) has(partition int, clustering cell.Row) bool {
	return slices.Contains(p.returned, partition) && slices.EqualFunc(p.clustering, clustering, func(a, b cell.Cell) bool { return string(a) == string(b) })
}

// state returns the place as the state of a token.
func (p *tie) state() []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(p.returned)))
	for _, i := range p.returned {
		out = binary.BigEndian.AppendUint32(out, uint32(i))
	}
	for _, c := range p.clustering {
		out = cell.AppendValue(out, c)
	}
	return out
}

// tieIn returns the place in the state of a token. A place that the query does not have is refused.
func (q Query) tieIn(state []byte) (p tie, err error) {
	if state == nil {
		return p, nil
	}
	if len(state) < 4 {
		return p, mapper.ErrPageToken
	}
	n := int(binary.BigEndian.Uint32(state))
	if state = state[4:]; n > len(q.partitions) || len(state) < 4*n {
		return p, mapper.ErrPageToken
	}
	for ; n > 0; n-- {
		i := int(binary.BigEndian.Uint32(state))
		if state = state[4:]; i >= len(q.partitions) {
			return p, mapper.ErrPageToken
		}
		p.returned = append(p.returned, i)
	}
	w := cell.Members(state)
	for w.More() {
		p.clustering = append(p.clustering, w.Next())
	}
	if w.Broken() || !q.has(p.clustering) {
		return p, mapper.ErrPageToken
	}
	return p, nil
}

// joined is the state of a read of several partitions with one request for all of them.
type joined struct {
	q    Query
	op   string
	at   tie
	size int  // rows of a request
	done bool // there are no more rows
	err  error
}

func (q Query) joined(op string, at tie, size int) *joined {
	return &joined{q: q, op: op, at: at, size: size}
}

// all yields the rows in clustering order. An error is yielded once, without a row, as the last element.
func (j *joined) all(ctx context.Context) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		for !j.done {
			more, err := j.read(ctx, func(row cell.Row) bool { return yield(row, nil) })
			if err != nil {
				j.err = err
				yield(nil, err)
				return
			}
			if !more {
				return
			}
		}
	}
}

// read reads the rows after the place, at least as many as a request has unless there are no more. It reports whether to continue.
func (j *joined) read(ctx context.Context, yield func(cell.Row) bool) (bool, error) {
	reads, live := j.reads(), 0
	for k, read := range reads {
		rows, err := j.send(ctx, &read)
		if err != nil {
			return false, err
		}
		returned := false
		for i, row := range rows {
			partition := j.partition(row)
			clustering := row[read.Table.Partition:read.Table.Key]
			if clustering[len(clustering)-1] == nil || j.at.has(partition, clustering) { // only static values, or returned before
				continue
			}
			j.at.add(partition, clustering)
			if !j.q.r.Omits(row) {
				live++
			}
			returned = true
			if !yield(row) {
				j.done = k == len(reads)-1 && i == len(rows)-1 && len(rows) < read.Limit
				return false, nil
			}
		}
		switch {
		case len(rows) < read.Limit:
		case !returned: // the next request would be the same
			return false, j.q.r.WrapError(j.op, nil, fmt.Errorf("the server has returned the limit of %d rows from the last row on, and all of them were returned before, so "+
				"there is no next request: use OfEach without Together", len(rows)))
		default:
			j.grow(live)
			return true, nil
		}
	}
	j.done = true
	return false, nil
}

// grow doubles the number of rows of the next requests if most rows of the last one are left out, because their roots are deleted.
func (j *joined) grow(live int) {
	if 2*live < j.size {
		j.size = max(j.size, min(2*j.size, mergedPage))
	}
}

// reads returns the reads of the rows at the place and after it, one after the other.
func (j *joined) reads() []store.Read {
	var after *mergePlace
	if j.at.clustering != nil {
		after = &mergePlace{partition: -1, clustering: j.at.clustering}
	}
	reads := j.q.readsAfter(after, 0, -1)
	last := j.q.r.Codec.Table.Partition - 1
	values := cell.AppendCount(nil, len(j.q.partitions))
	for _, key := range j.q.partitions {
		values = cell.AppendValue(values, key[last])
	}
	for i := range reads {
		r := &reads[i]
		r.Key, r.Together = slices.Clone(r.Key), true
		r.Key[last] = values
		r.Limit = j.size + len(j.at.returned)
		if r.Table.HasStatics() { // a partition can have a row without a clustering key
			r.Limit += len(j.q.partitions)
		}
	}
	return reads
}

// partition returns the place of the partition of a row.
func (j *joined) partition(row cell.Row) int {
	last := j.q.r.Codec.Table.Partition - 1
	return slices.IndexFunc(j.q.partitions, func(key cell.Row) bool { return string(key[last]) == string(row[last]) })
}

// send sends a request, and returns its rows. The time limit of a call applies to it.
func (j *joined) send(ctx context.Context, read *store.Read) (rows []cell.Row, err error) {
	r := j.q.r
	ctx, stop, err := r.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	ctx, end := r.DB.TraceRead(ctx, j.op, read)
	page, err := r.DB.Store.Page(ctx, *read, nil)
	if err == nil {
		for row, failed := range page.All() {
			if err = failed; err != nil {
				break
			}
			rows = append(rows, slices.Clone(row))
		}
	}
	if end(err, len(rows)); err != nil {
		return nil, r.WrapError(j.op, nil, err)
	}
	return rows, nil
}

// joinedAll yields the rows of several partitions, as [Query.All] does.
func (q Query) joinedAll(ctx context.Context, op string, yield func(any, error) bool) {
	left := math.MaxInt
	if q.limit > 0 {
		left = int(q.limit)
		yield = atMost(left, yield)
	}
	j := q.joined(op, tie{}, q.nextPageSize(left))
	if _, err := q.r.rows(q.rows(ctx, op, j.all(ctx)), yield); err != nil {
		yield(nil, j.wrap(err))
	}
}

// joinedPage reads a page of the rows of several partitions, as [Query.Page] does.
func (q Query) joinedPage(ctx context.Context, op, token string, add func(any)) (string, error) {
	asked := asked{Read: q.joined(op, tie{}, int(q.limit)).reads()[0], partitions: q.partitions}
	state, err := q.r.DB.tokens.read(&asked, token)
	left := math.MaxInt32
	if err == nil && q.limit > 0 {
		left, state, err = cutLeft(int(q.limit), state)
	}
	var at tie
	if err == nil {
		at, err = q.tieIn(state)
	}
	if err != nil {
		return "", q.r.WrapError(op, nil, err)
	}
	size := q.nextPageSize(left)
	j := q.joined(op, at, size)
	n, err := q.r.rows(q.rows(ctx, op, j.all(ctx)), atMost(size, func(v any, _ error) bool { add(v); return true }))
	if err != nil {
		return "", j.wrap(err)
	}
	var next []byte
	if !j.done {
		next = j.at.state()
	}
	if q.limit > 0 {
		next = appendLeft(left-n, next)
	}
	return q.r.DB.tokens.write(&asked, next), nil
}

// wrap adds the operation to an error that is not of a request.
func (j *joined) wrap(err error) error {
	if j.err != nil {
		return j.err
	}
	return j.q.r.WrapError(j.op, nil, err)
}
