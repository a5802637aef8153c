package work

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A request is repeated with longer and longer pauses, a limited number of times.
func TestRepeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, sent := time.Now(), 0
		_, err := repeat(t.Context(), func() (bool, error) {
			sent++
			return false, fmt.Errorf("request %d", sent)
		})
		require.EqualError(t, err, "request 6")
		assert.Equal(t, 3100*time.Millisecond, time.Since(began))

		sent = 0
		answer, err := repeat(t.Context(), func() (int, error) {
			if sent++; sent < 3 {
				return 0, errors.New("no answer")
			}
			return sent, nil
		})
		require.NoError(t, err)
		assert.Equal(t, 3, answer)

		ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
		defer cancel()
		sent = 0
		_, err = repeat(ctx, func() (int, error) {
			sent++
			return 0, errors.New("no answer")
		})
		require.EqualError(t, err, "no answer")
		assert.Equal(t, 2, sent)
	})
}
