package reader

import "github.com/cassaml/cassaml/aml"

// A query by ByName has a method of the name of that which reads by the index of Name.
type Word struct {
	aml.Aggregate `aml:"words"`

	ID     int32  `aml:"id,identifier"`
	ByName string `aml:"by_name,discriminator"`
	Name   string `aml:"name,index"`
}

// The field of the store that Words names is that of the table of words.
type Words struct {
	aml.Aggregate `aml:",of=Word"`

	Name string
}

// With is what every store has.
type With struct {
	aml.Aggregate `aml:",of=Word"`

	Name string
}

// Letters is a view that is read by a LettersTable.
type Letters struct {
	aml.Aggregate `aml:",of=Word"`

	Name string
}

// LettersTable is in its way.
type LettersTable struct{}
