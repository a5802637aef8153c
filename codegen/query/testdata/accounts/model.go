// Package accounts has a versioned root with unique values, an index on one of them, and a redundant aggregate for another.
package accounts

import "github.com/cassaml/cassaml/aml"

// Account is a user of a service.
type Account struct {
	aml.Aggregate `aml:"accounts"`

	ID      int32   `aml:"id,identifier"`
	Email   *string `aml:"email,unique"`
	Login   string  `aml:"login,unique,index"`
	Country *string `aml:"country,unique=Passport"`
	Number  *string `aml:"number,unique=Passport"`
	Home    Home    `aml:"home,composition"`
	Name    string  `aml:"name"`
	Version int64   `aml:"version,version"`
}

// Home is where a user lives.
type Home struct {
	Phone string `aml:"phone,unique"`
}

// AccountByEmail finds the name of an account by its e-mail.
type AccountByEmail struct {
	aml.Aggregate `aml:"accounts_by_email,redundant=Account,when=Account.Email"`

	Email string `aml:"email,identifier"`
	ID    int32  `aml:"id"`
	Name  string `aml:"name"`
}

// Named is the name of an account.
type Named struct {
	aml.Aggregate `aml:",of=Account"`

	ID   int32
	Name string
}
