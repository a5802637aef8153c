package save

import (
	"cmp"
	"errors"
	"sync"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// errTaken is the error of a root some of whose holders other processes let follow.
var errTaken = errors.New("other processes let the holders follow")

// serveHolders lets the holders of a row follow a state of it, those of several buckets at the same time where places are free.
func (x *fanOut) serveHolders(w Outbox, s *plan.State) error {
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for _, b := range w.buckets() {
		x.places.spread(&all, func() {
			err := w.serveBucket(b, s.Outbox, nil, func(cell.Row) error { return nil })
			mu.Lock()
			defer mu.Unlock()
			failed = cmp.Or(failed, err)
		})
	}
	all.Wait()
	return failed
}
