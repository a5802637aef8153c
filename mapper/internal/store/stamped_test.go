package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

var seats = descriptor.Table{Name: "seats", Partition: 2, Key: 3,
	Select: `SELECT hall, "Row", seat, held FROM seats`, Insert: "INSERT INTO seats (hall, …",
	Columns: []descriptor.Column{
		{Name: "hall", CQL: "hall"}, {Name: "Row", CQL: `"Row"`}, {Name: "seat", CQL: "seat", Kind: projection.ClusteringKey},
		{Name: "price", CQL: "price", Kind: projection.Static}, {Name: "held", CQL: "held", Kind: projection.Regular, Type: "set<text>", Cells: projection.Set},
	}}

// A read with stamps returns partitions in the order of their positions, and can begin after a position.
func TestStampedRead(t *testing.T) {
	r := Read{Table: (*plan.Table)(&seats), Stamped: true}
	require.Equal(t, `SELECT hall, "Row", seat, price, held, WRITETIME(price), WRITETIME(held), TTL(price), TTL(held), TOKEN(hall, "Row") FROM seats`, r.Statement())
	require.Empty(t, r.Args())
	require.Equal(t, 10, r.Columns())
	require.Equal(t, cell.Cell{9}, r.Position(cell.Row{9: {9}}))

	r.After = cell.Cell{7}
	require.Contains(t, r.Statement(), ` FROM seats WHERE TOKEN(hall, "Row") > ?`)
	require.Equal(t, cell.Row{{7}}, r.Args())
}

// The latest write time of one cell is read with WRITETIME, which servers before Cassandra 5.0 also have.
func TestWrittenRead(t *testing.T) {
	r := Read{Table: (*plan.Table)(&seats), Within: true, Written: true}
	require.Equal(t, `SELECT hall, "Row", seat, price, held, WRITETIME(price), MAXWRITETIME(held) FROM seats`, r.Statement())
	require.Equal(t, 7, r.Columns())
}

// No read has the write times of the pending rows of a versioned root.
func TestTimesOfAVersionedRoot(t *testing.T) {
	saved := descriptor.Table{Name: "halls", Select: "SELECT id, version, aml_pending, aml_attempts, aml_deleted FROM halls", Insert: "INSERT INTO halls (id, …", Partition: 1, Key: 1, Hidden: 3, Deleted: 4, Columns: []descriptor.Column{
		{Name: "id", CQL: "id"}, {Name: "version", CQL: "version"},
		{Name: "aml_pending", CQL: "aml_pending", Cells: projection.Map}, {Name: "aml_attempts", CQL: "aml_attempts"}, {Name: "aml_deleted", CQL: "aml_deleted"}}}
	r := Read{Table: (*plan.Table)(&saved), Within: true, Written: true}
	require.Equal(t, "SELECT id, version, aml_pending, aml_attempts, aml_deleted, WRITETIME(version), WRITETIME(aml_attempts), WRITETIME(aml_deleted) FROM halls", r.Statement())
	require.Equal(t, 8, r.Columns())
	r = Read{Table: (*plan.Table)(&saved), Stamped: true}
	require.Equal(t, "SELECT id, version, aml_pending, aml_attempts, aml_deleted, WRITETIME(version), WRITETIME(aml_attempts), WRITETIME(aml_deleted), "+
		"TTL(version), TTL(aml_attempts), TTL(aml_deleted), TOKEN(id) FROM halls", r.Statement())
	require.Equal(t, 12, r.Columns())
}

// A read with positions alone has no write times.
func TestPositionedRead(t *testing.T) {
	r := Read{Table: (*plan.Table)(&seats), Positioned: true, After: cell.Cell{7}, Until: cell.Cell{8}}
	require.Equal(t, `SELECT hall, "Row", seat, price, held, TOKEN(hall, "Row") FROM seats WHERE TOKEN(hall, "Row") > ? AND TOKEN(hall, "Row") <= ?`, r.Statement())
	require.Equal(t, cell.Row{{7}, {8}}, r.Args())
	require.Equal(t, 6, r.Columns())
	require.Equal(t, cell.Cell{9}, r.Position(cell.Row{5: {9}}))
}

// A fill leaves columns without a value unset, and has the remaining TTL.
func TestBindOfAFill(t *testing.T) {
	row := cell.Row{{1}, {2}, {3}, nil, nil}
	entries := Bind(gocqldriver.Values, []plan.Mutation{
		{Table: (*plan.Table)(&seats), Row: row, Action: plan.Fill, Values: []cell.Cell{{9}}},
		{Table: (*plan.Table)(&seats), Row: row, Action: plan.Fill, Values: []cell.Cell{nil}, TTL: 60},
		{Table: (*plan.Table)(&seats), Row: row, Action: plan.FillStatic, Values: []cell.Cell{{8}}},
	}, Write{Timestamp: 5, Age: 9})
	require.Equal(t, `UPDATE seats USING TIMESTAMP ? AND TTL ? SET held = held + ? WHERE hall = ? AND "Row" = ? AND seat = ?`, entries[0].CQL)
	require.Equal(t, []string{"0000000000000005", "00000000", "09", "01", "02", "03"}, sent(t, entries[0].Args))
	require.Equal(t, []string{"0000000000000005", "00000033", "unset", "01", "02", "03"}, sent(t, entries[1].Args))
	require.Equal(t, `UPDATE seats USING TIMESTAMP ? AND TTL ? SET price = ? WHERE hall = ? AND "Row" = ?`, entries[2].CQL)
	require.Equal(t, []string{"0000000000000005", "00000000", "08", "01", "02"}, sent(t, entries[2].Args))
}
