package gallery

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/internal/models"
)

// Each row of the page that says "the same" has a test that compares the pictures with what the publication shows, and no row has lost its test.
func TestTheSame(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs/gallery.md"))
	require.NoError(t, err)
	claims := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (.+) \| (the same\b.*) \|$`).FindAllStringSubmatch(string(page), -1) {
		claims[row[1]] = true
	}
	require.ElementsMatch(t, slices.Sorted(maps.Keys(claims)), slices.Sorted(maps.Keys(comparisons)), "a comparison for each row, and a row for each comparison")
	for row, compare := range comparisons {
		t.Run(row, compare)
	}
}

// comparisons compare pictures with the published diagrams, by what those show.
var comparisons = map[string]func(t *testing.T){
	"an aggregate as a package, with its name on a tab":                                                                               comparePackages,
	"the name of the aggregate before the name of each member: `Clientes::Veiculo`":                                                   compareMembers,
	"an entity with a thick border, a value object with a thin one":                                                                   compareBorders,
	"`/` before a static attribute":                                                                                                   compareStatic,
	"a mandatory attribute, underlined":                                                                                               compareMandatory,
	"the multiplicity after the type: `emails: string [*]`":                                                                           compareMultiplicity,
	"an association, as an open arrow to the other root":                                                                              compareAssociations,
	"`«final»` beside the name":                                                                                                       compareFinal,
	"the types of a logical model: int, str, real, date, bool":                                                                        compareTypes,
	"K, C↑, C↓, S, IDX and ++ beside the columns":                                                                                     compareMarks,
	"`[list]`, `{set}`, `<map>`, `*user-defined type*` around the names":                                                              compareBrackets,
	"the nine tables, with their keys":                                                                                                compareTables,
	"a logical diagram, of columns without types, and a physical one, with types":                                                     compareLogical,
	"names in Portuguese: Cliente, Veiculo, Placa, Cor, Nome, Emails, Telefones":                                                      compareNames,
	"a composition, as a line with a filled diamond at the whole and an arrow at the part":                                            compareCompositions,
	"`#` before an identifier, `~` before a discriminator with `{asc}` or `{desc}`, `-` before a unique value, `+` before the others": compareSigns,
	"a circle for a choice between compositions and associations: a dashed line to it, and the lines of the alternatives from it":     compareChoices,
}

// everything is a model with each construct of the language.
const everything = "codegen/diagram/testdata/market"

func approach(number string) string { return "examples/vehicles/approach" + number + "/fleet" }

// loaded are the models that a comparison has read, by folder.
var loaded = map[string]diagram.Model{}

// load returns the model of a folder.
func load(t *testing.T, folder string) diagram.Model {
	t.Helper()
	if m, ok := loaded[folder]; ok {
		return m
	}
	m, faults := model.Build(models.Folders(t, under(root, []string{folder})...)[0])
	require.False(t, model.Refused(faults))
	loaded[folder] = diagram.Model{Model: m, Schema: schema.New(m)}
	return loaded[folder]
}

// picture draws the model of a folder.
func picture(t *testing.T, folder string, n diagram.Notation, o diagram.Options) *diagram.Picture {
	t.Helper()
	drawings, err := diagram.Draw(n, []diagram.Model{load(t, folder)}, o)
	require.NoError(t, err)
	return drawings[0].Picture
}

// text returns the first text of a picture that a pattern matches.
func text(t *testing.T, p *diagram.Picture, pattern string) diagram.Text {
	t.Helper()
	i := slices.IndexFunc(p.Texts, func(x diagram.Text) bool { return regexp.MustCompile("^(?:" + pattern + ")$").MatchString(x.S) })
	require.GreaterOrEqual(t, i, 0, "no text %s", pattern)
	return p.Texts[i]
}

func within(b diagram.Box, x, y float64) bool {
	return b.X <= x && x <= b.X+b.W && b.Y <= y && y <= b.Y+b.H
}

