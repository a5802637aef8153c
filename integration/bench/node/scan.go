package node

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/integration/bench/peer"
	"github.com/cassaml/cassaml/mapper"
)

// ScanParallel is the number of slices that each variant of a scan reads at a time.
const ScanParallel = 8

// scanSlices is the number of slices of the token ring.
const scanSlices = 256

const sliceCQL = "SELECT " + allColumns + " FROM orders WHERE TOKEN(customer) > ? AND TOKEN(customer) <= ?"

// ScanLoads replaces all orders by a number of rows, in partitions of PageRows, and returns reads of pages and scans of all rows. An operation of a scan is the
// whole table: [PerPage] converts the results.
func (c *Client) ScanLoads(ctx context.Context, rows int) ([]measure.Load, error) {
	if rows < PageRows || rows%PageRows != 0 {
		return nil, fmt.Errorf("node: %d rows: use a multiple of %d", rows, PageRows)
	}
	if err := c.session.ExecStmt("TRUNCATE orders"); err != nil { // it has the rows of other works
		return nil, err
	}
	if _, err := c.alone.InsertAll(ctx, generateOrders(rows), mapper.BulkConfig{}); err != nil {
		return nil, err
	}
	loads := slices.DeleteFunc(c.Loads(ScanParallel), func(l measure.Load) bool { return l.Work != "page" })
	for _, v := range []struct {
		name string
		scan func() (int64, error)
	}{{"cassaml", c.scan}, {"cassaml-again", c.scan}, {"gocqlx", inSlices(c.gocqlxSlice)}, {"gocql", inSlices(c.gocqlSlice)}, {"floor", inSlices(c.floorSlice)}} {
		op := func() error {
			n, err := v.scan()
			if err != nil {
				return err
			}
			return complete(int(n), rows)
		}
		loads = append(loads, measure.Load{Work: "scan", Variant: v.name, InFlight: 1, Worker: func(int) (measure.Op, error) { return op, nil }, Counter: c.frames.n.Load})
	}
	return loads, nil
}

// generateOrders returns orders in partitions of PageRows. The first partition is the one whose page is read.
func generateOrders(rows int) iter.Seq2[*order.Order, error] {
	return func(yield func(*order.Order, error) bool) {
		for i := range rows {
			o := order.Sample()
			binary.BigEndian.PutUint32(o.Customer[:4], binary.BigEndian.Uint32(o.Customer[:4])+uint32(i/PageRows))
			if o.Number = int32(i % PageRows); !yield(o, nil) {
				return
			}
		}
	}
}

// PerPage converts the results of scans of a number of rows to the results of PageRows rows.
func PerPage(results []measure.LoadResult, rows int) []measure.LoadResult {
	pages := float64(rows / PageRows)
	for i := range results {
		if r := &results[i]; r.Work == "scan" {
			r.InFlight = ScanParallel
			r.CPU, r.Allocs, r.Bytes, r.RoundTrips, r.P50, r.P99 = r.CPU/pages, r.Allocs/pages, math.Round(r.Bytes/pages), r.RoundTrips/pages, r.P50/pages, r.P99/pages
			r.Throughput = math.Round(1e9 / r.P50) // one scan runs at a time
		}
	}
	return results
}

// scan is the method of the generated store.
func (c *Client) scan() (int64, error) {
	var n atomic.Int64
	err := c.alone.Scan(context.Background(), mapper.ScanConfig{Parallel: ScanParallel, Slices: scanSlices}, func(context.Context, *order.Order) error {
		n.Add(1)
		return nil
	})
	return n.Load(), err
}

// Scan scans the table once with the generated store.
func (c *Client) Scan() error {
	_, err := c.scan()
	return err
}

// inSlices returns a scan that reads slices of the token ring, several at a time. read returns the number of rows of a slice.
func inSlices(read func(low, high int64) (int, error)) func() (int64, error) {
	return func() (int64, error) {
		var rows atomic.Int64
		next := make(chan int)
		errs := make([]error, ScanParallel)
		var reading sync.WaitGroup
		for i := range errs {
			reading.Go(func() {
				for slice := range next {
					n, err := read(tokenAt(slice), tokenAt(slice+1))
					if rows.Add(int64(n)); err != nil {
						errs[i] = err
					}
				}
			})
		}
		for i := range scanSlices {
			next <- i
		}
		close(next)
		reading.Wait()
		return rows.Load(), errors.Join(errs...)
	}
}

// tokenAt returns the token after which a slice begins; that after the last slice is the greatest one.
func tokenAt(slice int) int64 {
	if slice == scanSlices {
		return math.MaxInt64
	}
	return math.MinInt64 + int64(slice)*(math.MaxInt64/(scanSlices/2)+1)
}

// slice returns the rows of a slice, in pages of the default size of the driver.
func (c *Client) slice(low, high int64) *gocql.Iter {
	return c.session.Session.Query(sliceCQL, low, high).Iter()
}

func (c *Client) gocqlSlice(low, high int64) (n int, err error) {
	it := c.slice(low, high)
	for {
		var o peer.Tagged
		if !o.Scan(it) {
			return n, it.Close()
		}
		n++
	}
}

func (c *Client) gocqlxSlice(low, high int64) (n int, err error) {
	it := c.session.Query(sliceCQL, nil).Bind(low, high).Iter()
	for {
		var o peer.Gocqlx
		if !it.StructScan(&o) {
			return n, it.Close()
		}
		n++
	}
}

func (c *Client) floorSlice(low, high int64) (n int, err error) {
	it, ignored := c.slice(low, high), make([]any, len(order.Tables()[0].Columns))
	for it.Scan(ignored...) {
		n++
	}
	return n, it.Close()
}
