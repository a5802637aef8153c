package projection_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/projection"
	"github.com/cassaml/cassaml/integration/projection/computed"
	"github.com/cassaml/cassaml/mapper/memory"
)

// fact is a cell of a copy and the fields of the root that it derives from, separated by spaces. Of the result of a method, these are
// the fields that the method reads.
type fact struct {
	value projection.Value
	of    string
}

// facts are the rows of a copy, by key.
type facts map[string]map[string]fact

// subject is a root whose copies are computed with methods: the methods of its table, and the rows of its copy in plain Go.
type subject[T any] struct {
	copy   string
	draw   func(*rand.Rand) T
	rows   func(T) facts
	insert func(context.Context, *T) error
	put    func(context.Context, *T) error
	change func(context.Context, *T, *T) error
	update func(context.Context, int32, func(*T) error) (*T, error)
	delete func(context.Context, int32) error
}

func videos(s *computed.Store) subject[computed.Video] {
	return subject[computed.Video]{
		copy: "videos_by_hour",
		draw: func(r *rand.Rand) computed.Video {
			return computed.Video{ID: 1, Minutes: r.Int32N(4) * 40, Title: []string{"", "a", "b"}[r.IntN(3)]}
		},
		rows: func(v computed.Video) facts {
			row := map[string]fact{"title": {v.Title, "Title"}}
			if v.Title != "" { // otherwise null
				row["label"] = fact{map[string]string{"a": "A", "b": "B"}[v.Title], "Title"}
			}
			return facts{fmt.Sprintf("hour=%d, id=1", v.Minutes/60): row}
		},
		insert: s.Videos.Insert, put: s.Videos.Put, change: s.Videos.Change, update: s.Videos.Update, delete: s.Videos.Delete,
	}
}

func posts(s *computed.Store) subject[computed.Post] {
	return subject[computed.Post]{
		copy: "posts_by_word",
		draw: func(r *rand.Rand) computed.Post {
			return computed.Post{ID: 1, Text: []string{"", "a", "a b", "b b", "c b a"}[r.IntN(5)], Likes: r.Int32N(3)}
		},
		rows: func(p computed.Post) facts {
			out := facts{}
			for _, letter := range p.Text {
				if letter != ' ' && p.Likes > 0 {
					out[fmt.Sprintf("word='%c', id=1", letter)] = map[string]fact{"likes": {p.Likes, "Likes"}}
				}
			}
			return out
		},
		insert: s.Posts.Insert, put: s.Posts.Put, change: s.Posts.Change, update: s.Posts.Update, delete: s.Posts.Delete,
	}
}

func trips(s *computed.Store) subject[computed.Trip] {
	return subject[computed.Trip]{
		copy: "legs",
		draw: func(r *rand.Rand) computed.Trip {
			t := computed.Trip{ID: 1, Pace: r.Int32N(3)}
			for _, stop := range []string{"a", "b", "c", "d"} {
				if r.IntN(2) == 0 {
					if t.Stops == nil {
						t.Stops = map[string]string{}
					}
					t.Stops[stop] = "xxx"[:r.IntN(4)]
				}
			}
			return t
		},
		rows: func(t computed.Trip) facts {
			out := facts{}
			for stop, what := range t.Stops {
				if stop == "d" {
					continue
				}
				row := map[string]fact{"pace": {t.Pace, "Pace"}}
				if price := int32(len(what)) * t.Pace; price > 0 {
					row["price"] = fact{price, "Stops Pace"}
				}
				out[fmt.Sprintf("stop='%s', id=1", stop)] = row
			}
			return out
		},
		insert: s.Trips.Insert, put: s.Trips.Put, change: s.Trips.Change, update: s.Trips.Update, delete: s.Trips.Delete,
	}
}

func errands(s *computed.Store) subject[computed.Errand] {
	return subject[computed.Errand]{
		copy: "open_errands",
		draw: func(r *rand.Rand) computed.Errand {
			e := computed.Errand{ID: 1, Title: []string{"a", "b"}[r.IntN(2)], Note: []string{"a", "b", "c"}[r.IntN(3)]}
			if status := []computed.Status{"", computed.Waiting, computed.Running, computed.Done, "later"}[r.IntN(5)]; status != "" || r.IntN(2) == 0 {
				e.Status = &status
			}
			return e
		},
		rows: func(e computed.Errand) facts {
			if e.Status == nil || *e.Status != computed.Waiting && *e.Status != computed.Running {
				return facts{}
			}
			row := map[string]fact{"title": {e.Title, "Title"}, "label": {strings.ToUpper(e.Title) + "!", "Title"}, "kind": {"errand", ""}}
			return facts{"id=1": row}
		},
		insert: s.Errands.Insert, put: s.Errands.Put, change: s.Errands.Change, update: s.Errands.Update, delete: s.Errands.Delete,
	}
}

