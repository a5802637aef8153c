package alternatives_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/alternatives"
)

const withCopies = `
type Author struct {
	aml.Aggregate $aml:"authors"$

	ID      int32  $aml:"id,identifier"$
	Name    string $aml:"name"$
	Email   string $aml:"email,unique"$
	Version int64  $aml:"version,version"$
}

type Book struct {
	aml.Aggregate $aml:"books"$

	ISBN       string $aml:"isbn,identifier"$
	Title      string $aml:"title"$
	AuthorID   int32  $aml:"author_id,association=Author,rows=30"$
	AuthorName string $aml:"author_name,copy=Author.Name"$
	Version    int64  $aml:"version,version"$
}
`

// designs returns the designs of a relationship by their names.
func designs(t *testing.T, declarations, name string) map[string]*alternatives.Alternative {
	t.Helper()
	l, err := alternatives.List(inMemory(t, declarations), name, alternatives.Config{})
	require.NoError(t, err)
	out := map[string]*alternatives.Alternative{}
	for _, a := range l.Alternatives {
		out[a.Name] = a
	}
	return out
}

// A root keeps its version in a plain design if a unique value needs it, and the plain design is then the same as the one with versions.
func TestVersionThatIsNeeded(t *testing.T) {
	t.Parallel()
	found := designs(t, withCopies, "Book.AuthorID")
	for _, name := range []string{"embedded-list", "embedded-list-partial", "parts-in-root"} {
		require.Equal(t, "the model needs a version, so it is the same as "+name+"-versioned", found[name].Refused, name)
		require.True(t, found[name].Versioned, name)
	}
	for _, name := range []string{"pairs", "pairs-unique-versioned", "references-from-root", "references-from-element-list"} {
		require.Empty(t, found[name].Refused, name)
		require.True(t, found[name].Versioned, name)
		require.NotContains(t, found[name].Diff, "-\tVersion int64  `aml:\"version,version\"`\n \n", name)
	}
	plain := designs(t, strings.Replace(withCopies, "email,unique", "email", 1), "Book.AuthorID")
	require.Empty(t, plain["embedded-list"].Refused)
	require.False(t, plain["embedded-list"].Versioned)
}

// A relationship is listed by its two sides, too, as the workload of aml advise names it.
func TestRelationshipByItsSides(t *testing.T) {
	t.Parallel()
	l, err := alternatives.List(inMemory(t, withCopies), "Author.Books", alternatives.Config{})
	require.NoError(t, err)
	require.Equal(t, "Book.AuthorID", l.Name)
	_, err = alternatives.List(inMemory(t, withCopies), "Author.Pages", alternatives.Config{})
	require.ErrorContains(t, err, "Author.Pages: Author has no field Pages; its relationships are none")
}

// A field that follows the root of an element exists only in the designs whose element refers to its root.
func TestCopiesFollowTheReference(t *testing.T) {
	t.Parallel()
	found := designs(t, withCopies, "Book.AuthorID")
	require.Empty(t, found["pairs"].Refused)
	for name, a := range found {
		if a.Refused != "" {
			continue
		}
		has := strings.Contains(a.Files["model.go"], "copy=Author.Name")
		require.Equal(t, strings.HasPrefix(name, "reference-from-element"), has, name)
		if has {
			require.Contains(t, a.Files["model.go"], ",rows=30\"`", name)
		}
	}
}

// The comments of new structs, the reasons of refused operations and the faults have the article of a name.
func TestArticles(t *testing.T) {
	t.Parallel()
	found := designs(t, withCopies, "Book.AuthorID")
	require.Contains(t, found["pairs"].Files["model.go"], "is a pair: an Author has a Book.")
	require.Contains(t, found["inverse-copied-versioned"].Files["model.go"], "has the fields of an Author that the row of a Book contains.")
	require.Equal(t, "no table finds the elements of an Author", found["inverse"].No[alternatives.ReadByRoot])
	require.Contains(t, strings.Join(found["reference-from-element"].Overlaps, "\n"), "can refer to an Author that does not exist")
}

// A unique value of an element needs a version on the root in whose row the element is, and on the element where it is a root.
func TestVersionThatAnElementNeeds(t *testing.T) {
	t.Parallel()
	found := designs(t, `
type Team struct {
	aml.Aggregate $aml:"teams"$

	ID      int32    $aml:"id,identifier"$
	Players []Player $aml:"players,composition,max=5"$
	Version int64    $aml:"version,version"$
}

type Player struct {
	aml.Entity $aml:"player"$

	Number int32  $aml:"number,identifier"$
	Email  string $aml:"email,unique"$
}
`, "Team.Players")
	require.Equal(t, "the model needs a version, so it is the same as embedded-list-versioned", found["embedded-list"].Refused)
	for _, name := range []string{"pairs", "reference-from-element", "references-from-element-list"} {
		require.Empty(t, found[name].Refused, name)
		require.Contains(t, found[name].Files["model.go"][strings.Index(found[name].Files["model.go"], "type Player struct"):], "version,version", name)
	}
}

// The design of the model is that with its tables and versions.
func TestCurrentDesign(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]string{
		"quickstart/shop":                   "embedded-list-total",
		"vehicles/approach1/fleet":          "embedded-list",
		"vehicles/approach1map/fleet":       "embedded-map",
		"vehicles/approach2/fleet":          "embedded-list-partial",
		"vehicles/approach3versioned/fleet": "embedded-list-total-versioned",
		"vehicles/approach6/fleet":          "references-from-root",
		"vehicles/approach7checked/fleet":   "reference-from-element-checked",
		"vehicles/approach8/fleet":          "pairs",
	} {
		name := relationships[folder]
		if folder == "vehicles/approach2/fleet" {
			name = "Cliente.Veiculos"
		}
		require.Equal(t, want, list(t, examples+folder, name).Current(), folder)
	}
}
