// Package depot is the model of a depot: crates, whose items and labels are unique, and lockers, which no other table repeats. Both
// have versions. Simulations of random schedules run on its stores.
package depot

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../codegen/cmd/aml generate

// Crate is a versioned root with a unique value in each element, and with unique alternatives.
type Crate struct {
	aml.Aggregate `aml:"crates"`

	ID      int32   `aml:"id,identifier"`
	Name    string  `aml:"name"`
	Items   []Item  `aml:"items,composition,max=3"`
	Tag     *string `aml:"tag,xor=Label,unique"`
	Code    *int64  `aml:"code,xor=Label,unique"`
	Version int64   `aml:"version,version"`
}

// Item is in one crate at a time.
//
//aml:ignore AML906 crates have few items
type Item struct {
	aml.Entity `aml:"item"`

	Serial string `aml:"serial,identifier,unique"`
	Kind   string `aml:"kind"`
}

// CrateOfItem finds the crate of an item. Two crates can have the same row one after the other.
type CrateOfItem struct {
	aml.Aggregate `aml:"crate_of_item,redundant=Crate.Items"`

	Serial string `aml:"serial,identifier"`
	Kind   string `aml:"kind"`
	ID     int32  `aml:"id,from=Crate.ID"`
	Name   string `aml:"name,from=Crate.Name"`
}

// CrateByCode finds a crate by its code.
type CrateByCode struct {
	aml.Aggregate `aml:"crates_by_code,redundant=Crate,when=Crate.Code"`

	Code int64  `aml:"code,identifier"`
	ID   int32  `aml:"id"`
	Name string `aml:"name"`
}

// Locker is a versioned root without copies.
type Locker struct {
	aml.Aggregate `aml:"lockers"`

	ID      int32   `aml:"id,identifier"`
	Name    string  `aml:"name"`
	Holder  *string `aml:"holder,unique"`
	Version int64   `aml:"version,version"`
}
