package conceptual_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/codegen/conceptual"
	"github.com/cassaml/cassaml/internal/models"
)

// The comment with the decision about the place of a struct is that of its new place in each design. Other paragraphs and comments of the user are kept.
func TestCommentsOfDesigns(t *testing.T) {
	t.Parallel()
	embedded := imported(t, "  CUSTOMER ||--o{ ORDER : places\n  CUSTOMER {\n int id PK\n string name\n }\n  ORDER {\n int number PK\n string status\n }\n  GIFT {\n string text\n }\n  %% aml: specialisation ORDER: GIFT partial\n", "Customer.Orders")
	referring := imported(t, "  CUSTOMER |o..o{ ORDER : places\n  CUSTOMER {\n int id PK\n string name\n }\n  ORDER {\n int number PK\n string status\n }\n", "Order.CustomerID")
	for design, want := range map[string]string{
		"parts":                  "// Order is a part of Customer.\n",
		"reference-from-element": "// Order is a root.\n",
		"pairs":                  "// Order is a root.\n",
		"inverse":                "// Customer is stored in Order.\n",
		"inverse-shared":         "// Customer is redundant, and follows from Order.\n",
		"embedded-map":           "// Order is an element of Customer: ",
	} {
		text := embedded[design]
		require.Contains(t, text, want, design)
		require.Contains(t, text, "// The specialisation of ORDER is partial with one subtype", design)
		require.Equal(t, design == "embedded-map", strings.Contains(text, "// Order is an element of Customer"), design)
	}
	require.Contains(t, referring["embedded-list"], "// Order is an element of Customer.\n")
	require.Contains(t, referring["embedded-list"], "// Customer is a root, because it has a key of its own.")
	require.Contains(t, referring["pairs"], "// Order is a root, because it has a key of its own.")
}

// imported returns the text of each design of a relationship of an imported diagram.
func imported(t *testing.T, diagram, relationship string) map[string]string {
	t.Helper()
	d, faults := conceptual.Parse("x.mmd", "erDiagram\n"+diagram)
	require.Empty(t, faults)
	source, faults, err := d.Model("shop", nil)
	require.NoError(t, err)
	require.Empty(t, faults)
	known, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	files := &load.Files{Path: "example.com/shop", Texts: map[string][]byte{"model.go": source}, Fset: known.Fset, Imports: known}
	l, err := alternatives.List(files, relationship, alternatives.Config{})
	require.NoError(t, err, "%s", source)
	out := map[string]string{}
	for _, a := range l.Alternatives {
		out[a.Name] = a.Files["model.go"]
	}
	return out
}
