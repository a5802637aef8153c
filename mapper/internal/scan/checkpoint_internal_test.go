package scan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
)

// The slices cover the whole ring without gaps and overlaps.
func TestEnds(t *testing.T) {
	for _, n := range []int{1, 2, 3, 256, 1000, maxSlices} {
		at := int64(smallest)
		for i := range n {
			low, high := sliceTokens(i, n)
			require.Equal(t, at, low, "%d of %d", i, n)
			require.Less(t, low, high)
			at = high
		}
		require.Equal(t, int64(math.MaxInt64), at)
	}
}

// randomCheckpoint returns a checkpoint whose slices have not begun, have begun or are complete.
func randomCheckpoint() *checkpoint {
	c := newCheckpoint("crates", 1+rand.N(20))
	for i := range c.tokens {
		low, high := sliceTokens(i, len(c.tokens))
		switch rand.N(4) {
		case 0:
			c.tokens[i] = low + 1 + int64(rand.Uint64N(uint64(high)-uint64(low)-1))
		case 1, 2:
			c.tokens[i] = high
		}
	}
	return c
}

// A checkpoint is read as it was written, and the number of slices can be that of the checkpoint.
func TestCheckpointIsRead(t *testing.T) {
	for range 500 {
		c := randomCheckpoint()
		for _, slices := range []int{0, len(c.tokens)} {
			got, err := parseCheckpoint(c.String(), "crates", slices)
			require.NoError(t, err, c)
			require.Equal(t, c, got)
		}
	}
	c := newCheckpoint("crates", 4)
	require.Equal(t, "scan1 crates 4 - - 6294fff572ccc3e8", c.String())
	_, c.tokens[0] = sliceTokens(0, 4)
	_, c.tokens[1] = sliceTokens(1, 4)
	_, c.tokens[3] = sliceTokens(3, 4)
	c.tokens[2] = 7
	require.Equal(t, "scan1 crates 4 0-1,3 2:7 7530202318b707cf", c.String())
	require.Equal(t, 3, c.done())
}

// A checkpoint with a changed, missing or additional character is refused, and so is one of another table or number of slices.
func TestCheckpointIsRefused(t *testing.T) {
	refused := func(text, why string) {
		t.Helper()
		_, err := parseCheckpoint(text, "crates", 0)
		require.ErrorIs(t, err, mapper.ErrCheckpoint, text)
		require.ErrorContains(t, err, why)
	}
	for range 20 {
		text := randomCheckpoint().String()
		for i := range text {
			refused(text[:i]+string(text[i]^1)+text[i+1:], "")
			refused(text[:i]+text[i+1:], "")
			refused(text[:i]+"1"+text[i:], "")
			if i > 0 {
				refused(text[:i], "")
			}
		}
	}
	summed := func(words string) string { return words + " " + checksum(words) }
	refused(" ", "has an unknown form")
	refused("scan2 crates 4 - - 0", "has an unknown form")
	refused("crates c784b1", "has an unknown form")
	refused(summed("scan1 halls 4 - -"), "it belongs to table halls, not crates")
	for _, words := range []string{"0 - -", "-1 - -", "65537 - -", "x - -", "4 4 -", "4 -1 -", "4 2-1 -", "4 0-9 -", "4 a -", "4 - 0", "4 - 0:x", "4 - 9:1", "4 - 0:5", "4 - 3:9223372036854775807",
		"4 0,1 -", "4 1,0 -", "4 0-0 -", "4 2 2:7", "4 - 2:7,2:8", "4 - 2:+7", "04 - -", "4  -"} {
		refused(summed("scan1 crates "+words), "is damaged")
	}
	_, err := parseCheckpoint(newCheckpoint("crates", 4).String(), "crates", 8)
	require.EqualError(t, err, "invalid checkpoint: it belongs to a scan of 4 slices, not 8: use the text that Save received, or an empty one to start again")
}

// A checkpoint is short: a scan that reads its slices in order has few ranges.
func TestCheckpointIsShort(t *testing.T) {
	c := newCheckpoint("crates", maxSlices)
	for i := range 60_000 {
		_, c.tokens[i] = sliceTokens(i, maxSlices)
	}
	c.tokens[60_000]++
	text := c.String()
	require.True(t, strings.HasPrefix(text, fmt.Sprintf("scan1 crates %d 0-59999 60000:", maxSlices)), text)
	require.Less(t, len(text), 100)
}
