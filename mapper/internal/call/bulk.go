package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

const (
	openValues = 1000    // limit of InsertAll: values in groups that are not sent yet
	openBytes  = 1 << 20 // their size
)

// InsertAll inserts the values of a sequence. Values of one partition that are near each other in the sequence share a batch
// within mapper.Config.BatchLimit, if the root has no copies and no static columns; any other value is written as by
// [Root.Insert]. It reads the next values of the sequence only while it can send requests. It ends at the first error: of the
// sequence, of a value, or of a write. Values before an error of the sequence or of a value are written. The time limit of a call
// applies to each batch.
func (r Root) InsertAll(ctx context.Context, values iter.Seq2[any, error], config mapper.BulkConfig) mapper.BulkResult {
	_, end, err := r.BeginWrite(ctx, "InsertAll")
	if err != nil {
		return mapper.BulkResult{Err: err}
	}
	end()
	if config.Parallel < 0 || values == nil {
		return mapper.BulkResult{Err: r.WrapError("InsertAll", nil, refusedBulk(config))}
	}
	t := r.Codec.Table
	b := &bulk{r: r, ctx: ctx, config: config, groups: len(r.Aggregate.Copies) == 0 && t.InsertStatic == "" && t.Key > t.Partition,
		open: map[string]*group{}, stop: make(chan struct{}), beyond: map[int]bool{}, known: CopiedTargets{}}
	b.run(values, r.DB.Env.Parallel(cmp.Or(config.Parallel, mapper.DefaultBulkParallel)))
	return b.result()
}

func refusedBulk(config mapper.BulkConfig) error {
	if config.Parallel < 0 {
		return fmt.Errorf("mapper.BulkConfig.Parallel is %d: use 1 or more, or 0 for %d", config.Parallel, mapper.DefaultBulkParallel)
	}
	return errors.New("the sequence is nil")
}

// bulk is a call of InsertAll.
type bulk struct {
	r      Root
	ctx    context.Context
	config mapper.BulkConfig
	groups bool // values of one partition share a batch
	known  CopiedTargets

	// Of the goroutine that reads the sequence.
	open   map[string]*group // keys: the partitions
	order  []*group          // the open groups, the oldest first
	values int               // number of values in open groups
	bytes  int
	next   chan *group // nil: groups are sent by the goroutine that reads

	stop    chan struct{} // closed by the first error of a write
	mu      sync.Mutex
	written int          // the first values, all of which are written
	count   int          // all values that are written
	beyond  map[int]bool // the values after the first ones that are written or can be written
	err     error
}

// group is a batch of values.
type group struct {
	c         change
	mutations []plan.Mutation
	bytes     int
	positions []int
	partition string
	keys      map[string]bool
}

// run reads the sequence, and sends the values.
func (b *bulk) run(values iter.Seq2[any, error], parallel int) {
	if parallel == 1 {
		b.read(values)
		return
	}
	b.next = make(chan *group)
	var wg sync.WaitGroup
	for range parallel {
		wg.Go(func() {
			exited := true
			defer func() {
				if exited { // otherwise read would wait for a goroutine that takes the next group
					b.fail(b.r.WrapError("InsertAll", nil, ErrExited))
				}
			}()
			for g := range b.next {
				b.send(g)
			}
			exited = false
		})
	}
	defer wg.Wait()
	defer close(b.next)
	b.read(values)
}

// read adds each value to a group. In the end it sends the groups that are open, unless a write has failed.
func (b *bulk) read(values iter.Seq2[any, error]) {
	position, refused := 0, error(nil)
	for v, err := range values {
		if b.failed() {
			return
		}
		if refused = cmp.Or(err, b.ctx.Err()); refused == nil {
			refused = b.add(position, v)
		}
		if refused != nil {
			break
		}
		position++
	}
	for len(b.order) > 0 && !b.failed() {
		b.flush(b.order[0])
	}
	if refused != nil {
		b.fail(refused)
	}
}

// failed reports whether a write has failed.
func (b *bulk) failed() bool {
	select {
	case <-b.stop:
		return true
	default:
		return false
	}
}

// add plans the insert of a value, and adds it to the group of its partition.
func (b *bulk) add(position int, v any) error {
	t := b.r.Codec.Table
	if v == nil {
		return &mapper.ConstraintError{Aggregate: t.Aggregate, Table: t.Name, Violations: []mapper.Violation{{Path: fmt.Sprintf("[%d]", position), Problem: "is a nil pointer"}}}
	}
	c, err := b.r.newInsert("InsertAll", v)
	if err == nil {
		err = b.fill(c, v)
	}
	if err == nil {
		var mutations []plan.Mutation
		if mutations, err = b.r.plan(c, v); err == nil {
			b.put(position, c, mutations)
		}
	}
	if err != nil {
		return fmt.Errorf("mapper: InsertAll: value %d: %w", position, err)
	}
	return nil
}

