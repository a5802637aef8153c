package recipes

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
)

// ErrTaken is returned by Register if another account has the e-mail.
var ErrTaken = errors.New("another account has this e-mail")

// Register inserts an account.
func Register(ctx context.Context, s *Store, a *Account) error {
	err := s.Accounts.Insert(ctx, a)
	if taken, ok := errors.AsType[*mapper.DuplicateError](err); ok && taken.Field == "Email" {
		return ErrTaken
	}
	return err
}

// SignIn returns the account with an e-mail: two reads.
func SignIn(ctx context.Context, s *Store, email string, matches func(password []byte) bool) (*Account, error) {
	a, err := s.Accounts.GetByEmail(ctx, email)
	if err == nil && !matches(a.Password) {
		err = mapper.ErrNotFound // the same error as for an unknown e-mail
	}
	return a, err
}

// ChangeEmail claims the new e-mail and releases the old one, in one save.
func ChangeEmail(ctx context.Context, s *Store, id gocql.UUID, email string) error {
	_, err := s.Accounts.Update(ctx, id, func(a *Account) error {
		a.Email = email
		return nil
	})
	return err
}

func login(ctx context.Context, s *Store, out io.Writer) error {
	ana, bia := number(1), number(2)
	secret := func(p []byte) bool { return string(p) == "hash" }
	if err := Register(ctx, s, &Account{ID: ana, Email: "ana@example.com", Password: []byte("hash")}); err != nil {
		return err
	}
	fmt.Fprintln(out, "the same e-mail again:", Register(ctx, s, &Account{ID: bia, Email: "ana@example.com", Password: []byte("hash")}))
	if err := ChangeEmail(ctx, s, ana, "ana@example.org"); err != nil {
		return err
	}
	_, err := SignIn(ctx, s, "ana@example.com", secret)
	fmt.Fprintln(out, "the old e-mail:", errors.Is(err, mapper.ErrNotFound))
	a, err := SignIn(ctx, s, "ana@example.org", secret)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "the new e-mail:", a.ID == ana)
	return nil
}
