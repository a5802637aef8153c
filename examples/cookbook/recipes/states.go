package recipes

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/gocql/gocql"
)

// next has the states that may follow a state.
var next = map[ParcelState][]ParcelState{
	Packed: {Sent},
	Sent:   {Delivered, Returned},
}

// Move moves a parcel to another state. Its function runs again if another call has moved the parcel in between, so the state that it examines is the
// state that it replaces.
func Move(ctx context.Context, s *Store, id gocql.UUID, to ParcelState) error {
	_, err := s.Parcels.Update(ctx, id, func(p *Parcel) error {
		if !slices.Contains(next[p.State], to) {
			return fmt.Errorf("a parcel that is %s cannot be %s", p.State, to)
		}
		p.State = to
		return nil
	})
	return err
}

func states(ctx context.Context, s *Store, out io.Writer) error {
	id := number(1)
	if err := s.Parcels.Insert(ctx, &Parcel{ID: id, State: Packed}); err != nil {
		return err
	}
	for _, to := range []ParcelState{Delivered, Sent, Returned, Delivered} {
		fmt.Fprintf(out, "%s: %v\n", to, Move(ctx, s, id, to))
	}
	return nil
}
