package change_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/diagram/change"
	"github.com/cassaml/cassaml/codegen/diagram/geometry"
)

var update = flag.Bool("update", false, "update the golden files")

func cell(name, kind, mark string) *change.Cell {
	return &change.Cell{Name: name, Type: kind, Mark: mark}
}

func same(name, kind, mark string) change.Row {
	return change.Row{Before: cell(name, kind, mark), After: cell(name, kind, mark)}
}

func added(name, kind, mark string) change.Row {
	return change.Row{Sign: change.Added, After: cell(name, kind, mark)}
}

func removed(name, kind, mark string) change.Row {
	return change.Row{Sign: change.Removed, Before: cell(name, kind, mark)}
}

func altered(before, after *change.Cell) change.Row {
	return change.Row{Sign: change.Changed, Before: before, After: after}
}

// shop has every kind of difference.
var shop = change.Change{
	Of: "shop", From: "0003_points.cql", To: "the model",
	Objects: []change.Object{
		{Kind: "type", Name: "vehicle", Sign: change.Changed, Rows: []change.Row{same("plate", "text", ""), added("seats", "tinyint", "")}},
		{Kind: "table", Name: "customers", Sign: change.Changed, Rows: []change.Row{
			same("id", "uuid", "K"),
			altered(cell("no", "int", "C↑"), cell("number", "int", "C↑")),
			same("name", "text", "S"),
			added("email", "text", ""),
			same("vehicles", "list<frozen<vehicle>>", ""),
			removed("phone", "text", ""),
			added("index customers__email_index", "on email", ""),
			altered(cell("default_time_to_live", "86400", ""), cell("default_time_to_live", "172800", "")),
		}},
		{Kind: "table", Name: "vehicles_by_plate", Sign: change.Added, Rows: []change.Row{added("plate", "text", "K"), added("owner", "frozen<owner>", "")}},
		{Kind: "table", Name: "orders", Sign: change.Removed, Rows: []change.Row{removed("id", "int", "K"), removed("placed", "timestamp", "C↓")}},
	},
	Same: []change.Count{{Number: 5, Kind: "table"}, {Number: 1, Kind: "type"}, {Kind: "view"}},
	Statements: []change.Section{{Name: "0004_next.cql", Text: "-- Vehicle.Seats is new.\nALTER TYPE vehicle ADD seats tinyint;\n\n" +
		"CREATE TABLE IF NOT EXISTS vehicles_by_plate (\n    plate text PRIMARY KEY,\n    owner frozen<owner>\n);\n\n-- No struct is stored in orders any longer: its rows are lost.\nDROP TABLE orders;\n"}},
	Findings: []change.Finding{
		{Where: "0004_next.cql:2", Code: "MIG106", Message: "type vehicle gets a field seats, and column vehicles of customers stores it frozen: an older program that overwrites a whole value omits the field", Fix: "do not write the field before all running programs know it"},
		{Where: "0004_next.cql:10", Code: "MIG101", Message: "table orders is dropped: its rows are lost, and an older program that still uses it fails", Fix: "drop it in a release after the last one that uses it", Allowed: "the last program that uses it has ended"},
	},
	Notes: []string{"0004_next.cql: vehicles is filled in one step: writes of programs of the earlier release make it stale until it is filled again;\nwrite -- aml:backfill vehicles in a later file"},
}

// The legend explains the signs that occur in the picture, and no others.
func TestLegend(t *testing.T) {
	table := change.Object{Kind: "table", Name: "orders", Sign: change.Added, Rows: []change.Row{added("id", "int", "K"), added("at", "int", "C↓"), added("text", "text", "")}}
	for _, c := range []struct {
		of   []change.Object
		want string
	}{
		{[]change.Object{table}, "+ added    K partition key    C↓ clustering key, descending"},
		{[]change.Object{{Kind: "type", Name: "place", Sign: change.Changed, Rows: []change.Row{same("city", "text", ""), removed("zip", "int", "")}}}, "− removed"},
		{shop.Objects, "+ added    ~ changed    − removed    K partition key    C↑ clustering key, ascending    C↓ clustering key, descending    S static"},
	} {
		var texts []string
		for _, x := range (&change.Change{Of: "shop", Objects: c.of}).Picture().Texts {
			texts = append(texts, x.S)
		}
		require.Contains(t, texts, c.want)
	}
}

// hostile has a text that means something to Markdown, to XML or to a terminal at every place.
func hostile() change.Change {
	bad := "<script>alert(1)</script> | ``` `x` **b** @team #1 ]( & \" ' \u202e\x00\n## h" + strings.Repeat("long ", 60)
	c := cell(bad, bad, "K")
	return change.Change{
		Of: bad, From: bad, To: bad,
		Objects: []change.Object{
			{Kind: "table", Name: bad, Sign: change.Changed, Rows: []change.Row{same(bad, bad, "K"), added(bad, bad, ""), removed(bad, bad, "S"), altered(c, cell(bad+"2", bad, "C↓"))}},
			{Kind: "type", Name: bad, Sign: change.Added, Rows: []change.Row{added(bad, bad, "")}},
		},
		Statements: []change.Section{{Name: bad, Text: "-- " + bad + "\n```\n</pre>\n````\n"}},
		Findings:   []change.Finding{{Where: bad, Code: "MIG101", Message: bad, Fix: strings.Repeat("x", 500)}},
		Notes:      []string{bad},
	}
}

func TestGolden(t *testing.T) {
	none := change.Change{Of: "shop", Same: []change.Count{{Number: 2, Kind: "table"}}}
	bad := hostile()
	for name, c := range map[string]*change.Change{"shop": &shop, "none": &none, "hostile": &bad} {
		golden(t, name+".svg", c.Picture().SVG(false))
		golden(t, name+".md", []byte(c.Markdown()))
		require.Empty(t, geometry.Faults(c.Picture()), name)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "%s: go test ./codegen/diagram/change -update", name)
}

// A difference is marked by its sign, not only by its colour.
func TestSigns(t *testing.T) {
	signs := map[string]int{}
	for _, x := range shop.Picture().Texts {
		signs[x.S]++
	}
	require.Equal(t, []int{6, 4, 4}, []int{signs["+"], signs["−"], signs["~"]})
	for _, line := range []string{"| + | `email` |  | `text` |", "| − | `phone` | `text` |  |", "| ~ | `number` | `no` `int` C↑ | `int` C↑ |"} {
		require.Contains(t, shop.Markdown(), line+"\n")
	}
}

// Texts of a model are texts in every output.
func TestHostileTexts(t *testing.T) {
	c := hostile()
	elements := map[string]bool{}
	for d := xml.NewDecoder(strings.NewReader(string(c.Picture().SVG(true)))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok {
			elements[e.Name.Local] = true
		}
	}
	require.Equal(t, map[string]bool{"svg": true, "title": true, "desc": true, "rect": true, "text": true}, elements)

	text := c.Markdown()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| | |") {
			require.Len(t, regexp.MustCompile(`(^|[^\\])\|`).FindAllString(line, -1), 5, line)
		}
	}
	require.Contains(t, text, "\n`````cql\n")
	require.NotContains(t, text, "\u202e")
	require.NotContains(t, text, "\x00")
	_, findings, _ := strings.Cut(text, "### Findings")
	_, message, _ := strings.Cut(findings, ": ")
	require.NotRegexp(t, "[^\\\\][`*|#]|@[^<]|<[^!]", strings.NewReplacer("**", "", "### Notes", "").Replace(message))
}
