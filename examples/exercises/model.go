// Package exercises has the answers to the exercises of docs/designing.md: reviews that are found in two ways, a login by a unique e-mail, and a
// channel whose messages are in one partition for each day.
package exercises

import (
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Review is written once, and its stars and text can change later.
type Review struct {
	aml.Aggregate `aml:"reviews,rows=2000"`

	ProductID gocql.UUID `aml:"product_id,identifier"`
	At        time.Time  `aml:"at,discriminator,desc"`
	ID        gocql.UUID `aml:"id,discriminator"`
	AuthorID  gocql.UUID `aml:"author_id,final"`
	Stars     int32      `aml:"stars"`
	Text      string     `aml:"text,required"`
}

// ReviewByAuthor finds the reviews of an author, the newest first.
type ReviewByAuthor struct {
	aml.Aggregate `aml:"reviews_by_author,redundant=Review,rows=500"`

	AuthorID  gocql.UUID `aml:"author_id,identifier"`
	At        time.Time  `aml:"at,discriminator,desc"`
	ProductID gocql.UUID `aml:"product_id,discriminator"`
	ID        gocql.UUID `aml:"id,discriminator"`
	Stars     int32      `aml:"stars"`
}

// Account has an e-mail that no other account has.
type Account struct {
	aml.Aggregate `aml:"accounts"`

	ID           gocql.UUID `aml:"id,identifier"`
	Email        string     `aml:"email,required,unique"`
	PasswordHash []byte     `aml:"password_hash,required,secret"`
	Version      int64      `aml:"version,version"`
}

// Message is in the partition of its channel and its day.
type Message struct {
	aml.Aggregate `aml:"messages,rows=5000"`

	Channel string     `aml:"channel,identifier"`
	Day     time.Time  `aml:"day,identifier,type=date"`
	At      time.Time  `aml:"at,discriminator,desc"`
	ID      gocql.UUID `aml:"id,discriminator,desc"`
	Author  string     `aml:"author,required"`
	Text    string     `aml:"text,required"`
}
