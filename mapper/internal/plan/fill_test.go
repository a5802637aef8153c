package plan_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// crates are found by their label while they are sealed. Copies have the other kinds of columns.
var (
	crates = &descriptor.Table{Name: "crates", Partition: 1, Key: 1, Columns: []descriptor.Column{
		{Name: "id", Field: "ID"},
		{Name: "sealed", Field: "Sealed", Kind: projection.Regular},
		{Name: "name", Field: "Name", Kind: projection.Regular},
		{Name: "tags", Field: "Tags", Kind: projection.Regular, Type: "set<text>", Cells: projection.Set},
		{Name: "sender", Field: "Sender", Kind: projection.Regular, Cells: projection.UDT, Fields: 2},
	}}
	sealedColumns = []descriptor.Column{
		{Name: "name", CQL: "name"},
		{Name: "id", CQL: "id", Kind: projection.ClusteringKey},
		{Name: "number", CQL: "number", Kind: projection.Regular},
		{Name: "tags", CQL: `"Tags"`, Kind: projection.Regular, Cells: projection.Set},
		{Name: "sender", CQL: "sender", Kind: projection.Regular, Cells: projection.UDT, Fields: 2,
			Update: "UPDATE sealed USING TIMESTAMP ? AND TTL ? SET sender.name = ?, sender.city = ? WHERE name = ? AND id = ?"},
	}
	sealed   = &descriptor.Table{Name: "sealed", Partition: 1, Key: 2, Columns: sealedColumns, Insert: "INSERT INTO sealed (name, …", Select: "SELECT name, … FROM sealed"}
	expiring = &descriptor.Table{Name: "expiring", TTL: 60, Partition: 1, Key: 2, Columns: sealedColumns}
	byTag    = &descriptor.Table{Name: "by_tag", Partition: 1, Key: 2, Columns: []descriptor.Column{{Name: "tag"}, {Name: "id", Kind: projection.ClusteringKey}}}
	byID     = &descriptor.Table{Name: "by_id", Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "id"}}}
	nameByID = &descriptor.Table{Name: "name_by_id", Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "id"},
		{Name: "name", Kind: projection.Regular}, {Name: "sealed", Kind: projection.Regular}}}
	labels = &descriptor.Table{Name: "labels", Partition: 1, Key: 2, Columns: []descriptor.Column{{Name: "id"}, {Name: "name", Kind: projection.ClusteringKey},
		{Name: "sealed", Kind: projection.Static}}}
	cities = &descriptor.Table{Name: "cities", TTL: 60, Partition: 1, Key: 2, Columns: []descriptor.Column{{Name: "name"}, {Name: "id", Kind: projection.ClusteringKey},
		{Name: "place", CQL: "place", Kind: projection.Regular, Cells: projection.UDT, Fields: 1}}}
	whileSeal = []projection.Op{{Code: projection.NeedTrue, Src: 1}}
	ofCrates  = plan.Link(descriptor.Aggregate{Root: crates, Copies: []descriptor.Projection{
		{Table: sealed, Ops: whileSeal, Columns: []uint16{2, 0, 0, 3, 4}},
		{Table: expiring, Ops: whileSeal, Columns: []uint16{2, 0, 0, 3, 4}},
		{Table: byTag, Ops: []projection.Op{{Code: projection.Each, Src: 3, Dst: 5}}, Columns: []uint16{5, 0}},
		{Table: byID, Columns: []uint16{0}},
		{Table: nameByID, Columns: []uint16{0, 2, 1}},
		{Table: labels, Columns: []uint16{0, 2, 1}},
		{Table: cities, Ops: []projection.Op{{Code: projection.Split, Src: 4, Dst: 5, N: 2}, {Code: projection.MakeIf, Src: 4, Dst: 7, Args: []uint16{6}}}, Columns: []uint16{2, 0, 7}},
	}})
)

// crate returns a row of crates with all values.
func crate() cell.Row {
	return cell.Row{{7}, {1}, cell.Cell("glass"), setOf("a", "b"), members("Ana", "Recife")}
}

func setOf(elements ...string) cell.Cell {
	c := cell.Cell(cell.AppendCount(nil, len(elements)))
	for _, e := range elements {
		c = cell.AppendValue(c, cell.Cell(e))
	}
	return c
}

func members(values ...string) (c cell.Cell) {
	for _, v := range values {
		c = cell.AppendValue(c, cell.Cell(v))
	}
	return c
}

