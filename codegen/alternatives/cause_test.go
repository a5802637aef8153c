package alternatives_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/alternatives"
)

// A change of a field that other roots follow reads each partition of the reverse table, and reads and saves each of these roots. A change of another field does neither.
func TestChangeOfAFollowedField(t *testing.T) {
	t.Parallel()
	rename := func(declarations string) *alternatives.Cost {
		return designs(t, declarations, "Book.AuthorID")["reference-from-element"].Costs[alternatives.Rename]
	}
	// 5 requests and the read of each of 1 or 2 partitions, and 4 for each Book
	require.Equal(t, 5+1+4*30, rename(withCopies).Requests)
	require.Equal(t, 5+2+4*100_000, rename(strings.Replace(withCopies, "rows=30", "rows=100000", 1)).Requests)
	require.Equal(t, 2, rename(strings.Replace(withCopies, "copy=Author.Name", "copy=Author.Email", 1)).Requests)
}

// A part that the relationship does not concern has no rows: only a deletion sends requests for it; without versions, the read of a page.
func TestPartsWithoutRows(t *testing.T) {
	t.Parallel()
	const version = "Version int64 $aml:\"version,version\"$"
	for _, x := range []struct{ design, table, version string }{
		{"embedded-list-total", "shelves", ""}, {"references-from-root", "shelves", ""}, {"reference-from-element-table", "shelves", ""},
		{"embedded-list-total-versioned", "shops", version},
	} {
		declarations := strings.NewReplacer("TABLE", x.table, "VERSION", x.version).Replace(withShelves)
		before, _, _ := strings.Cut(declarations, "type Shelf ")
		with, without := designs(t, declarations, "Shop.Products")[x.design], designs(t, before, "Shop.Products")[x.design]
		require.Empty(t, with.Refused, x.design)
		for _, o := range alternatives.Operations() {
			want := without.Costs[o]
			if want == nil || o == alternatives.Delete || x.version != "" && o == alternatives.Insert { // these have other requests
				continue
			}
			require.Equal(t, want.Requests, with.Costs[o].Requests, "%s %s", x.design, o)
			require.Equal(t, want.Statements, with.Costs[o].Statements, "%s %s", x.design, o)
		}
		if x.version == "" {
			require.Equal(t, without.Costs[alternatives.Delete].Requests+1, with.Costs[alternatives.Delete].Requests, x.design)
		}
	}
}

const withShelves = `
type Shop struct {
	aml.Aggregate $aml:"shops"$

	ID       int32     $aml:"id,identifier"$
	Name     string    $aml:"name"$
	Products []Product $aml:"products,composition,max=5"$
	VERSION
}

type Product struct {
	aml.Entity $aml:"product"$

	SKU   string $aml:"sku,identifier"$
	Price int32  $aml:"price"$
}

type Shelf struct {
	aml.Entity $aml:"TABLE,part=Shop,rows=2"$

	ID   int32  $aml:"id,identifier"$
	Row  int32  $aml:"shelf,discriminator"$
	Hall string $aml:"hall,required"$
}

type ShelfByHall struct {
	aml.Aggregate $aml:"shelves_by_hall,redundant=Shelf"$

	Hall string $aml:"hall,identifier"$
	ID   int32  $aml:"id,discriminator"$
	Row  int32  $aml:"shelf,discriminator"$
}
`
