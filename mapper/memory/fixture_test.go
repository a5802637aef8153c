package memory_test

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// films has a column of every kind; pair is a UDT of a text and an int.
var films = &descriptor.Table{Name: "films", Partition: 1, Key: 2, Load: "load", Columns: []descriptor.Column{
	{Name: "country", Type: "text"},
	{Name: "year", Type: "int", Kind: projection.ClusteringKey, Desc: true},
	{Name: "language", Type: "text", Kind: projection.Static},
	{Name: "title", Type: "text", Kind: projection.Regular},
	{Name: "tags", Type: "set<int>", Kind: projection.Regular, Cells: projection.Set},
	{Name: "roles", Type: "map<int, text>", Kind: projection.Regular, Cells: projection.Map},
	{Name: "notes", Type: "list<text>", Kind: projection.Regular, Cells: projection.List},
	{Name: "score", Type: "pair", Kind: projection.Regular, Cells: projection.UDT, Fields: 2},
}}

const (
	language = 2 + iota
	title
	tags
	roles
	notes
	score
)

var schema = &descriptor.Schema{Types: []*descriptor.Type{{Name: "pair", Fields: []descriptor.Field{{Name: "a", Type: "text"}, {Name: "b", Type: "int"}}}}, Tables: []*descriptor.Table{films}}

// database is a backend, the store on it, and its clock.
type database struct {
	*memory.Backend
	store.Store
	t   *testing.T
	now time.Time
}

func newDatabase(t *testing.T) *database {
	d := &database{t: t, now: time.Unix(1000, 0)}
	d.Backend = memory.New(memory.Config{Now: func() time.Time { return d.now }})
	var err error
	d.Store, err = d.Open(t.Context(), schema)
	require.NoError(t, err)
	return d
}

func (d *database) Apply(at int64, mutations ...plan.Mutation) {
	d.t.Helper()
	require.NoError(d.t, d.Store.Apply(d.t.Context(), mutations, store.Write{Timestamp: at}))
}

// put writes columns of the film of a year.
func put(year int, columns map[int]cell.Cell) plan.Mutation {
	m := plan.Mutation{Table: (*plan.Table)(films), Row: make(cell.Row, len(films.Columns))}
	m.Row[0], m.Row[1] = cell.Cell("BR"), number(year)
	for i, c := range columns {
		m.Row[i] = c
		m.Write.Add(i)
	}
	return m
}

// alter writes parts of a column of the film of a year: the values whose indexes are in set.
func alter(year, column int, values []cell.Cell, set ...int) plan.Mutation {
	m := put(year, nil)
	m.Action, m.Column, m.Values = plan.Update, uint16(column), values
	for _, i := range set {
		m.Write.Add(i)
	}
	return m
}

func remove(year int) plan.Mutation {
	m := put(year, nil)
	m.Action = plan.Delete
	return m
}

// removeAll deletes the partition.
func removeAll() plan.Mutation {
	m := remove(0)
	m.Column = 1
	return m
}

func expiring(m plan.Mutation, seconds int32) plan.Mutation {
	m.TTL = seconds
	return m
}

// rows reads all rows.
func (d *database) rows() []cell.Row { return d.read(store.Read{Table: (*plan.Table)(films)}) }

func (d *database) read(r store.Read) (rows []cell.Row) {
	d.t.Helper()
	for row, err := range d.Rows(context.Background(), r) {
		require.NoError(d.t, err)
		rows = append(rows, row)
	}
	return rows
}

// value reads a column of the film of a year.
func (d *database) value(year, column int) cell.Cell {
	d.t.Helper()
	rows := d.read(store.Read{Table: (*plan.Table)(films), Key: cell.Row{cell.Cell("BR"), number(year)}})
	require.Len(d.t, rows, 1)
	return rows[0][column]
}

func number(n int) cell.Cell { return binary.BigEndian.AppendUint32(nil, uint32(int32(n))) }

func collection(per int, values ...cell.Cell) cell.Cell {
	out := cell.AppendCount(nil, len(values)/per)
	for _, v := range values {
		out = cell.AppendValue(out, v)
	}
	return out
}

func pair(a, b cell.Cell) cell.Cell { return cell.AppendValue(cell.AppendValue(nil, a), b) }
