package store

import (
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/part"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// A Delete of a plain root that overlaps the writes of a part and of the root leaves the faults that aml alternatives names: a part without a root, in a separate table
// and in the table of its root, and a root with only the updated field.
func TestDeleteOfAPlainRootThatOverlaps(t *testing.T) {
	onPartStores(t, func(t *testing.T, s *part.Store, _ *storetest.Requests) {
		ctx, id := t.Context(), gocql.TimeUUID()
		require.NoError(t, s.Games.Insert(ctx, &part.Game{Region: "north", ID: id, Name: "a"}))
		require.NoError(t, s.Rounds.Insert(ctx, &part.Round{Region: "north", GameID: id, Number: 1, Winner: "Ana", Moves: []string{"e4"}}))
		_, err := s.Rounds.Update(ctx, "north", id, 1, 0, func(r *part.Round) error {
			r.Winner = "Bob"
			require.NoError(t, s.Games.Delete(ctx, "north", id))
			return s.Rounds.Insert(ctx, &part.Round{Region: "north", GameID: id, Number: 2})
		})
		require.NoError(t, err)
		_, err = s.Games.Get(ctx, "north", id)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		first, err := s.Rounds.Get(ctx, "north", id, 1, 0)
		require.NoError(t, err)
		require.Equal(t, &part.Round{Region: "north", GameID: id, Number: 1, Winner: "Bob"}, first, "only the updated field is left")
		_, err = s.Rounds.Get(ctx, "north", id, 2, 0)
		require.NoError(t, err, "the part that was inserted meanwhile")

		require.NoError(t, s.Runs.Insert(ctx, &part.Run{ID: id, State: "new", Owner: "Ana"}))
		require.NoError(t, s.Runs.Delete(ctx, id))
		require.NoError(t, s.Segment.Insert(ctx, &part.Segment{RunID: id, Number: 1, Word: "to"}))
		_, err = s.Runs.Get(ctx, id)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		_, err = s.Segment.Get(ctx, id, 1)
		require.NoError(t, err)
	})
}
