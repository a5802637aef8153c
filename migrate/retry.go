package migrate

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	firstPause   = 100 * time.Millisecond
	longestPause = time.Second
	// patience is how long a request that is safe to repeat is sent again.
	patience = 30 * time.Second
)

// retry repeats a request that is safe to repeat until it is answered: a node may be down, and the others notice it only after some time.
func retry(ctx context.Context, what string, request func(ctx context.Context) error) error {
	began := time.Now()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := request(ctx)
		if foreign, ok := errors.AsType[*ForeignTableError](err); ok {
			return foreign
		}
		switch {
		case err == nil:
			return nil
		case context.Cause(ctx) == errLockLost:
			return errLockLost
		case errors.Is(err, errLockLost), refused(err) && !errors.Is(err, errNoTable), time.Since(began) > patience:
			return fmt.Errorf("migrate: %s: %w", what, err)
		}
		if !sleep(ctx, pause) {
			return fmt.Errorf("migrate: %s: %w", what, errors.Join(context.Cause(ctx), err))
		}
	}
}

// sleep reports whether the time passed before ctx ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
