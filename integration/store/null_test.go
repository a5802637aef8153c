package store

import (
	"context"
	"database/sql"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/null"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

var nulls = generated[*null.Store]{null.Schema, null.Open, null.OpenOn}

// requireRefused checks that a call was refused because a row has no value in a field.
func requireRefused(t *testing.T, err error, row, field string) {
	t.Helper()
	var refused *mapper.ConstraintError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, []mapper.Fault{{Path: field, Problem: "is required"}}, refused.Faults)
	require.Equal(t, row, refused.Key)
}

// accepted is a value that a store has accepted or refused.
type accepted struct {
	present bool // it has the values that the model requires
	insert  func() error
	again   func() error // an Update that changes another field
	read    func() error
}

var (
	noTime, someTime = new(time.Time), new(time.Unix(1, 0))
	collections      = [][]string{nil, {}, {"a"}}
)

// boxes returns a box with each combination of values that are absent, empty and present.
func boxes(ctx context.Context, s *null.Store) (out []accepted) {
	insides := []*null.Inside{nil, {}, {At: noTime}, {At: someTime}, {Names: []string{}}}
	for _, labels := range collections {
		for _, fixed := range collections {
			for k, inside := range insides {
				v := &null.Box{ID: int32(len(out)), Labels: labels, Fixed: fixed, Inside: inside}
				a := accepted{present: len(labels) > 0 && fixed != nil && k > 2}
				a.insert = func() error { return s.Boxes.Insert(ctx, v) }
				a.again = func() error {
					_, err := s.Boxes.Update(ctx, v.ID, func(b *null.Box) error { b.Note = "n"; return nil })
					return err
				}
				a.read = func() error { _, err := s.Boxes.Get(ctx, v.ID); return err }
				out = append(out, a)
			}
		}
	}
	return out
}

// parcels returns a parcel with each combination of two contents.
func parcels(ctx context.Context, s *null.Store) (out []accepted) {
	type content struct {
		set     func(*null.Parcel)
		present int
	}
	contents := []content{
		{func(p *null.Parcel) {}, 0},
		{func(p *null.Parcel) { p.Cards = []string{} }, 0},
		{func(p *null.Parcel) { p.Cards = []string{"a"} }, 1},
		{func(p *null.Parcel) { p.Notes = []string{} }, 1}, // it is frozen
		{func(p *null.Parcel) { p.Cash = &null.Inside{} }, 0},
		{func(p *null.Parcel) { p.Cash = &null.Inside{At: noTime} }, 0},
		{func(p *null.Parcel) { p.Cash = &null.Inside{Names: []string{}} }, 1},
		{func(p *null.Parcel) { p.Sent = noTime }, 0},
		{func(p *null.Parcel) { p.Sent = someTime }, 1},
		{func(p *null.Parcel) { p.Paid = sql.Null[time.Time]{Valid: true} }, 0},
		{func(p *null.Parcel) { p.Paid = sql.Null[time.Time]{Valid: true, V: *someTime} }, 1},
	}
	for i, x := range contents {
		for _, y := range contents[i+1:] {
			v := &null.Parcel{ID: int32(len(out))}
			x.set(v)
			y.set(v)
			count := 0
			for _, has := range []bool{len(v.Cards) > 0, v.Notes != nil, v.Cash != nil && (v.Cash.Names != nil || v.Cash.At == someTime), v.Sent == someTime, v.Paid.Valid && !v.Paid.V.IsZero()} {
				if has {
					count++
				}
			}
			a := accepted{present: count == 1}
			a.insert = func() error { return s.Parcels.Insert(ctx, v) }
			a.again = func() error {
				_, err := s.Parcels.Update(ctx, v.ID, func(p *null.Parcel) error { p.Note = "n"; return nil })
				return err
			}
			a.read = func() error { _, err := s.Parcels.Get(ctx, v.ID); return err }
			out = append(out, a)
		}
	}
	return out
}

