package plan

import (
	"slices"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Transaction describes what one save writes as a single request, for a database that can change several partitions atomically if
// all conditions hold. Such a save has no claims in flight and leaves no pending rows.
type Transaction struct {
	Root     Conditional
	Claims   []Reservation // each must be allowed by Allows
	Releases []Reservation // each is released if Owner owns it
	Copies   []Mutation
	Owner    cell.Row // the key of the root, which owns the claimed values
	Version  Version
}

// Reservation is a row that a transaction changes.
type Reservation struct {
	Claim
	Row cell.Row // the row after the transaction
}

// Transaction returns the transaction that carries out the save. old is the state that the save was planned from.
func (s *Save) Transaction(a *Aggregate, old *State) (*Transaction, error) {
	was, err := a.Claims(old)
	if err != nil {
		return nil, err
	}
	t := &Transaction{Root: s.Root, Copies: s.Copies(a), Owner: s.State.Row[:a.Root.Key], Version: s.State.Version}
	for _, c := range s.Claims {
		if !was.Has(c) {
			t.Claims = append(t.Claims, Reservation{c, slices.Concat(c.Key, t.Owner, cell.Row{Bigint(t.Version), Bigint(0)})})
		}
	}
	for _, c := range was {
		if !s.Claims.Has(c) {
			t.Releases = append(t.Releases, Reservation{c, slices.Concat(c.Key, make(cell.Row, a.Root.Key), cell.Row{Bigint(t.Version), Bigint(t.Version)})})
		}
	}
	return t, nil
}

// Allows reports whether a transaction can claim a reservation whose row is row, or nil if there is none. It cannot if the owner is
// another root, or if there is no owner and the floor is not below the version of the save.
func (t *Transaction) Allows(r *Reservation, row cell.Row) bool {
	if row == nil {
		return true
	}
	n := r.Table.Key
	owner := row[n : n+len(t.Owner)]
	if owner[0] != nil && !SameKey(owner, t.Owner, len(t.Owner)) {
		return false
	}
	floor, err := BigintOf(row[n+len(t.Owner)+1])
	return err == nil && (owner[0] != nil || floor < t.Version)
}

// Owns reports whether the owner in the row of a reservation is the root of the transaction.
func (t *Transaction) Owns(r *Reservation, row cell.Row) bool {
	return row != nil && row[r.Table.Key] != nil && SameKey(row[r.Table.Key:], t.Owner, len(t.Owner))
}
