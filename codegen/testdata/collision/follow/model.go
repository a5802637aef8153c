// Package follow has references whose methods have the same name, those of several rows of one and those of one row of another.
package follow

import "github.com/cassaml/cassaml/aml"

type Reader struct {
	aml.Aggregate `aml:"readers"`

	ID      int32   `aml:"id,identifier"`
	Friend  *int32  `aml:"friend,association=Reader"`
	Friends []int32 `aml:"friends,association=Reader,unique,max=9"`
}

// Note refers to two readers.
type Note struct {
	aml.Aggregate `aml:"notes"`

	ID     int32  `aml:"id,identifier"`
	Author *int32 `aml:"author,association=Reader"`
	// AuthorID has the name of Author, because the name of a method does not contain ID.
	AuthorID *int32 `aml:"author_id,association=Reader"`
}
