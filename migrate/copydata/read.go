package copydata

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/mapper/driver"

	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/migrating"
)

// A server reads a whole page, even if its rows are large. So the first page has few rows, and the size of the next pages follows from it.
const (
	firstPage = 20
	mostRows  = 2000
	pageBytes = 4 << 20 // bytes of values, estimated from the page before
)

// read calls a function with each row, until it returns an error.
func (c *copying) read(ctx context.Context, each func(row) error) error {
	if !c.serial {
		return c.readRows(ctx, driver.Query{CQL: c.selection(), Consistency: driver.LocalQuorum}, each)
	}
	key := c.from.PartitionKey
	query := driver.Query{CQL: c.selection() + " WHERE " + strings.Join(schema.Names(key), " = ? AND ") + " = ?", Consistency: serialLevel(ctx)}
	distinct := driver.Query{CQL: "SELECT DISTINCT " + names(key) + " FROM " + model.Quote(c.from.Name), Consistency: driver.LocalQuorum}
	return c.readPages(ctx, distinct, len(key), func(values []raw, _ []driver.Column) error {
		query.Args = nil
		for i := range values {
			query.Args = append(query.Args, c.session.Value((*[]byte)(&values[i])))
		}
		return c.readRows(ctx, query, each)
	})
}

// serialLevel returns the serial consistency of the services: migrate.Config.SerialConsistency, or SERIAL.
func serialLevel(ctx context.Context) driver.Consistency {
	return cmp.Or(migrating.Serial(ctx), driver.Serial)
}

// readRows calls a function with each row of a query with the columns of selection.
func (c *copying) readRows(ctx context.Context, query driver.Query, each func(row) error) error {
	sources := c.sources()
	var last row
	return c.readPages(ctx, query, 1+len(c.selected(sources)), func(values []raw, info []driver.Column) error {
		r := c.newRow(sources, values, info)
		r.repeats = last.of != nil && c.samePartition(last, r)
		last = r
		return each(r)
	})
}

// readPages calls a function with the values of each row of a query, which it may keep, until it returns an error.
func (c *copying) readPages(ctx context.Context, query driver.Query, columns int, each func(values []raw, info []driver.Column) error) error {
	into := make([]raw, columns)
	take := make([]any, columns)
	for i := range into {
		take[i] = c.session.Value((*[]byte)(&into[i]))
	}
	query.Attempts, query.PageSize, query.Pages, query.Metadata = driver.Repeat, firstPage, driver.Single, true
	for {
		it := c.session.Query(ctx, query)
		info := it.Types()
		rows, size := 0, 0
		for it.Scan(take...) {
			values := make([]raw, columns)
			for i, v := range into {
				values[i] = bytes.Clone(v)
				size += len(v)
			}
			rows++
			if err := each(values, info); err != nil {
				_ = it.Close() // the error to report is the error of the row
				return err
			}
		}
		query.PageState = slices.Clone(it.PageState())
		if err := it.Close(); err != nil {
			return fmt.Errorf("read %s: %w", model.Quote(c.from.Name), err)
		}
		if len(query.PageState) == 0 {
			return nil
		}
		query.PageSize = nextPage(rows, size)
	}
}

// nextPage returns the size of the next page after a page with some rows and bytes: at most four times as many rows.
func nextPage(rows, size int) int {
	if rows == 0 { // all rows were deleted
		return firstPage
	}
	return max(1, min(4*rows, mostRows, pageBytes*rows/max(1, size)))
}

// sources returns the columns to read, each once. It includes From's whole key, which distinguishes a row from a partition without rows.
func (c *copying) sources() []*schema.Column {
	out := c.from.Key()
	for _, of := range slices.Concat(c.partition, c.cluster, c.others) {
		if !slices.Contains(out, of.from) {
			out = append(out, of.from)
		}
	}
	return out
}

// selection returns the statement that reads all rows.
func (c *copying) selection() string {
	return "SELECT TOKEN(" + names(c.from.PartitionKey) + "), " + strings.Join(c.selected(c.sources()), ", ") + " FROM " + model.Quote(c.from.Name)
}

