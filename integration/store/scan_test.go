package store

import (
	"context"
	"errors"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/testdata/golden/counters"
	"github.com/cassaml/cassaml/examples/quickstart/shop"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/memory"
)

// scanOf is the method Scan of a table.
type scanOf[T any] = func(context.Context, mapper.ScanConfig, func(context.Context, *T) error) error

// scanned returns the rows of a scan.
func scanned[T any](t *testing.T, scan scanOf[T], c mapper.ScanConfig) (rows []*T) {
	t.Helper()
	var mu sync.Mutex
	require.NoError(t, scan(t.Context(), c, func(_ context.Context, v *T) error {
		mu.Lock()
		defer mu.Unlock()
		rows = append(rows, v)
		return nil
	}))
	return rows
}

// scans are the ways in which tests scan a table.
var scans = []mapper.ScanConfig{{}, {Slices: 1, Parallel: 1}, {Slices: 7, Parallel: 3}}

// requireScanned requires that a table has the given rows, and that the statement of each request is the one of aml explain.
func requireScanned[T any](t *testing.T, of *explain.Table, sent *storetest.Requests, scan scanOf[T], all []*T, want ...*T) {
	t.Helper()
	require.ElementsMatch(t, want, all)
	op := "All"
	for i := -1; i < len(scans); i++ {
		if i >= 0 {
			op = "Scan"
			require.ElementsMatch(t, want, scanned(t, scan, scans[i]))
		}
		for _, r := range sent.Drain() {
			require.Equal(t, op, r.Op)
			if of != nil {
				require.Equal(t, operation(t, of, op).Requests[0].Writes[0].Statements[0].CQL, r.Statements[0].CQL)
			}
		}
	}
}

// A scan reads the rows that the other methods read: it leaves out deleted roots and partitions that have only static values.
func TestScanOfVersionedRootsAndTheirParts(t *testing.T) {
	root, part := explained(t, "../models/auction", "auctions"), explainedStruct(t, "../models/auction", "Bid")
	onAuctions(t, func(t *testing.T, s *auction.Store, sent *storetest.Requests) {
		ctx := t.Context()
		var auctions []*auction.Auction
		for id := range int32(4) {
			a := newAuction(id)
			require.NoError(t, s.Auctions.Insert(ctx, a))
			auctions = append(auctions, a)
		}
		low, high, gone := bid(1, 5, "Ana"), bid(1, 7, "Bia"), bid(3, 9, "Eva")
		for _, b := range []*auction.Bid{low, high, gone} {
			a, err := s.Auctions.Update(ctx, b.AuctionID, func(_ *anAuction, p *itsParts) error {
				p.Bid.Insert(b)
				return nil
			})
			require.NoError(t, err)
			auctions[b.AuctionID] = a
		}
		require.NoError(t, s.Auctions.Delete(ctx, 3))
		sent.Drain()
		requireScanned(t, root, sent, s.Auctions.Scan, collected(t, s.Auctions.All(ctx, mapper.ScanConfig{})), auctions[:3]...)
		requireScanned(t, part, sent, s.Bid.Scan, collected(t, s.Bid.All(ctx, mapper.ScanConfig{})), low, high)
		requireScanned(t, nil, sent, s.BidNote.Scan, collected(t, s.BidNote.All(ctx, mapper.ScanConfig{})), &auction.BidNote{Cents: 5}, &auction.BidNote{Cents: 7})
		var copies []*auction.AuctionsBySeller
		for _, a := range auctions[:3] {
			copies = append(copies, &auction.AuctionsBySeller{Seller: a.Seller, ID: a.ID, Highest: a.Highest})
		}
		requireScanned(t, nil, sent, s.AuctionsBySeller.Scan, collected(t, s.AuctionsBySeller.All(ctx, mapper.ScanConfig{})), copies...)

		verified := s.With(mapper.Options{Verified: true}).AuctionsBySeller
		require.ElementsMatch(t, copies, scanned(t, verified.Scan, mapper.ScanConfig{Slices: 2}))
		require.Len(t, sent.Drain(), 2+len(copies), "a read of the root for each row")
		require.ElementsMatch(t, copies, collected(t, verified.All(ctx, mapper.ScanConfig{})))
		sent.Drain()
		for _, err := range []error{
			s.With(mapper.Options{Verified: true}).Auctions.Scan(ctx, mapper.ScanConfig{}, nil),
			s.With(mapper.Options{Serial: true}).Auctions.Scan(ctx, mapper.ScanConfig{}, nil),
			s.With(mapper.Options{Consistency: mapper.One}).Auctions.Scan(ctx, mapper.ScanConfig{}, nil),
		} {
			require.ErrorContains(t, err, "mapper: Scan Auction (auctions): ")
		}
		require.Empty(t, sent.Drain(), "nothing is sent")
	})
}

