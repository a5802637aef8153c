package garage

import (
	"math/big"
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

//go:generate go tool aml generate

// State is the state of a repair.
type State string

// Repair is one visit of a car: the root.
type Repair struct {
	aml.Aggregate `aml:"repairs"`

	Garage   string                `aml:",identifier"`
	Year     int                   `aml:",identifier"`
	Opened   time.Time             `aml:",discriminator,desc"`
	ID       gocql.UUID            `aml:",discriminator"`
	Plate    string                `aml:",required"`
	State    State                 `aml:"state"`
	Mechanic *Mechanic             `aml:",composition"`
	Parts    map[string]Part       `aml:",composition"`
	Tags     map[string]struct{}   `aml:"tags"`
	Notes    []string              `aml:"notes"`
	Hours    map[string][]float32  `aml:"hours"`
	Total    *big.Int              `aml:"total"`
	Photos   [][]byte              `aml:"photos,final"`
	Bill     Bill                  `aml:"Bill,composition,final"`
	Seen     map[gocql.UUID]string `aml:"seen"`
}

// Mechanic does the work.
type Mechanic struct {
	Name  string
	Phone *string
}

// Part is a piece that was fitted.
type Part struct {
	Price int32
	Maker string
	Since time.Time `aml:",type=date"`
}

// Bill is final: it is written as one cell.
type Bill struct {
	Paid   bool
	Amount int64 `aml:"order"` // a reserved word
}

// RepairByPlate finds the repairs of a car: the same rows with another key.
type RepairByPlate struct {
	aml.Aggregate `aml:"repairs_by_plate,redundant=Repair"`

	Plate    string     `aml:",identifier"`
	Opened   time.Time  `aml:",discriminator,desc"`
	Garage   string     `aml:",discriminator"`
	Year     int        `aml:",discriminator"`
	ID       gocql.UUID `aml:",discriminator"`
	State    State
	Mechanic *Mechanic       `aml:",composition"`
	Parts    map[string]Part `aml:",composition"`
	Notes    []string
}

// PartFitted has a row for every part of every repair.
type PartFitted struct {
	aml.Aggregate `aml:"parts_by_number,redundant=Repair.Parts"`

	Number string     `aml:",identifier,from=Repair.Parts.$key"`
	Garage string     `aml:",discriminator,from=Repair.Garage"`
	Year   int        `aml:",discriminator,from=Repair.Year"`
	Opened time.Time  `aml:",discriminator,from=Repair.Opened"`
	ID     gocql.UUID `aml:",discriminator,from=Repair.ID"`
	Price  int32
	Visit  Visit `aml:",composition,from=Repair"`
}

// Visit is the part of a repair that the row of a part contains.
type Visit struct {
	Plate    string
	State    State
	Mechanic *Mechanic `aml:",composition"`
}

// RepairByTag has a row for every tag of every repair.
type RepairByTag struct {
	aml.Aggregate `aml:"repairs_by_tag,redundant=Repair.Tags"`

	Tag    string     `aml:",identifier,from=Repair.Tags.$value"`
	Garage string     `aml:",discriminator,from=Repair.Garage"`
	Year   int        `aml:",discriminator,from=Repair.Year"`
	Opened time.Time  `aml:",discriminator,from=Repair.Opened"`
	ID     gocql.UUID `aml:",discriminator,from=Repair.ID"`
	Plate  string     `aml:",from=Repair.Plate"`
}
