package recipes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/cassaml/cassaml/mapper"
)

// ErrClosed is the error of a message to a channel that is closed.
var ErrClosed = errors.New("the channel is closed")

// SendMessage inserts a message in a channel.
func SendMessage(ctx context.Context, s *Store, m *Message) error {
	c, err := s.Channels.Get(ctx, m.Channel)
	if err != nil {
		return err
	}
	if c.Closed != nil {
		return ErrClosed
	}
	return s.Messages.Insert(ctx, m)
}

// CloseChannel closes a channel: no call of [SendMessage] that begins later writes to it.
func CloseChannel(ctx context.Context, s *Store, name string, now time.Time) error {
	_, err := s.Channels.Update(ctx, name, func(c *Channel) error {
		if c.Closed == nil {
			c.Closed = &now
		}
		return nil
	})
	return err
}

// DeleteClosed deletes the channels that were closed more than an hour ago, and their messages. It can be repeated after any error.
func DeleteClosed(ctx context.Context, s *Store, now time.Time) error {
	for c, err := range s.Channels.All(ctx, mapper.ScanConfig{}) {
		if err != nil {
			return err
		}
		if c.Closed == nil || now.Sub(*c.Closed) < time.Hour {
			continue // a call of SendMessage that began before can still be writing
		}
		for day := c.Since; !day.After(now); day = day.AddDate(0, 0, 1) {
			if err := s.Messages.Of(c.Name, day).Delete(ctx); err != nil {
				return err
			}
		}
		if err := s.Channels.Delete(ctx, c.Name); err != nil {
			return err
		}
	}
	return nil
}

func channel(ctx context.Context, s *Store, out io.Writer) error {
	now := time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)
	if err := s.Channels.Insert(ctx, &Channel{Name: "go", Since: Day(now.AddDate(0, 0, -2))}); err != nil {
		return err
	}
	for i := range 3 {
		at := now.AddDate(0, 0, -i)
		if err := SendMessage(ctx, s, &Message{Channel: "go", Day: Day(at), At: at, ID: number(byte(i)), Text: at.Format("Jan 2")}); err != nil {
			return err
		}
	}
	if err := CloseChannel(ctx, s, "go", now); err != nil {
		return err
	}
	fmt.Fprintln(out, "a message:", SendMessage(ctx, s, &Message{Channel: "go", Day: Day(now), At: now, ID: number(9), Text: "late"}))
	for _, later := range []time.Duration{time.Minute, 2 * time.Hour} {
		if err := DeleteClosed(ctx, s, now.Add(later)); err != nil {
			return err
		}
		left := 0
		for i := range 3 {
			n, err := s.Messages.Of("go", Day(now.AddDate(0, 0, -i))).Count(ctx)
			if err != nil {
				return err
			}
			left += n
		}
		_, err := s.Channels.Get(ctx, "go")
		fmt.Fprintf(out, "%v after it was closed: %d messages, the channel exists: %v\n", later, left, err == nil)
	}
	return nil
}
