package vet

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
)

// A file with the name of the generated one can have any content, such as a declaration of no types.
func TestPrefix(t *testing.T) {
	for text, want := range map[string]string{"type ()\n\ntype ShopStore struct{}": "Shop", "type ()": "", "": ""} {
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, "aml_gen.go", "package shop\n\n"+text, 0)
		require.NoError(t, err)
		v := &vetting{Pass: &analysis.Pass{Fset: set, Files: []*ast.File{f}}}
		require.Equal(t, want, v.prefix(), text)
	}
}
