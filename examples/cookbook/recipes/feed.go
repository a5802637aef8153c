package recipes

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Day returns the day of an instant, in UTC. A column of type date has the calendar date of a time.Time in its own time zone, so two programs
// in different zones, or time.Now() and a time that was read, would otherwise name different partitions.
func Day(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// Newest returns the newest posts of a user, of the last days only: a partition has the posts of one day.
func Newest(ctx context.Context, s *Store, user string, now time.Time, days, n int) (out []*Post, err error) {
	keys := make([]PostsPartitionKey, days)
	for i := range keys {
		keys[i] = PostsPartitionKey{User: user, Day: Day(now).AddDate(0, 0, -i)}
	}
	for p, err := range s.Posts.OfEach(keys).Limit(n).All(ctx) {
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func feed(ctx context.Context, s *Store, out io.Writer) error {
	now := time.Date(2026, time.March, 4, 2, 0, 0, 0, time.FixedZone("", 2*60*60)) // midnight in UTC
	for i := range 5 {
		at := now.Add(-time.Duration(i) * 9 * time.Hour)
		p := &Post{User: "ana", Day: Day(at), At: at, ID: number(byte(i)), Text: at.UTC().Format("Jan 2 15:04")}
		if err := s.Posts.Insert(ctx, p); err != nil {
			return err
		}
	}
	posts, err := Newest(ctx, s, "ana", now, 7, 3)
	for _, p := range posts {
		fmt.Fprintln(out, p.Text)
	}
	return err
}
