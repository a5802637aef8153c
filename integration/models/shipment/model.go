// Package shipment has the types of other packages that are stored without type=: UUIDs of any package, addresses with ports, and
// decimals. Its offers have values that Cassandra treats as equal in several encodings.
package shipment

import (
	"net/netip"

	"github.com/gocql/gocql"
	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

type (
	// ShipmentID is a named type whose underlying type is a UUID of another package.
	ShipmentID uuid.UUID
	// Carrier is a named type whose underlying type is a UUID of the driver.
	Carrier gocql.UUID
	// Digest is an array of the size of a UUID.
	Digest [16]byte
)

// Shipment has each of the types as a key, a column, in collections, behind a pointer and in a value object.
type Shipment struct {
	aml.Aggregate `aml:"shipments"`

	ID       ShipmentID                `aml:"id,identifier"`
	Leg      uuid.UUID                 `aml:"leg,discriminator"`
	Carrier  Carrier                   `aml:"carrier,required"`
	Digest   Digest                    `aml:"digest"`
	Raw      [16]byte                  `aml:"raw"`
	Maybe    *uuid.UUID                `aml:"maybe"`
	At       uuid.UUID                 `aml:"at,type=timeuuid"`
	AsText   uuid.UUID                 `aml:"as_text,type=text"`
	Null     uuid.NullUUID             `aml:"'null',type=uuid"`
	Stops    []ShipmentID              `aml:"stops,max=9"`
	Watchers map[uuid.UUID]struct{}    `aml:"watchers,max=9"`
	Names    map[Carrier]string        `aml:"names,max=9"`
	Gateway  netip.AddrPort            `aml:"gateway"`
	Route    netip.Prefix              `aml:"route"`
	Peers    map[string]netip.AddrPort `aml:"peers,max=9"`
	Price    decimal.Decimal           `aml:"price"`
	Discount *decimal.Decimal          `aml:"discount"`
	Fees     []decimal.Decimal         `aml:"fees,max=9"`
	Customs  *Customs                  `aml:"customs,composition"`
}

// Customs is a value object with fields of the types.
type Customs struct {
	Officer uuid.UUID
	Duty    decimal.Decimal
	Office  netip.AddrPort
}

// ShipmentByCarrier has the shipments of each carrier.
//
//aml:ignore AML902 one writer at a time changes a shipment
type ShipmentByCarrier struct {
	aml.Aggregate `aml:"shipments_by_carrier,redundant=Shipment"`

	Carrier Carrier         `aml:"carrier,identifier"`
	ID      ShipmentID      `aml:"id,discriminator"`
	Leg     uuid.UUID       `aml:"leg,discriminator"`
	Price   decimal.Decimal `aml:"price"`
}
