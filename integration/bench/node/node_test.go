package node

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/bench/account"
	"github.com/cassaml/cassaml/integration/bench/invoice"
	"github.com/cassaml/cassaml/integration/bench/match"
	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

func TestMain(m *testing.M) { cassandra.Main(m) }

// connect returns a client in a keyspace with the tables of all its loads, without rows.
func connect(t *testing.T) *Client {
	t.Helper()
	session := storetest.SharedTables(t, order.Schema+lookupTable+account.Schema+match.Schema)
	cluster := cassandra.Test(t).Cluster()
	cluster.Keyspace = session.Query("", nil).Keyspace()
	c, err := Connect(context.Background(), cluster)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// held returns a worker's rows as JSON from the server, table by table, and deletes them.
func held(t *testing.T, c *Client, o *order.Order) (rows []string) {
	t.Helper()
	for _, table := range order.Tables() {
		it := c.session.Session.Query("SELECT JSON * FROM " + table.Name).Iter()
		for text := ""; it.Scan(&text); {
			if strings.Contains(text, o.Customer.String()) {
				rows = append(rows, table.Name+" "+text)
			}
		}
		require.NoError(t, it.Close())
		require.NoError(t, c.session.ExecStmt("TRUNCATE "+table.Name))
	}
	return rows
}

// Every variant writes the same rows: all do the same work.
func TestVariantsWriteTheSameRows(t *testing.T) {
	c := connect(t)
	o := own(3)
	for _, work := range []struct {
		name string
		op   func(variant) measure.Op
		rows int
	}{
		{"insert", func(v variant) measure.Op { return v.insert(o) }, 1},
		{"write4", func(v variant) measure.Op { return v.write4(o) }, 4},
	} {
		require.NoError(t, work.op(byHand{c})())
		want := held(t, c, o)
		require.Len(t, want, work.rows)
		for _, v := range []variant{cassaml{c}, newGocqlx(c), floor{Client: c}, floor{c, true}, cassamlOverApache(c), byApache{c.apache.session}} {
			require.NoError(t, work.op(v)())
			require.Equal(t, want, held(t, c, o), "%s by %T", work.name, v)
		}
	}
}

// Every variant of an insert with a checked reference checks the target and records the reference.
func TestVariantsCheckReferences(t *testing.T) {
	c := connect(t)
	require.NoError(t, c.create(t.Context(), invoice.Schema))
	s, err := invoice.Open(t.Context(), c.session, mapper.Config{})
	require.NoError(t, err)
	for _, v := range c.inserters(s) {
		of := &invoice.Customer{ID: newID()}
		require.Error(t, v.insert(&invoice.Invoice{ID: newID(), Customer: of.ID}), v.name)
		require.NoError(t, s.Customers.Insert(t.Context(), of))
		require.NoError(t, v.insert(&invoice.Invoice{ID: newID(), Customer: of.ID}), v.name)
		var held *mapper.HeldError
		require.ErrorAs(t, s.Customers.Delete(t.Context(), of.ID), &held, v.name)
	}
	loads, err := c.ReferenceLoads(t.Context(), 1)
	require.NoError(t, err)
	for _, l := range loads {
		op, err := l.Worker(0)
		require.NoError(t, err)
		require.NoError(t, op())
	}
}

// An update changes the row: the total is greater afterwards; the floor writes prepared bytes.
func TestVariantsUpdateTheTotal(t *testing.T) {
	c := connect(t)
	o := own(3)
	for _, v := range []variant{cassaml{c}, newGocqlx(c), byHand{c}, cassamlOverApache(c), byApache{c.apache.session}} {
		require.NoError(t, v.insert(o)())
		update := v.update(o)
		require.NoError(t, update())
		require.NoError(t, update())
		got, err := c.alone.Get(t.Context(), o.Customer, o.Placed, o.Number)
		require.NoError(t, err)
		want := *o
		want.Total += 2
		require.Equal(t, &want, got, "%T", v)
	}
	require.NoError(t, floor{Client: c}.update(o)())
	got, err := c.alone.Get(t.Context(), o.Customer, o.Placed, o.Number)
	require.NoError(t, err)
	require.Equal(t, o, got)
}

// Every load runs, several concurrently, and makes at least one round trip.
func TestLoads(t *testing.T) {
	c := connect(t)
	versioned, err := c.VersionedLoads(t.Context(), []int{2}, []int{3})
	require.NoError(t, err)
	ofParts, err := c.PartLoads(t.Context(), 2)
	require.NoError(t, err)
	results, err := measure.RunLoads(slices.Concat(c.Loads(2), versioned, ofParts), measure.Config{Rounds: 1, Slice: time.Microsecond})
	require.NoError(t, err)
	require.Len(t, results, 8*7+6+4*3+2+4*5-1)
	for _, r := range results {
		require.GreaterOrEqual(t, r.RoundTrips, 1.0, "%s by %s", r.Work, r.Variant)
		require.Positive(t, r.P50)
	}
}

// An incomplete page is an error, not a figure.
func TestReadsCountTheirRows(t *testing.T) {
	c := connect(t)
	require.NoError(t, c.session.ExecStmt("TRUNCATE orders"))
	require.NoError(t, c.session.ExecStmt("TRUNCATE orders_by_store"))
	for _, v := range []variant{cassaml{c}, newGocqlx(c), byHand{c}, floor{Client: c}, floor{c, true}, eachFloor{floor{Client: c}}, cassamlOverApache(c), byApache{c.apache.session}} {
		require.EqualError(t, v.page(order.Sample())(), "node: 0 rows are read, want 100", "%T", v)
		require.Error(t, v.get(order.Sample())(), "%T", v)
		want := "node: 0 rows are read, want 20"
		if _, each := v.(eachFloor); each {
			want = "node: 0 rows are read, want 5"
		}
		require.EqualError(t, v.merge(order.Sample())(), want, "%T", v)
	}
}

// Every variant saves an account in the same way, and leaves the same rows; a member's row is the same, too.
func TestVersionedVariantsWriteTheSameRows(t *testing.T) {
	c := connect(t)
	_, err := c.VersionedLoads(t.Context(), []int{1}, nil)
	require.NoError(t, err)
	rows := func() (all []string) {
		for table, columns := range map[string][]string{"accounts": accountColumns[:10], "members": accountColumns[:10], "accounts_by_email": byEmail, "accounts_by_store": byStore} {
			it := c.session.Session.Query("SELECT JSON " + strings.Join(columns, ", ") + " FROM " + table).Iter()
			for text := ""; it.Scan(&text); {
				all = append(all, table+" "+text)
			}
			require.NoError(t, it.Close())
			require.NoError(t, c.session.ExecStmt("TRUNCATE "+table))
		}
		slices.Sort(all)
		return all
	}
	a, m := newAccount(), newMember()
	var want []string
	for _, v := range []saver{savesByHand{c}, saves{c.accounts}} {
		require.NoError(t, v.create(a))
		require.NoError(t, v.change(a)())
		require.NoError(t, v.update(a)())
		require.NoError(t, v.claim(func() *account.Member { return m })())
		got := rows()
		require.Len(t, got, 4)
		if want == nil {
			want = got
		}
		require.Equal(t, want, got, "%T", v)
	}
}

// The figures of a scan are those of one page. Its latency and its throughput are, too.
func TestPerPage(t *testing.T) {
	page := measure.LoadResult{Work: "page", InFlight: ScanParallel, CPU: 7, Allocs: 7, Bytes: 7}
	scan := measure.LoadResult{Work: "scan", InFlight: 1, CPU: 4e6, Allocs: 400, Bytes: 4006, RoundTrips: 8, P50: 4e9, P99: 8e9, Throughput: 1}
	require.Equal(t, []measure.LoadResult{page, {
		Work: "scan", InFlight: ScanParallel, CPU: 1e6, Allocs: 100, Bytes: 1002, RoundTrips: 2, P50: 1e9, P99: 2e9, Throughput: 1,
	}}, PerPage([]measure.LoadResult{page, scan}, 4*PageRows))
}

// Every variant of a scan reads all rows: its operation returns an error otherwise.
func TestVariantsScanAllRows(t *testing.T) {
	c := connect(t)
	loads, err := c.ScanLoads(t.Context(), 3*PageRows)
	require.NoError(t, err)
	require.Len(t, loads, 7+5)
	for _, l := range loads {
		op, err := l.Worker(0)
		require.NoError(t, err)
		require.NoError(t, op(), "%s by %s", l.Work, l.Variant)
	}
	_, err = c.ScanLoads(t.Context(), 7)
	require.EqualError(t, err, "node: 7 rows: use a multiple of 100")
}

// Every variant writes the same rows of parts and of their copies.
func TestPartVariantsWriteTheSameRows(t *testing.T) {
	c := connect(t)
	_, err := c.PartLoads(t.Context(), 1)
	require.NoError(t, err)
	rows := func() (all []string) {
		for _, table := range []string{"rounds", "guests", "guests_by_name", "players", "players_by_tag"} {
			it := c.session.Session.Query("SELECT JSON * FROM " + table).Iter()
			for text := ""; it.Scan(&text); {
				all = append(all, table+" "+text)
			}
			require.NoError(t, it.Close())
			require.NoError(t, c.session.ExecStmt("TRUNCATE "+table))
		}
		return all
	}
	var want []string
	for _, v := range []parts{partsByHand{c}, partsOfStore{c.matches}} {
		for _, work := range partWorks {
			op := work.op(v, 7)
			for range 2 {
				require.NoError(t, op(), work.name)
			}
		}
		got := rows()
		require.NotContains(t, strings.Join(got, ""), "guest 1", "the row of the first name is deleted")
		if want == nil {
			want = got
		}
		require.Len(t, got, 2+1+1+1+1+2)
		require.Equal(t, want, got, "%T", v)
	}
}
