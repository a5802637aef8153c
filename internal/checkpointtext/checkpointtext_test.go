package checkpointtext_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/cassaml/cassaml/internal/checkpointtext"
)

func TestShareOfTheTokenRange(t *testing.T) {
	for text, want := range map[string]float64{
		checkpointtext.Format("crates", []byte{0x80, 0, 0, 0, 0, 0, 0, 0}):               0,
		checkpointtext.Format("crates", []byte{0xc0, 0, 0, 0, 0, 0, 0, 0}):               0.25,
		checkpointtext.Format("crates", make([]byte, 8)):                                 0.5,
		"crates:copies 3fffffffffffffff refused 7d0b904cfe1ca539,da1f26e0623f9efb 12":    0.75,
		checkpointtext.Format("crates", []byte{0x7f, 255, 255, 255, 255, 255, 255, 255}): 1,
	} {
		part, ok := checkpointtext.Share(text)
		assert.True(t, ok, text)
		assert.InDelta(t, want, part, 1e-9, text)
	}
	for _, text := range []string{"", "crates", "crates end", "crates end refused 7d0b904cfe1ca539 0", "c784b1f0623f9efb", "crates 2026", "crates zzzzzzzzzzzzzzzz"} {
		_, ok := checkpointtext.Share(text)
		assert.False(t, ok, text)
	}
}