// timed adds stamps to a row of crates. A time of 0 is that of a null; left is the remaining TTL of all cells in seconds.
func timed(row cell.Row, left int32, sealed, name int64, tags, sender []int64) cell.Row {
	times, ttls := cell.Row{moment(sealed), moment(name), moments(tags), moments(sender)}, cell.Row{}
	for _, at := range [][]int64{{sealed}, {name}, tags, sender} {
		ttl := cell.AppendCount(nil, len(at))
		for range at {
			var seconds cell.Cell
			if left > 0 {
				seconds = binary.BigEndian.AppendUint32(nil, uint32(left))
			}
			ttl = cell.AppendValue(ttl, seconds)
		}
		ttls = append(ttls, ttl)
	}
	for i := range 2 { // those of one cell
		if ttls[i] = nil; left > 0 {
			ttls[i] = binary.BigEndian.AppendUint32(nil, uint32(left))
		}
	}
	return append(append(append(cell.Row{}, row...), times...), ttls...)
}

func moment(at int64) cell.Cell {
	if at == 0 {
		return nil
	}
	return binary.BigEndian.AppendUint64(nil, uint64(at))
}

func moments(at []int64) cell.Cell {
	c := cell.Cell(cell.AppendCount(nil, len(at)))
	for _, x := range at {
		c = cell.AppendValue(c, moment(x))
	}
	return c
}

// filled plans the backfill of a copy and returns it as text: a line for each write time.
func filled(t *testing.T, copy int, read cell.Row, now int64) []string {
	t.Helper()
	stamps, err := ofCrates.Stamps(read)
	require.NoError(t, err)
	writes, err := plan.PlanBackfill(ofCrates, &ofCrates.Copies[copy], read[:5], stamps, now)
	require.NoError(t, err)
	var out []string
	for _, w := range writes {
		line := fmt.Sprint("at ", w.At)
		for _, m := range w.Mutations {
			if line += fmt.Sprintf(", %v", m.Action); m.TTL > 0 {
				line += fmt.Sprintf(" for %d s", m.TTL)
			}
			for i := m.Table.Key; m.Action == plan.Put && i < len(m.Table.Columns); i++ {
				if m.Write.Has(i) {
					line += " " + m.Table.Columns[i].Name
				}
			}
			for i, v := range m.Values {
				if v != nil {
					line += fmt.Sprintf(" %d=%q", i, v)
				}
			}
		}
		out = append(out, line)
	}
	return out
}

// Each cell has the write time of its sources, and the row that of its key and its condition, even if other cells are newer.
func TestFillWritesAtTheTimesOfTheSource(t *testing.T) {
	read := timed(crate(), 0, 50, 60, []int64{70, 80}, []int64{90, 60})
	require.Equal(t, []string{
		"at 60, put number, fill 3=\"Recife\"",
		fmt.Sprintf("at 70, fill 1=%q", setOf("a")),
		fmt.Sprintf("at 80, fill 1=%q", setOf("b")),
		"at 90, fill 2=\"Ana\"",
	}, filled(t, 0, read, 0))
	require.Equal(t, []string{"at 70, put", "at 80, put"}, filled(t, 2, read, 0))
}

// A row that was deleted and inserted again has the write time of the insertion, and so do its older cells: values from before
// the deletion are older than its tombstone.
func TestFillOfARowThatCameBack(t *testing.T) {
	read := timed(crate(), 0, 85, 60, []int64{70, 90}, []int64{95, 60})
	require.Equal(t, []string{
		fmt.Sprintf("at 85, put number, fill 1=%q 3=\"Recife\"", setOf("a")),
		fmt.Sprintf("at 90, fill 1=%q", setOf("b")),
		"at 95, fill 2=\"Ana\"",
	}, filled(t, 0, read, 0))
}

// A cell does not have the write time of an unrelated newer cell: a write of its value can still be under way.
func TestFillTakesNoOtherCellsTime(t *testing.T) {
	read := timed(crate(), 0, 85, 60, []int64{70, 90}, []int64{95, 60})
	require.Equal(t, []string{"at 95, put", `at 60, fill 0="glass"`, `at 85, fill 1="\x01"`}, filled(t, 4, read, 0))
}

// A static value belongs to the partition: it is not deleted or inserted with a row.
func TestFillOfAStaticValue(t *testing.T) {
	read := timed(crate(), 0, 50, 60, []int64{70, 80}, []int64{90, 60})
	require.Equal(t, []string{"at 60, put", `at 50, fill static 0="\x01"`}, filled(t, 5, read, 0))
}

