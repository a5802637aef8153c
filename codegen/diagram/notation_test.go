package diagram_test

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/internal/models"
)

// market returns a model with every construct.
func market(t *testing.T) diagram.Model {
	t.Helper()
	return newModel(t, marketPackage(t))
}

var imports = sync.OnceValues(func() (*models.Imports, error) {
	return models.Load(".", "strings", "time", "github.com/gocql/gocql", "github.com/cassaml/cassaml/aml")
})

func marketPackage(t *testing.T) *model.Package {
	t.Helper()
	known, err := imports()
	require.NoError(t, err)
	text, err := os.ReadFile("testdata/market/model.go")
	require.NoError(t, err)
	return known.Source(t, "example.com/market", string(text))
}

// texts returns the texts of the only picture of a model.
func texts(t *testing.T, n diagram.Notation, o diagram.Options, m diagram.Model) []string {
	t.Helper()
	drawings, err := diagram.Draw(n, []diagram.Model{m}, o)
	require.NoError(t, err)
	require.Len(t, drawings, 1)
	var out []string
	for _, x := range drawings[0].Texts {
		out = append(out, x.S)
	}
	return out
}

// The queries of a table are the methods that answer different questions, as docs/diagrams.md describes.
func TestQueriesOfTables(t *testing.T) {
	all := texts(t, diagram.Chebotko, diagram.Options{}, market(t))
	for _, want := range []string{"Get(shop, id)", "Of(shop) by id", "Statics(shop)", "BySpot(spot)", "GetWithVisits(id)", "Run.GetWithSegment(id)", "Segment.Of(id) by number"} {
		require.Contains(t, all, want)
	}
	for _, s := range all {
		require.NotRegexp(t, `^(GetMany|Of\.First|Of\.Count|OfEach|All|Scan|Follow\w*)\(`, s)
	}
}

// Each construct of the language has its sign.
func TestConstructs(t *testing.T) {
	all := texts(t, diagram.AML, diagram.Options{}, market(t))
	for _, want := range []string{
		"# ID: uuid", "~ ID: uuid {asc}", "~ At: timestamp {desc}", "+ /Country: text", "- Tags: text [0..20]", "- Code: text",
		"+ Scores: text → int [0..9]", "+ Matrix: list<double> [0..3]", "- Series: text {unique Place}", "- Number: int [0..1] {unique Place}",
		"# Number: text {unique}", "+ Email: text «final»", "+ Level: tinyint «enum»", "+ Password: text «secret»",
		"+ Spot: vector<float, 3> «index»", "+ Phone: text {or Contact}", "+ Cash: bigint [0..1] {xor Means [1]}", "+ Count: counter «counter»",
		"+ Version: bigint «version»", "+ PayerName: text «copy»",
		"+ Home «final»", "+ Homes [0..5]", "+ Cards [1..3]", "+ Keys [0..3] «final»", "Hook", "[*] «part»", "table visits", "+ Buyer «copy» {keep}", // compositions
		"Means [1]", "Who [0..1]", "XOR", "+ Friend [0..1]", "+ Seller [0..1] «checked» {clear}", "+ Shelf, Slot", "+ Owner", // associations
		"«final»", "«tuple»", "+ Spans [0..3]", "- Words: text [0..3]", "+ Left: remaining ttl", "headrow",
		"Box[string]", "Box[int32]", "Letter()", "«view» CustomerName: Name, Email",
		"# Letter: text = Letter()", "+ Title: text ← Name", "# Tag: text ← Tags.$value", // redundant aggregates
		"of Customer.Cards", "of Visit", "when Customer.Level = Gold", "shared", "cache 12 h", "unlogged", "ttl 1 d", "ttl $keep", "distinct", "large",
	} {
		require.Contains(t, all, want)
	}
	count := func(s string) (n int) {
		for _, x := range all {
			if x == s {
				n++
			}
		}
		return n
	}
	require.Equal(t, 1, count("Address"), "two compositions of a struct lead to one box")
	require.Equal(t, 1, count("Customer"), "the root")
	require.Equal(t, 1, count("customers"), "the package")
	members := texts(t, diagram.AMLMembers, diagram.Options{}, market(t))
	require.Contains(t, members, "customers::Card")
	require.Contains(t, members, "customers::Visit")
	require.Contains(t, members, "customers::Customer")
}

