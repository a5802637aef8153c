package gosource_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/alternatives/gosource"
)

// Only the paragraph that matches is replaced; a directive and the other paragraphs are kept, as is a comment without a match.
func TestReplaceParagraph(t *testing.T) {
	t.Parallel()
	p := gosource.New(map[string]string{"a.go": "package shop\n\n// A is an element\n// of B.\n//\n// An element of it has two.\n//\n//aml:ignore AML912 few rows\ntype A struct{}\n\n// B is a root.\ntype B struct{}\n\ntype C struct{}\n"})
	for _, of := range []string{"A", "B", "C"} {
		p.ReplaceParagraph(of, regexp.MustCompile(`element of`), of+" is a part.")
	}
	texts, err := p.Texts()
	require.NoError(t, err)
	require.Equal(t, "package shop\n\n// A is a part.\n//\n// An element of it has two.\n//\n//aml:ignore AML912 few rows\ntype A struct{}\n\n// B is a root.\ntype B struct{}\n\ntype C struct{}\n", texts["a.go"])
}
