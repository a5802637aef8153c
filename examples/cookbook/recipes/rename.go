package recipes

import (
	"context"
	"fmt"
	"io"

	"github.com/gocql/gocql"
)

// Rename changes the name of an author. Before it returns, up to Config.FanOutInline articles show it; FanOut updates the others.
func Rename(ctx context.Context, s *Store, id gocql.UUID, name string) error {
	_, err := s.Authors.Update(ctx, id, func(a *Author) error {
		a.Name = name
		return nil
	})
	return err
}

func rename(ctx context.Context, s *Store, out io.Writer) error {
	author := number(1)
	if err := s.Authors.Insert(ctx, &Author{ID: author, Name: "A. Silva"}); err != nil {
		return err
	}
	for i := range 3 {
		if err := s.Articles.Insert(ctx, &Article{ID: number(byte(10 + i)), Title: fmt.Sprintf("article %d", i+1), AuthorID: author}); err != nil {
			return err
		}
	}
	if err := Rename(ctx, s, author, "Ana Silva"); err != nil {
		return err
	}
	for i := range 3 {
		a, err := s.Articles.Get(ctx, number(byte(10+i)))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s, by %s\n", a.Title, a.AuthorName)
	}
	return nil
}