// A part whose key is that of its root has at most one row for each root.
func TestPartWithoutKeyOfItsOwn(t *testing.T) {
	known, err := imports()
	require.NoError(t, err)
	m := newModel(t, known.Source(t, "example.com/games", `package games

import "github.com/cassaml/cassaml/aml"

type Game struct {
	aml.Aggregate `+"`aml:\"games\"`"+`

	ID int32 `+"`aml:\"id,identifier\"`"+`
}

type Result struct {
	aml.Entity `+"`aml:\"results,part=Game\"`"+`

	GameID int32 `+"`aml:\"game_id,identifier\"`"+`
	Points int32 `+"`aml:\"points\"`"+`
}
`))
	all := texts(t, diagram.AML, diagram.Options{}, m)
	require.Contains(t, all, "[0..1] «part»")
	require.NotContains(t, all, "[*] «part»")
}

// The legend has every sign of a model with every construct, and otherwise only those that the picture has.
func TestLegend(t *testing.T) {
	all := texts(t, diagram.AML, diagram.Options{}, market(t))
	for _, s := range diagram.Signs(diagram.AML) {
		if s.Mark != "→" {
			require.Contains(t, all, s.About, "%s", s.Mark)
		}
	}
	one := texts(t, diagram.AML, diagram.Options{Roots: []string{"Payment"}}, market(t))
	require.Contains(t, one, "association with a root that is not drawn")
	require.Contains(t, one, "+ Voucher: uuid [0..1] → Voucher {xor Means [1]}")
	require.NotContains(t, one, "redundant aggregate; the arrow ends at its source")
	members := texts(t, diagram.AMLMembers, diagram.Options{}, market(t))
	require.Contains(t, members, "dashed arrow")
	require.NotContains(t, members, "dashed frame and arrow", "there are no frames")
	workflow := []diagram.Query{{Text: "SELECT 1", Table: "customers", Then: []int{2, 1}}, {Text: "SELECT 2", Table: "tags"}, {Text: "SELECT 3"}}
	tables := texts(t, diagram.Chebotko, diagram.Options{Workflow: workflow}, market(t))
	for _, s := range diagram.Signs(diagram.Chebotko) {
		require.Contains(t, tables, s.About, "%s", s.Mark)
	}
}

// Borders and lines have the form that the notation gives them.
func TestShapes(t *testing.T) {
	drawings, err := diagram.Draw(diagram.AML, []diagram.Model{market(t)}, diagram.Options{Roots: []string{"Customer"}})
	require.NoError(t, err)
	p := drawings[0].Picture
	box := func(name string) diagram.Box {
		return p.Boxes[slices.IndexFunc(p.Boxes, func(b diagram.Box) bool { return b.Name == name })]
	}
	require.True(t, box("Customer").Thick, "a root is an entity")
	require.True(t, box("Card").Thick)
	require.True(t, box("Visit").Thick)
	require.False(t, box("Address").Thick)
	marks, parts, derived := map[string]int{}, 0, 0
	for _, l := range p.Lines {
		marks[fmt.Sprint(l.End, l.Dashed)]++
		switch {
		case l.Start == diagram.Arrow && l.Curve:
			derived++
		case l.Start == diagram.Arrow:
			parts++
		}
	}
	require.Equal(t, 8, marks[fmt.Sprint(diagram.Diamond, false)], "Home, Homes, City, Cards, Keys, Boxed, Counted and Visit")
	require.Equal(t, 1, marks[fmt.Sprint(diagram.Diamond, true)], "Who, from=Customer")
	require.Equal(t, 7, parts, "the same and Who, without Homes and Keys, whose arrows are below their qualifiers")
	require.Equal(t, 4, marks[fmt.Sprint(diagram.Arrow, false)], "Friend, Owner, and below the qualifiers")
	require.Equal(t, 5, derived, "from the redundant aggregates to their source")
	dashed := 0
	for _, b := range p.Boxes {
		if b.Group && b.Dashed {
			dashed++
		}
	}
	require.Equal(t, 5, dashed, "the redundant aggregates")
	for _, x := range p.Texts {
		if x.S == "+ Name: text" && x.Underline {
			return
		}
	}
	t.Error("a mandatory attribute is not underlined")
}

