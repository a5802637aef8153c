package leader

import (
	"context"
	"errors"
	"time"

	"github.com/cassaml/cassaml/mapper"
)

// TTL is the TTL of a row. A holder stops by Margin before its end: a second, because servers count whole seconds, and the greatest
// difference between the clocks of two servers.
const (
	TTL    = 10 * time.Second
	Margin = time.Second + 2*time.Second
)

// Lease is a lock that a process has acquired.
type Lease struct {
	Token int64 // grows with each acquisition: a protected resource refuses an earlier one

	store   *Store
	group   string
	process string
	version int64
	until   time.Time // has the monotonic clock
}

// ErrLost is returned by Renew if the lease has ended.
var ErrLost = errors.New("the lease has ended")

// Acquire returns a lease, or nil and the process that has it. The lease counts from before the request is sent.
func Acquire(ctx context.Context, store *Store, group, process string) (*Lease, string, error) {
	began := time.Now()
	v := &Leader{Group: group, Process: process}
	found, err := store.Leaders.InsertOrGet(ctx, v)
	switch {
	case err != nil:
		return nil, "", err
	case found != nil:
		return nil, found.Process, nil
	}
	return &Lease{Token: v.Version, store: store, group: group, process: process, version: v.Version, until: began.Add(TTL - Margin)}, process, nil
}

// Held reports whether the process may work now.
func (l *Lease) Held() bool { return time.Now().Before(l.until) }

// Renew begins the TTL again. After an error the lease is held until its end, as before.
func (l *Lease) Renew(ctx context.Context) error {
	began := time.Now()
	v, err := l.store.Leaders.Update(ctx, l.group, func(v *Leader) error {
		if v.Process != l.process {
			return ErrLost
		}
		return nil
	})
	if errors.Is(err, mapper.ErrNotFound) {
		return ErrLost
	}
	if err == nil {
		l.version, l.until = v.Version, began.Add(TTL-Margin)
	}
	return err
}

// Release ends the lease, first here and then in the database. It is no error if the lease has ended by itself.
func (l *Lease) Release(ctx context.Context) error {
	l.until = time.Time{}
	err := l.store.Leaders.DeleteAt(ctx, l.group, l.version)
	if errors.Is(err, mapper.ErrNotFound) || errors.Is(err, mapper.ErrConflict) {
		return nil
	}
	return err
}
