// Package killrvideo is the schema of KillrVideo, a video site, as AML.
//
// The tables are those of KillrVideo/killrvideo-cdm, commit 750e99edb1bfa8ab69031cb39f30779e7f2c0734, file
// schema/schema.cql. The derivation of tables from others is that of KillrVideo/killrvideo-java, commit
// 23f668ab6b37cb3dbd26835f2166aefe837afced, and LukeTillman/killrvideo-csharp, commit
// 886ddf9ac19f61479f7980873fda34727d5c2680.
//
// Differences: users has the password, which the original has only in user_credentials, a version and reserved columns;
// latest_videos has a TTL of the table instead of each write; the time of a tag is the time of the video; four static columns of
// video_recommendations_by_video are regular ones. The derivation of video_ratings, which counts and sums the ratings, is not
// declared.
package killrvideo

//go:generate go tool aml generate -schema

import (
	"time"
	"unicode/utf8"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

// User is a registered user. Email addresses are unique.
type User struct {
	aml.Aggregate `aml:"users"`

	ID        gocql.UUID `aml:"userid,identifier"`
	FirstName string     `aml:"firstname"`
	LastName  string     `aml:"lastname"`
	Email     string     `aml:"email,unique,required"`
	Created   time.Time  `aml:"created_date"`
	Password  string     `aml:"password,secret,required"` // its hash
	Version   int64      `aml:"version,version"`
}

// Credentials finds a user by email address to check the password.
type Credentials struct {
	aml.Aggregate `aml:"user_credentials,redundant=User"`

	Email    string     `aml:"email,identifier"`
	Password string     `aml:"password,secret"`
	UserID   gocql.UUID `aml:"userid,from=User.ID"`
}

// Video is a video that a user has added. Its comments and ratings are parts of it.
type Video struct {
	aml.Aggregate `aml:"videos"`

	ID           gocql.UUID `aml:"videoid,identifier"`
	UserID       gocql.UUID `aml:"userid,required"`
	Name         string     `aml:"name"`
	Description  string     `aml:"description"`
	Location     string     `aml:"location"`
	LocationType int32      `aml:"location_type"`
	Preview      string     `aml:"preview_image_location"`
	Tags         []string   `aml:"tags,unique"`
	Added        time.Time  `aml:"added_date,required"`
}

// Day is the day on which the video was added, as yyyymmdd.
func (v Video) Day() string { return v.Added.UTC().Format("20060102") }

// TagLetter is a tag under its first letter.
type TagLetter struct {
	FirstLetter string
	Tag         string
}

// TagLetters are the tags of the video under their first letters.
func (v Video) TagLetters() []TagLetter {
	var letters []TagLetter
	for _, t := range v.Tags {
		_, n := utf8.DecodeRuneInString(t)
		if n > 0 {
			letters = append(letters, TagLetter{FirstLetter: t[:n], Tag: t})
		}
	}
	return letters
}

// UserVideo lists the videos of a user, newest first.
type UserVideo struct {
	aml.Aggregate `aml:"user_videos,redundant=Video"`

	UserID  gocql.UUID `aml:"userid,identifier"`
	Added   time.Time  `aml:"added_date,discriminator,desc"`
	ID      gocql.UUID `aml:"videoid,discriminator"`
	Name    string     `aml:"name"`
	Preview string     `aml:"preview_image_location"`
}

// LatestVideo lists the videos of a day, newest first, for a week.
type LatestVideo struct {
	aml.Aggregate `aml:"latest_videos,redundant=Video,ttl=604800"`

	Day     string     `aml:"yyyymmdd,identifier,from=Video.Day()"`
	Added   time.Time  `aml:"added_date,discriminator,desc"`
	ID      gocql.UUID `aml:"videoid,discriminator"`
	UserID  gocql.UUID `aml:"userid"`
	Name    string     `aml:"name"`
	Preview string     `aml:"preview_image_location"`
}

// VideoByTag finds the videos with a tag.
type VideoByTag struct {
	aml.Aggregate `aml:"videos_by_tag,redundant=Video.Tags"`

	Tag     string     `aml:"tag,identifier,from=Video.Tags.$value"`
	ID      gocql.UUID `aml:"videoid,discriminator,from=Video.ID"`
	Added   time.Time  `aml:"added_date,from=Video.Added"`
	UserID  gocql.UUID `aml:"userid,from=Video.UserID"`
	Name    string     `aml:"name,from=Video.Name"`
	Preview string     `aml:"preview_image_location,from=Video.Preview"`
	Tagged  time.Time  `aml:"tagged_date,from=Video.Added"`
}

// TagByLetter is every tag ever used, by its first letter.
type TagByLetter struct {
	aml.Aggregate `aml:"tags_by_letter,redundant=Video.TagLetters(),shared"`

	FirstLetter string `aml:"first_letter,identifier"`
	Tag         string `aml:"tag,discriminator"`
}

// Comment is a comment of a user on a video, newest first. It is a part of the video and is deleted with it.
type Comment struct {
	aml.Entity `aml:"comments_by_video,part=Video"`

	VideoID gocql.UUID `aml:"videoid,identifier"`
	ID      gocql.UUID `aml:"commentid,discriminator,desc,type=timeuuid"`
	UserID  gocql.UUID `aml:"userid,required"`
	Comment string     `aml:"comment"`
}

// CommentByUser lists the comments of a user, newest first. The id of a comment is unique among all videos.
type CommentByUser struct {
	aml.Aggregate `aml:"comments_by_user,redundant=Comment,distinct"`

	UserID  gocql.UUID `aml:"userid,identifier"`
	ID      gocql.UUID `aml:"commentid,discriminator,desc,type=timeuuid"`
	VideoID gocql.UUID `aml:"videoid"`
	Comment string     `aml:"comment"`
}

// Rating is a user's rating of a video. It is a part of the video and is deleted with it.
type Rating struct {
	aml.Entity `aml:"video_ratings_by_user,part=Video"`

	VideoID gocql.UUID `aml:"videoid,identifier"`
	UserID  gocql.UUID `aml:"userid,discriminator"`
	Rating  int32      `aml:"rating"`
}

// RatingTotals has the number and the sum of the ratings of a video. The service increments them.
type RatingTotals struct {
	aml.Aggregate `aml:"video_ratings"`

	VideoID gocql.UUID `aml:"videoid,identifier"`
	Count   int64      `aml:"rating_counter,counter"`
	Total   int64      `aml:"rating_total,counter"`
}

// PlaybackStats counts how often a video was played.
type PlaybackStats struct {
	aml.Aggregate `aml:"video_playback_stats"`

	VideoID gocql.UUID `aml:"videoid,identifier"`
	Views   int64      `aml:"views,counter"`
}

// Recommendation is a video that a job recommends to a user, newest first.
type Recommendation struct {
	aml.Aggregate `aml:"video_recommendations"`

	UserID   gocql.UUID `aml:"userid,identifier"`
	Added    time.Time  `aml:"added_date,discriminator,desc"`
	VideoID  gocql.UUID `aml:"videoid,discriminator"`
	Rating   float32    `aml:"rating"`
	AuthorID gocql.UUID `aml:"authorid"`
	Name     string     `aml:"name"`
	Preview  string     `aml:"preview_image_location"`
}

// RecommendationByVideo lists the users to whom a video is recommended. A video is added once, so the user and the video identify a
// recommendation.
type RecommendationByVideo struct {
	aml.Aggregate `aml:"video_recommendations_by_video,redundant=Recommendation,distinct"`

	VideoID  gocql.UUID `aml:"videoid,identifier"`
	UserID   gocql.UUID `aml:"userid,discriminator"`
	Rating   float32    `aml:"rating"`
	Added    time.Time  `aml:"added_date"`
	AuthorID gocql.UUID `aml:"authorid"`
	Name     string     `aml:"name"`
	Preview  string     `aml:"preview_image_location"`
}