// A reference that leads past several rows has no small steps.
func TestStraightReferences(t *testing.T) {
	known, err := imports()
	require.NoError(t, err)
	m := newModel(t, known.Source(t, "example.com/hotel", `package hotel

import "github.com/cassaml/cassaml/aml"

type Guest struct {
	aml.Aggregate `+"`aml:\"guests\"`"+`

	ID   int32  `+"`aml:\"id,identifier\"`"+`
	Name string `+"`aml:\"name\"`"+`
}

type Hotel struct {
	aml.Aggregate `+"`aml:\"hotels\"`"+`

	ID      int32   `+"`aml:\"id,identifier\"`"+`
	City    string  `+"`aml:\"city,required\"`"+`
	Address Address `+"`aml:\"address,composition\"`"+`
	Rooms   []Room  `+"`aml:\"rooms,composition,max=500\"`"+`
}

type Address struct{ Street, Zip string }

type Room struct{ Number string }

type Booking struct {
	aml.Entity `+"`aml:\"bookings,part=Hotel\"`"+`

	HotelID int32  `+"`aml:\"hotel_id,identifier\"`"+`
	Room    string `+"`aml:\"room,discriminator\"`"+`
	Guest   int32  `+"`aml:\"guest,association=Guest\"`"+`
}

type HotelByCity struct {
	aml.Aggregate `+"`aml:\"hotels_by_city,redundant=Hotel\"`"+`

	City    string  `+"`aml:\"city,identifier\"`"+`
	ID      int32   `+"`aml:\"id,discriminator\"`"+`
	Address Address `+"`aml:\"address,composition\"`"+`
}
`))
	drawings, err := diagram.Draw(diagram.AML, []diagram.Model{m}, diagram.Options{})
	require.NoError(t, err)
	for _, l := range drawings[0].Picture.Lines {
		for i := 3; l.End == diagram.Arrow && i < len(l.Points); i++ {
			a, b := l.Points[i-2], l.Points[i-1]
			require.False(t, a.Y == b.Y && math.Abs(a.X-b.X) < 5, "a step from %v to %v", a, b)
		}
	}
}

func TestTables(t *testing.T) {
	physical := texts(t, diagram.Chebotko, diagram.Options{}, market(t))
	for _, want := range []string{
		"customers", "{tags}", "<scores>", "[cards]", "*home*", "set<text>", "map<text, frozen<address>>", "K", "C↑", "C↓", "S", "IDX", "++",
		"Get(shop, id)", "Of(shop) by id", "BySpot(spot)", "Segment.Of(id) by number", "Run.Get(id)", "view CustomerName",
		"vouchers__place_unique", "aml_attempts", "ttl $keep (172800 seconds by default)",
	} {
		require.Contains(t, physical, strings.Replace(want, "aml_attempts", "[aml_attempts]", 1))
	}
	logical := texts(t, diagram.ChebotkoLogical, diagram.Options{}, market(t))
	require.Contains(t, logical, "{tags}")
	require.NotContains(t, logical, "set<text>")
	require.NotContains(t, logical, "vouchers__place_unique")
	require.NotContains(t, logical, "[aml_attempts]")
}

