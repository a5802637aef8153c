package store

import (
	"context"
	"database/sql"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/strict"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// requireRefused checks that a call was refused because a row has no value in a field.
func requireRefused(t *testing.T, err error, row, field string) {
	t.Helper()
	var refused *mapper.ConstraintError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, []mapper.Violation{{Path: field, Problem: "is required"}}, refused.Violations)
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

// newParcel returns a parcel that has all values that the model requires, except for its content.
func newParcel(id int) *strict.Parcel {
	return &strict.Parcel{ID: int32(id), Labels: []string{"a"}, Fixed: []string{}, Inside: &strict.Inside{At: someTime}, Seen: someTime}
}

// accept returns the value of a parcel.
func accept(ctx context.Context, s *strict.Store, v *strict.Parcel, present bool) accepted {
	return accepted{
		present: present,
		insert:  func() error { return s.Parcels.Insert(ctx, v) },
		again: func() error {
			_, err := s.Parcels.Update(ctx, v.ID, func(p *strict.Parcel) error { p.Note = "n"; return nil })
			return err
		},
		read: func() error { _, err := s.Parcels.Get(ctx, v.ID); return err },
	}
}

// requiredValues returns a parcel with each combination of required values that are absent, empty and present.
func requiredValues(ctx context.Context, s *strict.Store) (out []accepted) {
	insides := []*strict.Inside{nil, {}, {At: noTime}, {At: someTime}, {Names: []string{}}}
	for _, labels := range collections {
		for _, fixed := range collections {
			for k, inside := range insides {
				v := newParcel(len(out))
				v.Labels, v.Fixed, v.Inside, v.Sent = labels, fixed, inside, someTime
				out = append(out, accept(ctx, s, v, len(labels) > 0 && fixed != nil && k > 2))
			}
		}
	}
	return out
}

// contents returns a parcel with each combination of two contents.
func contents(ctx context.Context, s *strict.Store) (out []accepted) {
	type content struct {
		set     func(*strict.Parcel)
		present int
	}
	contents := []content{
		{func(p *strict.Parcel) {}, 0},
		{func(p *strict.Parcel) { p.Cards = []string{} }, 0},
		{func(p *strict.Parcel) { p.Cards = []string{"a"} }, 1},
		{func(p *strict.Parcel) { p.Notes = []string{} }, 1}, // it is frozen
		{func(p *strict.Parcel) { p.Cash = &strict.Inside{} }, 0},
		{func(p *strict.Parcel) { p.Cash = &strict.Inside{At: noTime} }, 0},
		{func(p *strict.Parcel) { p.Cash = &strict.Inside{Names: []string{}} }, 1},
		{func(p *strict.Parcel) { p.Sent = noTime }, 0},
		{func(p *strict.Parcel) { p.Sent = someTime }, 1},
		{func(p *strict.Parcel) { p.Paid = sql.Null[time.Time]{Valid: true} }, 0},
		{func(p *strict.Parcel) { p.Paid = sql.Null[time.Time]{Valid: true, V: *someTime} }, 1},
	}
	for i, x := range contents {
		for _, y := range contents[i+1:] {
			v := newParcel(100 + len(out))
			x.set(v)
			y.set(v)
			count := 0
			for _, has := range []bool{len(v.Cards) > 0, v.Notes != nil, v.Cash != nil && (v.Cash.Names != nil || v.Cash.At == someTime), v.Sent == someTime, v.Paid.Valid && !v.Paid.V.IsZero()} {
				if has {
					count++
				}
			}
			out = append(out, accept(ctx, s, v, count == 1))
		}
	}
	return out
}

// contacts returns a parcel with each combination of contacts.
func contacts(ctx context.Context, s *strict.Store) (out []accepted) {
	for _, phones := range []map[string]int32{nil, {}, {"a": 1}} {
		for _, mails := range collections {
			for _, seen := range []*time.Time{nil, noTime, someTime} {
				v := newParcel(200 + len(out))
				v.Sent, v.Phones, v.Mails, v.Seen = someTime, phones, mails, seen
				out = append(out, accept(ctx, s, v, len(phones) > 0 || len(mails) > 0 || seen == someTime))
			}
		}
	}
	return out
}

// A value is accepted only if the row that is stored satisfies the rules. So a later Update of the row is accepted, too.
func TestAcceptedRowsCanBeUpdated(t *testing.T) {
	t.Parallel()
	onStores(t, strictStores, func(t *testing.T, s *strict.Store, _ *storetest.Requests) {
		all := slices.Concat(requiredValues(t.Context(), s), contents(t.Context(), s), contacts(t.Context(), s))
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
	onStores(t, strictStores, func(t *testing.T, s *strict.Store, _ *storetest.Requests) {
		require.NoError(t, s.Boards.Insert(t.Context(), &strict.Board{ID: 1, Tags: []string{"a"}}))
		require.NoError(t, s.Pin.Insert(t.Context(), &strict.Pin{BoardID: 1, Number: 1}))
		for name, err := range map[string]error{
			"Insert":     s.Boards.Insert(t.Context(), &strict.Board{ID: 2, Tags: []string{}}),
			"Put":        s.Boards.Put(t.Context(), &strict.Board{ID: 1, Tags: []string{}}),
			"Change":     s.Boards.Change(t.Context(), &strict.Board{ID: 1, Tags: []string{"a"}}, &strict.Board{ID: 1, Tags: []string{}}),
			"SetTags":    s.Boards.SetTags(t.Context(), 1, []string{}),
			"RemoveTags": s.Boards.RemoveTags(t.Context(), 1, "a"),
			"Update": func() error {
				_, err := s.Boards.Update(t.Context(), 1, func(b *strict.Board) error { b.Tags = b.Tags[:0]; return nil })
				return err
			}(),
		} {
			requireRefused(t, err, map[bool]string{true: "id=2", false: "id=1"}[name == "Insert"], "Tags")
			got, err := s.Boards.Get(t.Context(), 1)
			require.NoError(t, err, name)
			require.Equal(t, []string{"a"}, got.Tags, name)
		}
		require.NoError(t, s.Sheets.Insert(t.Context(), &strict.Sheet{ID: 1, Size: strict.Pair{1}}))
		requireRefused(t, s.Sheets.SetSize(t.Context(), 1, strict.Pair{}), "id=1", "Size")
		_, err := s.Sheets.Update(t.Context(), 1, func(v *strict.Sheet) error { v.Size = v.Size[:0]; return nil })
		requireRefused(t, err, "id=1", "Size")
		_, err = s.Sheets.Get(t.Context(), 1)
		require.NoError(t, err)
	})
}
