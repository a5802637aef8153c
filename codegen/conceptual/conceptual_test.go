package conceptual_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/conceptual"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/diagram/mermaid"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/internal/pagetest"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// Each rule has a diagram, whose model is valid, has no warnings and a store, and whose class diagram has each entity.
func TestRules(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	imports, err := models.Load(".", "github.com/cassaml/cassaml/aml", "time", "github.com/gocql/gocql", "gopkg.in/inf.v0")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			require.NoError(t, err)
			in := map[string]string{}
			for _, f := range a.Files {
				in[f.Name] = string(f.Data)
			}
			d, faults := conceptual.Parse(name+".mmd", in[name+".mmd"])
			require.Empty(t, faults)
			var reads *conceptual.Reads
			if text := in["workload.cql"]; text != "" {
				reads, faults = d.Reads("workload.cql", text)
				require.Empty(t, faults)
			}
			got, faults, err := d.Model("shop", reads)
			require.NoError(t, err)
			require.Empty(t, faults)
			requireValid(t, imports, d, got)
			if *update {
				a.Files = append(a.Files[:len(a.Files):len(a.Files)], txtar.File{Name: "model.go", Data: got})
				for i, f := range a.Files[:len(a.Files)-1] {
					if f.Name == "model.go" {
						a.Files = append(a.Files[:i], a.Files[i+1:]...)
						break
					}
				}
				require.NoError(t, os.WriteFile(file, txtar.Format(a), 0o644))
				return
			}
			require.Equal(t, in["model.go"], string(got))
		})
	}
}

// requireValid requires that a model is accepted without a warning, that it has a store, and that it has each entity of a diagram.
func requireValid(t *testing.T, imports *models.Imports, d *conceptual.Diagram, source []byte) {
	t.Helper()
	p := imports.Source(t, "example.com/shop", string(source))
	m, faults := model.Build(p)
	require.Empty(t, faults, "%s", source)
	s := schema.New(m)
	_, faults, err := codegen.Generate(m, s, codegen.Config{})
	require.NoError(t, err)
	require.Empty(t, faults, "%s", source)
	sections, err := mermaid.Draw("mermaid-class", []diagram.Model{{Model: m, Schema: s}}, diagram.Options{})
	require.NoError(t, err)
	for _, e := range d.Entities {
		require.Contains(t, strings.ToLower(strings.ReplaceAll(sections[0].Text, "_", "")), "class "+strings.ToLower(strings.ReplaceAll(e.Name, "-", "")))
	}
}

// The comment of a key of several fields has the article of its root.
func TestArticleOfAKey(t *testing.T) {
	t.Parallel()
	d, faults := conceptual.Parse("x.mmd", "erDiagram\n  SHELF {\n int id PK\n }\n  ITEM {\n int shop PK\n int number PK\n }\n  SHELF }o--o{ ITEM : has\n")
	require.Empty(t, faults)
	source, faults, err := d.Model("shop", nil)
	require.NoError(t, err)
	require.Empty(t, faults)
	require.Contains(t, string(source), "// ItemKey is the key of an Item.\n")
}

