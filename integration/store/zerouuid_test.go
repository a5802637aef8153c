package store

import (
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/paper"
	"github.com/cassaml/cassaml/integration/models/trace"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// Writes that can create a row refuse the zero UUID as an identifier before they write anything. A row that has it can be changed and
// deleted.
func TestZeroUUID(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, err := trace.OpenBackend(ctx, memory.New(memory.Config{}))
	require.NoError(t, err)
	papers, err := paper.OpenBackend(ctx, memory.New(memory.Config{}))
	require.NoError(t, err)
	span := spanOf(1, 1, 1)
	span.Trace = gocql.UUID{}
	stamped := s.With(mapper.Options{Timestamp: 1_700_000_000_000_000})
	for name, write := range map[string]func() error{
		"Insert": func() error { return s.Spans.Insert(ctx, span) },
		"Put":    func() error { return s.Spans.Put(ctx, span) },
		"Import": func() error { _, err := stamped.Spans.Import(ctx, span); return err },
		"batch": func() error {
			b := s.Batch()
			b.Spans.Insert(span)
			return b.Run(ctx)
		},
		"versioned Insert": func() error { return papers.Publishers.Insert(ctx, &paper.Publisher{Name: "n"}) },
		"versioned Put":    func() error { return papers.Publishers.Put(ctx, &paper.Publisher{Name: "n"}) },
		"versioned Upsert": func() error {
			_, err := papers.Publishers.Upsert(ctx, gocql.UUID{}, func(p *paper.Publisher, _ bool) error {
				p.Name = "n"
				return nil
			})
			return err
		},
	} {
		err := write()
		var refused *mapper.ConstraintError
		require.ErrorAs(t, err, &refused, name)
		require.ErrorContains(t, err, "is the zero UUID", name)
	}
	for v, err := range s.Spans.All(ctx, mapper.ScanConfig{}) {
		require.NoError(t, err)
		require.Fail(t, "a row was written", "%v", v)
	}

	changed := *span
	changed.Service = "cart"
	require.NoError(t, s.Spans.Change(ctx, span, &changed), "a row that another program wrote")
	_, err = s.Spans.Update(ctx, gocql.UUID{}, span.ID, func(v *trace.Span) error { v.Operation = "sell"; return nil })
	require.NoError(t, err)
	require.NoError(t, s.Spans.Delete(ctx, gocql.UUID{}, span.ID))
	zero := spanOf(0, 0, 0)
	require.NoError(t, s.Spans.Insert(ctx, zero), "a discriminator can be zero")
}
