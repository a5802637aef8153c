package recipes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
)

// ErasedName is the name of each erased user in invoices.
const ErasedName = "deleted user"

// ErrErased is the error of a comment of a user who is being erased.
var ErrErased = errors.New("the user is being erased")

// AddComment inserts a comment.
func AddComment(ctx context.Context, s *Store, c *Comment) error {
	u, err := s.Users.Get(ctx, c.UserID)
	if err != nil {
		return err
	}
	if u.Closed != nil {
		return ErrErased
	}
	return s.Comments.Insert(ctx, c)
}

// RequestErasure begins the erasure of a user. From its first write on, EraseAll ends it, whatever happens to this process.
func RequestErasure(ctx context.Context, s *Store, user gocql.UUID, now time.Time) error {
	if err := s.Erasures.Put(ctx, &Erasure{UserID: user, At: now}); err != nil {
		return err
	}
	return closeUser(ctx, s, user, now)
}

// closeUser closes a user: no call of AddComment that begins later writes for it. The name in invoices follows.
func closeUser(ctx context.Context, s *Store, user gocql.UUID, now time.Time) error {
	_, err := s.Users.Update(ctx, user, func(u *User) error {
		if u.Closed == nil {
			u.Closed = &now
		}
		u.Name, u.Email = ErasedName, ""
		return nil
	})
	return err
}

// Erase deletes the data of a user. It can be repeated after any error. The user is deleted last.
func Erase(ctx context.Context, s *Store, user gocql.UUID, now time.Time) (done bool, err error) {
	u, err := s.Users.Get(ctx, user)
	switch {
	case errors.Is(err, mapper.ErrNotFound):
		// An earlier run has deleted the user, and has not recorded it.
	case err != nil:
		return false, err
	case u.Closed == nil || u.Name != ErasedName || u.Email != "":
		return false, closeUser(ctx, s, user, now)
	case now.Sub(*u.Closed) < time.Hour:
		return false, nil // a call of AddComment that began before can still be writing
	}
	for c, err := range s.CommentsByUser.Of(user).All(ctx) {
		if err == nil {
			err = s.Comments.Delete(ctx, c.Topic, c.ID)
		}
		if err != nil {
			return false, err
		}
	}
	err = s.Users.Delete(ctx, user) // deletes the drafts, and removes the user from the groups
	return err == nil, err
}

// EraseAll carries out the erasures that have not ended. A job runs it every hour.
func EraseAll(ctx context.Context, s *Store, now time.Time) error {
	var failed error
	for e, err := range s.Erasures.All(ctx, mapper.ScanConfig{}) {
		if err != nil {
			return err
		}
		if e.Done != nil {
			continue
		}
		done, err := Erase(ctx, s, e.UserID, now)
		if done {
			err = s.Erasures.SetDone(ctx, e.UserID, &now)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// CheckErased returns an error if a row has data of a user who was erased. It searches all roots. Redundant tables and reservations follow from them
// after Nightly.
func CheckErased(ctx context.Context, s *Store) error {
	erased := map[gocql.UUID]bool{}
	for e, err := range s.Erasures.All(ctx, mapper.ScanConfig{}) {
		if err != nil {
			return err
		}
		erased[e.UserID] = e.Done != nil
	}
	_, err := Nightly(ctx, s)
	all := mapper.ScanConfig{Rate: 5000}
	return errors.Join(
		err,
		refuse(s.Users.All(ctx, all), func(u *User) (gocql.UUID, bool) { return u.ID, erased[u.ID] }),
		refuse(s.Drafts.All(ctx, all), func(d *Draft) (gocql.UUID, bool) { return d.ID, erased[d.UserID] }),
		refuse(s.Groups.All(ctx, all), func(g *Group) (gocql.UUID, bool) {
			return g.ID, slices.ContainsFunc(g.Members, func(m gocql.UUID) bool { return erased[m] })
		}),
		refuse(s.Comments.All(ctx, all), func(c *Comment) (gocql.UUID, bool) { return c.ID, erased[c.UserID] }),
		refuse(s.Invoices.All(ctx, all), func(i *Invoice) (gocql.UUID, bool) { return i.ID, erased[i.UserID] && i.UserName != ErasedName }),
	)
}

// refuse returns an error with the ID of the first row that has data of an erased user, and no other data of it.
func refuse[T any](rows iter.Seq2[*T, error], erased func(*T) (id gocql.UUID, has bool)) error {
	for v, err := range rows {
		if err != nil {
			return err
		}
		if id, has := erased(v); has {
			return fmt.Errorf("not erased: %T with ID %v", v, id)
		}
	}
	return nil
}

// insertUsers inserts two users with the same data, of whom one is to be erased.
func insertUsers(ctx context.Context, s *Store, ana, bia gocql.UUID) error {
	errs := []error{
		s.Users.Insert(ctx, &User{ID: ana, Name: "Ana", Email: "ana@example.com"}),
		s.Users.Insert(ctx, &User{ID: bia, Name: "Bia", Email: "bia@example.com"}),
		s.Groups.Insert(ctx, &Group{ID: number(10), Members: []gocql.UUID{ana, bia}}),
		s.Groups.Insert(ctx, &Group{ID: number(11), Members: []gocql.UUID{ana}}),
	}
	for i, user := range []gocql.UUID{ana, bia} {
		n, text := byte(20+10*i), []string{"the view of Ana", "the view of Bia"}[i]
		errs = append(errs,
			s.Drafts.Insert(ctx, &Draft{ID: number(n), UserID: user, Text: text}),
			s.Invoices.Insert(ctx, &Invoice{ID: number(n + 1), UserID: user, Cents: 500}),
			AddComment(ctx, s, &Comment{Topic: "news", ID: number(n + 2), UserID: user, Text: text}),
			AddComment(ctx, s, &Comment{Topic: "sports", ID: number(n + 3), UserID: user, Text: text}))
	}
	return errors.Join(errs...)
}

func erasure(ctx context.Context, s *Store, out io.Writer) error {
	now := time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)
	ana, bia := number(1), number(2)
	if err := insertUsers(ctx, s, ana, bia); err != nil {
		return err
	}
	if err := RequestErasure(ctx, s, ana, now); err != nil {
		return err
	}
	fmt.Fprintln(out, "a comment:", AddComment(ctx, s, &Comment{Topic: "news", ID: number(9), UserID: ana, Text: "late"}))
	for _, later := range []time.Duration{time.Minute, 2 * time.Hour} {
		if err := EraseAll(ctx, s, now.Add(later)); err != nil {
			return err
		}
		_, err := s.Users.Get(ctx, ana)
		fmt.Fprintf(out, "%v later the user exists: %v\n", later, err == nil)
	}
	g, err := s.Groups.Get(ctx, number(10))
	if err != nil {
		return err
	}
	invoice, err := s.Invoices.Get(ctx, number(21))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "the group has Bia alone: %v, the invoice shows: %s\n", slices.Equal(g.Members, []gocql.UUID{bia}), invoice.UserName)
	fmt.Fprintln(out, "left:", CheckErased(ctx, s))
	return nil
}