// Each error of a diagram has its line and a remedy.
func TestFaults(t *testing.T) {
	const customer = "erDiagram\n  CUSTOMER {\n    int id PK\n  }\n"
	for text, want := range map[string]string{
		"":                               "x.mmd:1:1: there is no erDiagram: write it as the first line",
		"graph TD\n":                     `x.mmd:1:1: "graph TD" is not the beginning of an entity relationship diagram: write erDiagram`,
		customer + "  CUSTOMER -> ORDER": `x.mmd:5:3: "CUSTOMER -> ORDER" is neither an entity, such as CUSTOMER { int id PK }, nor a relationship, such as CUSTOMER ||--o{ ORDER : places`,
		"erDiagram\n  CUSTOMER {\n    int\n  }\n":                            `x.mmd:3:5: "int" is not an attribute: write its type, its name, and PK, UK or FK if it is one: string email UK`,
		"erDiagram\n  CUSTOMER { int id PK, string }\n  ORDER { int id PK }": `x.mmd:2:3: "PK, string" is not an attribute: write its type, its name, and PK, UK or FK if it is one: string email UK`,
		"erDiagram\n  CUSTOMER {\n    int id PK\n    int id\n  }\n":          "x.mmd:4:5: CUSTOMER has two attributes id",
		"erDiagram\n  CUSTOMER {\n    int id PK\n    point at\n  }\n": "x.mmd:4:5: unknown type point of at: the types are string, text, varchar(n), char, int, integer, smallint, tinyint, bigint, long, float, double, decimal, " +
			"numeric, money, boolean, date, time, datetime, timestamp, uuid, blob, bytes and json",
		"erDiagram\n  CUSTOMER {\n    int id PK\n":                       "x.mmd:4:1: the attributes of CUSTOMER do not end: write } after them",
		customer + "  CUSTOMER ||--o{ ORDER : places\n":                  "x.mmd:5:3: ORDER has no attributes: write ORDER { int id PK }",
		customer + customer[len("erDiagram\n"):]:                         "x.mmd:5:3: CUSTOMER has two blocks of attributes: write one",
		customer + "  %% aml: weak ORDER of CUSTOMER\n":                  "x.mmd:5:3: there is no entity ORDER: add it to the diagram",
		customer + "  %% aml: weak CUSTOMER\n":                           "x.mmd:5:3: the comment weak has another form: write %% aml: weak Dependent of Employee",
		customer + "  %% aml: strong CUSTOMER\n":                         `x.mmd:5:3: unknown comment "strong": the comments are specialisation, weak, composite, multivalued and relationship`,
		customer + "  %% aml: composite CUSTOMER.name: id, last\n":       "x.mmd:5:3: id is a part of the key of CUSTOMER, and cannot be a part of name",
		customer + "  %% aml: multivalued CUSTOMER.id\n":                 "x.mmd:5:3: id is a key, and cannot have several values",
		customer + "  %% aml: specialisation CUSTOMER: CUSTOMER total\n": "x.mmd:5:3: CUSTOMER cannot be a subtype of itself",
		"erDiagram\n":                                                 "x.mmd:2:1: the diagram has no entity: write one, such as CUSTOMER { int id PK }",
		customer + "erDiagram\n":                                      "x.mmd:5:1: a file has one erDiagram: write the second one to another file",
		customer + "  ÉTÉ {\n    int id PK\n  }\n":                    "x.mmd:5:3: the entity ÉTÉ needs a name of ASCII letters, digits and _, because a table or a type has it",
		customer + "  %% aml: composite CUSTOMER.été: a\n":            "x.mmd:5:3: the composite attribute été needs a name of ASCII letters, digits and _, because a table or a type has it",
		customer + "  %% aml: relationship ÉTÉ: CUSTOMER, CUSTOMER\n": "x.mmd:5:3: the relationship ÉTÉ needs a name of ASCII letters, digits and _, because a table or a type has it",
		customer + "  A {\n  }\n  B {\n  }\n  %% aml: specialisation CUSTOMER: A\n  %% aml: specialisation A: B\n  %% aml: specialisation B: CUSTOMER\n":                                  "x.mmd:11:3: CUSTOMER cannot be a subtype of itself",
		customer + "  A {\n  }\n  B {\n  }\n  %% aml: specialisation CUSTOMER: A\n  %% aml: weak A of B\n":                                                                                "x.mmd:10:3: A is a subtype of CUSTOMER, in whose row it is, and cannot be weak of another entity: remove it from one of the comments",
		customer + "  %% aml: relationship R: CUSTOMER, CUSTOMER\n  %% aml: relationship R: CUSTOMER, CUSTOMER\n":                                                                         "x.mmd:6:3: there is another relationship R: give it another name",
		customer + "  %% aml: composite CUSTOMER.a: b\n  %% aml: composite CUSTOMER.b: a\n":                                                                                               "x.mmd:6:3: b is a part of a already, and cannot contain it: remove a from the parts of b",
		customer + "  %% aml: composite CUSTOMER.a: b\n  %% aml: composite CUSTOMER.a: b\n":                                                                                               "x.mmd:6:3: b is a part of a already: name it once",
		customer + "  A {\n int customer_id PK, FK\n" + attributes(9) + "  }\n  CUSTOMER ||--o{ A : has\n":                                                                                "x.mmd:5:3: the key of A is that of CUSTOMER, which has many of them: mark with PK the attribute that distinguishes them",
		customer + "  A {\n  }\n  %% aml: specialisation CUSTOMER: A\n  %% aml: specialisation CUSTOMER: A\n":                                                                             "x.mmd:8:3: A is a subtype of CUSTOMER already: a subtype has one supertype",
		customer + "  A {\n  }\n  B {\n  }\n  %% aml: weak A of CUSTOMER\n  %% aml: weak A of B\n":                                                                                        "x.mmd:10:3: A is weak of CUSTOMER already: write a relationship of its owners",
		"erDiagram\n  CUSTOMER {\n    int id\n  }\n":                                                                                                                                      "x.mmd:2:3: CUSTOMER has no key: mark the attributes that identify it with PK, or write %% aml: weak CUSTOMER of …",
		"erDiagram\n  A {\n int id PK\n }\n  B {\n int id PK\n }\n  M {\n int id PK\n }\n  R {\n int id PK\n }\n  A ||--o{ M : x\n  B ||--o{ M : x\n  M ||--o{ R : x\n  B ||--o{ R : x\n": "x.mmd:11:3: R refers to M, which is a relationship of others: if M is an entity, write .. in place of -- for the relationships that do not identify it",
		customer + "  A {\n  int id PK\n  }\n  %% aml: weak A of CUSTOMER\n  %% aml: weak CUSTOMER of A\n":                                                                                "x.mmd:2:3: CUSTOMER is stored with A, which is stored with it: make one of them independent",
	} {
		d, faults := conceptual.Parse("x.mmd", text)
		if len(faults) == 0 {
			var err error
			_, faults, err = d.Model("shop", nil)
			require.NoError(t, err)
		}
		require.NotEmpty(t, faults, text)
		require.Equal(t, want, faults[0].String(), text)
	}
}

