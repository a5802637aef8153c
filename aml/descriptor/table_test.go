package descriptor

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBucketsOf(t *testing.T) {
	for comment, want := range map[string]int{
		BucketsComment(1): 1, BucketsComment(70000): 70000,
		"": 0, "buckets: ": 0, "buckets: 0": 0, "buckets: -3": 0, "buckets: 03": 0, "buckets: 3 ": 0, "3": 0, "of papers": 0,
	} {
		require.Equal(t, want, BucketsOf(comment), comment)
		require.Equal(t, want, BucketsOf(comment+unfilled), comment)
		require.False(t, IsUnfilled(comment), comment)
		require.Equal(t, want > 0, IsUnfilled(comment+unfilled), comment)
	}
}
