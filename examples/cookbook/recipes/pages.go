package recipes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
)

// TrackPage is an answer of the API: some tracks, and the token of the next page; "" after the last one.
type TrackPage struct {
	Songs []string `json:"songs"`
	Next  string   `json:"next,omitempty"`
}

// Tracks answers GET /playlists/{id}/tracks?page=TOKEN. The token refers to no state of a process, so any process can answer the next request.
func Tracks(s *Store) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, err := gocql.ParseUUID(r.PathValue("id"))
		if err != nil {
			http.Error(w, "the id is not a UUID", http.StatusBadRequest)
			return
		}
		page, err := s.Tracks.Of(id).PageSize(100).Page(r.Context(), r.URL.Query().Get("page"))
		switch {
		case errors.Is(err, mapper.ErrPageToken):
			http.Error(w, "the token belongs to another list: begin with the first page", http.StatusBadRequest)
			return
		case err != nil:
			http.Error(w, "try again", http.StatusServiceUnavailable)
			return
		}
		answer := TrackPage{Songs: []string{}, Next: page.Next}
		for _, t := range page.Items {
			answer.Songs = append(answer.Songs, t.Song)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer) // an error means that the client has gone
	}
}

func pages(ctx context.Context, s *Store, out io.Writer) error {
	id := number(1)
	for i := range 250 {
		if err := AddSong(ctx, s, id, fmt.Sprintf("song %d", i+1)); err != nil {
			return err
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /playlists/{id}/tracks", Tracks(s))
	get := func(token string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/playlists/"+id.String()+"/tracks?page="+url.QueryEscape(token), nil))
		return w
	}
	for token := ""; ; {
		var page TrackPage
		if err := json.NewDecoder(get(token).Body).Decode(&page); err != nil {
			return err
		}
		fmt.Fprintf(out, "%d songs, from %s\n", len(page.Songs), page.Songs[0])
		if token = page.Next; token == "" {
			break
		}
	}
	fmt.Fprintln(out, "a wrong token:", get("wrong").Code)
	return nil
}