// The attributes of an entity can be on one line, as in Mermaid, whose grammar reads a line break within a block as a space.
func TestAttributesOnOneLine(t *testing.T) {
	lines, faults := conceptual.Parse("x.mmd", `erDiagram
  accDescr {
    orders of customers
  }
  CUSTOMER {
    uuid id PK
    string name "as on the } invoice"
    decimal(10, 2) credit
  }
  ORDER {
    int number PK, FK
    string[] notes
  }
  CUSTOMER ||--o{ ORDER : places
`)
	require.Empty(t, faults)
	for _, text := range []string{
		"CUSTOMER { uuid id PK string name \"as on the } invoice\" decimal(10, 2) credit }\nORDER {int number PK, FK string[] notes}\nCUSTOMER ||--o{ ORDER : places",
		"CUSTOMER { uuid id PK\nstring name \"as on the } invoice\"\ndecimal(10, 2) credit }\nORDER { int number PK, FK\nstring[] notes } CUSTOMER ||--o{ ORDER : places",
		"accDescr { orders of customers }\nCUSTOMER {uuid id PK string name \"as on the } invoice\" decimal(10, 2) credit} ORDER { int number PK, FK string[] notes }\nCUSTOMER ||--o{ ORDER : places",
	} {
		got, faults := conceptual.Parse("x.mmd", "erDiagram\n"+text)
		require.Empty(t, faults, text)
		require.Equal(t, source(t, lines), source(t, got), text)
	}
}

// source returns the source of the model of a diagram.
func source(t *testing.T, d *conceptual.Diagram) string {
	t.Helper()
	got, faults, err := d.Model("shop", nil)
	require.NoError(t, err)
	require.Empty(t, faults)
	return string(got)
}

