package alternatives_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/alternatives"
)

const league = `
type Team struct {
	aml.Aggregate $aml:"teams"$

	League  string   $aml:"league,identifier"$
	ID      int32    $aml:"id,identifier"$
	Title   string   $aml:"title,required"$
	Colors  []string $aml:"colors,unique"$
	Players []Player $aml:"players,composition,max=5"$
}

type Player struct {
	aml.Entity $aml:"player"$

	Number int32  $aml:"number,identifier"$
	From   string $aml:"league"$
}

type TeamPlayers struct {
	aml.Aggregate $aml:",of=Team"$

	League  string   $aml:"league"$
	ID      int32    $aml:"id"$
	Players []Player $aml:"players,composition"$
}

type ByFrom struct {
	aml.Aggregate $aml:"by_from,redundant=Team.Players,distinct"$

	From   string $aml:"league,identifier"$
	ID     int32  $aml:"id,discriminator,from=Team.ID"$
	League string $aml:"of,discriminator,from=Team.League"$
	Number int32  $aml:"number,discriminator"$
}

type ByFromShort struct {
	aml.Aggregate $aml:",of=ByFrom"$

	From string $aml:"league"$
	ID   int32  $aml:"id"$
}
`

// The fields of the root keep their types and the order of the key in each design, views of the relationship are written again, and a static field is not the one
// that a program renames.
func TestFieldsOfTheRoot(t *testing.T) {
	t.Parallel()
	found := designs(t, league, "Team.Players")
	text := func(design string) string {
		require.Empty(t, found[design].Refused, design)
		return strings.Join(strings.Fields(found[design].Files["model.go"]), " ")
	}
	require.Contains(t, text("inverse"), "Title string `aml:\"title,required\"` Colors []string `aml:\"colors,unique\"`")
	require.Contains(t, text("parts"), "TeamLeague string `aml:\"team_league,identifier\"` ID int32 `aml:\"id,identifier\"` Number int32 `aml:\"number,discriminator\"`")
	seasons := designs(t, strings.Replace(league, "\tTitle ", "\tSeason string $aml:\"season,static\"$\n\tRank int32 $aml:\"rank,discriminator\"$\n\tTitle ", 1), "Team.Players")
	require.Equal(t, "Title", seasons["pairs"].Calls[alternatives.Rename][0].Field)
	again := strings.Join(found["pairs"].Again, " ")
	for _, name := range []string{": TeamPlayers", ": ByFrom", ": ByFromShort"} {
		require.Contains(t, again+" ", name+" ")
	}
	l, err := alternatives.List(inMemory(t, league), "Team.Players", alternatives.Config{ManyToMany: true})
	require.NoError(t, err)
	for _, a := range l.Alternatives {
		require.True(t, a.ManyToMany, a.Name)
	}
}

const tablesOfLeagues = `
type ByBoth struct {
	aml.Aggregate $aml:"by_both,redundant=Team.Players"$

	Number int32  $aml:"number,identifier"$
	ID     int32  $aml:"id,identifier,from=Team.ID"$
	League string $aml:"of,identifier,from=Team.League"$
}

type TeamByTitle struct {
	aml.Aggregate $aml:"teams_by_title,redundant=Team"$

	Title  string   $aml:"title,identifier"$
	League string   $aml:"league,discriminator"$
	ID     int32    $aml:"id,discriminator"$
	Info   TeamInfo $aml:"info,composition,from=Team"$
}

type TeamInfo struct {
	Players []Player $aml:"players,composition"$
}

type Ground struct {
	City string
	Spot Spot $aml:"spot,composition"$
}

type Spot struct {
	aml.ValueObject $aml:"spot"$

	Street string
}
`

// A redundant table whose key has more than the key of an element must be declared again, as must one that contains the elements in a struct: it is not the table of the elements by
// their keys. A struct in the keys of a map is kept.
func TestTablesThatAreNotByTheKey(t *testing.T) {
	t.Parallel()
	declarations := strings.Replace(league, "\tColors ", "\tGrounds map[Ground]string $aml:\"grounds\"$\n\tColors ", 1) + tablesOfLeagues
	l, err := alternatives.List(inMemory(t, declarations), "Team.Players", alternatives.Config{})
	require.NoError(t, err)
	require.Equal(t, "embedded-list", l.Current())
	for _, a := range build(t, inMemory(t, declarations)).Aggregates {
		if a.Struct.Name == "ByBoth" {
			require.Empty(t, l.ReadOperation(a))
		}
	}
	for _, a := range l.Alternatives {
		if a.Name == "parts" || a.Name == "pairs" {
			require.Empty(t, a.Refused, a.Name)
			require.Contains(t, a.Files["model.go"], "type Spot struct", a.Name)
			require.Contains(t, strings.Join(a.Again, ""), ": ByBoth", a.Name)
			require.Contains(t, strings.Join(a.Again, ""), ": TeamByTitle", a.Name)
		}
	}
}