// The name at a line is underlined if there is always a value, and a number of elements that is always the same is written once.
func TestMandatoryLines(t *testing.T) {
	known, err := imports()
	require.NoError(t, err)
	drawings, err := diagram.Draw(diagram.AML, []diagram.Model{newModel(t, known.Source(t, "example.com/trips", `package trips

import "github.com/cassaml/cassaml/aml"

type Trip struct {
	aml.Aggregate `+"`aml:\"trips\"`"+`

	ID    int32   `+"`aml:\"id,identifier\"`"+`
	Legs  []int32 `+"`aml:\"legs,min=3,max=3\"`"+`
	From  *Place  `+"`aml:\"start,composition,required\"`"+`
	To    *Place  `+"`aml:\"stop,composition\"`"+`
	After *int32  `+"`aml:\"after,association=Trip,required\"`"+`
	Next  *int32  `+"`aml:\"next,association=Trip\"`"+`
}

type Place struct{ Name string }
`))}, diagram.Options{})
	require.NoError(t, err)
	underlined := map[string]bool{}
	for _, x := range drawings[0].Texts {
		underlined[x.S] = x.Underline
	}
	for label, want := range map[string]bool{"+ From": true, "+ To [0..1]": false, "+ After": true, "+ Next [0..1]": false} {
		require.Contains(t, underlined, label)
		require.Equal(t, want, underlined[label], label)
	}
	require.Contains(t, underlined, "+ Legs: int [3]")
}

// The line from a copy of another row of the same root is dashed, as those from copies of other roots.
func TestCopyOfTheSameRoot(t *testing.T) {
	known, err := imports()
	require.NoError(t, err)
	drawings, err := diagram.Draw(diagram.AML, []diagram.Model{newModel(t, known.Source(t, "example.com/staff", `package staff

import "github.com/cassaml/cassaml/aml"

type Person struct {
	aml.Aggregate `+"`aml:\"persons\"`"+`

	ID      int32  `+"`aml:\"id,identifier\"`"+`
	Name    string `+"`aml:\"name\"`"+`
	Version int64  `+"`aml:\"version,version\"`"+`
	Boss    Boss   `+"`aml:\"boss,composition,copy=Person\"`"+`
}

type Boss struct {
	ID   int32
	Name string
}
`))}, diagram.Options{})
	require.NoError(t, err)
	i := slices.IndexFunc(drawings[0].Lines, func(l diagram.Line) bool { return l.End == diagram.Arrow })
	require.True(t, drawings[0].Lines[i].Dashed)
}

// Each reference by several fields is one line, in whatever order the fields are.
func TestReferencesBySeveralFields(t *testing.T) {
	known, err := imports()
	require.NoError(t, err)
	all := texts(t, diagram.AML, diagram.Options{}, newModel(t, known.Source(t, "example.com/books", `package books

import "github.com/cassaml/cassaml/aml"

type Book struct {
	aml.Aggregate `+"`aml:\"books\"`"+`

	Shelf string `+"`aml:\"shelf,identifier\"`"+`
	Slot  int32  `+"`aml:\"slot,discriminator\"`"+`
}

type Loan struct {
	aml.Aggregate `+"`aml:\"loans\"`"+`

	ID        int32  `+"`aml:\"id,identifier\"`"+`
	NewSlot   int32  `+"`aml:\"new_slot,association=Book.Slot\"`"+`
	OldShelf  string `+"`aml:\"old_shelf,association=Book.Shelf\"`"+`
	LastShelf string `+"`aml:\"last_shelf,association=Book.Shelf\"`"+`
	LastSlot  int32  `+"`aml:\"last_slot,association=Book.Slot\"`"+`
}
`)))
	require.Contains(t, all, "+ NewSlot, OldShelf")
	require.Contains(t, all, "+ LastShelf, LastSlot")
	require.NotContains(t, all, "+ OldShelf")
}

// The tables of checked references are among the tables, and the aggregates show what is checked, and the effect of a deletion of the target.
func TestReverseTables(t *testing.T) {
	m, faults := model.Build(models.Folders(t, "../../integration/models/library")[0])
	require.False(t, model.Refused(faults), "%v", faults)
	library := diagram.Model{Model: m, Schema: schema.New(m)}
	for _, s := range []string{"papers__author_refs", "parent_id", "aml_bucket", "child_id", "aml_ver"} {
		require.Contains(t, texts(t, diagram.Chebotko, diagram.Options{Roots: []string{"Paper"}}, library), s)
	}
	references := strings.Join(texts(t, diagram.AML, diagram.Options{}, library), "\n")
	for _, s := range []string{"Author [0..1] «checked»", "Editor [0..1] «checked» {clear}", "Series [0..1] «checked» {cascade}"} {
		require.Contains(t, references, s)
	}
}

