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
	for _, name := range []string{"pairs", "references-from-root", "references-from-element-list"} {
		require.Empty(t, found[name].Refused, name)
		require.True(t, found[name].Versioned, name)
		require.NotContains(t, found[name].Diff, "-\tVersion int64  `aml:\"version,version\"`\n \n", name)
	}
	plain := designs(t, strings.Replace(withCopies, "email,unique", "email", 1), "Book.AuthorID")
	require.Empty(t, plain["embedded-list"].Refused)
	require.False(t, plain["embedded-list"].Versioned)
}

// A field that follows the root of an element exists only in the designs whose element refers to its root.
func TestCopiesFollowTheReference(t *testing.T) {
	t.Parallel()
	for name, a := range designs(t, withCopies, "Book.AuthorID") {
		if a.Refused != "" {
			continue
		}
		has := strings.Contains(a.Files["model.go"], "copy=Author.Name")
		require.Equal(t, strings.HasPrefix(name, "reference-from-element"), has, name)
	}
}
