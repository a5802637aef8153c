// Package vault stores secrets by their paths and lists them by folder and prefix.
//
// The folder and the name follow from the path alone, so the row of a secret in its folder has the same key as long as the secret
// exists: each write and each deletion is one request, without a read. A folder is a partition, so a list of it is a read of one
// partition, page by page, and the secrets whose names begin with a text are a range of it.
//
// It costs a second row for each secret. Very large folders would need a bucket in the key, as package index of the example traces has.
package vault

import (
	"path"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Secret is a value at a path, such as prod/db/password.
type Secret struct {
	aml.Aggregate `aml:"secrets"`

	Path  string `aml:"path,identifier"`
	Value []byte `aml:"value,required"`
	Rules string `aml:"rules"`
}

// Folder returns the folder of the secret: prod/db.
func (s Secret) Folder() string { return path.Dir(s.Path) }

// Name returns the name of the secret in its folder: password.
func (s Secret) Name() string { return path.Base(s.Path) }

// SecretByFolder lists the secrets of a folder by name.
type SecretByFolder struct {
	aml.Aggregate `aml:"secrets_by_folder,redundant=Secret"`

	Folder string `aml:"folder,identifier,from=Secret.Folder()"`
	Name   string `aml:"name,discriminator,from=Secret.Name()"`
	Path   string `aml:"path,discriminator,from=Secret.Path"`
	Rules  string `aml:"rules,from=Secret.Rules"`
}