// explainedStruct has the explanation of the table of a struct.
func explainedStruct(t *testing.T, dir, name string) *explain.Table {
	t.Helper()
	m := modelOf(t, dir)
	all := explain.New(m, schema.New(m)).Tables
	i := slices.IndexFunc(all, func(x *explain.Table) bool { return x.Aggregate.Struct.Name == name })
	require.GreaterOrEqual(t, i, 0)
	return all[i]
}

// A scan of items, of their rows by color, and of views, leaves out a partition that has only static values.
func TestScanOfRootsCopiesAndViews(t *testing.T) {
	items, byColor := explained(t, "../models/stock", "items"), explained(t, "../models/stock", "items_by_color")
	sent := &storetest.Requests{}
	onBoth(t, mapper.Config{Tracer: sent}, func(t *testing.T, s *stock.Store) {
		ctx := t.Context()
		fill(t, s)
		require.NoError(t, s.Items.SetKeeper(ctx, "south", 7, "Rui"))
		var want []*stock.Item
		for _, i := range newItems() {
			got, err := s.Items.Get(ctx, i.Hall, i.Row, i.Place, i.Tier)
			require.NoError(t, err)
			want = append(want, got)
		}
		sent.Drain()
		all := collected(t, s.Items.All(ctx, mapper.ScanConfig{}))
		requireScanned(t, items, sent, s.Items.Scan, all, want...)
		require.Equal(t, all, scanned(t, s.Items.Scan, mapper.ScanConfig{Slices: 9, Parallel: 1}), "one goroutine reads in the order of tokens")
		sent.Drain()

		var copies []*stock.ItemByColor
		for _, color := range []string{"blue", "red"} {
			copies = append(copies, collected(t, s.ItemsByColor.Of(color).All(ctx))...)
		}
		sent.Drain()
		requireScanned(t, byColor, sent, s.ItemsByColor.Scan, collected(t, s.ItemsByColor.All(ctx, mapper.ScanConfig{})), copies...)
		var names []*stock.ColorName
		for _, c := range copies {
			names = append(names, &stock.ColorName{Name: c.Name})
		}
		requireScanned(t, nil, sent, s.ColorName.Scan, collected(t, s.ColorName.All(ctx, mapper.ScanConfig{})), names...)
		for range s.Tag.All(ctx, mapper.ScanConfig{}) {
		}
		require.Equal(t, "SELECT hall, row, place, tier, keeper, name, colors, sender, TOKEN(hall, row) FROM items WHERE TOKEN(hall, row) > ? AND TOKEN(hall, row) <= ?",
			sent.Drain()[0].Statements[0].CQL)
		require.Empty(t, scanned(t, s.Visits.Scan, mapper.ScanConfig{Slices: 3}), "an empty table")
		require.Len(t, sent.Drain(), 3)
	})
}