// titled returns the box with a title.
func titled(t *testing.T, p *diagram.Picture, name string) diagram.Box {
	t.Helper()
	i := slices.IndexFunc(p.Boxes, func(b diagram.Box) bool { return b.Name == name })
	require.GreaterOrEqual(t, i, 0, "no box %s", name)
	return p.Boxes[i]
}

// The tab is at the upper left corner of a frame that contains the members.
func comparePackages(t *testing.T) {
	p := picture(t, approach("3"), diagram.AML, diagram.Options{})
	for name, members := range map[string][]string{"clientes": {"Cliente", "Veiculo"}, "veiculos": {"VeiculoPorPlaca", "Proprietario"}} {
		tab := text(t, p, name)
		frame := p.Boxes[slices.IndexFunc(p.Boxes, func(b diagram.Box) bool {
			return b.Group && b.X <= tab.X && tab.X < b.X+20 && tab.Y < b.Y && b.Y < tab.Y+20
		})]
		for _, m := range members {
			b := titled(t, p, m)
			require.True(t, within(frame, b.X, b.Y) && within(frame, b.X+b.W, b.Y+b.H), m)
		}
	}
}

func compareMembers(t *testing.T) {
	p := picture(t, approach("3"), diagram.AMLMembers, diagram.Options{})
	for _, name := range []string{"clientes::Cliente", "clientes::Veiculo", "veiculos::VeiculoPorPlaca"} {
		titled(t, p, name)
	}
}

func compareBorders(t *testing.T) {
	p := picture(t, approach("3"), diagram.AML, diagram.Options{})
	require.True(t, titled(t, p, "Cliente").Thick)
	require.False(t, titled(t, p, "Veiculo").Thick)
}

func compareSigns(t *testing.T) {
	p := picture(t, everything, diagram.AML, diagram.Options{})
	for _, row := range []string{`# ID: uuid`, `~ At: timestamp \{desc\}`, `~ ID: uuid \{asc\}`, `- Tags: text \[0\.\.20\]`, `- Code: text`, `\+ Level: .*`} {
		text(t, p, row)
	}
}

func compareStatic(t *testing.T) {
	text(t, picture(t, everything, diagram.AML, diagram.Options{}), `\+ /Country: text`)
}

func compareMandatory(t *testing.T) {
	p := picture(t, approach("1"), diagram.AML, diagram.Options{})
	require.True(t, text(t, p, `. Nome: text`).Underline)
	require.False(t, text(t, p, `. Cor: text`).Underline)
}

func compareMultiplicity(t *testing.T) {
	text(t, picture(t, approach("1"), diagram.AML, diagram.Options{}), `\+ Emails: text \[\*\]`)
}

// The line begins with an arrow at the part, and ends with a diamond at the whole.
func compareCompositions(t *testing.T) {
	p := picture(t, approach("1"), diagram.AML, diagram.Options{})
	whole, part := titled(t, p, "Cliente"), titled(t, p, "Veiculo")
	require.True(t, slices.ContainsFunc(p.Lines, func(l diagram.Line) bool {
		first, last := l.Points[0], l.Points[len(l.Points)-1]
		return within(part, first.X, first.Y) && l.Start == diagram.Arrow && within(whole, last.X, last.Y) && l.End == diagram.Diamond
	}))
}

func compareAssociations(t *testing.T) {
	p := picture(t, approach("7"), diagram.AML, diagram.Options{})
	target := titled(t, p, "Cliente")
	require.True(t, slices.ContainsFunc(p.Lines, func(l diagram.Line) bool {
		last := l.Points[len(l.Points)-1]
		return l.End == diagram.Arrow && !l.Dashed && within(target, last.X, last.Y)
	}))
}

func compareChoices(t *testing.T) {
	p := picture(t, everything, diagram.AML, diagram.Options{})
	circle := p.Boxes[slices.IndexFunc(p.Boxes, func(b diagram.Box) bool { return b.Round })]
	dashed, ends := 0, map[diagram.Marker]int{}
	for _, l := range p.Lines {
		first, last := l.Points[0], l.Points[len(l.Points)-1]
		switch {
		case within(circle, first.X, first.Y) && first.Y == circle.Y:
			require.True(t, l.Dashed && l.Start == diagram.Plain && l.End == diagram.Plain)
			dashed++
		case within(circle, first.X, first.Y) || within(circle, last.X, last.Y):
			ends[l.End]++
		}
	}
	require.Equal(t, 1, dashed)
	require.Equal(t, map[diagram.Marker]int{diagram.Diamond: 1, diagram.Arrow: 2}, ends)
}

