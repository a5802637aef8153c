package wait

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		require.NoError(t, Sleep(t.Context(), time.Minute))
		assert.Equal(t, time.Minute, time.Since(began))
		stopped := errors.New("stopped")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(stopped) })
		require.ErrorIs(t, Sleep(ctx, time.Hour), stopped)
		assert.Equal(t, time.Minute+time.Second, time.Since(began))
		require.ErrorIs(t, Sleep(ctx, 0), stopped, "of a context that has ended before")
	})
}

func TestForChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, changed := time.Now(), make(chan struct{})
		time.AfterFunc(time.Second, func() { close(changed) })
		require.NoError(t, ForChange(t.Context(), time.Hour, changed))
		assert.Equal(t, time.Second, time.Since(began))
	})
}
