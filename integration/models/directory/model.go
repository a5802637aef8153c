// Package directory is a model whose collections have methods for one element, and whose UDT has methods for one field: with copies
// that have a row for each element, with copies of the whole value, and with copies that need other fields.
package directory

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

// Place is a value that is a UDT of several cells.
type Place struct {
	City   string  `aml:"city"`
	Street string  `aml:"street"`
	Note   *string `aml:"note"`
}

// Task is an entity of a list.
type Task struct {
	aml.Entity

	Name string `aml:"name,identifier"`
	Done bool   `aml:"done"`
}

// Contact is a root with sets, maps, lists and a UDT.
type Contact struct {
	aml.Aggregate `aml:"contacts"`

	ID        string             `aml:"id,identifier"`
	Name      string             `aml:"name"`
	Addresses map[string]Address `aml:"addresses,composition"`
	Phones    []string           `aml:"phones,unique"`
	Cars      []Car              `aml:"cars,composition"`
	Groups    []string           `aml:"groups,unique,max=3"`
	Mails     []string           `aml:"mails,unique,required"`
	Notes     []string           `aml:"notes"`
	Recent    []string           `aml:"recent,max=2"`
	Tasks     []Task             `aml:"tasks,composition"`
	Visits    []string           `aml:"visits"`
	Home      Place              `aml:"home,composition"`
}

// ContactHomes has the homes of the contacts.
type ContactHomes struct {
	aml.Aggregate `aml:"contact_homes,redundant=Contact"`

	ID     string   `aml:"id,identifier,from=Contact.ID"`
	City   string   `aml:"city,from=Contact.Home.City"`
	Home   Place    `aml:"home,composition,from=Contact.Home"`
	Visits []string `aml:"visits,from=Contact.Visits"`
}

// ContactsByStreet finds contacts by the streets of their homes.
//
//aml:ignore AML902 a contact has one writer
type ContactsByStreet struct {
	aml.Aggregate `aml:"contacts_by_street,redundant=Contact"`

	Street string   `aml:"street,identifier,from=Contact.Home.Street"`
	ID     string   `aml:"id,discriminator,from=Contact.ID"`
	Groups []string `aml:"groups,unique,from=Contact.Groups"`
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