// persons returns a person with each combination of contacts.
func persons(ctx context.Context, s *null.Store) (out []accepted) {
	for _, phones := range []map[string]int32{nil, {}, {"a": 1}} {
		for _, mails := range collections {
			for _, seen := range []*time.Time{nil, noTime, someTime} {
				v := &null.Person{ID: int32(len(out)), Phones: phones, Mails: mails, Seen: seen}
				a := accepted{present: len(phones) > 0 || len(mails) > 0 || seen == someTime}
				a.insert = func() error { return s.Persons.Insert(ctx, v) }
				a.again = func() error {
					_, err := s.Persons.Update(ctx, v.ID, func(p *null.Person) error { p.Note = "n"; return nil })
					return err
				}
				a.read = func() error { _, err := s.Persons.Get(ctx, v.ID); return err }
				out = append(out, a)
			}
		}
	}
	return out
}

// A value is accepted only if the row that is stored satisfies the rules. So a later Update of the row is accepted, too.
func TestAcceptedRowsCanBeUpdated(t *testing.T) {
	t.Parallel()
	onStores(t, nulls, func(t *testing.T, s *null.Store, _ *storetest.Requests) {
		all := slices.Concat(boxes(t.Context(), s), parcels(t.Context(), s), persons(t.Context(), s))
		require.NotEmpty(t, slices.DeleteFunc(slices.Clone(all), func(a accepted) bool { return !a.present }))
		for i, a := range all {
			err := a.insert()
			var refused *mapper.ConstraintError
			if !a.present {
				require.ErrorAs(t, err, &refused, "%d", i)
				require.ErrorIs(t, a.read(), mapper.ErrNotFound, "%d", i)
				continue
			}
			require.NoError(t, err, "%d", i)
			require.NoError(t, a.read(), "%d", i)
			require.NoError(t, a.again(), "%d", i)
		}
	})
}

// A root that exists only by its required field is not lost: a value of this field that is stored as null is refused.
func TestRootsInTheTableOfAPartDoNotVanish(t *testing.T) {
	t.Parallel()
	onStores(t, nulls, func(t *testing.T, s *null.Store, _ *storetest.Requests) {
		require.NoError(t, s.Boards.Insert(t.Context(), &null.Board{ID: 1, Tags: []string{"a"}}))
		require.NoError(t, s.Pin.Insert(t.Context(), &null.Pin{BoardID: 1, Number: 1}))
		for name, err := range map[string]error{
			"Insert":     s.Boards.Insert(t.Context(), &null.Board{ID: 2, Tags: []string{}}),
			"Put":        s.Boards.Put(t.Context(), &null.Board{ID: 1, Tags: []string{}}),
			"Change":     s.Boards.Change(t.Context(), &null.Board{ID: 1, Tags: []string{"a"}}, &null.Board{ID: 1, Tags: []string{}}),
			"SetTags":    s.Boards.SetTags(t.Context(), 1, []string{}),
			"RemoveTags": s.Boards.RemoveTags(t.Context(), 1, "a"),
			"Update": func() error {
				_, err := s.Boards.Update(t.Context(), 1, func(b *null.Board) error { b.Tags = b.Tags[:0]; return nil })
				return err
			}(),
		} {
			requireRefused(t, err, map[bool]string{true: "id=2", false: "id=1"}[name == "Insert"], "Tags")
			got, err := s.Boards.Get(t.Context(), 1)
			require.NoError(t, err, name)
			require.Equal(t, []string{"a"}, got.Tags, name)
		}
		require.NoError(t, s.Sheets.Insert(t.Context(), &null.Sheet{ID: 1, Size: null.Pair{1}}))
		requireRefused(t, s.Sheets.SetSize(t.Context(), 1, null.Pair{}), "id=1", "Size")
		_, err := s.Sheets.Update(t.Context(), 1, func(v *null.Sheet) error { v.Size = v.Size[:0]; return nil })
		requireRefused(t, err, "id=1", "Size")
		_, err = s.Sheets.Get(t.Context(), 1)
		require.NoError(t, err)
	})
}