func TestScanOfCounters(t *testing.T) {
	t.Parallel()
	of := generated[*counters.Store]{schema.New(modelOf(t, countersModel)).CQL(), counters.Open, counters.OpenBackend}
	onStores(t, of, func(t *testing.T, s *counters.Store, sent *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Ratings.Add(ctx, film(1), day(1), 4, counters.RatingsDelta{Total: 1, Number: 1, Sum: 5}))
		require.NoError(t, s.Ratings.Add(ctx, film(2), day(1), 4, counters.RatingsDelta{Total: 2}))
		sent.Drain()
		want := &counters.Rating{VideoID: film(1), Day: day(1), Delta: 4, Total: 1, Number: 1, Sum: 5}
		requireScanned(t, explained(t, countersModel, "ratings"), sent, s.Ratings.Scan, collected(t, s.Ratings.All(ctx, mapper.ScanConfig{})), want)
	})
}

// guards inserts guards with the numbers 0 to n-1.
func guards(t *testing.T, s *stock.Store, n int) {
	t.Helper()
	for id := range n {
		require.NoError(t, s.Guards.Insert(t.Context(), &stock.Guard{ID: int32(id), Name: "Zé", Rank: 1}))
	}
}

func ignore(context.Context, *stock.Guard) error { return nil }

// Invalid configurations are refused before anything is sent.
func TestScanIsRefused(t *testing.T) {
	sent := &storetest.Requests{}
	onBoth(t, mapper.Config{Tracer: sent}, func(t *testing.T, s *stock.Store) {
		guards(t, s, 3)
		ctx, last := t.Context(), ""
		save := func(c string) error { last = c; return nil }
		require.NoError(t, s.Guards.Scan(ctx, mapper.ScanConfig{Slices: 4, SaveCheckpoint: save}, ignore))
		checkpoint := last
		sent.Drain()
		var faults []error
		for c, why := range map[*mapper.ScanConfig]string{
			{Slices: -1}:                        "0 slices at a time, 0 rows per second, -1 slices: use 1 or more, or 0",
			{Parallel: -2}:                      "-2 slices at a time, 0 rows per second, 0 slices: use 1 or more, or 0",
			{Rate: -3}:                          "0 slices at a time, -3 rows per second, 0 slices: use 1 or more, or 0",
			{Slices: 1 << 17}:                   "131072 slices are too many: use at most 65536",
			{Job: "x", Checkpoint: checkpoint}:  "mapper.ScanConfig.Job is not supported with Checkpoint and SaveCheckpoint",
			{Job: "x", SaveCheckpoint: save}:    "mapper.ScanConfig.Job is not supported with Checkpoint and SaveCheckpoint",
			{Checkpoint: checkpoint, Slices: 8}: "invalid checkpoint: it belongs to a scan of 4 slices, not 8",
			{Checkpoint: checkpoint[1:]}:        "invalid checkpoint: ",
		} {
			err := s.Guards.Scan(ctx, *c, ignore)
			require.ErrorContains(t, err, "mapper: Scan Guard (guards): "+why)
			require.Equal(t, c.Checkpoint != "" && c.Job == "", errors.Is(err, mapper.ErrCheckpoint), why)
			if c.Job == "" {
				for _, err := range s.Guards.All(ctx, *c) {
					faults = append(faults, err)
				}
			}
		}
		require.ErrorIs(t, s.GuardsByCode.Scan(ctx, mapper.ScanConfig{Checkpoint: checkpoint}, func(context.Context, *stock.GuardByCode) error { return nil }), mapper.ErrCheckpoint)
		require.EqualError(t, s.Guards.Scan(ctx, mapper.ScanConfig{}, nil), "mapper: Scan Guard (guards): the function is nil")
		for _, c := range []mapper.ScanConfig{{Slices: 2}, {Parallel: 2}, {Checkpoint: checkpoint}, {SaveCheckpoint: save}, {Job: "x"}} {
			for g, err := range s.Guards.All(ctx, c) {
				require.Nil(t, g)
				require.EqualError(t, err, "mapper: All Guard (guards): All accepts only Rate and Progress of mapper.ScanConfig: use Scan for the other fields")
				faults = append(faults, err)
			}
		}
		require.Len(t, faults, 6+5)
		require.ErrorContains(t, (&stock.Store{}).Guards.Scan(ctx, mapper.ScanConfig{}, ignore), "the store is not open")
		require.Empty(t, sent.Drain(), "nothing is sent")
		require.NoError(t, s.Guards.Scan(ctx, mapper.ScanConfig{Checkpoint: checkpoint}, ignore))
		require.Empty(t, sent.Drain(), "a scan that has ended")
	})
}

