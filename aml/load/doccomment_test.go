package load_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/models"
)

// Doc comments are read without comment markers and directives. The comment of a field can be at the end of its line.
func TestDocComments(t *testing.T) {
	imports, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	p := imports.Source(t, "example.com/shop", `// Package shop sells.
package shop

import "github.com/cassaml/cassaml/aml"

// Order is one order.
//
// It has lines.
//
//aml:ignore AML902 one writer
type Order struct {
	aml.Aggregate
	// ID is a number.
	ID   int32 // unused
	Note string // written by a clerk
	None string
}

type (
	/* Item is a thing. */
	Item struct { aml.Aggregate }
)
`)
	assert.Equal(t, "Package shop sells.", p.Doc)
	assert.Equal(t, "Order is one order.\n\nIt has lines.", p.Structs[0].Doc)
	var docs []string
	for _, f := range p.Structs[0].Fields {
		docs = append(docs, f.Doc)
	}
	assert.Equal(t, []string{"ID is a number.", "written by a clerk", ""}, docs)
	assert.Equal(t, "Item is a thing.", p.Structs[1].Doc)
}