// The same model produces the same bytes, even if it is loaded again.
func TestDeterministic(t *testing.T) {
	a, b := market(t), market(t)
	for _, n := range drawn {
		first, err := diagram.Draw(n, []diagram.Model{a}, diagram.Options{})
		require.NoError(t, err)
		second, err := diagram.Draw(n, []diagram.Model{b}, diagram.Options{})
		require.NoError(t, err)
		require.Equal(t, string(first[0].SVG(false)), string(second[0].SVG(false)))
	}
}

func TestPNG(t *testing.T) {
	drawings, err := diagram.Draw(diagram.Chebotko, []diagram.Model{market(t)}, diagram.Options{Roots: []string{"Sale"}})
	require.NoError(t, err)
	light, err := drawings[0].PNG(false)
	require.NoError(t, err)
	again, err := drawings[0].PNG(false)
	require.NoError(t, err)
	require.Equal(t, light, again)
	dark, err := drawings[0].PNG(true)
	require.NoError(t, err)
	require.Contains(t, string(dark), diagram.Mark)
	image, err := png.Decode(bytes.NewReader(dark))
	require.NoError(t, err)
	require.Equal(t, int(drawings[0].Width)*2, image.Bounds().Dx())
	r, g, b, _ := image.At(1, 1).RGBA()
	require.Less(t, r+g+b, uint32(3*0x4000), "the background is dark")
}

// A PNG has the dashes, the thick borders, the filled diamonds and the underlines that an SVG has.
func TestShapesOfPNG(t *testing.T) {
	p := &diagram.Picture{Width: 200, Height: 60}
	p.Boxes = []diagram.Box{{X: 10, Y: 10, W: 40, H: 40, Stroke: diagram.Ink}, {X: 60, Y: 10, W: 40, H: 40, Stroke: diagram.Ink, Thick: true}}
	p.Lines = []diagram.Line{
		{Points: []diagram.Point{{X: 110, Y: 10}, {X: 190, Y: 10}}, Stroke: diagram.Ink},
		{Points: []diagram.Point{{X: 110, Y: 20}, {X: 190, Y: 20}}, Stroke: diagram.Ink, Dashed: true},
		{Points: []diagram.Point{{X: 110, Y: 30}, {X: 190, Y: 30}}, Stroke: diagram.Ink, End: diagram.Diamond},
	}
	p.Texts = []diagram.Text{{X: 110, Y: 50, S: "mmmmmmmm", Style: diagram.Style{Size: 11}, Color: diagram.Ink, Underline: true}}
	data, err := p.PNG(false)
	require.NoError(t, err)
	image, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	inked := func(x0, y0, x1, y1 int) (n int) { // dark pixels, of which two are one of CSS
		for x := 2 * x0; x < 2*x1; x++ {
			for y := 2 * y0; y < 2*y1; y++ {
				if r, g, b, _ := image.At(x, y).RGBA(); r+g+b < 3*0x8000 {
					n++
				}
			}
		}
		return n
	}
	require.Greater(t, inked(58, 25, 62, 35), inked(8, 25, 12, 35), "a thick border")
	require.Less(t, inked(112, 18, 174, 22), inked(112, 8, 174, 12)*3/4, "dashes")
	require.Greater(t, inked(180, 28, 186, 32), 2*inked(150, 28, 156, 32), "a diamond")
	require.Greater(t, inked(115, 51, 135, 54), 30, "an underline")
}

// A notation that is text is refused: it has no picture.
func TestDrawRefusesText(t *testing.T) {
	for _, n := range []diagram.Notation{diagram.Mermaid, diagram.MermaidClass, diagram.MermaidER} {
		_, err := diagram.Draw(n, []diagram.Model{market(t)}, diagram.Options{})
		require.ErrorContains(t, err, "is text, not a picture", n)
	}
}

