package domain // want package:"notes"

import "github.com/cassaml/cassaml/aml"

type Note struct {
	aml.Aggregate `aml:"notes"`

	ID    int32 `aml:"id,identifier"`
	State state `aml:"state"`
}

type state string // want `AML507: type state is not exported, and package domain/store has the store, which needs it`
