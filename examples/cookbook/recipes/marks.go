package recipes

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/cassaml/cassaml/mapper"
)

// InsertMessage inserts a message, and records that it is the newest of its channel: one batch at the time of the message.
func InsertMessage(ctx context.Context, s *Store, m *Message) error {
	b := s.With(mapper.Options{Timestamp: m.At.UnixMicro()}).Batch()
	b.Messages.Insert(m)
	b.LastMessages.Put(&LastMessage{Channel: m.Channel, At: m.At})
	return b.Run(ctx)
}

// MarkRead records that a user has read a channel up to a message. It writes at the time of the message: of two devices the one with the later message
// wins, whichever writes last.
func MarkRead(ctx context.Context, s *Store, user, channel string, at time.Time) error {
	return s.With(mapper.Options{Timestamp: at.UnixMicro()}).ReadMarks.Put(ctx, &ReadMark{User: user, Channel: channel, At: at})
}

// CountUnread returns the number of unread messages of each channel of a user: at most 100, and of the last 7 days in which the channel can have any.
func CountUnread(ctx context.Context, s *Store, user string) (map[string]int, error) {
	var marks []*ReadMark
	var channels []string
	for m, err := range s.ReadMarks.Of(user).All(ctx) {
		if err != nil {
			return nil, err
		}
		marks, channels = append(marks, m), append(channels, m.Channel)
	}
	last, err := s.LastMessages.GetMany(ctx, channels)
	if err != nil {
		return nil, err
	}
	unread := map[string]int{}
	for i, m := range marks {
		unread[m.Channel] = 0
		if last[i] == nil || !last[i].At.After(m.At) {
			continue // nothing is new: its messages are not read
		}
		var days []MessagesPartitionKey
		for day := Day(last[i].At); !day.Before(Day(m.At)) && len(days) < 7; day = day.AddDate(0, 0, -1) {
			days = append(days, MessagesPartitionKey{Channel: m.Channel, Day: day})
		}
		if unread[m.Channel], err = s.Messages.OfEach(days).AtAfter(m.At).Limit(100).Count(ctx); err != nil {
			return nil, err
		}
	}
	return unread, nil
}

func marks(ctx context.Context, s *Store, out io.Writer) error {
	noon := Day(time.Now()).Add(-12 * time.Hour)
	for i := range 6 {
		at := noon.Add(-time.Duration(i) * 10 * time.Hour)
		if err := InsertMessage(ctx, s, &Message{Channel: "go", Day: Day(at), At: at, ID: number(byte(i)), Text: "hello"}); err != nil {
			return err
		}
	}
	show := func(when string) error {
		unread, err := CountUnread(ctx, s, "ana")
		fmt.Fprintf(out, "%s: %v\n", when, unread)
		return err
	}
	for _, channel := range []string{"go", "rust"} {
		if err := MarkRead(ctx, s, "ana", channel, noon.AddDate(0, 0, -7)); err != nil { // ana joins
			return err
		}
	}
	if err := show("before"); err != nil {
		return err
	}
	if err := MarkRead(ctx, s, "ana", "go", noon.Add(-10*time.Hour)); err != nil {
		return err
	}
	if err := show("the telephone has read 5"); err != nil {
		return err
	}
	if err := MarkRead(ctx, s, "ana", "go", noon.Add(-40*time.Hour)); err != nil {
		return err
	}
	return show("the computer, which has read 2, writes later")
}
