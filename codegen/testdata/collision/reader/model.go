package reader

import "github.com/cassaml/cassaml/aml"

// A query by ByName has a method with the name of the method that reads with the index of Name.
type Word struct {
	aml.Aggregate `aml:"words"`

	ID     int32  `aml:"id,identifier"`
	ByName string `aml:"by_name,discriminator"`
	Name   string `aml:"name,index"`
}

// The field of the store for Words has the name of the field for the table of words.
type Words struct {
	aml.Aggregate `aml:",of=Word"`

	Name string
}

// With is a method of every store.
type With struct {
	aml.Aggregate `aml:",of=Word"`

	Name string
}

// Letters is a view that LettersTable reads.
type Letters struct {
	aml.Aggregate `aml:",of=Word"`

	Name string
}

// LettersTable collides with the type of the view.
type LettersTable struct{}