// selected returns the selectors of each column: the value, if it is copied, and outside the key the write times and the remaining TTLs.
func (c *copying) selected(sources []*schema.Column) []string {
	var out []string
	for i, s := range slices.Concat(sources, c.unseen) {
		name := model.Quote(s.Name)
		if i < len(sources) {
			out = append(out, name)
		}
		if !s.InKey() {
			out = append(out, "WRITETIME("+name+")", "TTL("+name+")")
		}
	}
	return out
}

// newRow returns the row that was read, in the order of selection.
func (c *copying) newRow(sources []*schema.Column, read []raw, info []driver.Column) row {
	r := row{token: int64(binary.BigEndian.Uint64(read[0])), of: map[string]cells{}}
	i := 1
	for _, s := range sources {
		x := cells{value: read[i], typ: info[i].Type}
		if i++; !s.InKey() {
			x.stamps = stamps(s.Type.MultiCell(), read[i], read[i+1])
			i += 2
		}
		r.of[s.Name] = x
		r.static = r.static || s.Kind == schema.ClusteringKey && x.value == nil
	}
	for _, s := range c.unseen {
		r.unseen = append(r.unseen, stamps(s.Type.MultiCell(), read[i], read[i+1])...)
		i += 2
	}
	return r
}

// samePartition reports whether two rows have the same values in their partition of To, which are then written once.
func (c *copying) samePartition(a, b row) bool {
	return !slices.ContainsFunc(slices.Concat(c.partition, c.others), func(of column) bool {
		x, y := a.of[of.from.Name], b.of[of.from.Name]
		return of.to.Kind != schema.Regular && !(bytes.Equal(x.value, y.value) && slices.Equal(x.stamps, y.stamps))
	})
}

// stamps decodes the results of WRITETIME and TTL for a column: a number each, or a list for a value that is not frozen. A null element has
// the stamp none.
func stamps(several bool, at, ttl raw) []stamp {
	if !several {
		if at == nil {
			return nil
		}
		return []stamp{newStamp(at, ttl)}
	}
	var out []stamp
	times, ttls := elements(at), elements(ttl)
	for i, t := range times {
		s := none
		if t != nil && i < len(ttls) {
			s = newStamp(t, ttls[i])
		}
		out = append(out, s)
	}
	return out
}

func newStamp(at, ttl raw) stamp {
	s := stamp{at: int64(binary.BigEndian.Uint64(at))}
	if ttl != nil {
		if s.ttl = int32(binary.BigEndian.Uint32(ttl)); s.ttl == 0 {
			s.ttl = -1 // its last second; a statement with TTL 0 would write a cell that never expires
		}
	}
	return s
}

// mergeStamps returns the stamp of one value that consists of several cells: the latest write time and the longest TTL.
func mergeStamps(in []stamp) stamp {
	out := none
	for _, s := range in {
		switch {
		case s == none:
		case out == none:
			out = s
		default:
			longest := max(out.ttl, s.ttl)
			if out.ttl == 0 || s.ttl == 0 {
				longest = 0
			}
			out = stamp{at: max(out.at, s.at), ttl: longest}
		}
	}
	return out
}

// elements returns the elements of a list or a set; none of null.
func elements(of raw) []raw { return fields(of[min(form.LengthSize, len(of)):]) }

// fields returns the fields of a user-defined type. A value that was stored before a field was added has fewer.
func fields(of raw) (out []raw) {
	for rest := []byte(of); len(rest) > 0; {
		var v []byte
		v, rest, _ = form.Next(rest)
		out = append(out, v)
	}
	return out
}

// pieces splits a set into its elements, or a map into its entries of two values, as join expects them.
func pieces(of raw, values int) (out []raw) {
	for rest := []byte(of[min(form.LengthSize, len(of)):]); len(rest) > 0; {
		from := rest
		for range values {
			_, rest, _ = form.Next(rest)
		}
		out = append(out, from[:len(from)-len(rest)])
	}
	return out
}

// join makes a set of its elements, or a map of its entries.
func join(of []raw) raw {
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(of))), slices.Concat(of...))
}
