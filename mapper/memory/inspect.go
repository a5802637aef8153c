package memory

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Cell is one cell of a table, or a row's marker, as a query would find it now.
type Cell struct {
	Key       string // text in the format of errors: site='Recife', year=2026; for a static column only the partition key
	Column    string // the CQL name; empty: the marker that an Insert leaves, which keeps a row without values
	Path      []byte // set: the element; map: the key; list: the position; UDT: the field's number; otherwise nil
	Value     []byte // value in the encoding of CQL; empty for an element of a set
	Timestamp int64  // its WRITETIME, in microseconds since 1970
	TTL       int32  // the remaining seconds; 0: it does not expire
}

// Cells returns all cells of a table that can be read, in the order of the rows, and then of the columns.
func (b *Backend) Cells(table string) ([]Cell, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	t, ok := b.tables[table]
	if !ok {
		return nil, fmt.Errorf("memory: table %s does not exist", table)
	}
	i := inspection{t: t, now: b.now().Unix()}
	for _, k := range slices.Sorted(maps.Keys(t.partitions)) {
		i.partition(t.partitions[k])
	}
	return i.cells, nil
}

// inspection collects the cells of a table.
type inspection struct {
	t     *table
	now   int64
	cells []Cell
}

func (i *inspection) partition(p *partition) {
	i.columns(p.static, p.key, projection.Static, p.deleted)
	for _, r := range p.rows {
		key := append(slices.Clone(p.key), r.clustering...)
		deleted := max(r.deleted, p.deletion(r.clustering, i.t))
		if r.marker.live(deleted, i.now) {
			i.cells = append(i.cells, Cell{Key: i.t.KeyText(key), Timestamp: r.marker.at, TTL: r.marker.left(i.now)})
		}
		i.columns(r, key, projection.Regular, deleted)
	}
}

func (i *inspection) columns(r *row, key cell.Row, kind projection.Kind, deleted int64) {
	for k := i.t.Key; k < len(i.t.Columns); k++ {
		if i.t.Columns[k].Kind != kind {
			continue
		}
		for _, v := range r.cells(k-i.t.Key).live(deleted, i.now) {
			i.cells = append(i.cells, Cell{Key: i.t.KeyText(key), Column: i.t.Columns[k].Name, Path: slices.Clone(v.path),
				Value: slices.Clone(v.value), Timestamp: v.at, TTL: v.left(i.now)})
		}
	}
}

// left returns the remaining TTL in seconds; 0 means no expiry.
func (w written) left(now int64) int32 {
	if w.expires == 0 {
		return 0
	}
	return int32(w.expires - now)
}
