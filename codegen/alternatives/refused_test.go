package alternatives_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/internal/models"
)

// inMemory returns the files of a package with declarations, in which $ stands for the quote of a tag.
func inMemory(t *testing.T, declarations string) *load.Files {
	t.Helper()
	imports, err := models.Load(".", "time", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	text := "package shop\n\nimport (\n\t\"time\"\n\n\t\"github.com/cassaml/cassaml/aml\"\n)\n\n" + strings.ReplaceAll(declarations, "$", "`")
	return &load.Files{Path: "example.com/shop", Texts: map[string][]byte{"model.go": []byte(text)}, Fset: imports.Fset, Imports: imports}
}

// Options of the model that a design cannot have do not refuse it: large is left out, and a reference has the CQL type of the key to which it
// refers.
func TestFewDesignsAreRefused(t *testing.T) {
	t.Parallel()
	l, err := alternatives.List(inMemory(t, `
type Day struct {
	aml.Aggregate $aml:"days,large"$

	At     time.Time $aml:"at,identifier,type=date"$
	Title  string    $aml:"title,required"$
	Visits []Visit   $aml:"visits,composition,max=5"$
}

type Visit struct {
	aml.Entity $aml:"visit"$

	Code string $aml:"code,identifier,type=ascii"$
	Note string $aml:"note"$
}

type Report struct {
	aml.Aggregate $aml:"reports,redundant=Day.Visits"$

	Note string    $aml:"note,identifier"$
	At   time.Time $aml:"at,discriminator,type=date,from=Day.At"$
	Code string    $aml:"code,discriminator,type=ascii"$
}
`), "Day.Visits", alternatives.Config{})
	require.NoError(t, err)
	refused := map[string]string{}
	for _, a := range l.Alternatives {
		if a.Refused != "" {
			refused[a.Name] = a.Refused
			continue
		}
		if a.Name == l.Current() {
			require.Empty(t, a.Again)
			continue
		}
		require.Equal(t, []string{"model.go:25:6: Report"}, a.Again, "%s", a.Name)
	}
	require.Equal(t, map[string]string{
		"embedded-map-partial-versioned": "AML314: unique on Code: its values are in a map",
		"embedded-map-total-versioned":   "AML314: unique on Code: its values are in a map",
		"parts-versioned":                "AML604: part=Day: Day has a version, so its parts must be in its table",
	}, refused)
}

const withReferencesInKeys = `
type Customer struct {
	aml.Aggregate $aml:"customers"$

	ID      int32 $aml:"id,identifier"$
	Version int64 $aml:"version,version"$
}

type Product struct {
	aml.Aggregate $aml:"products"$

	Code    string $aml:"code,identifier"$
	Version int64  $aml:"version,version"$
}

type Order struct {
	aml.Aggregate $aml:"orders"$

	CustomerID int32    $aml:"customer_id,identifier,association=Customer"$
	Number     int32    $aml:"number,discriminator"$
	Gift       string   $aml:"gift,association=Product"$
	Tags       []string $aml:"tags"$
	Lines      []Line   $aml:"lines,composition,max=5"$
	Version    int64    $aml:"version,version"$
}

type Line struct {
	aml.Entity $aml:"line"$

	ProductCode string $aml:"product_code,identifier,association=Product,checked,rows=70"$
	Amount      int32  $aml:"amount"$
}
`

// A root whose key refers to another root can be stored in its elements, and an element whose key refers to another root refers to it in each design.
func TestKeysThatRefer(t *testing.T) {
	t.Parallel()
	found := designs(t, withReferencesInKeys, "Order.Lines")
	for _, name := range []string{"inverse-shared", "inverse-copied-versioned"} {
		require.Empty(t, found[name].Refused+found[name].NoStore, name)
		require.Contains(t, found[name].Files["model.go"], "type OrderOfLine struct {\n\tCustomerID int32", name)
	}
	for name, a := range found {
		if a.Refused == "" {
			require.Contains(t, a.Files["model.go"], "association=Product,checked,rows=70", name)
		}
	}
	require.Equal(t, "the model needs a version, so it is the same as embedded-list-versioned", found["embedded-list"].Refused)
}

// A design in which other rows contain the root names the fields that it does not store, and the references that it does not declare.
func TestFieldsThatAreDropped(t *testing.T) {
	t.Parallel()
	found := designs(t, withReferencesInKeys, "Order.Lines")
	dropped := []string{"Order.CustomerID is a value that does not refer to a Customer", "Order.Gift is a value that does not refer to a Product"}
	require.Subset(t, found["inverse-versioned"].Loses, dropped)
	require.NotContains(t, found["inverse-versioned"].Loses, "it does not store Order.Tags")
	require.Contains(t, strings.Join(strings.Fields(found["inverse-versioned"].Files["model.go"]), " "), "Gift string `aml:\"gift\"`")
	require.Subset(t, found["inverse-shared"].Loses, append(dropped, "it does not store Order.Tags"))
	require.Empty(t, found["inverse-copied-versioned"].Loses)
	const shop = "\ntype Shop struct {\n\taml.Aggregate $aml:\"shops\"$\n\n\tID int32 $aml:\"id,identifier\"$\n}\n"
	embedded := designs(t, strings.Replace(withEmbedded, "Street, City string", "ShopID int32 $aml:\"shop_id,association=Shop\"$", 1)+shop, "Team.Players")["inverse"]
	require.Empty(t, embedded.Refused)
	require.Contains(t, embedded.Files["model.go"], "association=Shop")
	require.NotContains(t, strings.Join(embedded.Loses, "\n"), "Team.ShopID", "an embedded struct is not changed")
}

// A relationship that cannot be changed is refused with the reason.
func TestRefusedRelationships(t *testing.T) {
	t.Parallel()
	const model = `
type Node struct {
	aml.Aggregate $aml:"nodes"$

	Country string $aml:"country,identifier"$
	ID      int32  $aml:"id,identifier"$
	Parents []int32 $aml:"parents,unique"$
	Edges   []Edge $aml:"edges,composition"$
	Within  string $aml:"within,association=Node.Country"$
	At      int32  $aml:"at,association=Node.ID"$
	Seen    time.Time $aml:"seen"$
	Spots   []Spot $aml:"spots,composition"$
	Where
}

type Edge struct {
	Weight *int32
	Label  string
	Tags   []string $aml:"tags,required"$
}

type Spot struct {
	Code
	Note string
}

type Code struct {
	Text string $aml:"text,required"$
}

type Where struct {
	Near int32 $aml:"near,association=Shop"$
}

type Shop struct {
	aml.Aggregate $aml:"shops"$

	ID int32 $aml:"id,identifier"$
}
`
	files := inMemory(t, model)
	for name, want := range map[string]string{
		"Node.Edges":   "Node.Edges: no field identifies Edge: name one with -key, or declare it as an aml.Entity with an identifier",
		"Node.Within":  "Node.Within: Node has a key of several fields, and only one of them is named: the designs cannot be derived from this reference",
		"Node.Parents": "Node.Parents is neither a collection of compositions nor a reference; the relationships of Node are Node.Edges, Node.Within, Node.Spots, Node.Near",
		"Node.Near":    "Node.Near: the field is declared in an embedded struct: declare it in Node",
	} {
		_, err := alternatives.List(files, name, alternatives.Config{})
		require.EqualError(t, err, want)
	}
	_, err := alternatives.List(files, "Node.Spots", alternatives.Config{Key: []string{"Text"}})
	require.EqualError(t, err, "Node.Spots: the key Spot.Text is not one value of a native type")
}

const withEmbedded = `
type Team struct {
	aml.Aggregate $aml:"teams"$

	ID      []byte   $aml:"id,identifier,type=blob"$
	Tags    []string $aml:"tags"$
	Players []Player $aml:"players,composition,max=5"$
	Place
}

type Place struct {
	Street, City string
}

type Player struct {
	aml.Entity $aml:"player"$

	Code []byte $aml:"code,identifier"$
	Note string $aml:"note"$
}
`

// A design that Go cannot declare is refused with the reason in the words of the model, and with the design or the edit that is possible.
func TestReasonsOfTypes(t *testing.T) {
	t.Parallel()
	const last = "Players []Player $aml:\"players,composition,max=5\"$\n"
	plain := designs(t, withEmbedded, "Team.Players")
	for _, name := range []string{"embedded-map", "embedded-map-total-versioned"} {
		require.Equal(t, "[]byte, the type of Player.Code, is not comparable in Go, so no map has it as a key: embedded-list has elements with keys of any type", plain[name].Refused)
	}
	require.Empty(t, plain["inverse"].Refused)
	text := designs(t, strings.Replace(withEmbedded, "ID      []byte   $aml:\"id,identifier,type=blob", "ID      string $aml:\"id,identifier", 1), "Team.Players")
	require.Contains(t, text["inverse-shared"].Diff, "-\tPlace\n", text["inverse-shared"].Refused)
	contains := designs(t, strings.Replace(withEmbedded, last, last+"Best Best $aml:\"best,composition\"$\n", 1)+"\ntype Best struct { First Player $aml:\"first,composition\"$ }\n", "Team.Players")
	require.Equal(t, "Team.Best contains a Player, which would contain its Team, and no struct contains itself: inverse-shared and inverse-copied-versioned have the fields of the Team in another struct", contains["inverse"].Refused)
	keyed := designs(t, strings.NewReplacer(last, last+"Marks map[Player]struct{} $aml:\"marks,composition,max=3\"$\n", "Code []byte", "Code string").Replace(withEmbedded), "Team.Players")
	for name, fields := range map[string]string{"inverse-versioned": "Team.ID", "inverse-shared": "Team.ID", "reference-from-element": "Team.ID", "parts": "Team.ID", "references-from-element-list": "a list of keys", "references-both": "a list of keys"} {
		require.Equal(t, "Team.Marks has elements in the keys of a map, and a Player that contains "+fields+" is not comparable in Go: store them there in a list", keyed[name].Refused, name)
	}
	used := designs(t, withEmbedded+"\nvar size = len(Team{}.Players)\n", "Team.Players")
	require.Empty(t, used["embedded-list"].Refused)
	require.Contains(t, used["pairs"].Refused, "other code of the package needs what the design does not declare: change it first, or write the design by hand: model.go:")
}

// Elements in the keys of a map refuse only the designs in which an element is not comparable. The type of the collection of the elements does not count, and a design that copies
// the scalar fields of the root does not copy the others.
func TestElementsInKeysOfMaps(t *testing.T) {
	t.Parallel()
	const album = "\ntype Album struct {\n\taml.Aggregate $aml:\"albums\"$\n\n\tID int32 $aml:\"id,identifier\"$\n\tMarks map[Player]struct{} $aml:\"marks,composition,max=3\"$\n}\n"
	inverse := func(fields string) map[string]*alternatives.Alternative {
		return designs(t, strings.NewReplacer("[]byte", "string", ",type=blob", "", "\tTags    []string $aml:\"tags\"$\n", fields).Replace(withEmbedded)+album, "Team.Players")
	}
	found := inverse("\tTags []string $aml:\"tags\"$\n")
	require.Equal(t, "Album.Marks has elements in the keys of a map, and a Player that contains Team.Tags is not comparable in Go: store them there in a list", found["inverse"].Refused)
	require.NotContains(t, found["inverse-shared"].Refused, "comparable")
	require.NotContains(t, inverse("")["inverse"].Refused, "comparable")
	for _, of := range []string{"[2]func()", "[2][]string"} {
		declared := strings.Replace(album, "\n", "\ntype Tags struct{ all "+of+" }\n\nfunc (Tags) Value() (any, error) { return nil, nil }\nfunc (*Tags) Scan(any) error { return nil }\n\n", 1)
		found := designs(t, strings.NewReplacer("[]byte", "string", ",type=blob", "", "Tags    []string $aml:\"tags", "Tags Tags $aml:\"tags,type='list<text>'").Replace(withEmbedded)+declared, "Team.Players")
		require.Contains(t, found["inverse"].Refused, "a Player that contains Team.Tags is not comparable in Go", of)
	}
}

// A name that a design needs and the package has is refused by name, and the edit is one of the file as it is: in another format, or with other line endings.
func TestEditOfTheFile(t *testing.T) {
	t.Parallel()
	taken := designs(t, withEmbedded+"\nconst TeamPlayer = 1\n", "Team.Players")
	require.Equal(t, "the package declares TeamPlayer, which the edit adds: rename it", taken["pairs"].Refused)
	taken = designs(t, strings.Replace(withEmbedded, "Note string $aml:\"note\"$", "Note, TeamID string", 1), "Team.Players")
	require.Equal(t, "Player has a field TeamID, which the edit adds: rename it", taken["reference-from-element"].Refused)
	files := inMemory(t, withEmbedded)
	text := strings.ReplaceAll(strings.ReplaceAll(string(files.Texts["model.go"]), "\t", "  "), "\n", "\r\n")
	files.Texts["model.go"] = []byte(text)
	l, err := alternatives.List(files, "Team.Players", alternatives.Config{})
	require.NoError(t, err)
	for _, a := range l.Alternatives {
		if a.Refused == "" && a.Name != l.Current() {
			require.Equal(t, len(strings.Split(text, "\n"))-1, strings.Count(a.Diff, "\r\n"), a.Name)
		}
	}
}
