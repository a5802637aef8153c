package conceptual_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/conceptual"
	"github.com/cassaml/cassaml/internal/models"
)

// The cardinality of each side is that of Mermaid, in symbols and in words.
func TestCardinalities(t *testing.T) {
	t.Parallel()
	one, optional, many, some := conceptual.Cardinality{Min: true}, conceptual.Cardinality{}, conceptual.Cardinality{Many: true}, conceptual.Cardinality{Min: true, Many: true}
	for word, want := range map[string]conceptual.Cardinality{
		"one or zero": optional, "zero or one": optional, "only one": one, "1": one,
		"zero or more": many, "zero or many": many, "many(0)": many, "0+": many,
		"one or more": some, "one or many": some, "many(1)": some, "1+": some,
	} {
		requireRelationship(t, "A "+word+" to 1 B", want, one, true)
		requireRelationship(t, "A 1 optionally to "+word+" B : has", one, want, false)
	}
	for symbols, want := range map[[2]string]conceptual.Cardinality{{"|o", "o|"}: optional, {"||", "||"}: one, {"}o", "o{"}: many, {"}|", "|{"}: some} {
		requireRelationship(t, "A "+symbols[0]+"--|| B", want, one, true)
		requireRelationship(t, "A||.."+symbols[1]+"B: has", one, want, false)
	}
}

// requireRelationship parses a relationship: the left entities for each right one, and the right ones for each left one.
func requireRelationship(t *testing.T, line string, of, to conceptual.Cardinality, identifying bool) {
	t.Helper()
	d, faults := conceptual.Parse("x.mmd", "erDiagram\nA { int id PK }\nB { int id PK }\n"+line)
	require.Empty(t, faults, line)
	r := d.Relationships[0]
	require.Equal(t, []any{"A", of, "B", to, identifying}, []any{r.Left.Name, r.Of, r.Right.Name, r.To, r.Identifying}, line)
}

// Each type that a message names has a type of Go.
func TestTypes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"string": "string", "text": "string", "varchar(20)": "string", "char": "string", "json": "string", "int": "int32", "INTEGER": "int32", "smallint": "int16", "tinyint": "int8",
		"bigint": "int64", "long": "int64", "float": "float32", "double": "float64", "decimal(10,2)": "*inf.Dec", "numeric": "*inf.Dec", "money": "*inf.Dec", "bool": "bool", "boolean": "bool",
		"date": "time.Time `aml:\"x,type=date\"`", "time": "time.Duration `aml:\"x,type=time\"`", "datetime": "time.Time", "timestamp": "time.Time", "uuid": "gocql.UUID", "guid": "gocql.UUID",
		"blob": "[]byte", "bytes": "[]byte", "binary": "[]byte", "int[]": "[]int32 `aml:\"x,unique,max=20\"`",
	} {
		if !strings.Contains(want, "aml") {
			want += " `aml:\"x\"`"
		}
		require.Contains(t, decided(t, "A {\n int id PK\n "+name+" x\n}\n", ""), " X "+want, name)
	}
}

// imports has the types of the packages that models import: the go command runs once for all of them.
var imports = sync.OnceValues(func() (*models.Imports, error) {
	return models.Load(".", "github.com/cassaml/cassaml/aml", "time", "github.com/gocql/gocql", "gopkg.in/inf.v0")
})

// decided returns the model of a diagram with single spaces, which is valid, has a store and has each entity.
func decided(t *testing.T, diagram, workload string) string {
	t.Helper()
	d, faults := conceptual.Parse("x.mmd", "erDiagram\n"+diagram)
	require.Empty(t, faults, diagram)
	var reads *conceptual.Reads
	if workload != "" {
		reads, faults = d.Reads("w.cql", workload)
		require.Empty(t, faults)
	}
	source, faults, err := d.Model("shop", reads)
	require.NoError(t, err)
	require.Empty(t, faults, diagram)
	known, err := imports()
	require.NoError(t, err)
	requireValid(t, known, d, source)
	return strings.Join(strings.Fields(string(source)), " ")
}

const (
	a = "A {\n int id PK\n}\n"
	b = "B {\n int id PK\n}\n"
	c = "C {\n int id PK\n}\n"
)

// attributes returns attributes of an entity: an entity with more than eight is not small.
func attributes(n int) (out string) {
	for i := range n {
		out += fmt.Sprintf(" int a%d\n", i)
	}
	return out
}