// The largest partition is one of the tables of the relationship, and of the tables that these need, whatever their names are.
func TestLargestPartition(t *testing.T) {
	t.Parallel()
	const logs = "\ntype Log struct {\n\taml.Aggregate $aml:\"teams__log,rows=100000\"$\n\n\tID int32 $aml:\"id,identifier\"$\n\tAt int32 $aml:\"at,discriminator\"$\n}\n"
	found := designs(t, strings.Replace(league, "\"teams\"", "\"teams__old\"", 1)+logs, "Team.Players")
	require.Equal(t, "by_from", found["embedded-list"].Largest.Table)
	require.Equal(t, "teams__old", found["embedded-map"].Largest.Table)
	require.Equal(t, "teams__old_by_player", found["references-from-root-list"].Largest.Table, found["references-from-root-list"].Refused)
	found = designs(t, strings.Replace(withCopies, "rows=30", "rows=3000", 1), "Book.AuthorID")
	require.Equal(t, "books__author_id_refs", found["reference-from-element-checked"].Largest.Table)
}

// The names of structs, tables and fields follow from those of the model, and a table of parts has another name than that of its root.
func TestNamesOfDesigns(t *testing.T) {
	t.Parallel()
	for name, several := range map[string]string{"Class": "Classes", "Box": "Boxes", "Waltz": "Waltzes", "Branch": "Branches", "Wish": "Wishes", "City": "Cities", "Day": "Days", "Y": "Ys", "Map": "Maps"} {
		l, err := alternatives.List(inMemory(t, strings.ReplaceAll(withEmbedded, "Player", name)), "Team."+name+"s", alternatives.Config{})
		require.NoError(t, err)
		require.Contains(t, l.Title(), "many "+several+";")
	}
	edited := func(design, from, to string) *alternatives.Alternative {
		declarations := strings.NewReplacer("[]byte", "string", ",type=blob", "").Replace(withEmbedded)
		require.Contains(t, declarations, from)
		a := designs(t, strings.Replace(declarations, from, to, 1), "Team.Players")[design]
		require.Empty(t, a.Refused, design)
		return a
	}
	require.Contains(t, edited("parts", "players,composition", "teams,composition").CQL, " teams_parts (")
	require.Contains(t, edited("parts", "Note string $aml:\"note\"$", "ID string $aml:\"nr\"$").Files["model.go"], "\tTeamID string `aml:\"team_id,identifier\"`")
	require.Contains(t, edited("reference-from-element", "players,composition", "'joueurs-é',composition").CQL, " joueurs__ (")
	both := edited("embedded-list-partial", "$aml:\"note\"$", "$aml:\"note,identifier\"$")
	require.Contains(t, both.Files["model.go"], "type PlayerByCodeAndNote struct {\n\taml.Aggregate `aml:\"players_by_code_note,")
}

// A redundant table has the fields of the elements with their types.
func TestFieldsOfTheTables(t *testing.T) {
	t.Parallel()
	const note, fields = "Note string $aml:\"note\"$", "Tags []string $aml:\"tags,unique\"$\n\tBorn time.Time $aml:\"born,type=date\"$\n\tHome Place $aml:\"home,composition\"$"
	found := designs(t, strings.NewReplacer(note, fields, "[]byte", "string", ",type=blob", "").Replace(withEmbedded), "Team.Players")
	for _, name := range []string{"embedded-list-partial", "embedded-list-total", "reference-from-element-table"} {
		require.Empty(t, found[name].Refused, name)
		text := found[name].Files["model.go"]
		_, text, _ = strings.Cut(text, map[bool]string{true: "type PlayerByTeam struct", false: "type PlayerByCode struct"}[name == "reference-from-element-table"])
		require.Contains(t, strings.Join(strings.Fields(text), " "), "Tags []string `aml:\"tags,unique\"` Born time.Time `aml:\"born,type=date\"` Home Place `aml:\"home,composition\"`", name)
	}
}

