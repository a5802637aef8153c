// Package loan has versioned roots whose fields follow other roots by checked references, by references to the root itself, and in a composition.
package loan

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../codegen/cmd/aml generate

// Member is a target. It follows its sponsor, who is a member.
type Member struct {
	aml.Aggregate `aml:"members"`

	ID          int32   `aml:"id,identifier"`
	Name        string  `aml:"name"`
	Sponsor     *int32  `aml:"sponsor,association=Member,checked,ondelete=clear"`
	SponsorName *string `aml:"sponsor_name,copy=Member.Name"`
	Version     int64   `aml:"version,version"`
}

// Book is a target that loans have as a composition.
type Book struct {
	aml.Aggregate `aml:"books"`

	ID      int32    `aml:"id,identifier"`
	Name    string   `aml:"name"`
	Tags    []string `aml:"tags,max=9"`
	Version int64    `aml:"version,version"`
}

// Loan is deleted with its member, and keeps its book from being deleted.
type Loan struct {
	aml.Aggregate `aml:"loans"`

	ID         int32  `aml:"id,identifier"`
	Name       string `aml:"name"`
	Member     int32  `aml:"member,association=Member,checked,ondelete=cascade,rows=100000"`
	MemberName string `aml:"member_name,copy=Member.Name"`
	Book       *Item  `aml:"book,composition,copy=Book"`
	Version    int64  `aml:"version,version"`
}

// Item is a book in a loan.
type Item struct {
	ID   int32
	Name string
	Tags []string `aml:"tags,max=9"`
}
