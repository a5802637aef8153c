// Package vet contains an analyzer for the vet command of Go, for editors and for other programs that run analyzers. It reports the
// diagnostics of models at their positions, and faults in the CQL that packages which import a generated store pass to gocqlx and the drivers:
// an unknown table or column, SELECT *, a query that needs ALLOW FILTERING, and a plain write to a redundant or versioned table.
//
// The command of this project is a tool for go vet, too:
//
//	go vet -vettool=$(which aml) ./...
//
// A program of its own:
//
//	package main
//
//	import (
//		"golang.org/x/tools/go/analysis/singlechecker"
//
//		"github.com/cassaml/cassaml/codegen/vet"
//	)
//
//	func main() { singlechecker.Main(vet.Analyzer) }
package vet
