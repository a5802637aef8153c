package save

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/work"
)

// errTaken is the error of a root of which other processes update some holders.
var errTaken = errors.New("other processes update the holders")

// serveHolders lets the holders of a row follow a state of it. If they are more than Config.FanOutInline, it leases each bucket, so that other
// processes serve other buckets.
func (x *fanOut) serveHolders(w Outbox, s *plan.State) error {
	limit := x.db.Config.FanOutInline
	if limit < 0 {
		limit = mapper.DefaultFanOutInline
	}
	few, more, err := w.first(limit)
	switch {
	case err != nil:
		return err
	case !more:
		return w.serveRows(few, s.Outbox)
	}
	f := &followers{run: x, w: w, version: s.Outbox, job: w.job()}
	if x.slots != nil {
		if f.queue, err = x.slots.Queue(w.Ctx, f.job); err != nil {
			return err
		}
	}
	return f.serve()
}

// job returns the job of the leases of the buckets of a row: a phase for each reverse table, and a slice for each bucket. The name of the job
// has a hash of the key of the row, which can be secret, and longer than a key of the table of jobs.
func (w Outbox) job() work.Job {
	var key []byte
	for _, c := range w.Key[:w.Codec.Table.Key] {
		key = cell.AppendValue(key, c)
	}
	hash := sha256.Sum256(key)
	job := work.Job{Name: "fan-out " + w.Codec.Table.Name + " " + hex.EncodeToString(hash[:])}
	for _, b := range w.buckets() {
		if p := b.phase(); !slices.Contains(job.Phases, p) {
			job.Phases = append(job.Phases, p)
		}
	}
	return job
}

func (b *holderBucket) phase() work.Phase {
	return work.Phase{Name: "fan-out", Table: b.CheckedReference.Table.Name}
}

// followers is the fan-out of one row with many holders.
type followers struct {
	run     *fanOut
	w       Outbox
	version plan.Version // the outbox that is served
	job     work.Job
	queue   *work.Queue // nil: no other process sees the database
}

// serve serves the buckets, and afterwards those that other processes have had in the meantime. It returns errTaken if others still have some.
func (f *followers) serve() error {
	left := f.w.buckets()
	first := int(f.w.DB.Env.Elapsed().Microseconds() % int64(len(left))) // so that processes that start together look at different buckets
	left = append(left[first:], left[:first]...)
	for {
		taken, err := f.serveBuckets(left)
		switch {
		case len(taken) == 0 || err != nil:
			return err
		case len(taken) == len(left):
			return errTaken
		}
		left = taken
	}
}

// serveBuckets serves buckets, several at the same time where places are free. It returns the buckets that other processes have.
func (f *followers) serveBuckets(all []holderBucket) (taken []holderBucket, failed error) {
	var running sync.WaitGroup
	var mu sync.Mutex
	for _, b := range all {
		f.run.places.spread(&running, func() {
			err := call.ErrExited
			defer func() {
				mu.Lock()
				defer mu.Unlock()
				if errors.Is(err, errTaken) {
					taken = append(taken, b)
				} else {
					failed = cmp.Or(failed, err)
				}
			}()
			err = f.serveBucket(&b)
		})
	}
	running.Wait()
	return taken, failed
}

// served is the checkpoint of a bucket.
type served struct {
	Outbox plan.Version `json:"outbox"`          // the outbox that was served: the checkpoint says nothing about another one
	After  cell.Row     `json:"after,omitempty"` // the key of the last holder up to which all have followed
	All    bool         `json:"all,omitempty"`   // all holders have followed
}

func (c served) text() ([]byte, error) { return json.Marshal(c) }

// checkpoint returns the checkpoint of a bucket for the outbox that is served.
func (f *followers) checkpoint(text []byte) (c served, err error) {
	if text != nil {
		err = json.Unmarshal(text, &c)
	}
	if c.Outbox != f.version {
		c = served{Outbox: f.version}
	}
	return c, err
}

// serveBucket lets the holders of a bucket follow, beginning after the checkpoint. It returns errTaken if another process has the bucket. A lease
// only prevents double work. A bucket is served when all its holders have followed, whoever has let them follow.
func (f *followers) serveBucket(b *holderBucket) error {
	if f.queue == nil {
		return f.w.serveBucket(*b, f.version, nil, func(cell.Row) error { return nil })
	}
	slice, err := f.queue.ReadSlice(f.w.Ctx, slices.Index(f.job.Phases, b.phase()), int(b.number))
	if err != nil {
		return err
	}
	c, err := f.checkpoint(slice.Checkpoint)
	switch {
	case err != nil:
		return fmt.Errorf("the checkpoint of bucket %d of %s is damaged: %w", b.number, b.CheckedReference.Table.Name, err)
	case c.All:
		return nil
	case slice.Held:
		return errTaken
	}
	lease, err := slice.Lease(f.w.Ctx)
	switch {
	case err != nil:
		return err
	case lease == nil:
		return errTaken
	}
	return f.serveLeased(b, lease, c)
}

// serveLeased serves a bucket, and ends its lease.
func (f *followers) serveLeased(b *holderBucket, lease *work.Lease, c served) error {
	held, stop := lease.Keep(f.w.Ctx)
	defer stop() // a callback of the caller can end the goroutine
	w := f.w
	w.Call = w.Versioned.Call(held, w.Op, w.Key)
	err := w.serveBucket(*b, f.version, c.After, func(last cell.Row) error {
		c.After = last
		text, err := c.text()
		if err != nil {
			return err
		}
		return lease.Save(held, text)
	})
	lost := errors.Is(context.Cause(held), work.ErrLost)
	stop()
	if c.All = err == nil; lost && err != nil || errors.Is(err, work.ErrLost) {
		return errTaken
	}
	text, failed := c.text()
	if failed != nil {
		return errors.Join(err, failed)
	}
	if unreleased := lease.ReleaseAt(f.w.Ctx, text); !errors.Is(unreleased, work.ErrLost) {
		err = errors.Join(err, unreleased)
	}
	return err
}
