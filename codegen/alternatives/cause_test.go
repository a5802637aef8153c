package alternatives_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/alternatives"
)

// A change of a field that other roots follow reads each partition of the reverse table, and reads and saves each of these roots. A change of another field does neither.
func TestChangeOfAFollowedField(t *testing.T) {
	t.Parallel()
	rename := func(declarations string) *alternatives.Cost {
		return designs(t, declarations, "Book.AuthorID")["reference-from-element"].Costs[alternatives.Rename]
	}
	// 5 requests and the read of each of 1 or 2 partitions, and 4 for each Book
	require.Equal(t, 5+1+4*30, rename(withCopies).Requests)
	require.Equal(t, 5+2+4*100_000, rename(strings.Replace(withCopies, "rows=30", "rows=100000", 1)).Requests)
	require.Equal(t, 2, rename(strings.Replace(withCopies, "copy=Author.Name", "copy=Author.Email", 1)).Requests)
}
