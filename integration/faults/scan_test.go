package faults

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/testdata/golden/counters"
	"github.com/cassaml/cassaml/mapper"
)

// steadyRows is the number of rows that exist during all scans.
const steadyRows = 60

// scanner scans a table while its rows are written, and while nodes are killed and restarted.
type scanner struct {
	store *counters.Store
	scans int
	err   error // of the first scan that failed or missed a row
}

// newScanner inserts rows that no writer changes.
func newScanner(t *testing.T, store *counters.Store) *scanner {
	t.Helper()
	for i := range steadyRows {
		require.NoError(t, store.Visits.Add(t.Context(), steady(i), counters.VisitsDelta{Number: 1}))
	}
	return &scanner{store: store}
}

func steady(i int) string { return fmt.Sprint("steady ", i) }

// beside scans until stop is called, which returns after the last scan.
func (s *scanner) beside(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	var scanning sync.WaitGroup
	scanning.Go(func() {
		for s.err == nil {
			s.err = s.scan(ctx)
			s.scans++
			select {
			case <-done:
				return
			default:
			}
		}
	})
	return func() {
		close(done)
		scanning.Wait()
	}
}

// scan returns an error unless a scan has each row that exists all the time, once.
func (s *scanner) scan(ctx context.Context) error {
	var mu sync.Mutex
	seen := map[string]int{}
	err := s.store.Visits.Scan(ctx, mapper.ScanConfig{Slices: 16}, func(_ context.Context, v *counters.Visits) error {
		mu.Lock()
		defer mu.Unlock()
		seen[v.Page]++
		return nil
	})
	if err != nil {
		return err
	}
	for i := range steadyRows {
		if n := seen[steady(i)]; n != 1 {
			return fmt.Errorf("the scan has row %q %d times", steady(i), n)
		}
	}
	return nil
}
