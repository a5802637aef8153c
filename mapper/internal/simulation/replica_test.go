package simulation

import (
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// centre is a data centre, as its quorum reads see it. A conditional statement takes place in world.db when it is accepted. It
// reaches a quorum of the replicas of a centre later: at the latest with the next serial read or conditional statement of the partition
// by a client of the centre. Until then a read in the centre can miss it.
type centre struct {
	db   store.Store
	lag  map[string][]func() // by partition: what has not reached the centre, in order
	seen map[string]bool     // the rows of partitions with a lag that a read has found there: no later read of them misses it
}

// replicate draws data centres, and faults under which the guarantees of versioned roots hold: longer stalls, larger differences of clocks,
// and another gc_grace_seconds. It must be called before the first store is opened.
func (w *world) replicate() {
	if w.stalling = 8_000_000; w.chance(20) {
		w.stalling = time.Hour.Microseconds()
	}
	if w.chance(20) {
		w.skew = (20 * time.Minute).Microseconds()
	}
	if w.chance(30) {
		w.gcGrace = []time.Duration{24 * time.Hour, 30 * 24 * time.Hour}[w.rng.IntN(2)]
	}
	if w.chance(50) {
		w.addCentres(1 + w.rng.IntN(2))
	}
}

// addCentres adds data centres that have the same rows.
func (w *world) addCentres(n int) {
	for range n {
		w.centres = append(w.centres, &centre{lag: map[string][]func(){}, seen: map[string]bool{}})
	}
}

// openCentres opens the databases of the centres.
func (w *world) openCentres(schema *descriptor.Schema) {
	for _, x := range w.centres {
		db, err := memory.New(memory.Config{Now: func() time.Time { return time.UnixMicro(w.now) }}).Open(w.t.Context(), schema)
		require.NoError(w.t, err)
		x.db = db
	}
}

// changed records that each centre lacks a conditional statement that was applied.
func (w *world) changed(x *plan.Conditional, o store.CAS) {
	partition := partitionOf(x.Table, x.Row)
	for _, at := range w.centres {
		at.lag[partition] = append(at.lag[partition], func() {
			if answer, err := at.db.CAS(w.t.Context(), x, o); err != nil || !answer.Applied {
				w.failf("a statement that was applied is refused in a centre: %v", err)
			}
		})
		if !w.frozen {
			w.late = append(w.late, late{run: func() { at.receive(partition) }})
		}
	}
}

// applyIn carries out mutations in a data centre: sometimes late, if there are others and the client waits for none of this one.
func (w *world) applyIn(x *centre, now bool, mutations []plan.Mutation, o store.Write) {
	run := func() {
		if err := x.db.Apply(w.t.Context(), mutations, o); err != nil {
			w.failf("apply in a data centre: %v", err)
		}
	}
	if !now && len(w.centres) > 1 && !w.frozen && w.chance(30) {
		w.late = append(w.late, late{run: run})
		return
	}
	run()
}

// receive brings all conditional statements of a partition to a centre.
func (x *centre) receive(partition string) {
	if x == nil || len(x.lag[partition]) == 0 {
		return
	}
	all := x.lag[partition]
	delete(x.lag, partition)
	clear(x.seen)
	for _, run := range all {
		run()
	}
}

// receiveAll brings all conditional statements to a centre.
func (x *centre) receiveAll() {
	for partition := range x.lag {
		x.receive(partition)
	}
}

// complete completes the conditional statements of a partition that are in flight, for a serial read or a conditional statement. With
// several centres, the quorum of a serial request can include less than a quorum of the client's own centre.
func (c *client) complete(partition string) {
	c.w.decide(partition)
	if !c.w.frozen && (len(c.w.centres) == 1 || c.w.chance(50)) {
		c.centre.receive(partition)
	}
}

// acknowledge brings a conditional statement that was applied to the client's centre, and often to the others. Before that the client can
// wait for its turn: then other clients send requests while the statement is in flight.
func (c *client) acknowledge(partition string, answer store.Answer) (store.Answer, error) {
	w := c.w
	if c.centre == nil {
		return answer, nil
	}
	if !c.calm && w.chance(25) {
		w.logf("%s waits for an answer", c.name)
		if c.yield(); c.dead {
			return store.Answer{}, unknown()
		}
	}
	if answer.Applied {
		c.centre.receive(partition)
	}
	for _, x := range w.centres {
		if !w.frozen && w.chance(50) {
			x.receive(partition)
		}
	}
	return answer, nil
}

// reads returns the database that a read of the client sees: a serial read that which has everything, and so a read at QUORUM, because only reverse
// tables are read so, and they are written so. Another read of a partition that lags
// behind in the client's centre can miss what has not reached the centre. If it finds it in a row, later reads of the row find it too.
func (c *client) reads(r *store.Read) store.Store {
	w, x := c.w, c.centre
	switch {
	case x == nil || r.Serial() || r.Consistency == driver.Quorum:
		return w.db
	case w.frozen:
		return x.db
	case len(r.Key) < r.Table.Partition:
		return c.readsAll()
	}
	partition := partitionOf(r.Table, r.Key)
	row := partition + rowText(r.Key)
	switch {
	case len(x.lag[partition]) == 0 || w.chance(50) && !x.seen[row]:
		if len(x.lag[partition]) > 0 && c.current != nil {
			c.current.missed = true
		}
		return x.db
	case len(r.Key) < r.Table.Key:
		x.receive(partition)
	default:
		x.seen[row] = true
		return w.db
	}
	return x.db
}

// readsAll returns the database that a read of several partitions sees.
func (c *client) readsAll() store.Store {
	if c.w.chance(50) {
		return c.centre.db
	}
	return c.w.db
}

// refused returns the error of a request that was not sent, or that the servers have refused because too few replicas were available. It
// returns nil for most requests.
func (w *world) refused() error {
	if !w.refusals || !w.chance(6) {
		return nil
	}
	if w.chance(50) {
		return refusedError()
	}
	return &store.Error{Outcome: store.NotSent, Err: &driver.Error{Class: driver.NotConnected, Err: errors.New("no connection")}}
}

func refusedError() error {
	return &store.Error{Outcome: store.Refused, Err: answered(driver.CodeUnavailable, driver.Serial)}
}

// byPartition returns the mutations of a batch in groups, each of one partition key: the servers apply such a group, even of several
// tables, as one mutation.
func byPartition(mutations []plan.Mutation) (out [][]plan.Mutation) {
	at := map[string]int{}
	for _, m := range mutations {
		var key string
		for i := range m.Table.Partition {
			key += rowText(cell.Row{*m.Cell(i)})
		}
		i, found := at[key]
		if !found {
			i, at[key] = len(out), len(out)
			out = append(out, nil)
		}
		out[i] = append(out[i], m)
	}
	return out
}
