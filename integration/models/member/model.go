// Package member is the model of a club with versioned members, of whom each has a nickname that no other member has.
package member

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../codegen/cmd/aml generate

// Member is the source of all tables.
type Member struct {
	aml.Aggregate `aml:"members"`

	ID      int32   `aml:"id,identifier"`
	Nick    *string `aml:"nick,unique"`
	Team    string  `aml:"team"`
	Note    string  `aml:"note"`
	Version int64   `aml:"version,version"`
}

// MemberByNick finds a member by the nickname. Two members can have the same row one after the other.
type MemberByNick struct {
	aml.Aggregate `aml:"members_by_nick,redundant=Member,when=Member.Nick"`

	Nick string `aml:"nick,identifier"`
	ID   int32  `aml:"id"`
	Note string `aml:"note"`
}

// MemberOfTeam finds the members of a team.
type MemberOfTeam struct {
	aml.Aggregate `aml:"members_of_team,redundant=Member"`

	Team string  `aml:"team,identifier"`
	ID   int32   `aml:"id,discriminator"`
	Nick *string `aml:"nick"`
	Note string  `aml:"note"`
}