func compareFinal(t *testing.T) {
	text(t, picture(t, everything, diagram.AML, diagram.Options{}), `\+ Email: text «final»`)
}

func compareTypes(t *testing.T) {
	p := picture(t, everything, diagram.AML, diagram.Options{Types: diagram.Logical})
	for _, row := range []string{`\+ Slot: int`, `\+ Name: str`, `# Day: date`, `\+ Matrix: list<real> \[0\.\.3\]`} {
		text(t, p, row)
	}
}

func compareNames(t *testing.T) {
	p := picture(t, approach("1"), diagram.AML, diagram.Options{})
	for _, name := range []string{"Cliente", "Veiculo", ". Placa:.*", ". Cor:.*", ". Nome:.*", ". Emails:.*", ". Telefones:.*"} {
		text(t, p, name)
	}
}

// compareTables compares the tables of the library with the published ones: the order of the columns of the key, and their marks.
func compareTables(t *testing.T) {
	p := picture(t, "examples/library/catalogue", diagram.Chebotko, diagram.Options{})
	data, err := os.ReadFile("testdata/library.txt")
	require.NoError(t, err)
	count := 0
	for line := range strings.Lines(string(data)) {
		table, columns, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		count++
		rows := marked(p, titled(t, p, table))
		var key []string
		for _, c := range strings.Split(columns, ", ") {
			require.Contains(t, rows, c, table)
			if strings.Contains(c, " K") || strings.Contains(c, " C") {
				key = append(key, c)
			}
		}
		require.Equal(t, key, rows[:len(key)], table)
		require.NotRegexp(t, ` [KC]`, strings.Join(rows[len(key):], ","), table)
	}
	require.Equal(t, 9, count)
	drawn := 0
	for _, b := range p.Boxes {
		if b.Name != "" && !strings.HasPrefix(b.Name, "*") {
			drawn++
		}
	}
	require.Equal(t, 9, drawn)
}

// marked returns the rows of a table: the name of the column, and its marks.
func marked(p *diagram.Picture, table diagram.Box) (rows []string) {
	y := -1.0
	for _, x := range p.Texts {
		switch {
		case !within(table, x.X, x.Y) || x.S == table.Name:
		case x.Y != y:
			rows, y = append(rows, x.S), x.Y
		case regexp.MustCompile(`^(K|C↑|C↓|S|IDX|\+\+)( |$)`).MatchString(x.S):
			rows[len(rows)-1] += " " + x.S
		}
	}
	return rows
}

func compareMarks(t *testing.T) {
	p := picture(t, everything, diagram.Chebotko, diagram.Options{})
	for table, row := range map[string]string{
		"visits": "at C↓", "payments": "country S", "sales": "count ++", "members": "since IDX", "books": "shelf K", "gold_customers": "id K", "visits_by_page": "at C↑",
	} {
		require.Contains(t, marked(p, titled(t, p, table)), row, table)
	}
}

func compareBrackets(t *testing.T) {
	p := picture(t, everything, diagram.Chebotko, diagram.Options{})
	for _, name := range []string{"[cards]", "{tags}", "<scores>", "*home*"} {
		require.Contains(t, marked(p, titled(t, p, "customers")), name)
	}
}

func compareLogical(t *testing.T) {
	types := map[diagram.Notation]int{}
	for _, n := range []diagram.Notation{diagram.Chebotko, diagram.ChebotkoLogical} {
		for _, x := range picture(t, "examples/library/catalogue", n, diagram.Options{}).Texts {
			if x.S == "uuid" || x.S == "text" || x.S == "list<text>" {
				types[n]++
			}
		}
	}
	require.Positive(t, types[diagram.Chebotko])
	require.Zero(t, types[diagram.ChebotkoLogical])
}
