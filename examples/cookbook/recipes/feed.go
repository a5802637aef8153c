package recipes

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Newest returns the newest posts of a user, of the last days only: a partition has the posts of one day.
func Newest(ctx context.Context, s *Store, user string, today time.Time, days, n int) (out []*Post, err error) {
	keys := make([]PostsPartitionKey, days)
	for i := range keys {
		keys[i] = PostsPartitionKey{User: user, Day: today.AddDate(0, 0, -i)}
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
	today := time.Date(2026, time.March, 4, 0, 0, 0, 0, time.UTC)
	for i := range 5 {
		at := today.Add(-time.Duration(i) * 9 * time.Hour)
		p := &Post{User: "ana", Day: at.Truncate(24 * time.Hour), At: at, ID: number(byte(i)), Text: at.Format("Jan 2 15:04")}
		if err := s.Posts.Insert(ctx, p); err != nil {
			return err
		}
	}
	posts, err := Newest(ctx, s, "ana", today, 7, 3)
	for _, p := range posts {
		fmt.Fprintln(out, p.Text)
	}
	return err
}