// An error of the function or of Save ends the scan after all other calls have returned. break ends All.
func TestScanEndsAtAnError(t *testing.T) {
	onBoth(t, mapper.Config{}, func(t *testing.T, s *stock.Store) {
		guards(t, s, 40)
		ctx, refused := t.Context(), errors.New("refused")
		var calls, ended, saved atomic.Int64
		err := s.Guards.Scan(ctx, mapper.ScanConfig{Parallel: 3, Slices: 6}, func(ctx context.Context, g *stock.Guard) error {
			if calls.Add(1) == 3 {
				return refused
			}
			<-ctx.Done()
			ended.Add(1)
			return ctx.Err()
		})
		require.Same(t, refused, err)
		require.Equal(t, calls.Load()-1, ended.Load(), "no call is left")

		err = s.Guards.Scan(ctx, mapper.ScanConfig{SaveCheckpoint: func(string) error { saved.Add(1); return refused }}, ignore)
		require.Same(t, refused, err)
		require.Equal(t, int64(1), saved.Load())

		n := 0
		for range s.Guards.All(ctx, mapper.ScanConfig{}) {
			if n++; n == 5 {
				break
			}
		}
		require.Equal(t, 5, n)
		ctx, cancel := context.WithCancel(ctx)
		require.ErrorIs(t, s.Guards.Scan(ctx, mapper.ScanConfig{}, func(context.Context, *stock.Guard) error { cancel(); return nil }), context.Canceled)
	})
}

// The progress counts slices and rows, also of a scan that continues, and Save is called by one goroutine at a time.
func TestScanReportsItsProgress(t *testing.T) {
	onBoth(t, mapper.Config{}, func(t *testing.T, s *stock.Store) {
		guards(t, s, 150)
		var last mapper.ScanProgress
		report := func(p mapper.ScanProgress) {
			require.GreaterOrEqual(t, p.Rows, last.Rows)
			last = p
		}
		saving, half, rows := false, "", int64(0)
		save := func(c string) error {
			require.False(t, saving)
			saving = true
			defer func() { saving = false }()
			if half == "" && last.Done >= 3 {
				half = c
			}
			return nil
		}
		require.NoError(t, s.Guards.Scan(t.Context(), mapper.ScanConfig{Slices: 10, Parallel: 1, Progress: report, SaveCheckpoint: save}, ignore))
		require.Equal(t, mapper.ScanProgress{Done: 10, Total: 10, Rows: 150}, last)
		last = mapper.ScanProgress{}
		require.NoError(t, s.Guards.Scan(t.Context(), mapper.ScanConfig{Checkpoint: half, Progress: report, SaveCheckpoint: save}, func(context.Context, *stock.Guard) error {
			atomic.AddInt64(&rows, 1)
			return nil
		}))
		require.Equal(t, mapper.ScanProgress{Done: 10, Total: 10, Rows: rows}, last)
		require.Less(t, rows, int64(150))
		last = mapper.ScanProgress{}
		require.Len(t, collected(t, s.Guards.All(t.Context(), mapper.ScanConfig{Progress: report})), 150)
		require.Equal(t, mapper.ScanProgress{Done: 256, Total: 256, Rows: 150}, last)
	})
}

