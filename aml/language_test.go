package aml_test

import (
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/internal/pagetest"
)

// document is the reference of the language.
const document = "../docs/language.md"

// documented returns the lines of the documentation.
func documented(t *testing.T) []string {
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	return strings.Split(string(text), "\n")
}

// modules reads models that import any of imports.
type modules struct{ imports *models.Imports }

func newModules(t *testing.T) modules {
	t.Helper()
	known, err := models.Load(".", slices.Sorted(maps.Values(models.ExampleImports))...)
	require.NoError(t, err)
	return modules{known}
}

// build reads declarations and applies the rules of the language.
func (m modules) build(t *testing.T, name, declarations string) (*model.Model, []model.Diagnostic) {
	t.Helper()
	return model.Build(m.imports.Source(t, "example.com/"+name, models.File("shop", declarations)))
}

// Every example of the documentation is a model that is formatted by gofmt, and has exactly the result below it.
func TestLanguageExamples(t *testing.T) {
	all := models.Examples(t, document)
	lines := documented(t)
	absolute, err := filepath.Abs(document)
	require.NoError(t, err)
	t.Run("all", func(t *testing.T) {
		dirs := newModules(t)
		for i := range all {
			e := &all[i]
			t.Run(fmt.Sprint("line", e.Line), func(t *testing.T) {
				t.Parallel()
				formatted, err := format.Source([]byte(e.Model))
				require.NoError(t, err)
				assert.Equal(t, string(formatted), e.Model, "gofmt would change it")
				m, faults := dirs.build(t, fmt.Sprint("line", e.Line), e.Model)
				compare(t, e, m, faults)
			})
		}
	})
	if *update {
		require.NoError(t, os.WriteFile(absolute, []byte(strings.Join(rewritten(lines, all), "\n")), 0o644))
	}
}

// compare compares the result of a model with the documentation.
func compare(t *testing.T, e *models.Example, m *model.Model, faults []model.Diagnostic) {
	got := ""
	if e.Kind == "text" {
		for _, f := range faults {
			got += strings.TrimPrefix(f.String(), f.Pos.String()+": ") + "\n"
		}
	} else {
		require.False(t, model.Refused(faults), "%v", faults)
		if len(model.NotExecuted(m)) > 0 {
			got = models.SchemaOnly + "\n"
		}
		got += layout(schema.New(m))
	}
	got = strings.TrimSuffix(got, "\n")
	if *update {
		e.Result = got
		return
	}
	assert.Equal(t, normal(got), normal(e.Result), "%s:%d; go test -update writes it", document, e.From)
}

// layout writes short statements in one line.
func layout(s *schema.Schema) string {
	var out []string
	for _, statement := range s.Statements() {
		one := normal(statement)
		if len(one) > 110 {
			one = statement
		}
		out = append(out, one+";\n")
	}
	return strings.Join(out, "")
}

// normal removes the layout of a text.
func normal(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("( ", "(", " )", ")").Replace(s)
}

// rewritten puts the results of the examples into the document.
func rewritten(lines []string, all []models.Example) []string {
	var out []string
	at := 0
	for _, e := range all {
		out = append(out, lines[at:e.From-1]...)
		out = append(out, strings.Split(e.Result, "\n")...)
		at = e.From - 1
		for !strings.HasPrefix(lines[at], "```") {
			at++
		}
	}
	return append(out, lines[at:]...)
}

// probe is a model with an unknown option at every place of options. The diagnostics list all options that exist there.
const probe = "type R struct {\n" +
	"\taml.Aggregate `aml:\"r,zzzzzzzz\"`\n" +
	"\tID int32 `aml:\"id,identifier,zzzzzzzz\"`\n" +
	"\tE []E `aml:\"e,composition\"`\n\tO []O `aml:\"o,composition\"`\n}\n" +
	"type E struct {\n\taml.Entity `aml:\"e,zzzzzzzz\"`\n\tID int32 `aml:\"id,identifier\"`\n}\n" +
	"type O struct {\n\taml.ValueObject `aml:\"o,zzzzzzzz\"`\n\tID int32\n}\n"

