// Package wait pauses a goroutine until a time has passed or a context has ended.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"time"
//
//		"github.com/cassaml/cassaml/internal/wait"
//	)
//
//	func main() {
//		ctx, cancel := context.WithCancel(context.Background())
//		cancel()
//		fmt.Println(wait.Sleep(ctx, time.Hour)) // context canceled
//	}
package wait

import (
	"context"
	"time"
)

// Sleep returns nil after a time. As soon as ctx has ended, it returns the cause.
func Sleep(ctx context.Context, d time.Duration) error { return ForChange(ctx, d, nil) }

// ForChange is like [Sleep], and also returns nil as soon as changed is closed.
func ForChange(ctx context.Context, d time.Duration, changed <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-changed:
	case <-timer.C:
	}
	return context.Cause(ctx)
}
