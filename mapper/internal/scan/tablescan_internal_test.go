package scan

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// letters is a table whose rows have one column, a letter, and a decoder of it.
type letters struct{ call.Typed }

func (letters) DecodeAny(d *cell.Decoder) any { return d.Text() }

// tokenRows is a store with a page of rows, which have their tokens.
type tokenRows struct {
	store.Store
	rows []cell.Row
	read store.Read
}

func (s *tokenRows) Page(_ context.Context, r store.Read, _ []byte) (store.Page, error) {
	s.read = r
	var rows []cell.Row
	for _, row := range s.rows {
		if positionToken(row[1]) > positionToken(r.After) {
			rows = append(rows, row)
		}
	}
	return store.NewPage(rows, nil), nil
}

// Two partitions can have the same token. A checkpoint covers both or neither, because the next scan begins after a token.
func TestScanOfPartitionsWithTheSameToken(t *testing.T) {
	s := &tokenRows{}
	for i, token := range []int64{-5, 3, 3, 3, 9} {
		s.rows = append(s.rows, cell.Row{cell.Cell{'a' + byte(i)}, plan.Bigint(token)})
	}
	db, err := call.OpenStore(s, mapper.Config{}, &descriptor.Schema{})
	require.NoError(t, err)
	table := &descriptor.Table{Name: "letters", Columns: []descriptor.Column{{Name: "letter", CQL: "letter", Type: "text"}}, Partition: 1, Key: 1}
	r := call.NewReader(db, &call.Codec{Table: (*plan.Table)(table), Typed: letters{}})
	ended := errors.New("ended")
	for n, want := range []string{"abcde", "bcde", "bcde", "bcde", "e"} {
		var checkpoint, got string
		config := mapper.ScanConfig{Slices: 1, Parallel: 1, SaveCheckpoint: func(c string) error { checkpoint = c; return nil }}
		use := func(_ context.Context, v any) error {
			if len(got) == n {
				return ended
			}
			got += v.(string)
			return nil
		}
		require.ErrorIs(t, Table(t.Context(), r, config, use), ended)
		require.Equal(t, "abcde"[:n], got)
		got = ""
		config.Checkpoint = checkpoint
		require.NoError(t, Table(t.Context(), r, config, func(_ context.Context, v any) error { got += v.(string); return nil }))
		require.Equal(t, want, got, "after %d rows, from %q", n, checkpoint)
	}
}

// A scan of a cluster whose tokens are not those of the Murmur3Partitioner ends.
func TestScanOfAnotherPartitioner(t *testing.T) {
	s := &tokenRows{rows: []cell.Row{{cell.Cell("a"), append(plan.Bigint(3), 0)}}}
	db, err := call.OpenStore(s, mapper.Config{}, &descriptor.Schema{})
	require.NoError(t, err)
	table := &descriptor.Table{Name: "letters", Aggregate: "Letter", Columns: []descriptor.Column{{Name: "letter", CQL: "letter", Type: "text"}}, Partition: 1, Key: 1}
	err = Table(t.Context(), call.NewReader(db, &call.Codec{Table: (*plan.Table)(table), Typed: letters{}}), mapper.ScanConfig{Parallel: 1}, func(context.Context, any) error { return nil })
	require.EqualError(t, err, "mapper: Scan Letter (letters): the token 000000000000000300 has not 8 bytes: a scan needs Murmur3Partitioner")
}