// The tables of options in the documentation have every option with all its places. An example uses each option.
func TestLanguageOptions(t *testing.T) {
	examples, lines := models.Examples(t, document), strings.Join(documented(t), "\n")
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	dirs := newModules(t)
	_, faults := dirs.build(t, "probe", probe)
	places := map[string][]string{}
	for _, f := range faults {
		if where, names, ok := strings.Cut(strings.TrimPrefix(f.Fix, "the options allowed on "), " are "); ok {
			places[where] = strings.Split(names, ", ")
		}
	}
	require.Len(t, places, 4)
	listed, all := map[string][]string{}, map[string]bool{}
	row := regexp.MustCompile("(?m)^\\| `([a-z_]+)[^`]*`[^|]* \\| ((?:(?:field|aggregate|entity|value object)(?:, )?)+) \\|")
	for _, r := range row.FindAllStringSubmatch(lines, -1) {
		for _, where := range strings.Split(r[2], ", ") {
			name := map[string]string{"field": "a field", "aggregate": "the marker of an aggregate", "entity": "the marker of an entity", "value object": "the marker of a value object"}[where]
			listed[name] = append(listed[name], r[1])
		}
		all[r[1]] = true
	}
	for where := range places {
		assert.ElementsMatch(t, places[where], listed[where], where)
		for _, option := range places[where] {
			pagetest.Matches(t, "aml/doc.go", string(doc), `^//\t(.*, )?`+option+`\b`)
		}
	}
	used := map[string]bool{}
	for i, e := range examples {
		if e.Kind != "sql" {
			continue
		}
		dirs.build(t, fmt.Sprint("option", i), e.Model)
		for option := range all {
			if regexp.MustCompile("aml:\"[^`]*[,]" + option + "[,=\"]").MatchString(e.Model) {
				used[option] = true
			}
		}
	}
	for option := range all {
		assert.True(t, used[option], "no example uses %s", option)
	}
}

// Every link of the documentation to the repository has a target.
func TestLanguageLinks(t *testing.T) {
	text := strings.Join(documented(t), "\n")
	anchors := map[string]bool{}
	for _, h := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		anchors[anchor(h[1])] = true
	}
	for _, l := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1) {
		switch path, part, _ := strings.Cut(l[1], "#"); {
		case path == "":
			assert.True(t, anchors[part], "there is no heading for %s", l[1])
		case !strings.Contains(path, "://") && path != "diagnostics.md":
			_, err := os.Stat(filepath.Join("..", "docs", path))
			assert.NoError(t, err)
		}
	}
}

// anchor returns the URL fragment of a heading.
func anchor(heading string) string {
	s := strings.ToLower(heading)
	s = regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(s, "")
	return strings.ReplaceAll(s, " ", "-")
}

// construct is a construct of AML, with its declaration, its CQL, and its representation in package model.
type construct struct {
	name       string
	model      string                    // declarations
	cql        []string                  // texts that the schema must contain
	by         string                    // the type or field of package model
	represents func(m *model.Model) bool // reports whether the model contains the construct
}

// customer is a root with more fields in it.
func customer(fields string) string {
	return "type Customer struct {\n\taml.Aggregate `aml:\"customers\"`\n\tID int32 `aml:\"id,identifier\"`\n" + fields + "\n}\n"
}

const vehicle = "type Vehicle struct{ Plate, Color string }\n"

// attribute returns an attribute of the first aggregate by its Go name.
func attribute(m *model.Model, name string) *model.Attribute {
	return m.Aggregates[0].Attributes[slices.IndexFunc(m.Aggregates[0].Attributes, func(a *model.Attribute) bool { return a.GoName() == name })]
}

