package recipes

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// Nightly compares all redundant tables with the tables of their roots, and repairs the differences. It returns an error if some are left, so that
// the job fails.
func Nightly(ctx context.Context, s *Store) (repaired int64, err error) {
	report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Rate: 5000}) // 5,000 rows a second at most
	if err != nil {
		return 0, err
	}
	if !report.Clean() {
		return report.Repaired, fmt.Errorf("%d findings are left: %v", report.Total()-report.Repaired, report.Found)
	}
	return report.Repaired, nil
}

func nightly(ctx context.Context, _ *Store, out io.Writer) error {
	now := time.Now().Add(-time.Hour)
	b := memory.New(memory.Config{Now: func() time.Time { return now }})
	s, err := OpenBackend(ctx, b, mapper.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	b.Intercept(func(r memory.Request) memory.Outcome {
		if r.Write && slices.Contains(r.Tables, "teams_of_members") {
			return memory.Refused // the replicas of the redundant table are down
		}
		return memory.Done
	})
	fmt.Fprintln(out, "insert:", s.Teams.Insert(ctx, &Team{Name: "blue", Members: []string{"ana"}}))
	b.Intercept(nil)
	teams, err := FindTeams(ctx, s, "ana")
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "before:", teams)
	now = now.Add(time.Hour)
	repaired, err := Nightly(ctx, s)
	if err != nil {
		return err
	}
	teams, err = FindTeams(ctx, s, "ana")
	fmt.Fprintln(out, "after:", teams, "repaired:", repaired > 0)
	return err
}
