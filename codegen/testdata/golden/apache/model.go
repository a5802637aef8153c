// Package apache is a model whose store is generated for Apache's driver.
package apache

import (
	"errors"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/cassaml/cassaml/aml"
)

// Parcel is a plain root with a redundant table.
type Parcel struct {
	aml.Aggregate `aml:"parcels"`
	ID            gocql.UUID      `aml:"id,identifier"`
	City          string          `aml:"city,required"`
	Sent          gocql.UUID      `aml:"sent,type=timeuuid"`
	Insured       *gocql.Duration `aml:"insured"`
	Tags          map[string]gocql.UUID
	Sizes         Sizes `aml:"sizes,type=list<int>"`
	At            time.Time
}

// ParcelByCity is a redundant table of parcels.
type ParcelByCity struct {
	aml.Aggregate `aml:"parcels_by_city,redundant=Parcel"`
	City          string     `aml:",identifier"`
	ID            gocql.UUID `aml:",discriminator"`
	Sent          gocql.UUID `aml:"sent,type=timeuuid"`
}

// Courier is a versioned root with a unique value.
type Courier struct {
	aml.Aggregate `aml:"couriers"`
	ID            gocql.UUID `aml:"id,identifier"`
	Badge         string     `aml:"badge,unique"`
	Version       int64      `aml:",version"`
}

// Sizes encodes its own values.
type Sizes []int32

// MarshalCQL returns the sizes as a list.
func (s Sizes) MarshalCQL(info gocql.TypeInfo) ([]byte, error) {
	if s == nil {
		return nil, nil
	}
	return gocql.Marshal(info, []int32(s))
}

// UnmarshalCQL reads a list.
func (s *Sizes) UnmarshalCQL(info gocql.TypeInfo, data []byte) error {
	if s == nil {
		return errors.New("no place for the sizes")
	}
	return gocql.Unmarshal(info, data, (*[]int32)(s))
}
