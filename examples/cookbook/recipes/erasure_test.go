package recipes

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

var ana, bia = gocql.UUID{0: 0xa, 15: 1}, gocql.UUID{0: 0xb, 15: 2}

// remaining is where data of Ana remains after an erasure, until gc_grace_seconds have passed.
var remaining = []string{
	"drafts.aml_pending", "erasures (key)", "groups.aml_pending", "invoices.user_id", "invoices__user_id_holders (key)", "users (key)", "users__email_unique (key)",
}

// eraseAna requests the erasure of Ana, and carries it out two hours later, as the processes of a service do. It ends with the first error.
func eraseAna(ctx context.Context, s *Store) error {
	if err := RequestErasure(ctx, s, ana, time.Now()); err != nil && !errors.Is(err, mapper.ErrNotFound) {
		return err
	}
	for range 3 {
		time.Sleep(2 * time.Hour)
		if err := EraseAll(ctx, s, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// where lists the tables, and their columns, in which a readable cell contains the ID, the name, the e-mail or a text of Ana.
func where(t *testing.T, backend *memory.Backend) []string {
	schema, err := os.ReadFile("schema.cql")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, table := range regexp.MustCompile(`CREATE TABLE IF NOT EXISTS (\w+)`).FindAllStringSubmatch(string(schema), -1) {
		cells, err := backend.Cells(table[1])
		require.NoError(t, err)
		for _, c := range cells {
			for _, data := range []string{string(ana[:]), ana.String(), "Ana", "ana@example.com", "of Ana"} {
				if strings.Contains(c.Key, data) {
					found[table[1]+" (key)"] = true
				}
				if bytes.Contains(c.Value, []byte(data)) || bytes.Contains(c.Path, []byte(data)) {
					found[table[1]+"."+c.Column] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// The process ends at each of its requests in turn, with the request carried out or not. The next run ends the erasure, and nothing of the other user
// changes.
func TestErasureAfterACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, outcome := range []memory.Outcome{memory.Refused, memory.LostAnswer} {
			for requests, end := 0, false; !end; requests++ {
				ctx, backend := t.Context(), memory.New(memory.Config{})
				s, err := OpenBackend(ctx, backend, mapper.Config{Logger: slog.New(slog.DiscardHandler)})
				require.NoError(t, err)
				require.NoError(t, insertUsers(ctx, s, ana, bia))
				process, kill := context.WithCancel(ctx)
				left := requests
				backend.Intercept(func(memory.Request) memory.Outcome {
					left--
					switch {
					case left > 0:
						return memory.Done
					case left == 0:
						kill()
						return outcome
					}
					return memory.Refused
				})
				_ = eraseAna(process, s)
				backend.Intercept(nil)
				kill()
				end = left > 0
				_, err = s.Erasures.Get(ctx, ana)
				if errors.Is(err, mapper.ErrNotFound) {
					require.NoError(t, RequestErasure(ctx, s, ana, time.Now())) // it was not written: the person repeats the request
				}
				for range 3 {
					time.Sleep(2 * time.Hour)
					require.NoError(t, EraseAll(ctx, s, time.Now()), "%v of request %d", outcome, requests)
				}
				e, err := s.Erasures.Get(ctx, ana)
				require.NoError(t, err)
				require.NotNil(t, e.Done)
				report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 1})
				require.NoError(t, err)
				require.True(t, report.Clean(), "%v of request %d: %v", outcome, requests, report.Found)
				require.Subset(t, remaining, where(t, backend), "%v of request %d", outcome, requests)
				checkBia(t, s)
			}
		}
	})
}

// A name or an e-mail that a save gives to a closed user is not kept: the next run erases it again.
func TestErasureOfAUserWhoWasRenamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		s, err := OpenBackend(ctx, memory.New(memory.Config{}))
		require.NoError(t, err)
		require.NoError(t, insertUsers(ctx, s, ana, bia))
		require.NoError(t, RequestErasure(ctx, s, ana, time.Now()))
		for _, change := range []func(*User){func(u *User) { u.Name = "Ana" }, func(u *User) { u.Email = "ana@example.com" }} {
			time.Sleep(2 * time.Hour)
			_, err = s.Users.Update(ctx, ana, func(u *User) error { change(u); return nil })
			require.NoError(t, err)
			require.NoError(t, EraseAll(ctx, s, time.Now()))
			u, err := s.Users.Get(ctx, ana)
			require.NoError(t, err)
			require.Equal(t, []string{ErasedName, ""}, []string{u.Name, u.Email})
		}
		require.NoError(t, EraseAll(ctx, s, time.Now()))
		require.NoError(t, CheckErased(ctx, s))
		checkBia(t, s)

		require.NoError(t, s.Comments.Insert(ctx, &Comment{Topic: "news", ID: number(9), UserID: ana, Text: "the view of Ana"}))
		require.EqualError(t, CheckErased(ctx, s), "not erased: *recipes.Comment with ID "+number(9).String())
	})
}

