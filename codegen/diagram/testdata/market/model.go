// Package market has every construct of the language, for the test of the notations.
package market

import (
	"strings"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

type Customer struct {
	aml.Aggregate `aml:"customers,large"`

	ID       gocql.UUID         `aml:"id,identifier"`
	Name     string             `aml:"name,required"`
	Email    string             `aml:"email,required,final"`
	Level    Level              `aml:"level,enum"`
	Password string             `aml:"password,secret"`
	Friend   *gocql.UUID        `aml:"friend,association=Customer"`
	Tags     []string           `aml:"tags,unique,max=20"`
	Scores   map[string]int32   `aml:"scores,max=9"`
	Matrix   [][]float64        `aml:"matrix,max=3"`
	Home     Address            `aml:"home,composition,final"`
	Homes    map[string]Address `aml:"homes,composition,max=5"`
	Cards    []Card             `aml:"cards,composition,min=1,max=3"`
	Phone    string             `aml:"phone,any=Contact"`
	Fax      string             `aml:"fax,any=Contact"`
	Spot     [3]float32         `aml:"spot,index='similarity_function=COSINE'"`
	Boxed    Box[string]        `aml:"boxed,composition"`
	Counted  Box[int32]         `aml:"counted,composition"`
}

func (c Customer) Letter() string { return strings.ToUpper(c.Name[:1]) }

type Level int8

const (
	Normal Level = iota
	Gold
)

type Address struct {
	Street string
	City   City `aml:"city,composition"`
}

type City struct{ Name, Country string }

type Card struct {
	aml.Entity `aml:"card"`

	Number string `aml:"number,identifier"`
	Bank   string
	Keys   []Key `aml:"keys,composition,max=3"`
}

type Key struct {
	Hook  int32 `aml:"hook,discriminator"`
	Opens string
}

type Box[T any] struct{ Content T }

type CustomerName struct {
	aml.Aggregate `aml:",of=Customer"`

	Name  string
	Email string
}

type CustomerByLetter struct {
	aml.Aggregate `aml:"customers_by_letter,redundant=Customer,unlogged,ttl=86400"`

	Letter string     `aml:"letter,identifier,from=Customer.Letter()"`
	ID     gocql.UUID `aml:"id,discriminator"`
	Who    Who        `aml:"who,composition,from=Customer"`
}

type Who struct{ Name, Email string }

type GoldCustomer struct {
	aml.Aggregate `aml:"gold_customers,redundant=Customer,when='Customer.Level in (Gold)'"`

	ID    gocql.UUID `aml:"id,identifier"`
	Title string     `aml:"title,from=Customer.Name"`
}

type Tag struct {
	aml.Aggregate `aml:"tags,redundant=Customer.Tags,shared,cache=12h"`

	Tag string `aml:"tag,identifier,from=Customer.Tags.$value"`
}

type CardByNumber struct {
	aml.Aggregate `aml:"cards_by_number,redundant=Customer.Cards,distinct"`

	Number string     `aml:"number,identifier"`
	Owner  gocql.UUID `aml:"owner,from=Customer.ID,association=Customer"`
}

type Visit struct {
	aml.Entity `aml:"visits,part=Customer,rows=400"`

	Customer gocql.UUID `aml:"customer,identifier"`
	At       time.Time  `aml:"at,discriminator,desc"`
	Page     string     `aml:"page"`
}

type VisitByPage struct {
	aml.Aggregate `aml:"visits_by_page,redundant=Visit"`

	Page     string     `aml:"page,identifier"`
	Customer gocql.UUID `aml:"customer,discriminator"`
	At       time.Time  `aml:"at,discriminator"`
}

type Payment struct {
	aml.Aggregate `aml:"payments,ttl=$keep:172800"`

	Shop    string      `aml:"shop,identifier"`
	ID      gocql.UUID  `aml:"id,discriminator"`
	Country string      `aml:"country,static"`
	Plastic *Plastic    `aml:"plastic,composition,xor=Means,required"`
	Voucher *gocql.UUID `aml:"voucher,association=Voucher,xor=Means,required"`
	Friend  *gocql.UUID `aml:"friend,association=Customer,xor=Means,required"`
	Cash    *int64      `aml:"cash,xor=Means,required"`
	By      *gocql.UUID `aml:"by,association=Customer,xor=Who"`
	For     *gocql.UUID `aml:"for,association=Customer,xor=Who"`
}

type Plastic struct{ Number, Holder string }

type Voucher struct {
	aml.Aggregate `aml:"vouchers"`

	ID      gocql.UUID `aml:"id,identifier"`
	Code    string     `aml:"code,unique,required"`
	Series  string     `aml:"series,unique=Place"`
	Number  *int32     `aml:"number,unique=Place"`
	Shelf   string     `aml:"shelf,association=Book.Shelf"`
	Slot    int32      `aml:"slot,association=Book.Slot"`
	Version int64      `aml:"version,version"`
}

type Book struct {
	aml.Aggregate `aml:"books"`

	Shelf string `aml:"shelf,identifier"`
	Slot  int32  `aml:"slot,discriminator"`
	Title string `aml:"title"`
}

type Sale struct {
	aml.Aggregate `aml:"sales"`

	Day   time.Time `aml:"day,identifier,type=date"`
	Count int64     `aml:"count,counter"`
}

type Account struct {
	aml.Aggregate `aml:"accounts"`

	ID      int32  `aml:"id,identifier"`
	Name    string `aml:"name,required"`
	Version int64  `aml:"version,version"`
}

type Order struct {
	aml.Aggregate `aml:"orders"`

	ID        int64  `aml:"id,identifier"`
	Buyer     Buyer  `aml:"buyer,composition,copy=Account,ondelete=keep"`
	PayerID   int32  `aml:"payer_id,association=Account"`
	PayerName string `aml:"payer_name,copy=Account.Name"`
	Seller    *int32 `aml:"seller,association=Account,checked,ondelete=clear"`
	Version   int64  `aml:"version,version"`
}

type Buyer struct {
	ID   int32
	Name string
}

type Run struct {
	aml.Aggregate `aml:"runs"`

	ID    gocql.UUID `aml:"id,identifier"`
	State string     `aml:"state,required"`
}

type Segment struct {
	aml.Entity `aml:"runs,part=Run,rows=5000"`

	RunID  gocql.UUID `aml:"id,identifier"`
	Number int32      `aml:"number,discriminator"`
	Tokens string     `aml:"tokens"`
}

type Member struct {
	aml.Aggregate `aml:"members"`

	ID      int32   `aml:"id,identifier"`
	Badges  []Badge `aml:"badges,composition,max=3"`
	Since   string  `aml:"since,index"`
	Version int64   `aml:"version,version"`
}

type Badge struct {
	aml.Entity `aml:"badge"`

	Number string `aml:"number,identifier,unique"`
}

type Code struct {
	aml.Aggregate `aml:"codes,ttl=60"`

	ID    int32               `aml:"id,identifier"`
	Text  string              `aml:"text,required"`
	Spans []Span              `aml:"spans,type=tuple,max=3"`
	Words map[string]struct{} `aml:"words,max=3"`
	Left  time.Duration       `aml:",ttl"`
}

type Span struct{ From, To int32 }

type Queue struct {
	aml.Aggregate `aml:"queues,headrow"`

	ID      int32 `aml:"id,identifier"`
	Version int64 `aml:"version,version"`
}

type Task struct {
	aml.Entity `aml:"queues,part=Queue"`

	QueueID int32 `aml:"id,identifier"`
	Number  int32 `aml:"number,discriminator"`
	Payload []byte
}
