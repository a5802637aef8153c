package conceptual_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/conceptual"
	"github.com/cassaml/cassaml/internal/models"
)

// randomDiagram returns a diagram with some entities, relationships and comments.
func randomDiagram(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("erDiagram\n")
	n := rapid.IntRange(1, 6).Draw(t, "entities")
	name := func(label string) string { return fmt.Sprint("ENTITY_", rapid.IntRange(1, n).Draw(t, label)) }
	types := rapid.SampledFrom([]string{"int", "string", "uuid", "date", "decimal", "boolean", "time", "bytes"})
	for i := range n {
		fmt.Fprintf(&b, "    ENTITY_%d {\n", i+1)
		for k := range rapid.IntRange(0, 2).Draw(t, "keys") {
			fmt.Fprintf(&b, "        %s key%d PK\n", rapid.SampledFrom([]string{"int", "string", "uuid", "date"}).Draw(t, "key"), k+1)
		}
		for k := range rapid.IntRange(0, 9).Draw(t, "attributes") {
			mark := rapid.SampledFrom([]string{"", "", "", " UK", " FK"}).Draw(t, "mark")
			typ := types.Draw(t, "type")
			if mark == " UK" {
				typ = "string"
			}
			fmt.Fprintf(&b, "        %s a%d%s\n", typ, k+1, mark)
		}
		b.WriteString("    }\n")
	}
	for range rapid.IntRange(0, 6).Draw(t, "relationships") {
		left, right := rapid.SampledFrom([]string{"|o", "||", "}o", "}|"}).Draw(t, "left"), rapid.SampledFrom([]string{"o|", "||", "o{", "|{"}).Draw(t, "right")
		fmt.Fprintf(&b, "    %s %s%s%s %s : %s\n", name("from"), left, rapid.SampledFrom([]string{"--", ".."}).Draw(t, "line"), right, name("to"),
			rapid.SampledFrom([]string{"has", "\"is of\"", "knows"}).Draw(t, "label"))
	}
	for range rapid.IntRange(0, 2).Draw(t, "comments") {
		switch rapid.IntRange(0, 4).Draw(t, "comment") {
		case 0:
			fmt.Fprintf(&b, "    %%%% aml: specialisation %s: %s %s %s\n", name("super"), name("sub"),
				rapid.SampledFrom([]string{"total", "partial"}).Draw(t, "total"), rapid.SampledFrom([]string{"disjoint", "overlapping"}).Draw(t, "disjoint"))
		case 1:
			fmt.Fprintf(&b, "    %%%% aml: weak %s of %s\n", name("weak"), name("owner"))
		case 2:
			fmt.Fprintf(&b, "    %%%% aml: composite %s.place: street, city\n", name("composite"))
		case 3:
			fmt.Fprintf(&b, "    %%%% aml: multivalued %s.tags\n", name("multivalued"))
		case 4:
			fmt.Fprintf(&b, "    %%%% aml: relationship Links: %s, %s\n", name("side"), name("other"))
		}
	}
	return b.String()
}

// randomReads returns the rates of queries of entities by their own keys and by those of others, or nil.
func randomReads(t *rapid.T, d *conceptual.Diagram) *conceptual.Reads {
	if rapid.Bool().Draw(t, "no workload") {
		return nil
	}
	r := &conceptual.Reads{Total: map[*conceptual.Entity]float64{}, Alone: map[*conceptual.Entity]float64{}, With: map[[2]*conceptual.Entity]bool{}}
	for range rapid.IntRange(0, 8).Draw(t, "queries") {
		e, other := rapid.SampledFrom(d.Entities).Draw(t, "entity"), rapid.SampledFrom(d.Entities).Draw(t, "by")
		if r.Total[e]++; e == other {
			r.Alone[e]++
		} else {
			r.With[[2]*conceptual.Entity{e, other}] = true
		}
	}
	return r
}

// A diagram is refused with a position, or its model is accepted by the language.
func TestRandomDiagrams(t *testing.T) {
	imports, err := models.Load(".", "github.com/cassaml/cassaml/aml", "time", "github.com/gocql/gocql", "gopkg.in/inf.v0")
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		text := randomDiagram(t)
		d, faults := conceptual.Parse("random.mmd", text)
		if len(faults) > 0 {
			requirePositions(t, text, faults)
			return
		}
		source, faults, err := d.Model("shop", randomReads(t, d))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if len(faults) > 0 {
			requirePositions(t, text, faults)
			return
		}
		p, err := load.Source(imports.Fset, "example.com/shop", map[string][]byte{"model.go": source}, imports)
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, source)
		}
		if _, found := model.Build(p); model.Refused(found) {
			t.Fatalf("%v\n%s\n%s", found, text, source)
		}
	})
}

// requirePositions requires that each fault is in a line of the diagram.
func requirePositions(t *rapid.T, text string, faults []conceptual.Fault) {
	for _, f := range faults {
		if f.Pos.Line < 1 || f.Pos.Line > strings.Count(text, "\n")+1 || f.What == "" {
			t.Fatalf("%v\n%s", f, text)
		}
	}
}