// Decisions about places, keys and references that the golden files do not have.
func TestDecisions(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		diagram, workload string
		want              []string
	}{
		"the star of a key":                          {"A {\n int *id\n}\n", "", []string{"ID int32 `aml:\"id,identifier\"`"}},
		"1:1 that the left side always has":          {a + b + c + "A |o--|| B : has\nA }o--o{ C : knows\n", "", []string{"BID int32 `aml:\"bid,association=B,unique\"`"}},
		"1:1 that neither side always has":           {a + b + "A |o--o| B : has\n", "", []string{"AID *int32 `aml:\"aid,association=A,unique\"`"}},
		"1:1 with a side that others refer to":       {a + b + c + "A ||--|| B : has\nB ||..o{ C : has\nC }o--o{ A : knows\n", "", []string{"type B struct { aml.Aggregate", "AID int32 `aml:\"aid,association=A,unique\"`"}},
		"1:1 that is always there, with a text":      {"A {\n string code PK\n}\n" + b + c + "A ||--o| B : has\nB }o--o{ C : knows\n", "", []string{"ACode string `aml:\"a_code,association=A,required,unique\"`"}},
		"1:1 that can be missing, with a text":       {"A {\n string code PK\n}\n" + b + c + "A |o--o| B : has\nB }o--o{ C : knows\n", "", []string{"ACode *string `aml:\"a_code,association=A,unique\"`"}},
		"1:1 with a key of two fields":               {"A {\n int x PK\n int y PK\n}\n" + b + "A |o--o| B : has\n", "", []string{"AX *int32 `aml:\"ax,association=A.X,unique=AKey\"`"}},
		"a relationship with a name, of one entity":  {a + "%% aml: relationship LINKS: A, A\n", "", []string{"AID int32 `aml:\"aid,association=A,identifier\"`", "OtherAID int32 `aml:\"other_aid,association=A,discriminator\"`"}},
		"a many side in a relationship with a name":  {a + b + c + "A ||..o{ B : has\n%% aml: relationship LINKS: B, C\n", "", []string{"type B struct { aml.Aggregate"}},
		"two large weak entities of a versioned one": {"A {\n int id PK\n string email UK\n}\nB {\n int n PK\n" + attributes(9) + "}\nC {\n int n PK\n" + attributes(9) + "}\n%% aml: weak B of A\n%% aml: weak C of A\n", "", []string{"type B struct { aml.Entity `aml:\"as,part=A,rows=1000\"`", "Cs []C `aml:\"cs,composition,max=20\"`"}},
		"the key of a root with parts":               {"A {\n int x PK\n date y PK\n}\nB {\n int n PK\n" + attributes(9) + "}\n%% aml: weak B of A\n", "", []string{"Y time.Time `aml:\"y,type=date,identifier\"`", "AY time.Time `aml:\"ay,type=date,identifier\"`", "N int32 `aml:\"n,discriminator\"`"}},
		"two names with one plural":                  {"BUS {\n int id PK\n}\nBUSE {\n int id PK\n}\n", "", []string{"aml.Aggregate `aml:\"buses\"`", "aml.Aggregate `aml:\"buses_2\"`"}},
		"several values of a composite attribute":    {"A {\n int id PK\n string[] places\n}\n%% aml: composite A.places: street, city\n", "", []string{"Places []APlaces `aml:\"places,composition,max=20\"`"}},
		"two specialisations of one entity":          {a + b + c + "D {\n int n\n}\nE {\n int n\n}\n%% aml: specialisation A: B, C total disjoint\n%% aml: specialisation A: D, E total disjoint\n", "", []string{"B *B `aml:\"b,composition,xor=Kind,required\"`", "D *D `aml:\"d,composition,xor=Kind2,required\"`", "E *E `aml:\"e,composition,xor=Kind2,required\"`"}},
		"a specialisation beside an attribute kind":  {"A {\n int id PK\n string kind\n}\n" + b + c + "%% aml: specialisation A: B, C total disjoint\n", "", []string{"B *B `aml:\"b,composition,xor=Kind2,required\"`"}},
		"a key of a subtype":                         {a + "B {\n int id PK\n int a_id PK\n string code PK\n}\n%% aml: specialisation A: B\n", "", []string{"type B struct { aml.ValueObject `aml:\"b\"` Code string `aml:\"code\"` // PK in the diagram: the key of A identifies its subtypes }"}},
		"names that are options":                     {"A {\n int id PK\n string from\n int version\n string unique UK\n}\nROW {\n int id PK\n}\n", "", []string{"From string `aml:\"'from'\"`", "Version int32 `aml:\"'version'\"`", "Version2 int64 `aml:\"version2,version\"`", "Unique string `aml:\"'unique',unique\"`", "aml.Aggregate `aml:\"'rows'\"`"}},
		"parts of a composite attribute":             {"A {\n int id PK\n string[] phones\n}\n%% aml: composite A.place: street, geo, phones\n%% aml: composite A.geo: lat, lon\n", "", []string{"Geo AGeo `aml:\"geo,composition\"`", "type AGeo struct { aml.ValueObject `aml:\"a_geo\"` Lat string `aml:\"lat\"` Lon string", "Phones []string `aml:\"phones,unique,max=20\"`"}},
		"an element with the key of its owner":       {a + "B {\n int a_id PK, FK\n int n\n}\nA ||--o{ B : has\n", "", []string{"type B struct { aml.ValueObject `aml:\"b\"` N int32"}},
		"rates that are added":                       {a + b + "A }o--o{ B : knows\n", "-- aml:rate 2/s\nSELECT * FROM a WHERE id = ?;\n-- aml:rate 2/s\nSELECT * FROM a WHERE id = ?;\n-- aml:rate 3/s\nSELECT * FROM b WHERE id = ?;\n", []string{"the workload reads A 4 times in a second, and B 3 times", "BIDs []int32"}},
		"a rate of the SELECT above":                 {a + b + "A }o--o{ B : knows\n", "-- aml:rate 2/s\nSELECT * FROM a WHERE id = ?;\nSELECT * FROM b WHERE id = ?;\n", []string{"the workload reads A 2 times in a second, and B 0 times"}},
		"an entity without a key that is read alone": {a + "B {\n int n\n}\nA ||..o{ B : has\n", "-- aml:rate 2/s\nSELECT * FROM b;\n", []string{"Bs []B `aml:\"bs,composition,max=20\"`"}},
	} {
		text := decided(t, x.diagram, x.workload)
		for _, w := range x.want {
			require.Contains(t, text, w, name)
		}
	}
}

// A file of another editor begins with a byte order mark, and has other line endings.
func TestFileOfAnotherEditor(t *testing.T) {
	t.Parallel()
	d, faults := conceptual.Parse("x.mmd", "\ufefferDiagram\r\n  A {\r\n    int id PK\r\n  }\r\n  %% aml: multivalued A.tags\r\n")
	require.Empty(t, faults)
	require.Contains(t, source(t, d), "Tags []string")
}