// The fields that identify an element are those of its qualifier, or the first one that is required.
func TestIdentityOfElements(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]string{
		"Tags []string $aml:\"tags,required\"$\n\tName string\n\tCode string $aml:\"code,required\"$": "Code",
		"Code string $aml:\"code,required\"$\n\tName string $aml:\"name,required\"$":                  "Code",
		"Code *int32\n\tName string $aml:\"name\"$":                                                   "Name",
	} {
		options := map[bool]string{true: "composition,qualifier=Name", false: "composition"}[want == "Name"]
		l, err := alternatives.List(inMemory(t, "\ntype Team struct {\n\taml.Aggregate $aml:\"teams\"$\n\n\tID int32 $aml:\"id,identifier\"$\n\tPlayers []Player $aml:\"players,"+options+"\"$\n}\n\ntype Player struct {\n\t"+fields+"\n}\n"), "Team.Players", alternatives.Config{})
		require.NoError(t, err)
		require.Len(t, l.Element.Key, 1)
		require.Equal(t, want, l.Element.Key[0].Name)
	}
}

// A file of the package that declares a type of a field is a part of each design, and one that declares nothing of the model is not.
func TestFilesOfADesign(t *testing.T) {
	t.Parallel()
	files := inMemory(t, strings.NewReplacer("ID      int32    $aml:\"id,identifier", "ID ID $aml:\"id,identifier", "ID      int32    $aml:\"id\"", "ID ID $aml:\"id\"", "int32  $aml:\"id,d", "ID $aml:\"id,d", "int32  $aml:\"id\"", "ID $aml:\"id\"").Replace(league))
	files.Texts["model.go"] = []byte(strings.Replace(string(files.Texts["model.go"]), "\tColors ", "\tNotes map[Note]int32 `aml:\"notes\"`\n\tColors ", 1))
	files.Texts["note.go"] = []byte("package shop\n\ntype  Note  string\n")
	files.Texts["id.go"], files.Texts["other.go"] = []byte("package shop\n\ntype ID int32\n"), []byte("package shop\n\ntype Other int32\n")
	l, err := alternatives.List(files, "Team.Players", alternatives.Config{})
	require.NoError(t, err)
	require.Equal(t, []string{"other.go"}, l.Omitted)
	require.Contains(t, l.Alternatives[0].Files, "id.go", l.Alternatives[0].Refused)
	for _, a := range l.Alternatives {
		require.NotContains(t, a.Diff, "note.go", "no design edits it, and it is not formatted")
	}
}

const guarded = `
type Team struct {
	aml.Aggregate $aml:"teams"$

	ID      int32    $aml:"id,identifier"$
	Title   string   $aml:"title,required%"$
	Players []Player $aml:"players,composition,max=5"$
	Version int64    $aml:"version,version"$
}

type Player struct {
	aml.Entity $aml:"player"$

	Number int32  $aml:"number,identifier"$
	Email  string $aml:"email%"$
}
`

// Elements in the row of a root with a version lose it in a table of their own without one. A reference that is not checked can lose its target, although both sides
// have versions.
func TestGuaranteesOfElements(t *testing.T) {
	t.Parallel()
	found := designs(t, strings.ReplaceAll(guarded, "%", ""), "Team.Players")
	require.Contains(t, strings.Join(found["pairs"].Loses, "\n"), "it drops the version of Player")
	for _, name := range []string{"parts-in-root-versioned", "embedded-map-versioned", "reference-from-element-checked"} {
		require.Empty(t, found[name].Loses, name)
	}
	for _, field := range []string{"Home int32 $aml:\"home,association=Team,checked\"$", "Home int32 $aml:\"home,association=Team\"$\n\tTitle string $aml:\"title,copy=Team.Title\"$"} {
		others := designs(t, strings.ReplaceAll(guarded, "%", "")+"\ntype Match struct {\n\taml.Aggregate $aml:\"matches\"$\n\n\tID int32 $aml:\"id,identifier\"$\n\t"+field+"\n\tVersion int64 $aml:\"version,version\"$\n}\n", "Team.Players")
		require.Empty(t, others["pairs"].Refused, "another root needs the version of Team")
	}
	needed := designs(t, strings.ReplaceAll(guarded, "%", ",unique"), "Team.Players")
	require.Contains(t, strings.Join(needed["reference-from-element"].Loses, "\n"), "it does not check the references: ")
	require.NotContains(t, strings.Join(found["reference-from-element"].Loses, "\n"), "it does not check the references", "the dropped version says it")
}