// The pictures are as they were looked at. Those of the examples are in docs/gallery.
func TestGolden(t *testing.T) {
	for _, n := range drawn {
		golden(t, "market", n, market(t))
	}
}

func golden(t *testing.T, name string, n diagram.Notation, m diagram.Model) {
	t.Helper()
	drawings, err := diagram.Draw(n, []diagram.Model{m}, diagram.Options{})
	require.NoError(t, err)
	file := filepath.Join("testdata", "golden", name+"-"+string(n)+".svg")
	got := drawings[0].SVG(false)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "%s; go test -update writes it", file)
}

// A dashed line leads to the circle of a group, and has no sign. The compositions and associations of the group have theirs at the circle.
func TestMixedGroup(t *testing.T) {
	drawings, err := diagram.Draw(diagram.AML, []diagram.Model{market(t)}, diagram.Options{Roots: []string{"Payment", "Voucher", "Customer"}})
	require.NoError(t, err)
	p := drawings[0].Picture
	circles := 0
	for _, b := range p.Boxes {
		if !b.Round {
			continue
		}
		circles++
		to := slices.IndexFunc(p.Lines, func(l diagram.Line) bool { return l.Points[0] == diagram.Point{X: b.X + b.W/2, Y: b.Y} })
		require.True(t, p.Lines[to].Dashed)
		require.Equal(t, [2]diagram.Marker{}, [2]diagram.Marker{p.Lines[to].Start, p.Lines[to].End})
		from := map[diagram.Marker]int{}
		for _, l := range p.Lines {
			first, last := l.Points[0], l.Points[len(l.Points)-1]
			if last.X == b.X+b.W/2 && last.Y == b.Y+b.H || first.X == b.X+b.W && first.Y == b.Y+b.H/2 {
				from[l.End]++
			}
		}
		require.Equal(t, map[diagram.Marker]int{diagram.Arrow: 2, diagram.Diamond: 2 - circles}, map[diagram.Marker]int{diagram.Arrow: from[diagram.Arrow], diagram.Diamond: from[diagram.Diamond]})
	}
	require.Equal(t, 2, circles)
}

// The frame of an aggregate has the contrast that readers with low vision need, 3:1, in both schemes.
func TestFramesAreVisible(t *testing.T) {
	drawings, err := diagram.Draw(diagram.AML, []diagram.Model{market(t)}, diagram.Options{Roots: []string{"Sale"}})
	require.NoError(t, err)
	frame := regexp.MustCompile(`fill="none" stroke="(#[0-9a-f]{6})"`)
	paper := regexp.MustCompile(`<rect width="[^"]*" height="[^"]*" fill="(#[0-9a-f]{6})"`)
	for _, dark := range []bool{false, true} {
		svg := string(drawings[0].SVG(dark))
		require.GreaterOrEqual(t, contrast(t, frame.FindStringSubmatch(svg)[1], paper.FindStringSubmatch(svg)[1]), 3.0)
	}
}

// contrast returns the contrast of two colours as WCAG 2 defines it.
func contrast(t *testing.T, a, b string) float64 {
	luminance := func(color string) float64 {
		var rgb [3]uint8
		_, err := fmt.Sscanf(color, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2])
		require.NoError(t, err)
		var sum float64
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			c := float64(rgb[i]) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += weight * c
		}
		return sum + 0.05
	}
	x, y := luminance(a), luminance(b)
	return max(x, y) / min(x, y)
}

// With the types of AML, the types that it has are written instead of the types of CQL, also inside of others.
func TestLogicalTypes(t *testing.T) {
	all := texts(t, diagram.AML, diagram.Options{Types: diagram.Logical}, market(t))
	for _, want := range []string{"# ID: uuid", "+ Name: str", "+ Scores: str → int [0..9]", "+ Matrix: list<real> [0..3]", "+ Spot: vector<real, 3> «index»", "+ Count: int «counter»", "# Day: date", "str"} {
		require.Contains(t, all, want)
	}
}
