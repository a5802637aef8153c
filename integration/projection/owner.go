package projection

import (
	"context"
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// owner returns the row of the owner of an instance.
func (s *Session) owner(of Record, state string) Record {
	row := make(Record, len(s.c.Owner.Aggregate.Attributes))
	for i, a := range s.c.Owner.Aggregate.Attributes {
		if row[i] = state; a.Key {
			row[i] = of[s.c.Root.index(s.identifier(i))]
		}
	}
	return row
}

// identifier returns identifier i of the part, which has the value of identifier i of its owner.
func (s *Session) identifier(i int) *model.Attribute { return s.c.Root.Aggregate.Identifier[i] }

// owned puts the owner of an instance, or deletes it with all its parts.
func (s *Session) owned(ctx context.Context, at int64, of Record) error {
	db := s.database(at)
	partition := s.c.RootRow(of).Partition
	s.owners[partition] = of
	if s.states[partition] == "" || s.draw.chance(15) {
		state := string("xyz"[s.draw.Rand.IntN(3)])
		s.states[partition], s.Last = state, "Put of the owner "+partition
		s.Done["Put of an owner"]++
		return gen.Put(ctx, s.c.OpenOwner(db), &Instance{Row: s.owner(of, state)})
	}
	delete(s.states, partition)
	s.Last = "Delete of the owner " + partition
	s.Done["Delete of an owner"]++
	if err := gen.Delete(ctx, s.c.OpenOwner(db), s.c.partition(of)); err != nil {
		return err
	}
	for key, row := range s.live {
		if s.c.RootRow(row).Partition == partition {
			s.World.Apply(Write{Old: row, At: at})
			delete(s.live, key)
		}
	}
	return nil
}

// Owners compares the owners with the values that were put.
func (s *Session) Owners(ctx context.Context) error {
	for partition, of := range s.owners {
		v, err := gen.Get(ctx, s.c.OpenOwner(s.db).Reader, s.c.partition(of))
		want := s.states[partition]
		switch {
		case want == "" && errors.Is(err, mapper.ErrNotFound):
		case err != nil || want == "":
			return fmt.Errorf("%s: the owner %s is %v, want %q: %w", s.Last, partition, v, want, err)
		case !same(v.Row, s.owner(of, want)):
			return fmt.Errorf("%s: the owner %s is %v, want %q", s.Last, partition, v.Row, want)
		}
	}
	return nil
}
