package store

import (
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/lease"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// requireLeft checks a remaining TTL of a row that was written with a TTL of an hour: it has whole seconds, and tests take minutes at most.
func requireLeft(t *testing.T, left time.Duration) {
	t.Helper()
	require.Greater(t, left, 50*time.Minute)
	require.LessOrEqual(t, left, time.Hour)
	require.Zero(t, left%time.Second)
}

// Every read of the table of a root sets the field for the remaining TTL. Writes ignore it.
func TestReadsOfRemainingTTLs(t *testing.T) {
	onLeases(t, func(t *testing.T, s *lease.Store, _ *storetest.Requests) {
		ctx := t.Context()
		codes := s.With(mapper.Options{TTL: time.Hour}).Codes
		given := &lease.Code{Account: "a", Number: 1, Note: new("n"), Text: "x", Left: time.Second}
		require.NoError(t, codes.Insert(ctx, given))
		require.Equal(t, time.Second, given.Left, "a write does not change its value")
		require.NoError(t, s.Codes.Insert(ctx, &lease.Code{Account: "b", Number: 1, Note: new("m"), Text: "y", Left: time.Hour}))

		page := func(next func() (mapper.Page[lease.Code], error)) iter.Seq2[*lease.Code, error] {
			return func(yield func(*lease.Code, error) bool) {
				p, err := next()
				require.NoError(t, err)
				for _, v := range p.Items {
					yield(v, nil)
				}
			}
		}
		one := func(v *lease.Code, err error) iter.Seq2[*lease.Code, error] {
			return func(yield func(*lease.Code, error) bool) { yield(v, err) }
		}
		many := func(all []*lease.Code, err error) iter.Seq2[*lease.Code, error] {
			return func(yield func(*lease.Code, error) bool) {
				for _, v := range all {
					yield(v, err)
				}
			}
		}
		speculative := s.With(mapper.Options{SpeculativeDelay: time.Minute}).Codes
		for name, read := range map[string]iter.Seq2[*lease.Code, error]{
			"Get":         one(s.Codes.Get(ctx, "a", 1)),
			"speculative": one(speculative.Get(ctx, "a", 1)),
			"GetMany":     many(s.Codes.GetMany(ctx, []lease.CodesKey{{Account: "a", Number: 1}})),
			"Of":          s.Codes.Of("a").All(ctx),
			"From":        s.Codes.Of("a").NumberFrom(1).All(ctx),
			"Desc":        s.Codes.Of("a").Reverse().All(ctx),
			"Limit":       s.Codes.Of("a").Limit(1).All(ctx),
			"First":       one(s.Codes.Of("a").First(ctx)),
			"Page":        page(func() (mapper.Page[lease.Code], error) { return s.Codes.Of("a").Page(ctx, "") }),
			"OfEach":      s.Codes.OfEach([]string{"a"}).All(ctx),
			"Together":    s.Codes.OfEach([]string{"a", "c"}).Limit(1).Together().All(ctx),
		} {
			n := 0
			for v, err := range read {
				require.NoError(t, err, name)
				require.Equal(t, "x", v.Text, name)
				requireLeft(t, v.Left)
				n++
			}
			require.Equal(t, 1, n, name)
		}
		for name, read := range map[string]iter.Seq2[*lease.Code, error]{
			"All": s.Codes.All(ctx, mapper.ScanConfig{}),
			"AllPage": page(func() (mapper.Page[lease.Code], error) {
				return s.Codes.AllPage(ctx, "")
			}),
		} {
			n := 0
			for v, err := range read {
				require.NoError(t, err, name)
				if n++; v.Account == "b" {
					require.Zero(t, v.Left, "%s: the row does not expire", name)
					continue
				}
				requireLeft(t, v.Left)
			}
			require.Equal(t, 2, n, name)
		}
		n, err := s.Codes.Of("a").Count(ctx)
		require.NoError(t, err)
		require.Equal(t, 1, n)

		v, err := codes.Update(ctx, "a", 1, func(v *lease.Code) error { requireLeft(t, v.Left); v.Text, v.Left = "z", 0; return nil })
		require.NoError(t, err)
		require.Zero(t, v.Left)
		v, err = s.Codes.Get(ctx, "a", 1)
		require.NoError(t, err)
		require.Equal(t, "z", v.Text)
		requireLeft(t, v.Left)
	})
}

// Reads of a versioned root return the remaining TTL of its values, not of its version, which is kept longer.
func TestReadsOfRemainingTTLsOfLeases(t *testing.T) {
	onLeases(t, func(t *testing.T, s *lease.Store, sent *storetest.Requests) {
		ctx := t.Context()
		first := &lease.Turn{ID: 1, Worker: "a"}
		found, err := s.Turns.InsertOrGet(ctx, first)
		require.NoError(t, err)
		require.Nil(t, found)
		require.Zero(t, first.Left)
		sent.Drain()
		found, err = s.Turns.InsertOrGet(ctx, &lease.Turn{ID: 1, Worker: "b"})
		require.NoError(t, err)
		require.Len(t, sent.Drain(), 2, "the refused statement does not return a TTL")
		require.Equal(t, "a", found.Worker)
		require.Equal(t, first.Version, found.Version)
		requireLeft(t, found.Left)
		v, err := s.Turns.Get(ctx, 1)
		require.NoError(t, err)
		requireLeft(t, v.Left)
		for v, err := range s.Turns.All(ctx, mapper.ScanConfig{}) {
			require.NoError(t, err)
			requireLeft(t, v.Left)
		}
		for _, change := range []func(func(*lease.Turn) error) (*lease.Turn, error){
			func(f func(*lease.Turn) error) (*lease.Turn, error) { return s.Turns.Update(ctx, 1, f) },
			func(f func(*lease.Turn) error) (*lease.Turn, error) {
				return s.Turns.Upsert(ctx, 1, func(v *lease.Turn, exists bool) error { require.True(t, exists); return f(v) })
			},
		} {
			v, err := change(func(v *lease.Turn) error { requireLeft(t, v.Left); return nil })
			require.NoError(t, err)
			require.Greater(t, v.Version, first.Version)
		}
		_, err = s.Turns.Upsert(ctx, 2, func(v *lease.Turn, exists bool) error { require.False(t, exists); require.Zero(t, v.Left); return nil })
		require.NoError(t, err)
		require.ErrorIs(t, call(s.Turns.Get(ctx, 3)), mapper.ErrNotFound)
	})
}

func call(_ *lease.Turn, err error) error { return err }

// Reads and saves send what aml explain prints: with the TTL of the column that shows it.
func TestExplainedRemainingTTLs(t *testing.T) {
	onLeases(t, func(t *testing.T, s *lease.Store, sent *storetest.Requests) {
		ctx := t.Context()
		codes, turns := explained(t, "../models/lease", "codes"), explained(t, "../models/lease", "turns")
		code, turn := &lease.Code{Account: "a", Number: 1, Note: new("n"), Text: "x"}, &lease.Turn{ID: 1}
		consume := func(all iter.Seq2[*lease.Code, error]) error {
			for _, err := range all {
				require.NoError(t, err)
			}
			return nil
		}
		for _, c := range []struct {
			of   *explain.Table
			op   string
			text string // of a request
			do   func() error
		}{
			{codes, "Put", "INSERT INTO codes", func() error { return s.Codes.Put(ctx, code) }},
			{codes, "Get", "text, TTL(text) FROM codes WHERE", func() error { _, err := s.Codes.Get(ctx, "a", 1); return err }},
			{codes, "Of", "text, TTL(text) FROM codes WHERE account = ?", func() error { return consume(s.Codes.Of("a").All(ctx)) }},
			{codes, "Of.First", "TTL(text) FROM codes WHERE account = ? LIMIT ?", func() error { _, err := s.Codes.Of("a").First(ctx); return err }},
			{codes, "Of.Count", "SELECT account, number FROM", func() error { _, err := s.Codes.Of("a").Count(ctx); return err }},
			{codes, "OfEach.Together", "TTL(text) FROM codes WHERE account IN ?", func() error { return consume(s.Codes.OfEach([]string{"a", "b"}).Limit(1).Together().All(ctx)) }},
			{codes, "All", "text, TTL(text), TOKEN(account) FROM", func() error { return consume(s.Codes.All(ctx, mapper.ScanConfig{})) }},
			{codes, "AllPage", "text, TTL(text) FROM codes", func() error { _, err := s.Codes.AllPage(ctx, ""); return err }},
			{codes, "Update", "WRITETIME(text), TTL(text) FROM codes WHERE", func() error {
				_, err := s.Codes.Update(ctx, "a", 1, func(*lease.Code) error { return nil })
				return err
			}},
			{turns, "InsertOrGet", "INSERT INTO turns", func() error { _, err := s.Turns.InsertOrGet(ctx, turn); return err }},
			{turns, "InsertOrGet", "aml_live, TTL(aml_live), TTL(version) FROM turns", func() error { _, err := s.Turns.InsertOrGet(ctx, turn); return err }},
			{turns, "Get", "aml_live, TTL(aml_live) FROM turns", func() error { _, err := s.Turns.Get(ctx, 1); return err }},
			{turns, "Update", "aml_live, TTL(aml_live), TTL(version) FROM turns", func() error {
				_, err := s.Turns.Update(ctx, 1, func(*lease.Turn) error { return nil })
				return err
			}},
		} {
			sent.Drain()
			require.NoError(t, c.do(), c.op)
			requests := sent.Drain()
			require.NotEmpty(t, requests, c.op)
			found := false
			for _, q := range requests {
				require.True(t, explainedIn(operation(t, c.of, c.op).Requests, q), "%s sends what is not explained: %+v", c.op, q)
				found = found || slices.ContainsFunc(q.Statements, func(s mapper.Statement) bool { return strings.Contains(s.CQL, c.text) })
			}
			require.True(t, found, "%s: %+v", c.op, requests)
		}
	})
}

// Reads of views do not read the remaining TTL, which no field of theirs shows.
func TestReadsOfViewsWithoutRemainingTTLs(t *testing.T) {
	m := modelOf(t, "../models/lease")
	views := map[string]*explain.View{}
	for _, v := range explain.New(m, schema.New(m)).Views {
		views[v.Model.Struct.Name] = v
	}
	onLeases(t, func(t *testing.T, s *lease.Store, sent *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.With(mapper.Options{TTL: time.Hour}).Codes.Insert(ctx, &lease.Code{Account: "a", Number: 1, Note: new("n"), Text: "x"}))
		require.NoError(t, s.Turns.Insert(ctx, &lease.Turn{ID: 1, Worker: "a"}))
		sent.Drain()
		for _, x := range []struct {
			view, operation string
			read            func() (any, error)
			want            any
		}{
			{"CodeText", "Get", func() (any, error) { return s.CodeText.Get(ctx, "a", 1) }, &lease.CodeText{Text: "x"}},
			{"CodeText", "Of", func() (any, error) { return first(s.CodeText.Of("a").All(ctx)) }, &lease.CodeText{Text: "x"}},
			{"CodeText", "Of.First", func() (any, error) { return s.CodeText.Of("a").First(ctx) }, &lease.CodeText{Text: "x"}},
			{"CodeText", "All", func() (any, error) { return first(s.CodeText.All(ctx, mapper.ScanConfig{})) }, &lease.CodeText{Text: "x"}},
			{"CodeNote", "Get", func() (any, error) { return s.CodeNote.Get(ctx, "a", 1) }, &lease.CodeNote{Note: new("n")}},
			{"CodeNote", "OfEach.Together", func() (any, error) { return first(s.CodeNote.OfEach([]string{"a", "c"}).Limit(1).Together().All(ctx)) }, &lease.CodeNote{Note: new("n")}},
			{"CodeNote", "All", func() (any, error) { return first(s.CodeNote.All(ctx, mapper.ScanConfig{})) }, &lease.CodeNote{Note: new("n")}},
			{"TurnWorker", "Get", func() (any, error) { return s.TurnWorker.Get(ctx, 1) }, &lease.TurnWorker{Worker: "a"}},
			{"TurnWorker", "All", func() (any, error) { return first(s.TurnWorker.All(ctx, mapper.ScanConfig{})) }, &lease.TurnWorker{Worker: "a"}},
		} {
			got, err := x.read()
			require.NoError(t, err, "%s.%s", x.view, x.operation)
			require.Equal(t, x.want, got)
			i := slices.IndexFunc(views[x.view].Operations, func(o *explain.Operation) bool { return o.Name == x.operation })
			require.GreaterOrEqual(t, i, 0, "%s.%s", x.view, x.operation)
			requests := sent.Drain()
			requireSent(t, views[x.view].Operations[i].Requests[0], requests...)
			require.Equal(t, map[string]int{"Get": 1, "Of": 1, "Of.First": 1, "OfEach.Together": 2}[x.operation], requests[0].Partitions, "%s.%s", x.view, x.operation)
		}
	})
}

// first returns the first value that is read.
func first[T any](all iter.Seq2[*T, error]) (*T, error) {
	for v, err := range all {
		return v, err
	}
	return nil, nil
}
