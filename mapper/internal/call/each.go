package call

import (
	"context"
	"errors"
	"math"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// WhereEach returns a query of the rows of several partitions, merged in clustering order. keys contains the partition keys, one
// after the other. Equal keys are one partition.
func (r Reader) WhereEach(keys *cell.Encoder) Query {
	s := &selection{r: r, err: ErrNotOpen}
	if r.DB == nil {
		return Query{selection: s}
	}
	s.partitions, s.err = r.distinctPartitions(keys)
	if s.key = r.Codec.Table.Prefix(make(cell.Row, r.Codec.Table.Partition)); len(s.partitions) > 0 {
		s.key = s.partitions[0]
	}
	return Query{selection: s}
}

// distinctPartitions returns the partition keys without repetitions, each at the place where it occurs first.
func (r Reader) distinctPartitions(keys *cell.Encoder) ([]cell.Row, error) {
	t := r.Codec.Table
	cells, err := keys.Cells(nil)
	if err != nil {
		return nil, r.refusedKeys(err)
	}
	out := make([]cell.Row, 0, len(cells)/t.Partition)
	seen := make(map[string]bool, cap(out))
	var faults []mapper.Violation
	for i := range cap(out) {
		key := cells[i*t.Partition : (i+1)*t.Partition : (i+1)*t.Partition]
		t.Canonical(key)
		if err := r.DB.CheckKey(t, key); err != nil {
			if faults, err = addPlace(faults, i, err); err != nil {
				return nil, err
			}
			continue
		}
		if text := KeyString(key, len(key)); !seen[text] {
			seen[text] = true
			out = append(out, t.Prefix(key))
		}
	}
	return out, r.DB.ConstraintError(t, nil, faults, nil)
}

// refusedKeys returns the error of partition keys that cannot be encoded. Each fault has the place of its key.
func (r Reader) refusedKeys(err error) error {
	var encoding cell.Faults
	if !errors.As(err, &encoding) {
		return err
	}
	var faults []mapper.Violation
	for _, f := range encoding {
		place := f.Path[0].Member / r.Codec.Table.Partition
		f.Path[0].Member %= r.Codec.Table.Partition
		one := r.DB.ConstraintError(r.Codec.Table, nil, nil, cell.Faults{f})
		if faults, err = addPlace(faults, place, one); err != nil {
			return err
		}
	}
	return r.DB.ConstraintError(r.Codec.Table, nil, faults, nil)
}

// named returns the key of the query for messages: nil for several partitions.
func (s *selection) named() cell.Row {
	if s.partitions != nil {
		return nil
	}
	return s.key
}

// partition returns the query of one of several partitions.
func (q Query) partition(place int) Query {
	key := q.partitions[place]
	q.together = false
	q, s := q.changed()
	s.key, s.partitions = append(key[:len(key):len(key)], s.key[len(key):]...), nil
	return q
}

// eachPartition calls do with the query of each partition, one after the other, until an error.
func (q Query) eachPartition(do func(Query) error) error {
	for place := range q.partitions {
		if err := do(q.partition(place)); err != nil {
			return err
		}
	}
	return nil
}

// eachAll yields the rows of several partitions, as [Query.All] does.
func (q Query) eachAll(ctx context.Context, op string, yield func(any, error) bool) {
	if q.together && len(q.partitions) > 0 {
		q.joinedAll(ctx, op, yield)
		return
	}
	m := q.merge(ctx, op, int(q.limit))
	defer m.end()
	if q.limit > 0 {
		yield = atMost(int(q.limit), yield)
	}
	m.begin(nil)
	if _, err := q.r.rows(q.rows(ctx, op, m.all), yield); err != nil {
		yield(nil, m.wrap(err))
	}
}

// eachPage reads a page of the rows of several partitions, as [Query.Page] does.
func (q Query) eachPage(ctx context.Context, op, token string, add func(any)) (string, error) {
	if len(q.partitions) == 0 && token == "" {
		return "", nil
	}
	if q.together && len(q.partitions) > 0 {
		return q.joinedPage(ctx, op, token, add)
	}
	asked := asked{Read: q.read(), partitions: q.partitions}
	state, err := q.r.DB.tokens.read(&asked, token)
	left := math.MaxInt32
	if err == nil && q.limit > 0 {
		left, state, err = cutLeft(int(q.limit), state)
	}
	var after *mergePlace
	if err == nil {
		after, err = q.placeIn(state)
	}
	if err != nil {
		return "", q.r.WrapError(op, nil, err)
	}
	size := q.nextPageSize(left)
	m := q.merge(ctx, op, size)
	defer m.end()
	m.begin(after)
	n, err := q.r.rows(q.rows(ctx, op, m.all), atMost(size, func(v any, _ error) bool { add(v); return true }))
	if err != nil {
		return "", m.wrap(err)
	}
	var next []byte
	if m.more() {
		next = m.at.state()
	}
	if q.limit > 0 {
		next = appendLeft(left-n, next)
	}
	return q.r.DB.tokens.write(&asked, next), nil
}

// eachFirst returns the first row of several partitions, as [Query.First] does.
func (q Query) eachFirst(ctx context.Context, op string) (v any, err error) {
	q.eachAll(ctx, op, func(row any, failed error) bool {
		v, err = row, failed
		return false
	})
	return q.r.Existing(op, nil)(v, err)
}

// eachCount returns the number of rows of several partitions, as [Query.Count] does.
func (q Query) eachCount(ctx context.Context, op string) (n int, err error) {
	err = q.eachPartition(func(one Query) error {
		if q.limit > 0 {
			if one.limit -= int32(n); one.limit == 0 {
				return nil
			}
		}
		of, err := one.Count(ctx, op)
		n += of
		return err
	})
	return n, err
}
