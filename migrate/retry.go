package migrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cassaml/cassaml/internal/wait"
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
		if cause := wait.Sleep(ctx, pause); cause != nil {
			return fmt.Errorf("migrate: %s: %w", what, errors.Join(cause, err))
		}
	}
}
