package recipes

import (
	"context"
	"fmt"
	"io"
	"slices"
)

// FindTeams returns the names of the teams that have a member: one partition of a redundant table.
func FindTeams(ctx context.Context, s *Store, member string) (teams []string, err error) {
	for t, err := range s.TeamsOfMembers.Of(member).All(ctx) {
		if err != nil {
			return nil, err
		}
		teams = append(teams, t.Team)
	}
	return teams, nil
}

func element(ctx context.Context, s *Store, out io.Writer) error {
	for _, t := range []*Team{{Name: "blue", Members: []string{"ana", "bia"}}, {Name: "red", Members: []string{"ana"}}} {
		if err := s.Teams.Insert(ctx, t); err != nil {
			return err
		}
	}
	_, err := s.Teams.Update(ctx, "blue", func(t *Team) error {
		t.Members = slices.DeleteFunc(t.Members, func(m string) bool { return m == "ana" })
		return nil
	})
	if err != nil {
		return err
	}
	for _, member := range []string{"ana", "bia"} {
		teams, err := FindTeams(ctx, s, member)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, member, teams)
	}
	return nil
}
