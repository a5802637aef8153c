// Package contactmodel is a model whose sets and maps have methods for one element: with copies that have a row for each element, and
// with a copy of the whole collection.
package contactmodel

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Address is a value of a map.
type Address struct {
	City   string `aml:"city,required"`
	Street string `aml:"street"`
}

// Car is a value that contains its key.
type Car struct {
	Plate string `aml:"plate,discriminator"`
	Color string `aml:"color,required"`
}

// Contact is a root with sets and maps.
type Contact struct {
	aml.Aggregate `aml:"contacts"`

	ID        string             `aml:"id,identifier"`
	Name      string             `aml:"name"`
	Addresses map[string]Address `aml:"addresses,composition"`
	Phones    []string           `aml:"phones,unique"`
	Cars      []Car              `aml:"cars,composition"`
	Groups    []string           `aml:"groups,unique,max=3"`
	Mails     []string           `aml:"mails,unique,required"`
}

// ContactPhones has the same phones as the contact.
type ContactPhones struct {
	aml.Aggregate `aml:"contact_phones,redundant=Contact"`

	ID     string   `aml:"id,identifier,from=Contact.ID"`
	Phones []string `aml:"phones,unique,from=Contact.Phones"`
}

// ContactsByPhone has a row for each phone.
type ContactsByPhone struct {
	aml.Aggregate `aml:"contacts_by_phone,redundant=Contact.Phones"`

	Phone string `aml:"phone,identifier,from=Contact.Phones.$value"`
	ID    string `aml:"id,discriminator,from=Contact.ID"`
}

// AddressesByLabel has a row for each address.
type AddressesByLabel struct {
	aml.Aggregate `aml:"addresses_by_label,redundant=Contact.Addresses"`

	Label string `aml:"label,identifier,from=Contact.Addresses.$key"`
	ID    string `aml:"id,discriminator,from=Contact.ID"`
	City  string `aml:"city,from=Contact.Addresses.City"`
}

// CarsByPlate has a row for each car.
type CarsByPlate struct {
	aml.Aggregate `aml:"cars_by_plate,redundant=Contact.Cars"`

	Plate string `aml:"plate,identifier,from=Contact.Cars.Plate"`
	ID    string `aml:"id,discriminator,from=Contact.ID"`
	Color string `aml:"color,from=Contact.Cars.Color"`
}
