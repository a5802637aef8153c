package declared

import "github.com/cassaml/cassaml/aml"

type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID   int32   `aml:"id,identifier"`
	Year int32   `aml:"year,discriminator"`
	Home Home    `aml:"home,composition"`
	Kind []Kind  `aml:"kind"`
	City *string `aml:"city,required"`
}

type Home struct{ City string }

type Kind string

type Store struct{}

func Open() {}

var newStore, storeSchema int

const CustomersTable, CustomersMetadata, customersTable, customersCodec, customersAggregate = 1, 2, 3, 4, 5

var customersInsert, customersDelete, customersSelect, customersGet, customersLoad, customersUpdateHome int

type (
	CustomersQuery     interface{ Reverse() }
	CustomersYearRange interface{ Reverse() }
)

func encodeHome()     {}
func decodeKind()     {}
func checkCustomer()  {}
func customersOther() {}
