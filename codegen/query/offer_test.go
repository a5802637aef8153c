package query_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query"
	"github.com/cassaml/cassaml/internal/models"
)

// without returns a package without some of its structs.
func without(p *model.Package, names ...string) *model.Package {
	out := *p
	out.Structs = slices.DeleteFunc(slices.Clone(p.Structs), func(s *model.Struct) bool { return slices.Contains(names, s.Name) })
	out.Names = map[string]model.Pos{}
	return &out
}

// An order by user_id and order_id gets its offer: in the marketplace without the table that it has for this query, and in
// offer, whose store is generated from the offers as they are printed. A test of integration/store reads with it.
func TestOffers(t *testing.T) {
	t.Parallel()
	const dir = "../../integration/models/offer"
	loaded := models.Folders(t, "../../examples/marketplace/shop", dir)
	market := newChecker(t, without(loaded[0], "OrderByID"))
	text := "SELECT * FROM orders_by_user WHERE user_id = ? AND order_id = ?"
	q := market.Check(text, query.InFile("", text))[0]
	require.Empty(t, q.Method)
	require.NotNil(t, q.Offer, "%v", q.Faults)
	require.Equal(t, "s.OrdersByUserIDAndOrderID.Of(userID).OrderID(orderID).All(ctx)", q.Offer.Method)
	require.Equal(t, []string{"user_id", "order_id", "order_date"}, schema.Names(q.Offer.Table.Key()))

	source, err := os.ReadFile(filepath.Join(dir, "model.go"))
	require.NoError(t, err)
	declared := regexp.MustCompile(`//\n//aml:ignore .*\n`).ReplaceAllString(string(source), "")
	queries, err := os.ReadFile(filepath.Join(dir, "queries.cql"))
	require.NoError(t, err)
	root := newChecker(t, without(loaded[1], "OrderByUserIDAndOrderID", "OrderByLabel", "OrderByCouponAndOrderDate"))
	answered := newChecker(t, loaded[1])
	for i, q := range root.Check(string(queries), query.InFile("", string(queries))) {
		require.NotNil(t, q.Offer, "%v", q.Faults)
		require.Contains(t, declared, q.Offer.Source)
		require.Equal(t, q.Offer.Method, answered.Check(string(queries), query.InFile("", string(queries)))[i].Method, "with the aggregate, its table answers the query")
	}
}