// A workload names entities, and its comments have the form that docs/advice.md describes.
func TestFaultsOfAWorkload(t *testing.T) {
	d, faults := conceptual.Parse("x.mmd", "erDiagram\n  CUSTOMER {\n    int id PK\n  }\n")
	require.Empty(t, faults)
	_, faults = d.Reads("w.cql", "-- aml:rate often\nSELECT * FROM customers WHERE id = ?;\nSELECT * FROM orders WHERE id = ?;\nSELECT")
	var got []string
	for _, f := range faults {
		got = append(got, f.String())
	}
	require.Len(t, got, 3)
	require.Equal(t, `w.cql:1:8: the rate "often" is not a number of calls in a second, from 0.000001/s to 1000000000/s: write -- aml:rate 500/s`, got[0])
	require.Contains(t, got[1], "w.cql:4:")
	require.Equal(t, "w.cql:3:15: there is no entity orders: write the name of an entity of x.mmd after FROM", got[2])
}

// A column of a workload is an attribute, a part of one, or the key of another entity.
func TestColumnsOfAWorkload(t *testing.T) {
	d, faults := conceptual.Parse("x.mmd", `erDiagram
  CUSTOMER ||--o{ ORDER : "placed by"
  PERSON ||--o{ ORDER : packs
  CUSTOMER {
    int id PK
    string address
  }
  ORDER {
    int number PK
  }
  PERSON {
    int id PK
    string name
  }
  STUDENT {
    string school
  }
  %% aml: composite CUSTOMER.address: street, city
  %% aml: specialisation PERSON: STUDENT partial disjoint
`)
	require.Empty(t, faults)
	_, faults = d.Reads("w.cql", `SELECT id, count(*) FROM customers WHERE city = ? ORDER BY street;
SELECT * FROM orders WHERE customer_id = ? AND placed_by_id = ? AND person_id = ?;
SELECT school FROM people WHERE id = ?;
SELECT school FROM person WHERE id = ?;
SELECT name FROM student WHERE id = ?;
SELECT nam FROM student WHERE ID = ? ORDER BY schol;
SELECT * FROM orders WHERE id = ?;`)
	var got []string
	for _, f := range faults {
		got = append(got, f.String())
	}
	require.Equal(t, []string{
		"w.cql:3:20: there is no entity people: write the name of an entity of x.mmd after FROM",
		"w.cql:6:8: STUDENT has no attribute nam: write one of its attributes, or the key of another entity after its name, such as customer_id",
		"w.cql:6:47: STUDENT has no attribute schol: write one of its attributes, or the key of another entity after its name, such as customer_id",
		"w.cql:7:28: ORDER has no attribute id: write one of its attributes, or the key of another entity after its name, such as customer_id",
	}, got)
}

// The model in docs/conceptual.md is that of its diagram.
func TestPageHasTheModel(t *testing.T) {
	const file = "../../docs/conceptual.md"
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), "```mermaid\n")
	text, rest, _ := strings.Cut(rest, "```")
	d, faults := conceptual.Parse("papers.mmd", text)
	require.Empty(t, faults)
	source, faults, err := d.Model("papers", nil)
	require.NoError(t, err)
	require.Empty(t, faults)
	imports, err := models.Load(".", "github.com/cassaml/cassaml/aml", "time", "github.com/gocql/gocql", "gopkg.in/inf.v0")
	require.NoError(t, err)
	requireValid(t, imports, d, source)
	_, model, _ := strings.Cut(string(source), "//go:generate go tool aml generate\n\n")
	before, rest, _ := strings.Cut(rest, "The model:\n\n```go\n")
	old, after, _ := strings.Cut(rest, "```")
	if *update {
		head, _, _ := strings.Cut(string(page), text)
		require.NoError(t, os.WriteFile(file, []byte(head+text+"```"+before+"The model:\n\n```go\n"+model+"```"+after), 0o644))
		return
	}
	pagetest.Equal(t, "docs/conceptual.md", model, old, "go test ./codegen/conceptual -update")
}