func entries(s *computed.Store) subject[computed.Entry] {
	const path = "a/b/c"
	return subject[computed.Entry]{
		copy: "entries_in_dir",
		draw: func(r *rand.Rand) computed.Entry {
			return computed.Entry{Path: path, Size: 1 + r.Int32N(3), Hidden: r.IntN(2) == 0}
		},
		rows: func(e computed.Entry) facts {
			row := map[string]fact{"size": {e.Size, "Size"}, "digits": {strconv.Itoa(int(e.Size)), "Size"}}
			return facts{"dir='a/b/', path='" + path + "'": row}
		},
		insert: s.Entries.Insert, put: s.Entries.Put, change: s.Entries.Change,
		update: func(ctx context.Context, _ int32, f func(*computed.Entry) error) (*computed.Entry, error) {
			return s.Entries.Update(ctx, path, f)
		},
		delete: func(ctx context.Context, _ int32) error { return s.Entries.Delete(ctx, path) },
	}
}

// Copies that are computed with methods equal the results of the methods, and only a change of a field that a method reads writes its
// result again.
func TestCopiesComputedWithMethods(t *testing.T) {
	from := firstSeed(t)
	for i := range 300 {
		r := rand.New(rand.NewPCG(from, uint64(3_000_000+i)))
		sequence(t, r, videos)
		sequence(t, r, posts)
		sequence(t, r, trips)
		sequence(t, r, errands)
		sequence(t, r, entries)
	}
}

// sequence runs some writes of one root.
func sequence[T any](t *testing.T, r *rand.Rand, of func(*computed.Store) subject[T]) {
	t.Helper()
	now := time.Unix(1_800_000_000, 0)
	backend := memory.New(memory.Config{Now: func() time.Time { return now }})
	store, err := computed.OpenBackend(t.Context(), backend)
	require.NoError(t, err)
	var live *T
	held := map[string]map[string]int64{} // the write time of each cell
	for range 8 {
		now = now.Add(10 * time.Microsecond)
		at := now.UnixMicro()
		s := of(store)
		next := s.draw(r)
		if live != nil && r.IntN(6) == 0 {
			require.NoError(t, s.delete(t.Context(), 1))
			live, held = nil, map[string]map[string]int64{}
			require.Empty(t, cellsAt(t, backend, s.copy))
			continue
		}
		require.NoError(t, write(t.Context(), r, s, live, next))
		held = expect(held, s, live, next, at)
		live = &next
		requireFacts(t, s.rows(next), held, cellsAt(t, backend, s.copy), next)
	}
}

func write[T any](ctx context.Context, r *rand.Rand, s subject[T], live *T, next T) error {
	switch n := r.IntN(3); {
	case live == nil && n > 0:
		return s.insert(ctx, &next)
	case live == nil || n == 0:
		return s.put(ctx, &next)
	case n == 1:
		return s.change(ctx, live, &next)
	}
	_, err := s.update(ctx, 1, func(v *T) error { *v = next; return nil })
	return err
}

// expect returns the write time of each cell of the copy.
func expect[T any](held map[string]map[string]int64, s subject[T], live *T, next T, at int64) map[string]map[string]int64 {
	if live != nil && reflect.DeepEqual(*live, next) {
		return held
	}
	out := map[string]map[string]int64{}
	var before facts
	if live != nil {
		before = s.rows(*live)
	}
	for key, row := range s.rows(next) {
		out[key] = map[string]int64{}
		for column, f := range row {
			out[key][column] = at
			if _, stays := before[key]; stays && same(*live, next, strings.Fields(f.of)) {
				out[key][column] = held[key][column]
			}
		}
	}
	return out
}

// same reports whether two values have the same fields.
func same(a, b any, fields []string) bool {
	return !slices.ContainsFunc(fields, func(name string) bool {
		return !reflect.DeepEqual(reflect.ValueOf(a).FieldByName(name).Interface(), reflect.ValueOf(b).FieldByName(name).Interface())
	})
}

func cellsAt(t *testing.T, b *memory.Backend, table string) []memory.Cell {
	t.Helper()
	cells, err := b.Cells(table)
	require.NoError(t, err)
	return cells
}

func requireFacts(t *testing.T, want facts, held map[string]map[string]int64, cells []memory.Cell, of any) {
	t.Helper()
	got, written := facts{}, map[string]map[string]int64{}
	for _, c := range cells {
		if got[c.Key] == nil {
			got[c.Key], written[c.Key] = map[string]fact{}, map[string]int64{}
		}
		if c.Column != "" {
			got[c.Key][c.Column] = fact{value: string(c.Value)}
			written[c.Key][c.Column] = c.Timestamp
		}
	}
	encoded := facts{}
	for key, row := range want {
		encoded[key] = map[string]fact{}
		for column, f := range row {
			encoded[key][column] = fact{value: string(projection.Encode(f.value))}
		}
	}
	require.Equal(t, encoded, got, "%v", of)
	require.True(t, maps.EqualFunc(held, written, maps.Equal), "%v: written at %v, want %v", of, written, held)
}