// A row with the key of its source has the write time of the source. Without a write time, it is before all writes.
func TestFillOfARowThatIsNothingButItsKey(t *testing.T) {
	require.Equal(t, []string{"at 90, put"}, filled(t, 3, timed(crate(), 0, 50, 60, []int64{70, 80}, []int64{90, 60}), 0))
	key := make(cell.Row, 13)
	key[0] = cell.Cell{7}
	require.Equal(t, []string{"at 1, put"}, filled(t, 3, key, 1_000))
	require.Empty(t, filled(t, 1, key, 1_000))
}

// Nulls are not written, and there is no row while the condition does not hold.
func TestFillWritesNoNulls(t *testing.T) {
	read := timed(crate(), 0, 50, 60, nil, []int64{0, 60})
	read[3], read[4] = nil, cell.AppendValue(cell.AppendValue(nil, nil), cell.Cell("Recife"))
	read[7], read[11] = nil, nil
	require.Equal(t, []string{`at 60, put number, fill 3="Recife"`}, filled(t, 0, read, 0))
	read[1] = cell.Cell{0}
	require.Empty(t, filled(t, 0, read, 0))
	require.Empty(t, filled(t, 2, read, 0))
}

// A row that expires is written as a whole at its last change, with the remaining TTL. Expired values are not written. A copy
// does not expire later than its source.
func TestFillOfWhatExpires(t *testing.T) {
	const second = 1_000_000
	read := timed(crate(), 0, 5*second, 6*second, []int64{7 * second, 8 * second}, []int64{9 * second, 6 * second})
	whole := func(left int) []string {
		return []string{fmt.Sprintf("at 9000000, put for %d s number, fill for %d s 1=%q 2=\"Ana\" 3=\"Recife\"", left, left, setOf("a", "b"))}
	}
	require.Equal(t, whole(60), filled(t, 1, read, 9*second))
	require.Equal(t, whole(49), filled(t, 1, read, 19*second+1))
	require.Equal(t, whole(1), filled(t, 1, read, 68*second))
	require.Empty(t, filled(t, 1, read, 69*second))

	require.Equal(t, []string{`at 6000000, put for 57 s, fill for 57 s 0="Recife"`}, filled(t, 6, read, 9*second), "of a field that is not copied")

	short := timed(crate(), 9, 5*second, 6*second, []int64{7 * second, 8 * second}, []int64{9 * second, 6 * second})
	require.Equal(t, whole(9), filled(t, 1, short, 9*second))
	require.Equal(t, "at 6000000, put for 9 s number, fill for 9 s 3=\"Recife\"", filled(t, 0, short, 9*second)[0])
}

// A backfill has one statement for values without a TTL and for static values, and sets no column of the key.
func TestFillStatement(t *testing.T) {
	m := plan.Mutation{Table: (*plan.Table)(sealed), Action: plan.Fill}
	require.Equal(t, `UPDATE sealed USING TIMESTAMP ? AND TTL ? SET number = ?, "Tags" = "Tags" + ?, sender.name = ?, sender.city = ? WHERE name = ? AND id = ?`, m.Statement())
}

// A row that is invalid for the copy is a fault, as in a write.
func TestFillFaults(t *testing.T) {
	read := timed(crate(), 0, 50, 0, []int64{70, 80}, []int64{90, 60})
	read[2] = nil
	stamps, err := ofCrates.Stamps(read)
	require.NoError(t, err)
	_, err = plan.PlanBackfill(ofCrates, &ofCrates.Copies[0], read[:5], stamps, 0)
	require.EqualError(t, err, "plan: Name is null, but is in the key of sealed")

	_, err = ofCrates.Stamps(timed(crate(), 0, 50, 60, []int64{70}, nil))
	require.EqualError(t, err, "plan: write times of column tags: 1 for 2 elements")
}

// A copy with nothing but the key of its source expires with the last value of the source, which is not the value that was written last.
func TestFillOfAKeyExpiresWithTheLastValue(t *testing.T) {
	read := timed(crate(), 9, 50, 60, []int64{70, 80}, []int64{90, 60})
	require.Equal(t, []string{"at 90, put for 9 s"}, filled(t, 3, read, 0))
	const nameTTL = 5 + 4 + 1 // after the cells and their times
	read[nameTTL] = binary.BigEndian.AppendUint32(nil, 500)
	require.Equal(t, []string{"at 90, put for 500 s"}, filled(t, 3, read, 0))
	read[nameTTL] = nil
	require.Equal(t, []string{"at 90, put"}, filled(t, 3, read, 0), "one value does not expire")
}
