package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// stubs are the declarations of other packages that models use.
var stubs = map[string]string{
	"github.com/cassaml/cassaml/aml": "package aml\n\ntype (\n\tAggregate   struct{}\n\tEntity      struct{}\n\tValueObject struct{}\n)",
	"github.com/gocql/gocql":         "package gocql\n\ntype (\n\tUUID     [16]byte\n\tDuration struct{ Months, Days int32; Nanoseconds int64 }\n)",
	"gopkg.in/inf.v0":                "package inf\n\ntype Dec struct{ scale int32 }",
	"database/sql":                   "package sql\n\ntype Null[T any] struct{ V T; Valid bool }",
	"math/big":                       "package big\n\ntype Int struct{ neg bool }",
	"net":                            "package net\n\ntype IP []byte",
	"net/netip":                      "package netip\n\ntype Addr struct{ lo, hi uint64 }",
	"time":                           "package time\n\ntype (\n\tTime     struct{ wall uint64 }\n\tDuration int64\n)",
}

// Importer returns stubs of the packages that models use, without the go command.
type Importer struct {
	Fset  *token.FileSet    // the positions in them
	Texts map[string]string // other packages, by import path
	known map[string]*types.Package
}

// NewImporter returns an importer.
func NewImporter() *Importer {
	return &Importer{Fset: token.NewFileSet(), Texts: map[string]string{}, known: map[string]*types.Package{}}
}

// Import returns a package.
func (i *Importer) Import(path string) (*types.Package, error) {
	if p := i.known[path]; p != nil {
		return p, nil
	}
	text, ok := i.Texts[path]
	if !ok {
		text, ok = stubs[path]
	}
	if !ok {
		return nil, fmt.Errorf("missing stub of %s", path)
	}
	f, err := parser.ParseFile(i.Fset, path, text, 0)
	if err != nil {
		return nil, err
	}
	p, err := (&types.Config{Importer: i}).Check(path, i.Fset, []*ast.File{f}, nil)
	i.known[path] = p
	return p, err
}
