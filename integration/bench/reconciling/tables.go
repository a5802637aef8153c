package reconciling

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/gocql/gocql"
)

const (
	parallelScan = 4   // slices that are read at a time
	scanSlices   = 256 // slices of the token ring
	writers      = 64
)

// work is a root that is reconciled.
type work struct {
	name    string
	root    string   // its table
	inserts []string // statements for the row of a root, and for all rows that follow from it
	tables  []table
}

// table is a table that is scanned.
type table struct{ name, key, columns string }

var works = []work{
	{"near", "near", []string{
		"INSERT INTO near (id, name, city, email, total, paid) VALUES (:id, :name, :city, :email, :total, true)",
		"INSERT INTO near_summary (id, name, total) VALUES (:id, :name, :total)",
	}, []table{{"near", "id", "id, name, city, email, total, paid"}, {"near_summary", "id", "id, name, total"}}},
	{"versioned", "marked", []string{
		"INSERT INTO marked (id, name, city, email, total, paid, version) VALUES (:id, :name, :city, :email, :total, true, :at)",
		"INSERT INTO marked_summary (id, name, total) VALUES (:id, :name, :total)",
		"INSERT INTO marked__sync (id, aml_ver) VALUES (:id, :at)",
	}, []table{
		{"marked", "id", "id, name, city, email, total, paid, version, aml_deleted"}, {"marked_summary", "id", "id, name, total"}, {"marked__sync", "id", "id, aml_ver"},
	}},
	{"elsewhere", "apart", []string{
		"INSERT INTO apart (id, name, city, email, total, paid) VALUES (:id, :name, :city, :email, :total, true)",
		"INSERT INTO apart_by_email (email, id, name) VALUES (:email, :id, :name)",
		"INSERT INTO apart_by_city (city, id, name) VALUES (:city, :id, :name)",
	}, []table{
		{"apart", "id", "id, name, city, email, total, paid"}, {"apart_by_email", "email", "email, id, name"}, {"apart_by_city", "city", "city, id, name"},
	}},
}

// written is the write time of all rows, and the version of the versioned ones, in microseconds since 1970.
const written = 1_700_000_000_000_000

// rowValues returns the values of a row by the names in the statements.
func rowValues(id int) map[string]any {
	return map[string]any{"id": int64(id), "name": fmt.Sprint("the name of customer ", id), "city": fmt.Sprint("city ", id%5000),
		"email": fmt.Sprintf("customer%d@example.com", id), "total": int64(1000 * id), "at": int64(written)}
}

// fill writes the rows after the first ones.
func (w *work) fill(ctx context.Context, session *gocql.Session, first, rows int) error {
	return forEach(ctx, writers, rows-first, func(ctx context.Context, i int) error {
		batch := session.NewBatch(gocql.UnloggedBatch).WithContext(ctx).WithTimestamp(written)
		values := rowValues(first + i)
		for _, text := range w.inserts {
			batch.Bind(text, func(q *gocql.QueryInfo) (out []any, err error) {
				for _, a := range q.Args {
					out = append(out, values[a.Name])
				}
				return out, nil
			})
		}
		if err := session.ExecuteBatch(batch); err != nil {
			return fmt.Errorf("reconciling: fill: %w", err)
		}
		return nil
	})
}

// scan reads all rows of the tables, and returns their number.
func (w *work) scan(ctx context.Context, session *gocql.Session) (rows int, err error) {
	counts := make([]int, scanSlices*len(w.tables))
	for i, t := range w.tables {
		text := fmt.Sprintf("SELECT %s FROM %s WHERE token(%s) > ? AND token(%[3]s) <= ?", t.columns, t.name, t.key)
		err := forEach(ctx, parallelScan, scanSlices, func(ctx context.Context, n int) (err error) {
			low, high := slice(n)
			counts[scanSlices*i+n], err = drain(session.Query(text, low, high).WithContext(ctx).Iter())
			return err
		})
		if err != nil {
			return 0, fmt.Errorf("reconciling: scan: %w", err)
		}
	}
	for _, n := range counts {
		rows += n
	}
	return rows, nil
}

// slice returns the tokens between which a slice lies: after the first, up to the second.
func slice(n int) (low, high int64) {
	const width = math.MaxUint64/scanSlices + 1
	low = math.MinInt64 + int64(uint64(n)*width)
	if n == scanSlices-1 {
		return low, math.MaxInt64
	}
	return low, low + int64(width)
}

// drain reads rows into Go variables, and returns their number.
func drain(it *gocql.Iter) (rows int, err error) {
	row, err := it.RowData()
	if err != nil {
		return 0, err
	}
	for it.Scan(row.Values...) {
		rows++
	}
	return rows, it.Close()
}

// forEach calls do with the numbers below n, several at a time.
func forEach(ctx context.Context, parallel, n int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var all sync.WaitGroup
	for range parallel {
		all.Go(func() {
			for i := range next {
				if err := do(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	all.Wait()
	return context.Cause(ctx)
}

// findWork returns the work with a name.
func findWork(name string) *work {
	return &works[slices.IndexFunc(works, func(w work) bool { return w.name == name })]
}
