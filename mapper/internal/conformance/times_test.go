package conformance

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// compareTimes compares the WRITETIME and the TTL of every cell of one partition of a table of Schema.
func (b *both) compareTimes(ctx context.Context, r *Report, t *plan.Table, partition int32) error {
	server, err := b.serverTimes(ctx, t, " WHERE p = ?", partition)
	if err != nil {
		return err
	}
	key := t.KeyText(cell.Row{integer(int(partition))})
	local, err := b.localTimes(t, func(k string) bool { return k == key || strings.HasPrefix(k, key+",") })
	if err != nil {
		return err
	}
	r.differ(fmt.Sprintf("times of %s, partition %d", t.Name, partition), strings.Join(server, "; "), strings.Join(local, "; "))
	return nil
}

// raw is the encoded value of a column.
type raw cell.Cell

// UnmarshalCQL copies the bytes.
func (r *raw) UnmarshalCQL(_ gocql.TypeInfo, b []byte) error {
	*r = slices.Clone(b)
	return nil
}

// serverTimes returns cells as sorted text without duplicates.
func (b *both) serverTimes(ctx context.Context, t *plan.Table, where string, args ...any) ([]string, error) {
	columns := []string{}
	for i, c := range t.Columns {
		if i < t.Key {
			columns = append(columns, c.CQL)
		} else {
			columns = append(columns, "WRITETIME("+c.CQL+")", "TTL("+c.CQL+")")
		}
	}
	it := b.session.Query("SELECT "+strings.Join(columns, ", ")+" FROM "+t.Name+where, args...).WithContext(ctx).Consistency(gocql.LocalQuorum).Iter()
	row, into := make([]raw, len(columns)), make([]any, len(columns))
	for i := range row {
		into[i] = &row[i]
	}
	var out []string
	for it.Scan(into...) {
		out = append(out, rowTimes(t, row)...)
	}
	if err := it.Close(); err != nil {
		return nil, fmt.Errorf("conformance: the server, times of %s: %w", t.Name, err)
	}
	return set(out), nil
}

func rowTimes(t *plan.Table, row []raw) (out []string) {
	key := cell.Row{}
	for _, k := range row[:t.Key] {
		key = append(key, cell.Cell(k))
	}
	for i := t.Key; i < len(t.Columns); i++ {
		times, ttls := list(t, i, row[2*i-t.Key]), list(t, i, row[2*i-t.Key+1])
		n := t.Key
		if t.Columns[i].Kind == projection.Static {
			n = t.Partition
		}
		place := 0
		for k, at := range times {
			if at != nil { // a field of a UDT that is null has neither
				out = append(out, timeText(t.KeyText(key[:n]), t.Columns[i].Name, place, number(at), int32(number(ttls[k]))))
				place++
			}
		}
	}
	return out
}

// list returns the cells of a WRITETIME or TTL, which is a list for a column with several cells.
func list(t *plan.Table, i int, v raw) (out []cell.Cell) {
	if t.Columns[i].Cells == projection.Single {
		return []cell.Cell{cell.Cell(v)}
	}
	w, n := cell.Elements(cell.Cell(v), 1)
	for range n {
		out = append(out, w.Next())
	}
	return out
}

func (b *both) localTimes(t *plan.Table, keep func(key string) bool) ([]string, error) {
	cells, err := b.backend.Cells(t.Name)
	if err != nil {
		return nil, err
	}
	var out []string
	place, last := 0, ""
	for _, v := range cells {
		if v.Column == "" || !keep(v.Key) {
			continue
		}
		if this := v.Key + v.Column; this != last {
			place, last = 0, this
		}
		out = append(out, timeText(v.Key, v.Column, place, v.Timestamp, v.TTL))
		place++
	}
	return set(out), nil
}

// timeText describes a cell by its position in its column. The seconds that have passed do not change the TTL.
func timeText(key, column string, place int, at int64, ttl int32) string {
	return fmt.Sprintf("%s.%s[%d] at %d ttl %d", key, column, place, at, (ttl+ttlStep-1)/ttlStep)
}

func set(lines []string) []string {
	slices.Sort(lines)
	return slices.Compact(lines)
}

// number decodes an int or a bigint; null is 0.
func number(c cell.Cell) int64 {
	switch len(c) {
	case 4:
		return int64(int32(binary.BigEndian.Uint32(c)))
	case 8:
		return int64(binary.BigEndian.Uint64(c))
	}
	return 0
}
