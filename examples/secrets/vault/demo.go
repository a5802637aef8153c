package vault

import (
	"context"
	_ "embed"

	"github.com/cassaml/cassaml/examples/internal/show"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

// Demo stores secrets, lists a folder, and deletes secrets.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	s.Step("write four secrets: the row in the folder is in the same request", func() error {
		for _, path := range []string{"prod/db/password", "prod/db/user", "prod/db/port", "prod/mail/password"} {
			if err := store.Secrets.Insert(ctx, &Secret{Path: path, Value: []byte("secret"), Rules: "ops"}); err != nil {
				return err
			}
		}
		return nil
	})
	s.Step("read a secret by its path", func() error {
		_, err := store.Secrets.Get(ctx, "prod/db/password")
		return err
	})
	s.Step("list the first two names of a folder that begin with p or a later letter", func() error {
		for row, err := range store.SecretsByFolder.Of("prod/db").NameFrom("p").Limit(2).All(ctx) {
			if err != nil {
				return err
			}
			s.Printf("%s", row.Name)
		}
		return nil
	})
	s.Step("change a secret", func() error {
		return store.Secrets.SetValue(ctx, "prod/db/password", []byte("new"))
	})
	s.Step("delete a secret: its row in the folder follows from the path, so nothing is read", func() error {
		return store.Secrets.Delete(ctx, "prod/db/user")
	})
	s.Tables(ctx, "secrets", "secrets_by_folder")
	return s.Err()
}