var glossary = []construct{
	{"Aggregate", customer(""), []string{"CREATE TABLE IF NOT EXISTS customers (id int PRIMARY KEY)"}, "Aggregate",
		func(m *model.Model) bool { return m.Aggregates[0].Table == "customers" && m.Aggregates[0].IsSource() }},
	{"Entity", customer("\tVehicles []Vehicle `aml:\"vehicles,composition\"`") + "type Vehicle struct {\n\taml.Entity\n\tPlate string `aml:\"plate,identifier\"`\n}\n",
		[]string{"CREATE TYPE IF NOT EXISTS vehicle (plate text)", "vehicles list<frozen<vehicle>>"}, "Object.Entity",
		func(m *model.Model) bool { return m.Objects[0].Entity && len(m.Objects[0].Identity) == 1 }},
	{"Value object", customer("\tVehicle Vehicle `aml:\"vehicle,composition\"`") + vehicle, []string{"CREATE TYPE IF NOT EXISTS vehicle (plate text, color text)"}, "Object",
		func(m *model.Model) bool {
			return !m.Objects[0].Entity && m.Objects[0].UDT == "vehicle" && m.Objects[0].Identity == nil
		}},
	{"Attribute", customer("\tName string `aml:\"name\"`"), []string{"name text"}, "Attribute",
		func(m *model.Model) bool { return attribute(m, "Name").Name == "name" }},
	{"Identifier", customer("\tCountry string `aml:\"country,identifier\"`"), []string{"PRIMARY KEY ((id, country))"}, "Aggregate.Identifier",
		func(m *model.Model) bool { return len(m.Aggregates[0].Identifier) == 2 }},
	{"Discriminator", customer("\tYear int32 `aml:\"year,discriminator\"`"), []string{"PRIMARY KEY (id, year)"}, "Discriminator",
		func(m *model.Model) bool { return m.Aggregates[0].Discriminators[0].Name == "year" }},
	{"Order", customer("\tYear int32 `aml:\"year,discriminator,desc\"`"), []string{"WITH CLUSTERING ORDER BY (year DESC)"}, "Discriminator.Order",
		func(m *model.Model) bool { return m.Aggregates[0].Discriminators[0].Order == model.Descending }},
	{"Unique", customer("\tEmail string `aml:\"email,unique\"`\n\tPhones []string `aml:\"phones,unique\"`\n\tVersion int64 `aml:\"version,version\"`"),
		[]string{"CREATE TABLE IF NOT EXISTS customers__email_unique (email text PRIMARY KEY, aml_owner_id int", "phones set<text>"}, "Unique",
		func(m *model.Model) bool {
			return m.Aggregates[0].Uniques[0].Table == "customers__email_unique" && attribute(m, "Phones").Type.Kind == model.Set
		}},
	{"Regular", customer("\tName string `aml:\"name\"`"), []string{"name text"}, "Attribute.Key",
		func(m *model.Model) bool { return !attribute(m, "Name").Key && attribute(m, "ID").Key }},
	{"Multiplicity", customer("\tEmails []string `aml:\"emails,min=1,max=3\"`"), []string{"emails list<text>"}, "Attribute.Multiplicity",
		func(m *model.Model) bool {
			return attribute(m, "Emails").Multiplicity == model.Multiplicity{Min: 1, Max: 3}
		}},
	{"Static", customer("\tYear int32 `aml:\"year,discriminator\"`\n\tName string `aml:\"name,static\"`"), []string{"name text STATIC"}, "Attribute.Static",
		func(m *model.Model) bool { return attribute(m, "Name").Static }},
	{"Mandatory", customer("\tName string `aml:\"name,required\"`"), []string{"name text)"}, "Attribute.Mandatory",
		func(m *model.Model) bool { return attribute(m, "Name").Mandatory }},
	{"Final", customer("\tHome Vehicle `aml:\"home,composition,final\"`") + vehicle, []string{"home frozen<vehicle>"}, "Attribute.Final",
		func(m *model.Model) bool { return attribute(m, "Home").Final && attribute(m, "Home").Frozen() }},
	{"Composition", customer("\tOne Vehicle `aml:\"one,composition\"`\n\tMany []Vehicle `aml:\"many,composition\"`\n\tSet []Vehicle `aml:\"set,composition,unique\"`") + vehicle,
		[]string{"one vehicle,", "many list<frozen<vehicle>>", `"set" set<frozen<vehicle>>`}, "Type.Object",
		func(m *model.Model) bool {
			return attribute(m, "One").Type.Kind == model.Composed && attribute(m, "Many").Type.Elem.Object == attribute(m, "One").Type.Object
		}},
	{"Composition of many rows", customer("\tName string `aml:\"name,required\"`") +
		"type Visit struct {\n\taml.Entity `aml:\"visits,part=Customer\"`\n\tCustomerID int32 `aml:\"customer_id,identifier\"`\n\tDay int32 `aml:\"day,discriminator\"`\n}\n",
		[]string{"CREATE TABLE IF NOT EXISTS visits (customer_id int, day int, PRIMARY KEY (customer_id, day))"}, "Aggregate.Parts",
		func(m *model.Model) bool {
			return m.Aggregates[0].Parts[0] == m.Aggregates[1] && m.Aggregates[1].Root == m.Aggregates[0]
		}},
	{"Qualified composition", customer("\tByPlate map[string]Vehicle `aml:\"by_plate,composition\"`\n\tByBoth []Vehicle `aml:\"by_both,composition,qualifier=Plate+Color\"`") + vehicle,
		[]string{"by_plate map<text, frozen<vehicle>>", "by_both map<frozen<tuple<text, text>>, frozen<vehicle>>"}, "Type.Qualifier",
		func(m *model.Model) bool {
			return attribute(m, "ByPlate").Type.Kind == model.MapType && len(attribute(m, "ByBoth").Type.Qualifier) == 2
		}},
	{"Association", customer("\tFriend *int32 `aml:\"friend,association=Customer\"`\n\tFriends []int32 `aml:\"friends,association=Customer,unique\"`"),
		[]string{"friend int,", "friends set<int>"}, "Association",
		func(m *model.Model) bool {
			one, many := m.Aggregates[0].Associations[0], m.Aggregates[0].Associations[1]
			return one.Target == m.Aggregates[0] && !one.Many && many.Many
		}},
	{"Disjunction", customer("\tEmail *string `aml:\"email,xor=Contact\"`\n\tPhone *string `aml:\"phone,xor=Contact\"`"),
		[]string{"contact text, email text, phone text"}, "Disjunction",
		func(m *model.Model) bool {
			d := m.Aggregates[0].Disjunctions[0]
			return len(d.Members) == 2 && d.Column.Name == "contact" && d.Column.Hidden()
		}},
	{"Disjunctive composition or association", customer("\tVehicle *Vehicle `aml:\"vehicle,composition,xor=Way\"`\n\tDriver *int32 `aml:\"driver,association=Customer,xor=Way\"`") + vehicle,
		[]string{"way text, vehicle vehicle, driver int"}, "Attribute.Disjunction",
		func(m *model.Model) bool {
			return attribute(m, "Vehicle").Disjunction == attribute(m, "Driver").Disjunction && attribute(m, "Driver").Association != nil
		}},
}