// fill sets the copied fields of a value. It remembers the rows of other roots that it has read, because their fields never change.
func (b *bulk) fill(c *change, v any) error {
	if len(b.r.Aggregate.Copied) == 0 {
		return nil
	}
	ctx, end, err := b.r.Begin(b.ctx)
	if err != nil {
		return err
	}
	defer end()
	c.new, err = b.r.fillCopied(ctx, c.op, nil, c.new, v, b.known)
	return err
}

// put adds the mutations of a value to the open group of its partition. A group has at most one value of each row, and its size
// is within the limit of a batch.
func (b *bulk) put(position int, c *change, mutations []plan.Mutation) {
	t, size := b.r.Codec.Table, totalSize(mutations)
	m := &plan.Mutation{Table: t, Row: c.new}
	partition, key := mutationKey(m, t.Partition), mutationKey(m, t.Key)
	g := b.open[partition]
	if g != nil && (g.keys[key] || g.bytes+size > b.r.DB.Config.BatchLimit || len(g.mutations) == maxStatements) {
		b.flush(g)
		g = nil
	}
	if g == nil {
		g = &group{c: *c, partition: partition, keys: map[string]bool{}}
		b.open[partition], b.order = g, append(b.order, g)
	}
	g.mutations, g.bytes, g.positions, g.keys[key] = append(g.mutations, mutations...), g.bytes+size, append(g.positions, position), true
	b.values, b.bytes = b.values+1, b.bytes+size
	for len(b.order) > 0 && (!b.groups || b.values > openValues || b.bytes > openBytes) {
		b.flush(b.order[0])
	}
}

// flush sends an open group. Its timestamp is after the timestamps of the groups that were sent before: if two values have one
// row, the later value wins.
func (b *bulk) flush(g *group) {
	delete(b.open, g.partition)
	b.order = slices.DeleteFunc(b.order, func(o *group) bool { return o == g })
	b.values, b.bytes = b.values-len(g.positions), b.bytes-g.bytes
	if n := len(g.positions); n > 1 {
		g.c.writes = n
	}
	var err error
	if g.c.at, err = b.r.DB.timestamp(&g.c, MaxAttempts-1); err != nil {
		b.done(g, b.r.WrapError("InsertAll", g.c.new, err))
		return
	}
	if b.next == nil {
		b.send(g)
		return
	}
	select {
	case b.next <- g:
	case <-b.stop:
	}
}

// send sends a group.
func (b *bulk) send(g *group) {
	err := ErrExited // a tracer can end the goroutine
	defer func() { b.done(g, err) }()
	ctx, end, refused := b.r.Begin(b.ctx)
	if refused != nil {
		err = refused
		return
	}
	defer end()
	err = b.r.DB.write(ctx, &g.c, b.r.Codec.Table, g.mutations)
}

// done counts the values of a group. If a tracer has ended the goroutine, it is unknown whether they are written.
func (b *bulk) done(g *group, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil || err == ErrExited || mapper.OutcomeUnknown(err) {
		for _, p := range g.positions {
			b.beyond[p] = err == nil
		}
	}
	for b.beyond[b.written] {
		delete(b.beyond, b.written)
		b.written++
	}
	if err != nil {
		b.failLocked(fmt.Errorf("mapper: InsertAll: %s: %w", positionsText(g.positions), err))
		return
	}
	b.count += len(g.positions)
	if b.config.Progress != nil {
		b.config.Progress(b.count)
	}
}

// fail keeps the first error.
func (b *bulk) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failLocked(err)
}

func (b *bulk) failLocked(err error) {
	if b.err == nil {
		b.err = err
		close(b.stop)
	}
}

// result returns the result of the call after all groups have ended.
func (b *bulk) result() mapper.BulkResult {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := mapper.BulkResult{Written: b.written, Err: b.err}
	all := make([]int, 0, len(b.beyond))
	for p := range b.beyond {
		all = append(all, p)
	}
	slices.Sort(all)
	for _, p := range all {
		if n := len(out.Unknown); n > 0 && out.Unknown[n-1][1] == p {
			out.Unknown[n-1][1]++
		} else {
			out.Unknown = append(out.Unknown, [2]int{p, p + 1})
		}
	}
	return out
}

// positionsText returns the positions of the values of a group: value 3, or values 3 to 9.
func positionsText(positions []int) string {
	first, last := positions[0], positions[len(positions)-1]
	if first == last {
		return fmt.Sprintf("value %d", first)
	}
	return fmt.Sprintf("%d values, %d to %d", len(positions), first, last)
}
