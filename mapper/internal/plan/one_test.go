package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// A change of exactly one column of one cell is an INSERT of the key and that column, in the root and in a copy. Whatever is
// more, and a row that is new, has the INSERT of all columns.
func TestOneColumnHasItsOwnInsert(t *testing.T) {
	films := &plan.Table{Name: "films", Partition: 1, Key: 1, Insert: "INSERT INTO films (id, …", Columns: []plan.Column{
		{Name: "id", CQL: "id"}, {Name: "title", CQL: "title", Kind: plan.Regular}, {Name: "year", CQL: `"Year"`, Kind: plan.Regular},
		{Name: "cast", CQL: "cast", Kind: plan.Regular, Cells: plan.List, Type: "list<text>"}}}
	byTitle := &plan.Table{Name: "by_title", Partition: 1, Key: 2, Insert: "INSERT INTO by_title (title, …", Columns: []plan.Column{
		{Name: "title", CQL: "title"}, {Name: "id", CQL: "id", Kind: plan.ClusteringKey}, {Name: "year", CQL: `"Year"`, Kind: plan.Regular},
		{Name: "cast", CQL: "cast", Kind: plan.Regular}}}
	yearOf := &plan.Table{Name: "year_of", Partition: 1, Key: 1, Insert: "INSERT INTO year_of (id, …", Columns: []plan.Column{
		{Name: "id", CQL: "id"}, {Name: "year", CQL: `"Year"`, Kind: plan.Regular}}}
	a := plan.Link(plan.Aggregate{Root: films, Copies: []plan.Projection{
		{Table: byTitle, Columns: []uint16{1, 0, 2, 3}}, {Table: yearOf, Columns: []uint16{0, 2}}}})
	statements := func(old, new cell.Row, ttl int) (out []string) {
		mutations, err := plan.Plan(a, plan.Change{Old: old, New: new, TTL: ttl})
		require.NoError(t, err)
		for i := range mutations {
			out = append(out, mutations[i].Statement())
		}
		return out
	}
	film := cell.Row{{1}, cell.Cell("Alien"), {79}, setOf("Weaver")}
	with := func(title string, year byte, cast cell.Cell) cell.Row {
		return cell.Row{{1}, cell.Cell(title), {year}, cast}
	}
	whole := []string{films.Insert, byTitle.Insert, yearOf.Insert}

	year := []string{`INSERT INTO films (id, "Year") VALUES (?, ?) USING TIMESTAMP ? AND TTL ?`,
		`INSERT INTO by_title (title, id, "Year") VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?`, yearOf.Insert}
	require.Equal(t, year, statements(film, with("Alien", 80, film[3]), 0))
	require.Equal(t, whole, statements(film, with("Alien", 80, nil), 0))
	require.Equal(t, whole, statements(nil, cell.Row{{1}, cell.Cell("Alien"), nil, nil}, 0)[:3], "a row that is new")
	require.Equal(t, whole, statements(film, with("Alien", 80, film[3]), 60), "a row that expires is written whole")
	require.Equal(t, []string{films.Insert, `INSERT INTO by_title (title, id, cast) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?`},
		statements(film, with("Alien", 79, nil), 0), "a list of several cells, and a frozen one")

	mutations, err := plan.PlanSet(a, cell.Row{{1}, nil, {80}, nil}, 2)
	require.NoError(t, err)
	require.Equal(t, year[0], mutations[0].Statement())
}
