// Package tickets has a partition key of two columns, final fields, numbers of many types, and UUIDs that functions of the server make.
package tickets

import (
	"math/big"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

// Grade is how good the seat of a ticket is.
type Grade string

// The grades.
const (
	lowest  Grade = "lowest"
	Highest Grade = "highest"
)

// Ticket is for a seat of a site.
type Ticket struct {
	aml.Aggregate `aml:"tickets"`

	Site   string           `aml:"site,identifier"`
	Kind   int32            `aml:"kind,identifier"`
	Number int64            `aml:"number,discriminator"`
	Holder string           `aml:"holder,required,final"`
	Code   gocql.UUID       `aml:"code,final"`
	Grade  Grade            `aml:"grade,enum"`
	Nick   *string          `aml:"nick"`
	Rate   float32          `aml:"rate"`
	Total  float64          `aml:"total"`
	Fee    *big.Int         `aml:"fee"`
	Vector [2]float32       `aml:"v,index"`
	Seats  map[string]int32 `aml:"seats,max=9"`
	Grades []Grade          `aml:"grades,max=9,final"`
	Labels []string         `aml:"labels,unique,max=9"`
	Place  Place            `aml:"place,composition,final"`
}

// Place is where a seat is.
type Place struct{ Row, Column int32 }

// LateTicket can miss rows.
//
//aml:ignore AML902 one program writes tickets
type LateTicket struct {
	aml.Aggregate `aml:"late_tickets,redundant=Ticket,unlogged"`

	Holder string  `aml:"holder,identifier"`
	Site   string  `aml:"site,discriminator"`
	Kind   int32   `aml:"kind,discriminator"`
	Number int64   `aml:"number,discriminator"`
	Nick   *string `aml:"nick"`
}

// Lowest returns the lowest grade.
func Lowest() Grade { return lowest }

// Event is what happened in a room.
type Event struct {
	aml.Aggregate `aml:"events"`

	Room   gocql.UUID `aml:"room,identifier"`
	Moment gocql.UUID `aml:"moment,discriminator,type=timeuuid"`
	At     time.Time  `aml:"at"`
}

// Pass is a versioned root.
type Pass struct {
	aml.Aggregate `aml:"passes"`

	ID      gocql.UUID `aml:"id,identifier"`
	Email   string     `aml:"email,required,unique"`
	Name    string     `aml:"name"`
	Version int64      `aml:"version,version"`
}
