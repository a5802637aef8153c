package catalogue

import (
	"context"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/examples/internal/show"
)

// likes records an artifact that a user likes, and reads who likes an artifact.
func likes(ctx context.Context, s *show.Stage, store *Store, id gocql.UUID) {
	reader := number(101)
	s.Step("a user likes an artifact: a row for the artifact, one for the user, one for each area that the user knows", func() error {
		a, err := store.Artifacts.Get(ctx, id)
		if err != nil {
			return err
		}
		return store.UsersByArtifact.Insert(ctx, &Like{ArtifactID: a.ArtifactID, UserID: reader, UserName: "Maria Souza",
			Email: "maria@exemplo.br", Areas: []string{"databases", "storage"}, Type: a.Type, Title: a.Title, Authors: a.Authors,
			VenueName: a.VenueName, Year: a.Year})
	})
	s.Step("the experts of an area who like an artifact: one query", func() error {
		for e, err := range store.ExpertsByArtifact.Of(id, "databases").All(ctx) {
			if err != nil {
				return err
			}
			s.Printf("%s knows about %v", e.UserName, e.Areas)
		}
		return nil
	})
	s.Step("the user is an expert of one area less: the row of that area is deleted, the other row is updated", func() error {
		_, err := store.UsersByArtifact.Update(ctx, id, reader, func(l *Like) error {
			l.Areas = []string{"databases"}
			return nil
		})
		return err
	})
	s.Step("a user likes a venue: one row, no copies", func() error {
		return store.VenuesByUser.Insert(ctx, &VenueLike{UserID: reader, VenueName: podc, Year: 2009, Country: "Canada",
			Topics: []string{"distributed computing"}})
	})
	s.Tables(ctx, "users_by_artifact", "artifacts_by_user", "experts_by_artifact", "venues_by_user")
}

// review writes a user's rating twice: as a review, and by the counters of the artifact.
func review(ctx context.Context, s *show.Stage, store *Store, artifact gocql.UUID) {
	written := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r := &Review{UserID: number(101), Rating: 4, ReviewID: gocql.MinTimeUUID(written), Title: "Clear", Body: "Read it first.",
		Written: written, ArtifactID: artifact}
	s.Step("a review, and the counters of its artifact with another statement: two writes, which are not atomic", func() error {
		if err := store.ReviewsByUser.Insert(ctx, r); err != nil {
			return err
		}
		return store.RatingsByArtifact.Add(ctx, artifact, RatingsByArtifactDelta{NumRatings: 1, SumRatings: int64(r.Rating)})
	})
	s.Step("the user changes the rating, which is part of the key, so the review is deleted and inserted", func() error {
		if err := store.ReviewsByUser.Delete(ctx, r.UserID, r.Rating, r.ReviewID); err != nil {
			return err
		}
		r.Rating = 5
		if err := store.ReviewsByUser.Insert(ctx, r); err != nil {
			return err
		}
		return store.RatingsByArtifact.Add(ctx, artifact, RatingsByArtifactDelta{SumRatings: 1})
	})
	s.Tables(ctx, "reviews_by_user", "ratings_by_artifact")
}