// checkBia compares the data of the user who is not erased.
func checkBia(t *testing.T, s *Store) {
	ctx := t.Context()
	u, err := s.Users.GetByEmail(ctx, "bia@example.com")
	require.NoError(t, err)
	require.Equal(t, "Bia", u.Name)
	g, err := s.Groups.Get(ctx, number(10))
	require.NoError(t, err)
	require.Equal(t, []gocql.UUID{bia}, g.Members)
	_, err = s.Drafts.Get(ctx, number(30))
	require.NoError(t, err)
	i, err := s.Invoices.Get(ctx, number(31))
	require.NoError(t, err)
	require.Equal(t, "Bia", i.UserName)
	n, err := s.CommentsByUser.Of(bia).Count(ctx)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	i, err = s.Invoices.Get(ctx, number(21))
	require.NoError(t, err)
	require.Equal(t, ErasedName, i.UserName)
	g, err = s.Groups.Get(ctx, number(11))
	require.NoError(t, err)
	require.Empty(t, g.Members)
}

// docs/cookbook.md lists what remains in the tables after an erasure, and what after gc_grace_seconds, a run of Reconcile, and saves of the groups.
func TestRemainsOfAnErasedUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s, err := OpenBackend(ctx, backend)
		require.NoError(t, err)
		require.NoError(t, insertUsers(ctx, s, ana, bia))
		require.NoError(t, eraseAna(ctx, s))
		require.NoError(t, CheckErased(ctx, s))
		require.Equal(t, remaining, where(t, backend))
		time.Sleep(11 * 24 * time.Hour)
		require.NoError(t, CheckErased(ctx, s))
		for _, id := range []gocql.UUID{number(10), number(11)} {
			_, err := s.Groups.Update(ctx, id, func(*Group) error { return nil })
			require.NoError(t, err)
		}
		require.Equal(t, []string{"erasures (key)", "invoices.user_id", "invoices__user_id_holders (key)"}, where(t, backend))
		checkBia(t, s)
	})
}

// CheckErased finds what an erasure has not reached, in each root.
func TestCheckErasedFindsWhatIsLeft(t *testing.T) {
	now := time.Now()
	for name, write := range map[string]func(ctx context.Context, s *Store) error{
		"User": func(ctx context.Context, s *Store) error { return s.Users.Insert(ctx, &User{ID: ana, Name: "Ana"}) },
		"Comment": func(ctx context.Context, s *Store) error {
			return s.Comments.Insert(ctx, &Comment{Topic: "news", UserID: ana, Text: "late"})
		},
		"Draft": func(ctx context.Context, s *Store) error {
			return errors.Join(s.Users.Insert(ctx, &User{ID: ana, Name: "Ana"}), s.Drafts.Insert(ctx, &Draft{ID: number(1), UserID: ana}))
		},
		"Group": func(ctx context.Context, s *Store) error {
			return errors.Join(s.Users.Insert(ctx, &User{ID: ana, Name: "Ana"}), s.Groups.Insert(ctx, &Group{ID: number(1), Members: []gocql.UUID{bia, ana}}))
		},
		"Invoice": func(ctx context.Context, s *Store) error {
			return errors.Join(s.Users.Insert(ctx, &User{ID: ana, Name: "Ana"}), s.Invoices.Insert(ctx, &Invoice{ID: number(1), UserID: ana}), s.Users.Delete(ctx, ana))
		},
	} {
		ctx := t.Context()
		s, err := OpenBackend(ctx, memory.New(memory.Config{}))
		require.NoError(t, err)
		require.NoError(t, s.Users.Insert(ctx, &User{ID: bia, Name: "Bia"}))
		require.NoError(t, s.Erasures.Put(ctx, &Erasure{UserID: ana, At: now, Done: &now}))
		require.NoError(t, write(ctx, s), name)
		require.ErrorContains(t, CheckErased(ctx, s), "not erased: *recipes."+name)
	}
}