// A request that fails is repeated, and each row is passed on once. A scan of limited rate waits between its pages.
func TestScanRepeatsRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := memory.New(memory.Config{})
		s, err := stock.OpenBackend(t.Context(), backend)
		require.NoError(t, err)
		guards(t, s, 300)
		var requests atomic.Int64
		backend.Intercept(func(memory.Request) memory.Outcome {
			if requests.Add(1)%4 > 0 {
				return memory.LostRequest
			}
			return memory.Done
		})
		require.Len(t, scanned(t, s.Guards.Scan, mapper.ScanConfig{Slices: 2, Parallel: 1}), 300)
		require.Len(t, collected(t, s.Guards.All(t.Context(), mapper.ScanConfig{})), 300)
		backend.Intercept(func(memory.Request) memory.Outcome { return memory.Refused })
		began := time.Now()
		err = s.Guards.Scan(t.Context(), mapper.ScanConfig{}, ignore)
		code, _ := driver.Code(err)
		require.Equal(t, driver.CodeUnavailable, code)
		require.ErrorContains(t, err, "mapper: Scan Guard (guards): ")
		require.LessOrEqual(t, time.Since(began), mapper.DefaultTimeout)

		backend.Intercept(nil)
		began = time.Now()
		require.Len(t, collected(t, s.Guards.All(t.Context(), mapper.ScanConfig{Rate: 50})), 300)
		require.Equal(t, 6*time.Second, time.Since(began))
	})
}

// A row that cannot be decoded ends a scan, as it ends the other reads.
func TestScanEndsAtARowThatCannotBeDecoded(t *testing.T) {
	t.Parallel()
	session := storetest.StockKeyspace(t)
	s, err := stock.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	require.NoError(t, session.ExecStmt("INSERT INTO lockers (code, row, lock) VALUES ('s3cret1', 1, 's3cret?')"))
	err = s.Lockers.Scan(t.Context(), mapper.ScanConfig{}, func(context.Context, *stock.Locker) error { return nil })
	var fault *mapper.DecodeError
	require.ErrorAs(t, err, &fault)
	require.Equal(t, &mapper.DecodeError{Aggregate: "Locker", Table: "lockers", Key: "code=…, row=1", Column: "lock", Path: "Lock", Problem: "cannot be decoded"}, fault)
}

// Two processes that share a scan read each row once, and return when all slices are done. A third one reads nothing.
func TestScanIsShared(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "the quickstart has lists and user-defined types that are not frozen")
	session := storetest.OwnTables(t, schema.New(modelOf(t, "../../examples/quickstart/shop")).CQL())
	var stores [2]*shop.Store
	for i := range stores {
		var err error
		stores[i], err = shop.Open(t.Context(), session, mapper.Config{})
		require.NoError(t, err)
	}
	for id := range byte(60) {
		require.NoError(t, stores[0].Customers.Insert(t.Context(), &shop.Customer{ID: gocql.UUID{15: id + 1}, Name: "Ana"}))
	}
	var mu sync.Mutex
	seen := map[gocql.UUID]int{}
	var last mapper.ScanProgress
	c := mapper.ScanConfig{Job: "nightly", Slices: 8, Parallel: 1, Progress: func(p mapper.ScanProgress) { last.Done = max(last.Done, p.Done) }}
	count := func(_ context.Context, c *shop.Customer) error {
		mu.Lock()
		defer mu.Unlock()
		seen[c.ID]++
		return nil
	}
	failed := errors.New("the process ends")
	require.ErrorIs(t, stores[0].Customers.Scan(t.Context(), c, func(context.Context, *shop.Customer) error { return failed }), failed)
	var both sync.WaitGroup
	var errs [2]error
	for i, s := range stores {
		config := c
		if i > 0 {
			config.Progress = nil
		}
		both.Go(func() { errs[i] = s.Customers.Scan(t.Context(), config, count) })
	}
	both.Wait()
	require.Equal(t, [2]error{}, errs)
	require.Len(t, seen, 60)
	for id, n := range seen {
		require.Equal(t, 1, n, id)
	}
	require.Empty(t, scanned(t, stores[0].Customers.Scan, c), "the scan has ended")
	require.ErrorContains(t, stores[0].Customers.Scan(t.Context(), mapper.ScanConfig{Job: "nightly", Slices: 9}, count), "slices=8")
	require.NoError(t, stores[0].Vehicles.Scan(t.Context(), c, func(context.Context, *shop.VehicleByPlate) error { return nil }), "the scan of another table")

	s, err := shop.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	require.EqualError(t, s.Customers.Scan(t.Context(), c, count),
		"mapper: Scan Customer (customers): mapper.ScanConfig.Job needs a store on a session: other processes cannot see this database")
}

