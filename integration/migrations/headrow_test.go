package migrations

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/sale"
	"github.com/cassaml/cassaml/integration/models/sale/first"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/folder"
)

// serialReads counts the queries of a session at LOCAL_SERIAL.
type serialReads struct {
	driver.Session
	n atomic.Int32
}

func (s *serialReads) Query(ctx context.Context, q driver.Query) driver.Rows {
	if q.Consistency == driver.LocalSerial {
		s.n.Add(1)
	}
	return s.Session.Query(ctx, q)
}

// headRelease is a keyspace in which a root with parts has got head rows.
type headRelease struct {
	*releases
	copied func() error
}

// addHeads migrates the keyspace to the model with head rows, with the function that diff generates.
func (r *releases) addHeads() headRelease {
	r.t.Helper()
	plan := r.planFor("../models/sale")
	require.Equal(r.t, []string{"sales__version"}, plan.Generated)
	require.Len(r.t, plan.Funcs, 1)
	require.True(r.t, plan.Funcs[0].Complete(), plan.Funcs[0].Why)
	require.NoError(r.t, folder.Write(r.dir, "0002_heads.cql", plan.Text()))
	rows := newRows(plan.Funcs[0].Move)
	session := &serialReads{Session: gocqldriver.New(r.session)}
	run := func(ctx context.Context, _ driver.Session) error { return rows.Run(ctx, session) }
	config := migrate.Config{SerialConsistency: driver.LocalSerial, Backfills: sale.Backfills(), Funcs: map[string]migrate.Func{plan.Funcs[0].Name: run}}
	require.NoError(r.t, migrate.Up(r.t.Context(), gocqldriver.New(r.session), os.DirFS(r.dir), config))
	require.Equal(r.t, int32(5+1), session.n.Load(), "a read of each partition, and of the second page of one")
	require.Empty(r.t, r.planFor("../models/sale").Steps)
	return headRelease{r, func() error {
		if err := run(r.t.Context(), nil); err != nil {
			return err
		}
		return sale.Backfills()["sales__version"](r.t.Context(), gocqldriver.New(r.session), "", func(string) error { return nil })
	}}
}

// soldFirst writes sales with the store of the first release: two with offers, one without, one whose offers were deleted, and a deleted
// one. It returns their versions.
func soldFirst(t *testing.T, s *first.Store) map[int32]int64 {
	t.Helper()
	ctx := t.Context()
	for id := range int32(5) {
		note := fmt.Sprint("note ", id)
		v := &first.Sale{ID: id, Title: fmt.Sprint("sale ", id), Lot: fmt.Sprint("lot ", id), Seller: "ana"}
		offers := []*first.Offer{{SaleID: id, Cents: 1, Bidder: "bia", Note: &note}, {SaleID: id, Cents: 2, Bidder: ""}}
		switch id {
		case 0:
			for cents := range int64(30) { // more than a page
				offers = append(offers, &first.Offer{SaleID: id, Cents: 10 + cents, Bidder: "caio"})
			}
		case 2:
			offers = nil
		}
		require.NoError(t, s.Sales1.InsertWith(ctx, v, offers...))
	}
	versions := map[int32]int64{}
	for id := range int32(4) {
		v, err := s.Sales1.Update(ctx, id, func(v *first.Sale, p *first.SaleParts) error {
			if v.Highest, v.Seller = 7, "eva"; id == 3 {
				p.Offer.Of().CentsTo(9).Delete()
			}
			return nil
		})
		require.NoError(t, err)
		versions[id] = v.Version
	}
	require.NoError(t, s.Sales1.Delete(ctx, 4))
	return versions
}

// The function that diff generates for a root that gets head rows copies the root, its parts and its hidden columns, and the generated
// function writes the head rows: the store of the next release has the same rows with the same versions.
func TestHeadRowsAreAdded(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "write times of a map that is not frozen")
	ctx, r := t.Context(), newReleases(t)
	require.NoError(t, folder.Write(r.dir, "0001_init.cql", r.planFor("../models/sale/first").Text()))
	require.NoError(t, r.up())
	old, err := first.Open(ctx, r.session, mapper.Config{})
	require.NoError(t, err)
	versions := soldFirst(t, old)
	execute(t, r.session, fmt.Sprintf("INSERT INTO sales_by_seller (seller, id) VALUES ('old', 1) USING TIMESTAMP %d; UPDATE sales_1 SET aml_pending[0x%08x%x%08x%x%08x%08x] = %d WHERE id = 1 IF version != null",
		versions[1]-1, 15, "sales_by_seller", 3, "old", 4, 1, versions[1]))
	deleted := selectAll(t, r.session, "SELECT version, aml_deleted FROM sales_1 WHERE id = 4")
	heads := r.addHeads()

	require.Equal(t, deleted, selectAll(t, r.session, "SELECT version, aml_deleted FROM sales WHERE id = 4"))
	require.Empty(t, selectAll(t, r.session, "SELECT id FROM sales_by_seller WHERE seller = 'old'"), "a save that did not end had to delete it")
	require.NoError(t, heads.copied(), "the function is repeated")
	s, err := sale.Open(ctx, r.session, mapper.Config{})
	require.NoError(t, err)
	for id := range int32(4) {
		want, offers, err := old.Sales1.GetWithOffer(ctx, id)
		require.NoError(t, err)
		require.Equal(t, want.Version, versions[id])
		got, copied, err := s.Sales.GetWithOffer(ctx, id)
		require.NoError(t, err)
		require.Equal(t, (*sale.Sale)(want), got)
		require.Len(t, copied, len(offers))
		for i, o := range offers {
			require.Equal(t, (*sale.Offer)(o), copied[i])
		}
		_, err = s.SalesBySeller.Get(ctx, "eva", id)
		require.NoError(t, err)
	}
	for id := range 5 {
		require.Equal(t, []string{"1"}, selectAll(t, r.session, fmt.Sprintf("SELECT COUNT(*) FROM sales WHERE id = %d AND aml_part = false", id)), "the head row of %d", id)
	}
	heads.check(s, versions)
}

// check saves sales with the store of the next release.
func (r headRelease) check(s *sale.Store, versions map[int32]int64) {
	t, ctx := r.t, r.t.Context()
	report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4})
	require.NoError(t, err)
	require.Zero(t, report.Total(), "%v", report.Found)
	require.True(t, report.Clean())
	var taken *mapper.DuplicateError
	require.ErrorAs(t, s.Sales.Insert(ctx, &sale.Sale{ID: 9, Title: "t", Lot: "lot 1", Seller: "ana"}), &taken)
	require.NoError(t, s.Sales.Delete(ctx, 4))
	_, err = s.Sales.Get(ctx, 4)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	again := &sale.Sale{ID: 4, Title: "again", Lot: "lot 4", Seller: "ana"}
	require.NoError(t, s.Sales.Insert(ctx, again))
	require.Greater(t, again.Version, versions[3], "a deleted root keeps its version")
	changed, err := s.Sales.Update(ctx, 1, func(v *sale.Sale, p *sale.SaleParts) error {
		v.Count++
		p.Offer.Delete(1, "bia")
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, changed.Version, versions[1])
	_, offers, err := s.Sales.GetWithOffer(ctx, 1)
	require.NoError(t, err)
	require.Len(t, offers, 1)
}
