// Package catalogue is the digital library of Chebotko, Kashlev and Lu ("A Big Data Modeling Methodology for Apache
// Cassandra", 2015): a table for every query, nine in all, with the keys of the paper. Identifiers are UUIDs here, and integers
// there; an average of ratings is computed by the reader.
//
// The methodology starts from the queries and stores each fact once for every table that needs it. Here the same nine tables
// are four sources, four redundant tables that are derived from them, and counters:
//
//	artifacts            the source of artifacts
//	  artifacts_by_venue     the same row under its venue, newest first
//	  artifacts_by_author    one row for each author
//	users_by_artifact    the source of likes: a user likes an artifact
//	  artifacts_by_user      the same like under the user, newest artifact first
//	  experts_by_artifact    one row for each area in which the user is an expert
//	venues_by_user       the source of a user who likes a venue
//	reviews_by_user      the source of reviews
//	ratings_by_artifact  counters of the ratings of an artifact
//
// Its strength is reading: each query is one partition in the order of the screen. It costs writes: a new artifact is a batch
// over a venue's partition, one partition for each author and its own. A like contains the data of the artifact and the user at
// the time of the like, and is not updated when they change, as in the paper. Ratings are counters and are not part of any
// batch: a review and its rating are two writes, and the average can be wrong if one of them fails.
package catalogue

import (
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Artifact is a publication: a paper in proceedings or in a journal.
type Artifact struct {
	aml.Aggregate `aml:"artifacts"`

	ArtifactID gocql.UUID `aml:"artifact_id,identifier"`
	Type       string     `aml:"artifact_type,required"`
	Title      string     `aml:"artifact_title,required"`
	Authors    []string   `aml:"authors,max=50"` // ordered as on the title page
	Keywords   []string   `aml:"keywords,unique,max=20"`
	VenueName  string     `aml:"venue_name,required"`
	Year       int32      `aml:"year"`
}

// ArtifactByVenue has the artifacts of a venue, newest first, for queries by a range of years.
//
//aml:ignore AML902 one librarian at a time changes an artifact
type ArtifactByVenue struct {
	aml.Aggregate `aml:"artifacts_by_venue,redundant=Artifact,rows=10000"`

	VenueName  string     `aml:"venue_name,identifier"`
	Year       int32      `aml:"year,discriminator,desc"`
	ArtifactID gocql.UUID `aml:"artifact_id,discriminator,asc"`
	Type       string     `aml:"artifact_type"`
	Title      string     `aml:"artifact_title"`
	Authors    []string   `aml:"authors"`
	Keywords   []string   `aml:"keywords,unique"`
}

// ArtifactByAuthor has the artifacts of an author, newest first: one row for each author of each artifact.
//
//aml:ignore AML902 one librarian at a time changes an artifact
type ArtifactByAuthor struct {
	aml.Aggregate `aml:"artifacts_by_author,redundant=Artifact.Authors,rows=500"`

	Author     string     `aml:"author,identifier,from=Artifact.Authors.$value"`
	Year       int32      `aml:"year,discriminator,desc,from=Artifact.Year"`
	ArtifactID gocql.UUID `aml:"artifact_id,discriminator,asc,from=Artifact.ArtifactID"`
	Type       string     `aml:"artifact_type,from=Artifact.Type"`
	Title      string     `aml:"artifact_title,from=Artifact.Title"`
	Authors    []string   `aml:"authors,from=Artifact.Authors"`
	Keywords   []string   `aml:"keywords,unique,from=Artifact.Keywords"`
	VenueName  string     `aml:"venue_name,from=Artifact.VenueName"`
}

// Like records that a user likes an artifact. It is the source, in the partition of the artifact, with the data of the user and
// of the artifact that the derived tables show.
type Like struct {
	aml.Aggregate `aml:"users_by_artifact,rows=5000"`

	ArtifactID gocql.UUID `aml:"artifact_id,identifier,association=Artifact"`
	UserID     gocql.UUID `aml:"user_id,discriminator"`
	UserName   string     `aml:"user_name,required"`
	Email      string     `aml:"email"`
	Areas      []string   `aml:"areas_of_expertise,unique,max=20"`
	Type       string     `aml:"artifact_type"`
	Title      string     `aml:"artifact_title"`
	Authors    []string   `aml:"authors,max=50"`
	VenueName  string     `aml:"venue_name"`
	Year       int32      `aml:"year"`
}

// ArtifactByUser has the artifacts that a user likes, newest first.
//
//aml:ignore AML902 a user changes a like in one session at a time
type ArtifactByUser struct {
	aml.Aggregate `aml:"artifacts_by_user,redundant=Like,rows=1000"`

	UserID     gocql.UUID `aml:"user_id,identifier"`
	Year       int32      `aml:"year,discriminator,desc"`
	ArtifactID gocql.UUID `aml:"artifact_id,discriminator,asc"`
	Type       string     `aml:"artifact_type"`
	Title      string     `aml:"artifact_title"`
	Authors    []string   `aml:"authors"`
	VenueName  string     `aml:"venue_name"`
}

// ExpertByArtifact has the experts of an area who like an artifact: one row for each area of each user.
//
//aml:ignore AML902 a user changes a like in one session at a time
type ExpertByArtifact struct {
	aml.Aggregate `aml:"experts_by_artifact,redundant=Like.Areas,rows=500"`

	ArtifactID gocql.UUID `aml:"artifact_id,identifier,from=Like.ArtifactID"`
	Area       string     `aml:"area_of_expertise,identifier,from=Like.Areas.$value"`
	UserID     gocql.UUID `aml:"user_id,discriminator,from=Like.UserID"`
	UserName   string     `aml:"user_name,from=Like.UserName"`
	Email      string     `aml:"email,from=Like.Email"`
	Areas      []string   `aml:"areas_of_expertise,unique,from=Like.Areas"`
}

// VenueLike records that a user likes a venue in a year.
type VenueLike struct {
	aml.Aggregate `aml:"venues_by_user,rows=500"`

	UserID    gocql.UUID `aml:"user_id,identifier"`
	VenueName string     `aml:"venue_name,discriminator"`
	Year      int32      `aml:"year,discriminator"`
	Country   string     `aml:"country"`
	Homepage  string     `aml:"homepage"`
	Topics    []string   `aml:"topics,unique,max=20"`
}

// Review is a user's review of an artifact. The rating is part of its key, so that the best reviews of a user are first: a
// change of the rating deletes the review and inserts another one.
type Review struct {
	aml.Aggregate `aml:"reviews_by_user,rows=1000"`

	UserID     gocql.UUID `aml:"user_id,identifier"`
	Rating     int32      `aml:"rating,discriminator,desc"`
	ReviewID   gocql.UUID `aml:"review_id,discriminator,asc,type=timeuuid"`
	Title      string     `aml:"review_title"`
	Body       string     `aml:"body"`
	Written    time.Time  `aml:"written"`
	ArtifactID gocql.UUID `aml:"artifact_id,association=Artifact"`
}

// Rating has the number and the sum of the ratings of an artifact; a reader computes the average.
type Rating struct {
	aml.Aggregate `aml:"ratings_by_artifact"`

	ArtifactID gocql.UUID `aml:"artifact_id,identifier,association=Artifact"`
	NumRatings int64      `aml:"num_ratings,counter"`
	SumRatings int64      `aml:"sum_ratings,counter"`
}