// A call whose context has ended returns the error of the context with the operation, and not the cause that the caller gave.
func TestReadsOfManyRowsWithAnEndedContext(t *testing.T) {
	t.Parallel()
	s, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	fill(t, s)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the process stops"))
	_, err = s.Items.GetMany(ctx, []stock.ItemsKey{{Hall: "north", Row: 1}, {Hall: "south", Row: 1}})
	require.EqualError(t, err, "mapper: GetMany Item (items): context canceled")
	_, err = s.Items.OfEach([]stock.ItemsPartitionKey{{Hall: "north", Row: 1}, {Hall: "south", Row: 1}}).Page(ctx, "")
	require.EqualError(t, err, "mapper: Page Item (items): context canceled")
	for _, c := range scans {
		err = s.Items.Scan(ctx, c, func(context.Context, *stock.Item) error { return nil })
		require.EqualError(t, err, "mapper: Scan Item (items): context canceled")
	}

	// The same is true if it ends during the call.
	ctx, cancel = context.WithCancelCause(t.Context())
	err = s.Items.Scan(ctx, mapper.ScanConfig{Rate: 1}, func(context.Context, *stock.Item) error {
		cancel(errors.New("the process stops"))
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "mapper: Scan Item (items): context canceled")
}

// endsAfter is a context that ends after a number of calls of Err.
type endsAfter struct {
	context.Context
	left   atomic.Int64
	cancel context.CancelFunc
}

func (c *endsAfter) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// Wherever in a call the context ends, the error names the call and not the slice or row that it happened to read.
func TestCallsWhoseContextEndsAnywhere(t *testing.T) {
	t.Parallel()
	s, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	fill(t, s)
	for op, call := range map[string]func(context.Context) error{
		"Scan Item (items)": func(ctx context.Context) error {
			return s.Items.Scan(ctx, mapper.ScanConfig{Slices: 3, Parallel: 1}, func(context.Context, *stock.Item) error { return nil })
		},
		"reconcile": func(ctx context.Context) error {
			_, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 3, Parallel: 1})
			return err
		},
	} {
		t.Run(op, func(t *testing.T) {
			for n := int64(0); ; n++ {
				ctx, cancel := context.WithCancel(t.Context())
				ending := &endsAfter{Context: ctx, cancel: cancel}
				ending.left.Store(n)
				err := call(ending)
				if cancel(); err == nil {
					require.NotZero(t, n)
					return
				}
				require.ErrorIs(t, err, context.Canceled)
				require.Regexp(t, "^mapper: "+regexp.QuoteMeta(op)+": (read .*: )?context canceled$", err.Error(), "after %d", n)
			}
		})
	}
}

// A callback that ends its goroutine, as a failed require does, ends the scan with an error.
func TestScanWhoseCallbackExits(t *testing.T) {
	t.Parallel()
	s, err := stock.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	fill(t, s)
	var once sync.Once
	err = s.Items.Scan(t.Context(), mapper.ScanConfig{}, func(context.Context, *stock.Item) error {
		once.Do(runtime.Goexit)
		return nil
	})
	require.ErrorContains(t, err, "mapper: Scan Item (items): the callback has ended its goroutine with runtime.Goexit")
}
