// Secrets runs a tree of secrets that is listed folder by folder: a row for each secret by its path, and a redundant row by its folder.
// Package vault has the model.
//
//	go run ./examples/secrets
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/secrets/vault"
)

func main() { example.Main("secrets", vault.Schema, vault.Demo) }
