package recipes

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
)

// AddSong adds a song at the end of a playlist: one small row, however long the playlist is. It is for one writer of a playlist at a time: give
// [Playlist] a version, and insert the track in the function of Update, if there can be several.
func AddSong(ctx context.Context, s *Store, playlist gocql.UUID, song string) error {
	last, err := s.Tracks.Of(playlist).Reverse().First(ctx)
	if errors.Is(err, mapper.ErrNotFound) {
		last, err = &Track{}, nil
	}
	if err != nil {
		return err
	}
	return s.Tracks.Insert(ctx, &Track{PlaylistID: playlist, Position: last.Position + 1, Song: song})
}

func grows(ctx context.Context, s *Store, out io.Writer) error {
	id := number(1)
	if err := s.Playlists.Insert(ctx, &Playlist{ID: id, Name: "work"}); err != nil {
		return err
	}
	for i := range 250 {
		if err := AddSong(ctx, s, id, fmt.Sprintf("song %d", i+1)); err != nil {
			return err
		}
	}
	page, err := s.Tracks.Of(id).Reverse().PageSize(2).Page(ctx, "")
	if err != nil {
		return err
	}
	for _, t := range page.Items {
		fmt.Fprintln(out, t.Position, t.Song)
	}
	if err := s.Playlists.Delete(ctx, id); err != nil {
		return err
	}
	n, err := s.Tracks.Of(id).Count(ctx)
	fmt.Fprintln(out, "after the playlist was deleted:", n)
	return err
}
