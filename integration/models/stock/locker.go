package stock

import (
	"fmt"

	"github.com/cassaml/cassaml/aml"
)

// Locker has secrets in all places of values. No message contains one.
type Locker struct {
	aml.Aggregate `aml:"lockers"`

	Code   string              `aml:"code,identifier,secret"`
	Row    int32               `aml:"row,discriminator"`
	Lock   Combination         `aml:"lock,type=text,secret"`
	Spares map[string]Key      `aml:"spares,composition,secret,max=9"`
	Keys   []Key               `aml:"keys,composition,max=9"`
	Pins   map[Pin]Key         `aml:"pins,composition,max=9"`
	Bolts  map[string][]string `aml:"bolts,final,secret,max=2"`
	Words  []string            `aml:"words,unique,secret,max=9"`
}

// Key opens a locker.
type Key struct {
	aml.Entity `aml:"key"`

	Serial string      `aml:"serial,identifier,secret"`
	Teeth  Combination `aml:"teeth,type=text,secret"`
	Holder string      `aml:"holder,required"`
}

// Pin is a secret number.
type Pin struct {
	Digits string `aml:"digits,secret"`
}

// LockerByName finds a locker by the name of a spare key.
//
//aml:ignore AML902 one clerk at a time changes a locker
//aml:ignore AML910 a spare key stays with its locker
type LockerByName struct {
	aml.Aggregate `aml:"lockers_by_name,redundant=Locker.Spares,distinct"`

	Name   string `aml:"name,identifier,from=Locker.Spares.$key"`
	Holder string `aml:"holder"`
	Row    int32  `aml:"row,from=Locker.Row"`
}

// LockerBySerial finds a locker by the serial number of a key that opens it.
//
//aml:ignore AML902 one clerk at a time changes a locker
//aml:ignore AML910 a key stays with its locker
type LockerBySerial struct {
	aml.Aggregate `aml:"lockers_by_serial,redundant=Locker.Keys,distinct"`

	Serial string `aml:"serial,identifier"`
	Holder string `aml:"holder"`
}

// Combination is a secret that converts itself. Its errors contain the invalid value.
type Combination string

// MarshalText rejects a combination that ends with !.
func (c Combination) MarshalText() ([]byte, error) {
	if len(c) > 0 && c[len(c)-1] == '!' {
		return nil, fmt.Errorf("%s is not a combination", string(c))
	}
	return []byte(c), nil
}

// UnmarshalText rejects one that ends with ?.
func (c *Combination) UnmarshalText(text []byte) error {
	if len(text) > 0 && text[len(text)-1] == '?' {
		return fmt.Errorf("%s is not a combination", text)
	}
	*c = Combination(text)
	return nil
}
