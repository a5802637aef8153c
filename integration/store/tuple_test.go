package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/trace"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// frames are values of a type with tuples. Each differs from the one before in some fields.
func frames() []trace.Frame {
	p := trace.Point{X: 1, Y: 2}
	return []trace.Frame{
		{From: p, Label: "a"},
		{From: p, Label: "b"},
		{From: trace.Point{Y: -1}, Label: "b"},
		{From: p, To: &p, Label: "c"},
		{From: p, To: &p, Line: &trace.Line{Begin: p, End: &trace.Point{X: 5}, Names: []string{"x", "y"}}},
		{From: p, Line: &trace.Line{Names: []string{"z"}}},
		{From: p, Line: &trace.Line{End: &p}},
		{From: p, Label: "a"},
	}
}

// A field that is a tuple, in a type that is not frozen, is updated, repaired and filled as on a store in memory.
func TestTuplesOfAType(t *testing.T) {
	t.Parallel()
	onTraceStores(t, func(t *testing.T, s *trace.Store, sent *storetest.Losses) {
		ctx, all := t.Context(), frames()
		shape := &trace.Shape{ID: 1, Name: "n", Frame: all[0]}
		require.NoError(t, s.Shapes.Insert(ctx, shape))
		for i, frame := range all {
			_, err := s.Shapes.Update(ctx, 1, func(v *trace.Shape) error { v.Frame = frame; return nil })
			require.NoError(t, err, i)
			got, err := s.Shapes.Get(ctx, 1)
			require.NoError(t, err)
			require.Equal(t, frame, got.Frame, i)
			copied, err := s.ShapesByName.Get(ctx, "n", 1)
			require.NoError(t, err)
			require.Equal(t, frame, copied.Frame, i)

			shape.Frame = frame
			wrong := all[(i+3)%len(all)]
			require.NoError(t, s.Shapes.Change(ctx, shape, &trace.Shape{ID: 1, Name: "n", Frame: wrong}))
			require.NoError(t, s.Shapes.Change(ctx, &trace.Shape{ID: 1, Name: "n", Frame: wrong}, shape))
		}
		sent.Drain()
		_, err := s.Shapes.Update(ctx, 1, func(v *trace.Shape) error { v.Frame.To = &v.Frame.From; return nil })
		require.NoError(t, err)
		for _, w := range sent.Writes() {
			require.Contains(t, w.Statements[0].CQL, `SET frame."to" = (?, ?) WHERE`)
		}
	})
}

// Reconcile and a backfill write fields that are tuples.
func TestTuplesAreRepaired(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, trace.Schema)
	past := time.Now().Add(-time.Hour)
	s, err := trace.Open(t.Context(), session, mapper.Config{TTL: days, Now: func() time.Time { return past }, MaxClockSkew: -1})
	require.NoError(t, err)
	ctx, all := t.Context(), frames()
	for i, frame := range all {
		require.NoError(t, s.Shapes.Insert(ctx, &trace.Shape{ID: int32(i), Name: "n", Frame: frame}))
	}
	requireCopies := func() {
		for i, frame := range all {
			copied, err := s.ShapesByName.Get(ctx, "n", int32(i))
			require.NoError(t, err)
			require.Equal(t, frame, copied.Frame, i)
		}
	}
	for i := range all {
		lose := `DELETE frame.label, frame."from", frame."to", frame.line FROM shapes_by_name USING TIMESTAMP ? WHERE name = 'n' AND id = ?`
		require.NoError(t, session.Session.Query(lose, past.Add(time.Minute).UnixMicro(), i).Exec())
	}
	now, err := trace.Open(ctx, session, mapper.Config{TTL: days})
	require.NoError(t, err)
	for i := range all {
		_, err := now.Shapes.Reconcile(ctx, int32(i), mapper.ReconcileConfig{})
		require.NoError(t, err)
	}
	requireCopies()
	require.NoError(t, session.ExecStmt("TRUNCATE shapes_by_name"))
	require.NoError(t, trace.Backfills(mapper.Config{TTL: days})["shapes_by_name"](ctx, gocqldriver.New(session), "", storetest.NoSave))
	requireCopies()
}
