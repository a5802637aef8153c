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

// A file of the package that declares a type of a field is a part of each design, and one that declares nothing of the model is not.
func TestFilesOfADesign(t *testing.T) {
	t.Parallel()
	files := inMemory(t, strings.NewReplacer("ID      int32    $aml:\"id,identifier", "ID ID $aml:\"id,identifier", "ID      int32    $aml:\"id\"", "ID ID $aml:\"id\"", "int32  $aml:\"id,d", "ID $aml:\"id,d", "int32  $aml:\"id\"", "ID $aml:\"id\"").Replace(league))
	files.Texts["model.go"] = []byte(strings.Replace(string(files.Texts["model.go"]), "\tColors ", "\tNotes map[Note]int32 `aml:\"notes\"`\n\tColors ", 1))
	files.Texts["note.go"] = []byte("package shop\n\ntype Note string\n")
	files.Texts["id.go"], files.Texts["other.go"] = []byte("package shop\n\ntype ID int32\n"), []byte("package shop\n\ntype Other int32\n")
	l, err := alternatives.List(files, "Team.Players", alternatives.Config{})
	require.NoError(t, err)
	require.Equal(t, []string{"other.go"}, l.Omitted)
	require.Contains(t, l.Alternatives[0].Files, "id.go", l.Alternatives[0].Refused)
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

// Elements with several roots lose them in a design with one root, whatever the form in the model is. The names of two sides with two sets of references name no relationship.
func TestElementsWithSeveralRoots(t *testing.T) {
	t.Parallel()
	const only = "an element can have only one root"
	require.Contains(t, designs(t, references, "Team.PlayerNumbers")["embedded-list"].Loses, only)
	key := "TeamID int32 $aml:%team_id,identifier,association=Team%$;PlayerNumber int64 $aml:%player_number,discriminator,association=Player%$"
	require.Contains(t, designs(t, teamsAndPlayers+pair("Member", "members", key), "Member.TeamID")["embedded-list"].Loses, only)
	_, err := alternatives.List(inMemory(t, references), "Team.Players", alternatives.Config{})
	require.EqualError(t, err, "Team.Players: Team has no field Players; its relationships are Team.PlayerNumbers")
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
`
	found := designs(t, final, "Book.AuthorID")
	require.Empty(t, found["pairs"].Refused)
	require.NotContains(t, found["pairs"].Files["model.go"], "AuthorName")
	require.Contains(t, strings.Join(found["pairs"].Again, ""), "BookByTitle")
}