// Each construct of AML is a type or a field of package model, and has the CQL that the table of the documentation shows.
func TestConstructs(t *testing.T) {
	text := strings.Join(documented(t), "\n")
	dirs := newModules(t)
	var names []string
	for _, c := range glossary {
		names = append(names, c.name)
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, faults := dirs.build(t, strings.ReplaceAll(strings.ToLower(c.name), " ", "_"), c.model)
			require.False(t, model.Refused(faults), "%v", faults)
			cql := normal(schema.New(m).CQL())
			for _, fragment := range c.cql {
				assert.Contains(t, cql, fragment)
			}
			assert.True(t, c.represents(m), c.by)
			assert.True(t, inModel(c.by), "package model has no %s", c.by)
		})
	}
	var rows []string
	_, table, _ := strings.Cut(text, "\n## Constructs\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, r := range regexp.MustCompile(`(?m)^\| \[?([A-Z][a-z ]+)[\]|]`).FindAllStringSubmatch(table, -1) {
		rows = append(rows, strings.TrimSpace(r[1]))
	}
	assert.Equal(t, append([]string{"Construct"}, names...), rows)
}

// inModel reports whether package model has a type, or a field of a type, with a name.
func inModel(name string) bool {
	types := map[string]any{
		"Aggregate": model.Aggregate{}, "Object": model.Object{}, "Attribute": model.Attribute{}, "Discriminator": model.Discriminator{},
		"Unique": model.Unique{}, "Type": model.Type{}, "Association": model.Association{}, "Disjunction": model.Disjunction{},
	}
	of, field, isField := strings.Cut(name, ".")
	t, ok := types[of]
	return ok && (!isField || hasField(t, field))
}

func hasField(of any, name string) bool {
	_, ok := reflect.TypeOf(of).FieldByName(name)
	return ok
}
