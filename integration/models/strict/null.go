package strict

import (
	"database/sql"
	"database/sql/driver"
	"time"

	"github.com/cassaml/cassaml/aml"
)

// Parcel has values that are not nil in Go, but are stored as null. It has required collections: one of several cells, a frozen one and
// one inside a struct. It has exactly one content and at least one contact.
type Parcel struct {
	aml.Aggregate `aml:"parcels"`

	ID     int32               `aml:"id,identifier"`
	Labels []string            `aml:"labels,required,max=9"`
	Fixed  []string            `aml:"fixed,required,final,max=9"`
	Inside *Inside             `aml:"inside,composition,required"`
	Shelf  *Shelf              `aml:"shelf,composition"`
	Cards  []string            `aml:"cards,unique,xor=Content,required,max=9"`
	Notes  []string            `aml:"notes,final,xor=Content,required,max=9"`
	Cash   *Inside             `aml:"cash,composition,xor=Content,required"`
	Sent   *time.Time          `aml:"sent,xor=Content,required"`
	Paid   sql.Null[time.Time] `aml:"paid,xor=Content,required"`
	Phones map[string]int32    `aml:"phones,any=Contact,max=9"`
	Mails  []string            `aml:"mails,any=Contact,max=9"`
	Seen   *time.Time          `aml:"seen,any=Contact"`
	Note   string              `aml:"note"`
}

// Shelf has a required collection, which is frozen.
type Shelf struct {
	Books []string `aml:"books,required,max=9"`
}

// Inside has fields that can all be absent. A collection in it is frozen.
type Inside struct {
	Names []string `aml:"names,max=9"`
	At    *time.Time
}

// Board is a root that exists only by its required field, because the rows of its part are in its table.
type Board struct {
	aml.Aggregate `aml:"boards"`

	ID   int32    `aml:"id,identifier"`
	Tags []string `aml:"tags,unique,required,max=9"`
	Note *string  `aml:"note"`
}

// Pin is a part in the table of its root.
type Pin struct {
	aml.Entity `aml:"boards,part=Board,rows=100"`

	BoardID int32  `aml:"id,identifier"`
	Number  int32  `aml:"number,discriminator"`
	Text    string `aml:"text"`
}

// Sheet is such a root, whose required field has a type with its own methods.
type Sheet struct {
	aml.Aggregate `aml:"sheets"`

	ID   int32   `aml:"id,identifier"`
	Size Pair    `aml:"size,type=int,required"`
	Note *string `aml:"note"`
}

// Cell is a part in the table of its root.
type Cell struct {
	aml.Entity `aml:"sheets,part=Sheet,rows=100"`

	SheetID int32  `aml:"id,identifier"`
	Number  int32  `aml:"number,discriminator"`
	Text    string `aml:"text"`
}

// Pair is stored as the sum of its numbers; without numbers it is null.
type Pair []int64

// Value returns the sum.
func (p Pair) Value() (driver.Value, error) {
	if len(p) == 0 {
		return nil, nil
	}
	var sum int64
	for _, n := range p {
		sum += n
	}
	return sum, nil
}

// Scan reads a sum.
func (p *Pair) Scan(v any) error {
	if *p = nil; v != nil {
		*p = Pair{v.(int64)}
	}
	return nil
}
