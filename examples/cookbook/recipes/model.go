// Package recipes has the model and the code of docs/cookbook.md. Each file is a recipe.
package recipes

import (
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Account has an e-mail that no other account has.
type Account struct {
	aml.Aggregate `aml:"accounts"`

	ID       gocql.UUID `aml:"id,identifier"`
	Email    string     `aml:"email,required,unique"`
	Password []byte     `aml:"password,required,secret"` // a hash
	Version  int64      `aml:"version,version"`
}

// Ticket is a seat that is sold. A seat without a ticket is free.
type Ticket struct {
	aml.Aggregate `aml:"tickets,rows=50000"`

	Event   gocql.UUID `aml:"event,identifier"`
	Seat    string     `aml:"seat,discriminator"`
	Buyer   gocql.UUID `aml:"buyer,final"`
	Version int64      `aml:"version,version"`
}

// Voucher can be redeemed by a number of users.
//
//aml:ignore AML912 redemptions are kept
type Voucher struct {
	aml.Aggregate `aml:"vouchers"`

	Code    string    `aml:"code,identifier"`
	Left    int32     `aml:"left"` // the number of users who can still redeem it
	Until   time.Time `aml:"until,required"`
	Version int64     `aml:"version,version"`
}

// Redemption is a part of a voucher: a user who has redeemed it, and the order for which.
type Redemption struct {
	aml.Entity `aml:"vouchers,part=Voucher,rows=10000"`

	Code  string     `aml:"code,identifier"`
	User  gocql.UUID `aml:"user_id,discriminator"`
	Order gocql.UUID `aml:"order_id"`
}

// ParcelState is the state of a parcel.
type ParcelState string

// The states of a parcel.
const (
	Packed    ParcelState = "packed"
	Sent      ParcelState = "sent"
	Delivered ParcelState = "delivered"
	Returned  ParcelState = "returned"
)

// Parcel is a parcel and its state.
type Parcel struct {
	aml.Aggregate `aml:"parcels"`

	ID      gocql.UUID  `aml:"id,identifier"`
	State   ParcelState `aml:"state,enum,required"`
	Version int64       `aml:"version,version"`
}

// OrderState is a step of an order.
type OrderState string

// The steps of an order.
const (
	Placed    OrderState = "placed"
	Paid      OrderState = "paid"
	Cancelled OrderState = "cancelled"
)

// Order is a saga: each step is a save of one aggregate.
type Order struct {
	aml.Aggregate `aml:"orders"`

	ID       gocql.UUID `aml:"id,identifier"`
	Shop     string     `aml:"shop,required,final"`
	Product  gocql.UUID `aml:"product,final"`
	Quantity int32      `aml:"quantity,final"`
	State    OrderState `aml:"state,enum,required"`
	Version  int64      `aml:"version,version"`
}

// OpenOrder finds the orders of a shop that have not ended.
type OpenOrder struct {
	aml.Aggregate `aml:"open_orders,redundant=Order,when='Order.State = Placed',rows=1000"`

	Shop string     `aml:"shop,identifier"`
	ID   gocql.UUID `aml:"id,discriminator"`
}

// Stock has the quantity that is left of a product.
//
//aml:ignore AML912 reservations are kept
type Stock struct {
	aml.Aggregate `aml:"stocks"`

	Product gocql.UUID `aml:"product,identifier"`
	Left    int32      `aml:"left"`
	Version int64      `aml:"version,version"`
}

// Reservation is the answer of a stock to an order. It is never changed, so each order has one answer, whoever asks, and how often.
type Reservation struct {
	aml.Entity `aml:"stocks,part=Stock,rows=10000"`

	Product gocql.UUID `aml:"product,identifier"`
	Order   gocql.UUID `aml:"order_id,discriminator"`
	Granted bool       `aml:"granted"`
}

// Post is an entry of the feed of a user. A partition has the entries of one day.
type Post struct {
	aml.Aggregate `aml:"posts,rows=2000"`

	User string     `aml:"user,identifier"`
	Day  time.Time  `aml:"day,identifier,type=date"`
	At   time.Time  `aml:"at,discriminator,desc"`
	ID   gocql.UUID `aml:"id,discriminator,desc"` // distinguishes posts of one instant
	Text string     `aml:"text,required"`
}

// Channel has messages, in a partition for each day since it was created.
type Channel struct {
	aml.Aggregate `aml:"channels"`

	Name    string     `aml:"name,identifier"`
	Since   time.Time  `aml:"since,final,type=date"`
	Closed  *time.Time `aml:"closed"`
	Version int64      `aml:"version,version"`
}

// Message is a message in a channel.
type Message struct {
	aml.Aggregate `aml:"messages,rows=5000"`

	Channel string     `aml:"channel,identifier"`
	Day     time.Time  `aml:"day,identifier,type=date"`
	At      time.Time  `aml:"at,discriminator,desc"`
	ID      gocql.UUID `aml:"id,discriminator,desc"`
	Text    string     `aml:"text,required"`
}

// LastMessage is the time of the newest message of a channel.
type LastMessage struct {
	aml.Aggregate `aml:"last_messages"`

	Channel string    `aml:"channel,identifier"`
	At      time.Time `aml:"at"`
}

// ReadMark is how far a user has read a channel. A user has one for each channel that they have joined.
type ReadMark struct {
	aml.Aggregate `aml:"read_marks,rows=200"`

	User    string    `aml:"user,identifier"`
	Channel string    `aml:"channel,discriminator"`
	At      time.Time `aml:"at"` // the time of the last message that was read
}

// User can be erased.
type User struct {
	aml.Aggregate `aml:"users"`

	ID      gocql.UUID `aml:"id,identifier"`
	Name    string     `aml:"name,required"`
	Email   string     `aml:"email,unique"`
	Closed  *time.Time `aml:"closed"` // an erasure has begun
	Version int64      `aml:"version,version"`
}

// Draft belongs to a user alone, and is deleted with it.
type Draft struct {
	aml.Aggregate `aml:"drafts"`

	ID      gocql.UUID `aml:"id,identifier"`
	UserID  gocql.UUID `aml:"user_id,association=User,checked,ondelete=cascade,rows=100"`
	Text    string     `aml:"text"`
	Version int64      `aml:"version,version"`
}

// Group has users among its members. It stays without them.
type Group struct {
	aml.Aggregate `aml:"groups"`

	ID      gocql.UUID   `aml:"id,identifier"`
	Members []gocql.UUID `aml:"members,unique,max=100,association=User,checked,ondelete=clear,rows=100"`
	Version int64        `aml:"version,version"`
}

// Invoice must be kept. It shows the name of its user, and outlives it.
type Invoice struct {
	aml.Aggregate `aml:"invoices"`

	ID       gocql.UUID `aml:"id,identifier"`
	UserID   gocql.UUID `aml:"user_id,association=User,rows=1000"`
	UserName string     `aml:"user_name,copy=User.Name,ondelete=keep"`
	Cents    int64      `aml:"cents"`
	Version  int64      `aml:"version,version"`
}

// Comment is a text of a user about a topic.
type Comment struct {
	aml.Aggregate `aml:"comments,rows=1000"`

	Topic  string     `aml:"topic,identifier"`
	ID     gocql.UUID `aml:"id,discriminator"`
	UserID gocql.UUID `aml:"user_id,final"`
	Text   string     `aml:"text,required"`
}

// CommentByUser finds the comments of a user.
type CommentByUser struct {
	aml.Aggregate `aml:"comments_by_user,redundant=Comment,rows=5000"`

	UserID gocql.UUID `aml:"user_id,identifier"`
	Topic  string     `aml:"topic,discriminator"`
	ID     gocql.UUID `aml:"id,discriminator"`
}

// Erasure is the request to erase a user. It has no other data of the user, and remains as a record.
type Erasure struct {
	aml.Aggregate `aml:"erasures"`

	UserID gocql.UUID `aml:"user_id,identifier"`
	At     time.Time  `aml:"at"`
	Done   *time.Time `aml:"done"`
}

// Playlist has any number of tracks, each in a row of its own.
type Playlist struct {
	aml.Aggregate `aml:"playlists"`

	ID   gocql.UUID `aml:"id,identifier"`
	Name string     `aml:"name,required"`
}

// Track is a part of a playlist.
type Track struct {
	aml.Entity `aml:"tracks,part=Playlist,rows=10000"`

	PlaylistID gocql.UUID `aml:"playlist_id,identifier"`
	Position   int64      `aml:"position,discriminator"`
	Song       string     `aml:"song,required"`
}

// Product has its newest reviews and the totals of all of them: one read shows its page.
//
//aml:ignore AML912 reviews are rarely deleted
type Product struct {
	aml.Aggregate `aml:"products"`

	ID      gocql.UUID `aml:"id,identifier"`
	Name    string     `aml:"name,required"`
	Newest  []Opinion  `aml:"newest,composition,max=10"`
	Reviews int64      `aml:"review_count"` // the number of all reviews
	Stars   int64      `aml:"star_sum"`
	Version int64      `aml:"version,version"`
}

// Opinion is the part of a review that the page of a product shows.
type Opinion struct {
	aml.ValueObject `aml:"opinion"`

	By    string
	Stars int32
	Text  string
}

// Review is a part of a product: one of all its reviews.
type Review struct {
	aml.Entity `aml:"products,part=Product,rows=5000"`

	ProductID gocql.UUID `aml:"id,identifier"`
	By        string     `aml:"by,discriminator"`
	Stars     int32      `aml:"stars"`
	Text      string     `aml:"text"`
}

// Team has members.
type Team struct {
	aml.Aggregate `aml:"teams"`

	Name    string   `aml:"name,identifier"`
	Members []string `aml:"members,unique,max=50"`
	Version int64    `aml:"version,version"`
}

// TeamOfMember finds the teams of a member.
type TeamOfMember struct {
	aml.Aggregate `aml:"teams_of_members,redundant=Team.Members,rows=100"`

	Member string `aml:"member,identifier,from=Team.Members.$value"`
	Team   string `aml:"team,discriminator,from=Team.Name"`
}

// Person is the table that is split: the picture, which few readers need, moves to [Picture].
type Person struct {
	aml.Aggregate `aml:"people"`

	ID      gocql.UUID `aml:"id,identifier"`
	Name    string     `aml:"name,required"`
	Picture []byte     `aml:"picture"` // deleted by the last release
}

// Picture is the picture of a person.
type Picture struct {
	aml.Aggregate `aml:"pictures"`

	PersonID gocql.UUID `aml:"person_id,identifier"`
	Data     []byte     `aml:"data"`
}

// Author writes articles.
type Author struct {
	aml.Aggregate `aml:"authors"`

	ID      gocql.UUID `aml:"id,identifier"`
	Name    string     `aml:"name,required"`
	Version int64      `aml:"version,version"`
}

// Article shows the name of its author, which follows each change.
type Article struct {
	aml.Aggregate `aml:"articles"`

	ID         gocql.UUID `aml:"id,identifier"`
	Title      string     `aml:"title,required"`
	AuthorID   gocql.UUID `aml:"author_id,association=Author,rows=1000"`
	AuthorName string     `aml:"author_name,copy=Author.Name"`
	Version    int64      `aml:"version,version"`
}
