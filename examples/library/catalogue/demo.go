package catalogue

import (
	"context"
	_ "embed"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/examples/internal/show"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

const (
	podc   = "PODC"
	sigops = "SIGOPS Operating Systems Review"
	acm    = "ACM SIGOPS Operating Systems Review"
)

// Demo is a day of the library: artifacts are catalogued and corrected, liked and reviewed, and one is withdrawn.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	artifacts := sample()
	s.Step("insert three artifacts: each with a row for its venue and one for every author, in one logged batch", func() error {
		for _, a := range artifacts {
			if err := store.Artifacts.Insert(ctx, a); err != nil {
				return err
			}
		}
		return nil
	})
	s.Step("the publications of a venue between two years: one query of one partition", func() error {
		for a, err := range store.ArtifactsByVenue.Of(sigops).YearFrom(2005).YearTo(2015).All(ctx) {
			if err != nil {
				return err
			}
			s.Printf("%d %s", a.Year, a.Title)
		}
		return nil
	})
	s.Step("the publications of an author, newest first: one query of one partition", func() error {
		for a, err := range store.ArtifactsByAuthor.Of("Avinash Lakshman").All(ctx) {
			if err != nil {
				return err
			}
			s.Printf("%d %s, %s", a.Year, a.Title, a.VenueName)
		}
		return nil
	})
	s.Tables(ctx, "artifacts_by_venue", "artifacts_by_author")
	correct(ctx, s, store, artifacts[0].ArtifactID)
	s.Tables(ctx, "artifacts", "artifacts_by_venue", "artifacts_by_author")
	likes(ctx, s, store, artifacts[0].ArtifactID)
	review(ctx, s, store, artifacts[0].ArtifactID)
	s.Step("withdraw an artifact: its row, its venue's and its authors' rows in one batch; likes and reviews of it stay", func() error {
		return store.Artifacts.Delete(ctx, artifacts[0].ArtifactID)
	})
	s.Tables(ctx, "artifacts", "artifacts_by_venue", "artifacts_by_author", "users_by_artifact", "reviews_by_user")
	return s.Err()
}

func sample() []*Artifact {
	lakshmanMalik := []string{"Avinash Lakshman", "Prashant Malik"}
	return []*Artifact{
		{ArtifactID: number(1), Type: "article", Title: "Cassandra: a decentralised storage system", Authors: lakshmanMalik,
			Keywords: []string{"storage"}, VenueName: sigops, Year: 2010},
		{ArtifactID: number(2), Type: "paper", Title: "Cassandra: structured storage system on a P2P network", Authors: lakshmanMalik,
			VenueName: podc, Year: 2009},
		{ArtifactID: number(3), Type: "paper", Title: "A Big Data Modeling Methodology for Apache Cassandra",
			Authors: []string{"Artem Chebotko", "Andrey Kashlev", "Shiyong Lu"}, VenueName: "BigData Congress", Year: 2015},
	}
}

// number returns a UUID that is easy to recognize in the output; a service uses gocql.RandomUUID.
func number(n byte) gocql.UUID { return gocql.UUID{15: n} }

// correct changes an artifact three times: cells that derive from a changed cell are written, and rows with a changed key move.
func correct(ctx context.Context, s *show.Stage, store *Store, id gocql.UUID) {
	s.Step("correct a title: every copy of it follows, in one batch", func() error {
		_, err := store.Artifacts.Update(ctx, id, func(a *Artifact) error {
			a.Title = "Cassandra: a decentralized structured storage system"
			return nil
		})
		return err
	})
	s.Step("a venue is renamed: the rows of its artifacts move from the old partition to the new one", func() error {
		ids, err := publishedIn(ctx, store, sigops)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := store.Artifacts.Update(ctx, id, func(a *Artifact) error { a.VenueName = acm; return nil }); err != nil {
				return err
			}
		}
		return nil
	})
	s.Step("an author's name is completed: the row moves to the partition of the new name", func() error {
		_, err := store.Artifacts.Update(ctx, id, func(a *Artifact) error { a.Authors[1] = "Prashant R. Malik"; return nil })
		return err
	})
}

// publishedIn returns the artifacts of a venue. It reads them before they are moved, because a move changes the partition that
// is read.
func publishedIn(ctx context.Context, store *Store, venue string) ([]gocql.UUID, error) {
	var ids []gocql.UUID
	for a, err := range store.ArtifactsByVenue.Of(venue).All(ctx) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, a.ArtifactID)
	}
	return ids, nil
}
