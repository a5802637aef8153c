package codegen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/internal/models"
)

// Each Go type can be a column, required, a key, the values of an enum, an element and a part of a user-defined type, as far as its row of
// package cqltype has it. The store compiles, and checks a required value with the condition of the row.
func TestGoTypesInEveryRole(t *testing.T) {
	paths := []string{"context", "fmt", "iter", "github.com/cassaml/cassaml/aml", "github.com/cassaml/cassaml/mapper", "github.com/cassaml/cassaml/mapper/driver/gocqldriver", "github.com/cassaml/cassaml/mapper/gen",
		"github.com/gocql/gocql", "github.com/scylladb/gocqlx/v2"}
	for _, n := range cqltype.Natives() {
		for _, g := range n.Go {
			if g.Import != "" {
				paths = append(paths, g.Import)
			}
		}
	}
	known, err := models.Load(".", paths...)
	require.NoError(t, err)
	for _, n := range cqltype.Natives() {
		for _, g := range n.Go {
			if !n.ColumnOnly {
				t.Run(n.Name+" "+g.Text, func(t *testing.T) { testRoles(t, known, &n, g) })
			}
		}
	}
}

func testRoles(t *testing.T, known *models.Imports, n *cqltype.Native, g cqltype.Go) {
	const path = "example.com/roles"
	text := roles(n, g, g.Stored != "" || g.Required != "")
	source, faults := generate(t, known.Source(t, path, text), codegen.Config{})
	require.Empty(t, faults)
	require.Empty(t, typeErrors(t, known, path, text, string(source)), "%s", source)

	required := g.Required
	if required == "" {
		required = g.Stored
	}
	if required == "" {
		_, faults := model.Build(known.Source(t, path, roles(n, g, true)))
		require.True(t, model.Refused(faults), "required has no effect on %s, and is not refused", g.Text)
		return
	}
	for _, field := range []string{"Given", "Nested"} {
		require.Contains(t, string(source), `f.Required("`+field+`", `+cqltype.Condition(required, "v."+field, g.Text)+")")
	}
}

// roles returns a model in which a Go type has each role.
func roles(n *cqltype.Native, g cqltype.Go, required bool) string {
	var b strings.Builder
	b.WriteString("package roles\n\nimport \"github.com/cassaml/cassaml/aml\"\n")
	if g.Import != "" {
		fmt.Fprintf(&b, "import %q\n", g.Import)
	}
	field := func(name, form string, options ...string) {
		fmt.Fprintf(&b, "\t%s %s `aml:\"%s\"`\n", name, strings.ReplaceAll(form, "T", g.Text), strings.Join(append([]string{"", "type=" + n.Name}, options...), ","))
	}
	b.WriteString("\ntype Row struct {\n\taml.Aggregate\n\n\tID int32 `aml:\",identifier\"`\n\tParts []Part `aml:\",composition,max=2\"`\n")
	field("Column", "T")
	field("List", "[]T", "max=2")
	field("Map", "map[string]T", "max=2")
	if !strings.HasPrefix(g.Text, "*") {
		field("Pointer", "*T")
	}
	if !n.Unordered {
		field("Set", "[]T", "unique", "max=2")
	}
	if required {
		field("Given", "T", "required")
	}
	if g.Constant {
		field("Named", "Named", "enum")
	}
	b.WriteString("}\n\ntype Part struct {\n\taml.ValueObject\n\n")
	field("Value", "T")
	field("List", "[]T", "max=2")
	if required {
		field("Nested", "T", "required")
	}
	b.WriteString("}\n")
	if !n.Unordered {
		b.WriteString("\ntype Keyed struct {\n\taml.Aggregate\n\n")
		field("Partition", "T", "identifier")
		field("Clustering", "T", "discriminator")
		b.WriteString("}\n")
	}
	if g.Constant {
		value := map[string]string{"string": `"a"`, "bool": "true"}[g.Text]
		if value == "" {
			value = "1"
		}
		fmt.Fprintf(&b, "\ntype Named %s\n\nconst One Named = %s\n", g.Text, value)
		b.WriteString("\ntype Ones struct {\n\taml.Aggregate `aml:\",redundant=Row,when='Row.Named = One'\"`\n\n\tID int32 `aml:\",identifier\"`\n}\n")
	}
	return b.String()
}