const references = `
type Team struct {
	aml.Aggregate $aml:"teams"$

	ID            int32   $aml:"id,identifier"$
	PlayerNumbers []int32 $aml:"player_numbers,unique,association=Player"$
}

type Player struct {
	aml.Aggregate $aml:"players"$

	Number  int32   $aml:"number,identifier"$
	TeamIDs []int32 $aml:"team_ids,unique,association=Team"$
	Left    []int32 $aml:"left,unique,association=Team"$
}
`

// Elements with several roots lose them in a design with one root, whatever the form in the model is. The names of two sides of which one has two sets of references name the set of the other.
func TestElementsWithSeveralRoots(t *testing.T) {
	t.Parallel()
	const only = "an element can have only one root"
	require.Contains(t, designs(t, references, "Team.PlayerNumbers")["embedded-list"].Loses, only)
	reordered := strings.NewReplacer("TeamIDs []int32", "Left []int32", "team_ids,", "left,", "Left    []int32", "TeamIDs []int32", "left,", "team_ids,").Replace(references)
	require.Contains(t, designs(t, reordered, "Team.PlayerNumbers")["embedded-list"].Loses, only)
	both := designs(t, reordered, "Team.PlayerNumbers")["references-from-root"].Files["model.go"]
	require.NotContains(t, both, "TeamIDs ")
	require.Contains(t, both, "Left ", "it is another set of references")
	l, err := alternatives.List(inMemory(t, strings.Replace(references, "PlayerNumbers", "Squad", 1)), "Team.Squad", alternatives.Config{})
	require.NoError(t, err)
	require.Equal(t, alternatives.FromRoot, l.Form, "the names are not those of two sets with one meaning")
	key := "TeamID int32 $aml:%team_id,identifier,association=Team%$;PlayerNumber int64 $aml:%player_number,discriminator,association=Player%$"
	require.Contains(t, designs(t, teamsAndPlayers+pair("Member", "members", key), "Member.TeamID")["embedded-list"].Loses, only)
	l, err = alternatives.List(inMemory(t, references), "Team.Players", alternatives.Config{})
	require.NoError(t, err)
	require.Equal(t, "Team.PlayerNumbers", l.Name)
	_, err = alternatives.List(inMemory(t, strings.Replace(references, ",unique,association=Player", "", 1)), "Team.Players", alternatives.Config{})
	require.EqualError(t, err, "Team.Players: Team has no field Players; its relationships are none")
}

// A field that copies one of the root that never changes exists only where the element refers to its root, and a redundant table with a condition on the reference is written again.
func TestFieldsThatFollowTheReference(t *testing.T) {
	t.Parallel()
	final := strings.NewReplacer("name\"$", "name,final\"$", "AuthorID   int32 ", "AuthorID   *int32 ", ",rows=30", "", "AuthorName string", "AuthorName *string").Replace(withCopies) + `
type BookByTitle struct {
	aml.Aggregate $aml:"books_by_title,redundant=Book,when=Book.AuthorID"$

	Title string $aml:"title,identifier"$
	ISBN  string $aml:"isbn,discriminator"$
}

type BookByISBN struct {
	aml.Aggregate $aml:"books_by_isbn,redundant=Book,when=Book.AuthorID"$

	ISBN string $aml:"isbn,identifier"$
}
`
	found := designs(t, final, "Book.AuthorID")
	require.Empty(t, found["pairs"].Refused)
	require.NotContains(t, found["pairs"].Files["model.go"], "AuthorName")
	require.Contains(t, strings.Join(found["pairs"].Again, ""), "BookByTitle")
	require.Contains(t, strings.Join(found["pairs"].Again, ""), "BookByISBN")
	plain := designs(t, strings.NewReplacer(",unique", "", "\tVersion int64  $aml:\"version,version\"$\n", "", "\tVersion    int64  $aml:\"version,version\"$\n", "").Replace(final), "Book.AuthorID")["reference-from-element-table"]
	require.Empty(t, plain.Refused)
	require.NotContains(t, plain.Files["model.go"], "version,version", "a field that never changes needs none")
}
