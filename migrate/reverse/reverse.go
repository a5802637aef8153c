package reverse

import (
	"fmt"
	"go/token"

	"github.com/cassaml/cassaml/migrate/catalog"
)

// Config says how to write a model. The zero value gives package model.
type Config struct {
	// Package is the name of the Go package. Empty means model; [PackageName] makes one of a keyspace's name.
	Package string
	// Keyspace is what the model's documentation calls the keyspace. Empty says nothing of it.
	Keyspace string
}

// Check refuses a name that no package can have.
func (c Config) Check() error {
	if c.Package != "" && (!token.IsIdentifier(c.Package) || c.Package == "_") {
		return fmt.Errorf("reverse: %q cannot be the name of a Go package: use letters and digits", c.Package)
	}
	return nil
}

// Model is the Go model of a keyspace.
type Model struct {
	// Source is a Go file, as gofmt writes it.
	Source []byte
	// Gaps is what the keyspace has and the model cannot say, or says otherwise, each in one line with the reason. The
	// source has the same lines as comments.
	Gaps []string
}

// Adopt writes the model of a keyspace, as [catalog.Inspect] gives it: a struct with aml.Aggregate for each table, one with
// aml.ValueObject for each user-defined type that a column needs, and a plain one for each tuple in a collection. Every
// name of CQL stands in a tag.
//
// What it writes has been read again by the rules of the language and compiled: where the schema that follows differs from
// the keyspace, in whatever way, the difference is one of the model's gaps. A column that cannot be said is left out; a
// table is, when that column is of its key, and so is a user-defined type of which a field cannot be said.
func Adopt(k *catalog.Keyspace, c Config) (*Model, error) {
	if c.Package == "" {
		c.Package = "model"
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	for reasons := (refusals{}); ; {
		known := len(reasons)
		w := newWriter(k, reasons)
		w.write()
		if len(reasons) > known {
			continue // what was refused is left out from the start
		}
		m, err := w.judge(c.Package)
		if err != nil {
			return nil, fmt.Errorf("reverse: %w", err)
		}
		if len(reasons) > known {
			continue
		}
		gaps, err := w.gaps(m)
		if err != nil {
			return nil, fmt.Errorf("reverse: %w", err)
		}
		source, err := w.print(c, gaps)
		if err != nil {
			return nil, fmt.Errorf("reverse: %w", err)
		}
		return &Model{Source: source, Gaps: lines(gaps)}, nil
	}
}
