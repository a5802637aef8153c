package memory_test

import (
	"slices"
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

func text(s string) cell.Cell { return cell.Cell(s) }

// The winner of two writes of one cell does not depend on their order.
func TestWritesOfOneCell(t *testing.T) {
	write := func(v cell.Cell) plan.Mutation { return put(1, map[int]cell.Cell{title: v}) }
	type version struct {
		at int64
		m  plan.Mutation
	}
	for name, c := range map[string]struct {
		wins, loses version
		want        cell.Cell
	}{
		"the later":                     {version{2, write(text("a"))}, version{1, write(text("b"))}, text("a")},
		"a later null":                  {version{2, write(nil)}, version{1, write(text("b"))}, nil},
		"a null at one timestamp":       {version{1, write(nil)}, version{1, write(text("b"))}, nil},
		"what expires at one timestamp": {version{1, expiring(write(text("a")), 10)}, version{1, write(text("b"))}, text("a")},
		"a null over what expires":      {version{1, write(nil)}, version{1, expiring(write(text("a")), 10)}, nil},
		"what expires last":             {version{1, expiring(write(text("a")), 20)}, version{1, expiring(write(text("b")), 10)}, text("a")},
		"the larger bytes":              {version{1, write(text("b"))}, version{1, write(text("a"))}, text("b")},
		"the longer":                    {version{1, write(text("ab"))}, version{1, write(text("a"))}, text("ab")},
		"anything over the empty value": {version{1, write(text("a"))}, version{1, write(text(""))}, text("a")},
	} {
		for _, order := range [][]version{{c.wins, c.loses}, {c.loses, c.wins}} {
			d := newDatabase(t)
			for _, v := range order {
				d.Apply(v.at, v.m)
			}
			require.Equal(t, c.want, d.value(1, title), name)
		}
	}
}

func TestMarkers(t *testing.T) {
	d := newDatabase(t)
	d.Apply(1, put(1, map[int]cell.Cell{title: text("a")}))
	d.Apply(2, put(1, map[int]cell.Cell{title: nil}))
	require.Len(t, d.rows(), 1, "an insert leaves a marker, which keeps a row without values")

	d.Apply(1, alter(2, tags, []cell.Cell{collection(1, number(7)), nil}, 0))
	require.Len(t, d.rows(), 2)
	d.Apply(2, alter(2, tags, []cell.Cell{nil, collection(1, number(7))}, 1))
	require.Len(t, d.rows(), 1, "an update leaves none")
}

func TestDeletes(t *testing.T) {
	for name, m := range map[string]plan.Mutation{"row": remove(1), "partition": removeAll()} {
		for _, first := range []bool{true, false} {
			d := newDatabase(t)
			if first {
				d.Apply(2, m)
			}
			d.Apply(1, put(1, map[int]cell.Cell{title: text("before")}))
			d.Apply(2, put(1, map[int]cell.Cell{title: text("at once")}))
			if !first {
				d.Apply(2, m)
			}
			require.Empty(t, d.rows(), name)
			d.Apply(3, put(1, map[int]cell.Cell{title: text("after")}))
			require.Equal(t, text("after"), d.value(1, title), name)
		}
	}
	d := newDatabase(t)
	back := remove(1)
	back.Back = 1
	d.Apply(1, put(1, map[int]cell.Cell{title: text("a"), tags: collection(1, number(1))}))
	d.Apply(2, back, put(1, map[int]cell.Cell{title: text("b")}))
	require.Equal(t, text("b"), d.value(1, title), "a delete just before the write of its own batch")
	require.Nil(t, d.value(1, tags))
}

// A delete by the first columns of the key deletes exactly the rows that have these values.
func TestDeletesOfRanges(t *testing.T) {
	scenes := &descriptor.Table{Name: "scenes", Partition: 1, Key: 3, Columns: []descriptor.Column{
		{Name: "film", Type: "text"}, {Name: "act", Type: "int", Kind: projection.ClusteringKey}, {Name: "scene", Type: "int", Kind: projection.ClusteringKey}}}
	s, err := memory.New(memory.Config{}).Open(t.Context(), &descriptor.Schema{Tables: []*descriptor.Table{scenes}})
	require.NoError(t, err)
	apply := func(at int64, act, scene int, m plan.Mutation) {
		m.Table, m.Row = (*plan.Table)(scenes), cell.Row{text("M"), number(act), number(scene)}
		require.NoError(t, s.Apply(t.Context(), []plan.Mutation{m}, store.Write{Timestamp: at}))
	}
	apply(1, 1, 1, plan.Mutation{})
	apply(2, 1, 2, plan.Mutation{})
	apply(3, 1, 3, plan.Mutation{})
	apply(1, 2, 1, plan.Mutation{})
	apply(2, 1, 0, plan.Mutation{Action: plan.Delete, Column: 2})
	apply(1, 1, 4, plan.Mutation{})
	var left []cell.Row
	for row, err := range s.Rows(t.Context(), store.Read{Table: (*plan.Table)(scenes)}) {
		require.NoError(t, err)
		left = append(left, row[1:])
	}
	require.Equal(t, []cell.Row{{number(1), number(3)}, {number(2), number(1)}}, left)
}

func TestCollectionsAreCells(t *testing.T) {
	d := newDatabase(t)
	one, two := collection(1, number(1)), collection(1, number(2))
	d.Apply(1, put(1, map[int]cell.Cell{tags: one}))
	d.Apply(2, put(1, map[int]cell.Cell{tags: two}))
	require.Equal(t, two, d.value(1, tags), "the assignment of a complete value replaces")
	d.Apply(2, put(1, map[int]cell.Cell{tags: one}))
	require.Equal(t, collection(1, number(1), number(2)), d.value(1, tags), "two at one timestamp are merged")
	d.Apply(3, alter(1, tags, []cell.Cell{collection(1, number(-5)), collection(1, number(2))}, 0, 1))
	require.Equal(t, collection(1, number(-5), number(1)), d.value(1, tags), "elements are sorted by value")
	d.Apply(4, put(1, map[int]cell.Cell{tags: collection(1)}))
	require.Nil(t, d.value(1, tags), "an empty one is null")

	d.Apply(1, put(1, map[int]cell.Cell{roles: collection(2, number(1), text("a"), number(2), text("b"))}))
	d.Apply(2, alter(1, roles, []cell.Cell{collection(2, number(1), text("c")), nil}, 0))
	require.Equal(t, collection(2, number(1), text("c"), number(2), text("b")), d.value(1, roles))
}

func TestListsRepeat(t *testing.T) {
	d := newDatabase(t)
	list := put(1, map[int]cell.Cell{notes: collection(1, text("x"), text("y"))})
	d.Apply(5, list)
	d.Apply(5, list)
	require.Equal(t, collection(1, text("x"), text("y"), text("x"), text("y")), d.value(1, notes), "sent twice at one timestamp")
	d.Apply(7, list)
	require.Equal(t, collection(1, text("x"), text("y")), d.value(1, notes), "repeated above it")
}

func TestUDTsAreCells(t *testing.T) {
	d := newDatabase(t)
	d.Apply(1, put(1, map[int]cell.Cell{score: pair(text("a"), number(1))}))
	d.Apply(2, alter(1, score, []cell.Cell{text("b"), number(2)}, 0))
	require.Equal(t, pair(text("b"), number(1)), d.value(1, score), "the field that is unset stays")
	d.Apply(3, alter(1, score, []cell.Cell{nil, nil}, 0, 1))
	require.Nil(t, d.value(1, score), "all null is null")
}

func TestUnsetColumnsStay(t *testing.T) {
	d := newDatabase(t)
	d.Apply(1, put(1, map[int]cell.Cell{title: text("a"), language: text("pt")}))
	d.Apply(2, put(1, nil))
	require.Equal(t, text("a"), d.value(1, title))
	require.Equal(t, text("pt"), d.value(1, language))
}

func TestStatics(t *testing.T) {
	d := newDatabase(t)
	d.Apply(1, put(1, map[int]cell.Cell{language: text("pt")}), put(2, nil))
	require.Equal(t, text("pt"), d.value(2, language), "the partition has them")
	d.Apply(2, remove(1), remove(2))
	require.Equal(t, []cell.Row{{text("BR"), nil, text("pt"), nil, nil, nil, nil, nil}}, d.rows(), "without rows they are returned as one row, with a null in its key")
	require.Empty(t, d.read(store.Read{Table: (*plan.Table)(films), Key: cell.Row{text("BR"), number(1)}}), "which does not belong to a year")
	d.Apply(3, removeAll())
	require.Empty(t, d.rows())
}

func TestExpiry(t *testing.T) {
	d := newDatabase(t)
	d.Apply(1, put(1, map[int]cell.Cell{title: text("stays")}))
	d.Apply(2, expiring(put(1, map[int]cell.Cell{title: text("goes"), tags: collection(1, number(1))}), 10))
	d.Apply(2, expiring(put(2, map[int]cell.Cell{title: text("goes")}), 10))
	d.now = d.now.Add(9 * time.Second)
	require.Len(t, d.rows(), 2)
	require.Equal(t, text("goes"), d.value(1, title))
	d.now = d.now.Add(time.Second)
	require.Empty(t, d.rows(), "the marker expires too, and the value that a cell replaced does not reappear")

	d.Apply(2, expiring(put(3, nil), 10))
	d.Apply(2, expiring(put(3, nil), 20))
	d.Apply(2, put(3, nil))
	d.now = d.now.Add(19 * time.Second)
	require.Len(t, d.rows(), 1, "of several markers at one timestamp, the one that expires last is kept")
	d.now = d.now.Add(time.Second)
	require.Empty(t, d.rows())
}

func TestTimestampsAreRead(t *testing.T) {
	d := newDatabase(t)
	d.Apply(5, put(1, map[int]cell.Cell{language: text("pt"), title: text("a"), tags: collection(1, number(1))}))
	d.Apply(9, alter(1, tags, []cell.Cell{collection(1, number(2)), nil}, 0))
	rows := d.read(store.Read{Table: (*plan.Table)(films), Key: cell.Row{text("BR"), number(1)}, Written: true})
	at := func(n int) cell.Cell { return slices.Concat(number(0), number(n)) }
	require.Equal(t, cell.Row{at(5), at(5), at(9), nil, nil, nil}, rows[0][len(films.Columns):])
}
