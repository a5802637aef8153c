package values

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/integration/models/shipment"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
	"github.com/cassaml/cassaml/migrate/copydata"
)

func decimal(text string) *inf.Dec {
	d, ok := new(inf.Dec).SetString(text)
	if !ok {
		panic(text + " is not a decimal")
	}
	return d
}

// nan is a NaN with other bits than the canonical one.
func nan(payload uint64) float64 { return math.Float64frombits(0x7ff8000000000000 | payload) }

func newOffer() *shipment.Offer {
	bundle := shipment.Bundle{Numbers: map[int32]struct{}{1: {}, -1: {}}, Names: map[int32]string{7: "b", -7: "a"}, Total: decimal("3.00")}
	return &shipment.Offer{Shop: "s", Price: decimal("1.00"), Weight: nan(1), Amount: decimal("5.0"), Rates: []*inf.Dec{decimal("2.50")},
		Levels: map[float64]string{nan(2): "x"}, Bundle: bundle, Bundles: []shipment.Bundle{bundle},
		Day: time.Date(2020, 6, 8, 0, 0, 0, 0, time.FixedZone("", 14*3600))}
}

// exactKeyspace opens a keyspace of a real node with the tables of package shipment.
func exactKeyspace(t *testing.T) (gocqlx.Session, *shipment.Store) {
	t.Helper()
	session := storetest.OwnTables(t, storetest.SchemaFile(t, "../models/shipment"))
	store, err := shipment.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	return session, store
}

func scaled(in []*inf.Dec) (out []string) {
	for _, d := range in {
		out = append(out, d.String())
	}
	return out
}

// exactCopies returns the number of rows of the two copies with an amount and a rate.
func exactCopies(t *testing.T, s *shipment.Store, amount, rate string) (byAmount, byRate int) {
	t.Helper()
	for _, err := range s.OffersByAmount.Of(decimal(amount)).All(t.Context()) {
		require.NoError(t, err)
		byAmount++
	}
	for _, err := range s.OffersByRate.Of(decimal(rate)).All(t.Context()) {
		require.NoError(t, err)
		byRate++
	}
	return byAmount, byRate
}

// testEqualValues writes and reads values that Cassandra treats as equal, in different encodings.
func testEqualValues(t *testing.T, s *shipment.Store) {
	ctx := t.Context()
	require.NoError(t, s.Offers.Insert(ctx, newOffer()))
	again := newOffer()
	again.Price, again.Weight = decimal("1.0"), nan(3)
	require.NoError(t, s.Offers.Put(ctx, again), "the same row")
	rows := 0
	for o, err := range s.Offers.Of("s").PriceFrom(decimal("1.000")).All(ctx) {
		require.NoError(t, err)
		require.Equal(t, "1 NaN 5.0 2.5 3.00 3", strings.Join([]string{o.Price.String(), "NaN", o.Amount.String(), o.Rates[0].String(), o.Bundle.Total.String(), o.Bundles[0].Total.String()}, " "))
		require.True(t, math.IsNaN(o.Weight))
		require.Equal(t, "2020-06-08", o.Day.Format(time.DateOnly))
		rows++
	}
	require.Equal(t, 1, rows)
	byAmount, byRate := exactCopies(t, s, "5", "2.500")
	require.Equal(t, [2]int{1, 1}, [2]int{byAmount, byRate})

	change := func(f func(*shipment.Offer)) *shipment.Offer {
		o, err := s.Offers.Update(ctx, "s", decimal("1"), nan(0), func(o *shipment.Offer) error { f(o); return nil })
		require.NoError(t, err)
		return o
	}
	change(func(o *shipment.Offer) {
		o.Amount, o.Rates, o.Levels = decimal("5.00"), []*inf.Dec{decimal("2.500"), decimal("4")}, map[float64]string{nan(9): "y"}
	})
	o, err := s.Offers.Get(ctx, "s", decimal("1.0000"), math.NaN())
	require.NoError(t, err)
	require.Equal(t, "5.00", o.Amount.String(), "a value that is in no key keeps its scale")
	require.Equal(t, []string{"2.5", "4"}, scaled(o.Rates))
	require.Len(t, o.Levels, 1)
	byAmount, byRate = exactCopies(t, s, "5.0", "2.5")
	require.Equal(t, [2]int{1, 1}, [2]int{byAmount, byRate})
	change(func(o *shipment.Offer) { o.Amount, o.Rates = decimal("6.0"), []*inf.Dec{decimal("4.0")} })
	byAmount, byRate = exactCopies(t, s, "5", "2.5")
	require.Equal(t, [2]int{0, 0}, [2]int{byAmount, byRate})

	var broken *mapper.ConstraintError
	again.Rates = []*inf.Dec{decimal("1.0"), decimal("1.00")}
	require.ErrorAs(t, s.Offers.Put(ctx, again), &broken)
	require.Equal(t, []mapper.Violation{{Path: "Rates", Problem: "holds two equal elements"}}, broken.Violations)
	require.NotEmpty(t, broken.Key)
	require.NoError(t, s.Offers.SetLevels(ctx, "s", decimal("1.00"), nan(5), map[float64]string{nan(6): "z"}))
	byAmount, byRate = exactCopies(t, s, "6", "4")
	require.Equal(t, [2]int{1, 1}, [2]int{byAmount, byRate})
	require.NoError(t, s.Offers.Delete(ctx, "s", decimal("1.00"), nan(7)))
	byAmount, byRate = exactCopies(t, s, "6", "4")
	require.Equal(t, [2]int{0, 0}, [2]int{byAmount, byRate})
	_, err = s.Offers.Get(ctx, "s", decimal("1"), nan(0))
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// Decimals of different scales and NaNs of different bits are one value in keys, in the keys of copies, as elements of sets
// and as keys of maps, on a real node and in memory.
func TestEqualValuesAreOne(t *testing.T) {
	t.Parallel()
	store, err := shipment.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	testEqualValues(t, store)
	session, store := exactKeyspace(t)
	testEqualValues(t, store)
	t.Run("rows of another program", func(t *testing.T) { testOffersOfAnother(t, session, store) })
	t.Run("equal encodings", func(t *testing.T) { testEqualOnANode(t, session) })
}

// testOffersOfAnother reads, changes and backfills rows that another program wrote in other encodings.
func testOffersOfAnother(t *testing.T, session gocqlx.Session, s *shipment.Store) {
	ctx := t.Context()
	require.NoError(t, s.Offers.Insert(ctx, newOffer()))
	var shop string
	require.NoError(t, session.Session.Query("SELECT shop FROM offers WHERE bundle = {numbers: {-1, 1}, names: {-7: 'a', 7: 'b'}, total: 3.00} ALLOW FILTERING").Scan(&shop),
		"sets and maps in a UDT have the order of a literal in the server")
	var text string
	require.NoError(t, session.Session.Query("SELECT JSON day FROM offers").Scan(&text))
	require.Contains(t, text, "2020-06-08")

	storetest.Execute(t, session, `INSERT INTO offers (shop, price, weight, amount, rates) VALUES ('other', 2.00, 1, 5.00, {7.0, 8})`)
	for table, fill := range shipment.Backfills() {
		storetest.Execute(t, session, "TRUNCATE "+table)
		require.NoError(t, fill(ctx, gocqldriver.New(session), "", storetest.NoSave), table)
	}
	byAmount, byRate := exactCopies(t, s, "5.0", "7")
	require.Equal(t, [2]int{2, 1}, [2]int{byAmount, byRate})
	_, err := s.Offers.Update(ctx, "other", decimal("2"), 1, func(o *shipment.Offer) error { o.Rates = o.Rates[1:]; return nil })
	require.NoError(t, err)
	o, err := s.Offers.Get(ctx, "other", decimal("2"), 1)
	require.NoError(t, err)
	require.Equal(t, []string{"8"}, scaled(o.Rates))
	_, byRate = exactCopies(t, s, "5", "7")
	require.Zero(t, byRate)

	storetest.Execute(t, session, `CREATE TABLE moved (amount decimal, shop text, PRIMARY KEY (amount, shop))`)
	require.NoError(t, copydata.Rows{From: "offers", To: "moved", Columns: []copydata.Column{{From: "amount", To: "amount"}, {From: "shop", To: "shop"}}}.Run(ctx, gocqldriver.New(session)))
	var moved int
	require.NoError(t, session.Session.Query("SELECT count(*) FROM moved WHERE amount = 5").Scan(&moved))
	require.Equal(t, 2, moved, "a copy of a migration has the keys that a store looks for")

	storetest.Execute(t, session, `UPDATE offers SET means = 'card', cash = 5 WHERE shop = 'other' AND price = 2 AND weight = 1`)
	_, err = s.Offers.Get(ctx, "other", decimal("2"), 1)
	requireDamagedChoice(t, err)
	storetest.Execute(t, session, "TRUNCATE offers")
}

func requireDamagedChoice(t *testing.T, err error) {
	t.Helper()
	var damaged *mapper.DecodeError
	require.ErrorAs(t, err, &damaged)
	require.Equal(t, []string{"offers", "means", "names an alternative that has no value, but cash has one"}, []string{damaged.Table, damaged.Column, damaged.Problem})
	require.Contains(t, damaged.Key, "shop='other'")
}

// A row whose xor column names an alternative without a value is an error with package memory, too.
func TestDamagedChoiceInMemory(t *testing.T) {
	t.Parallel()
	backend := memory.New(memory.Config{})
	store, err := shipment.OpenBackend(t.Context(), backend)
	require.NoError(t, err)
	plain := gen.Table{Name: "offers", Aggregate: "Plain", Partition: 1, Key: 3, Columns: []gen.Column{
		{Name: "shop", Kind: gen.PartitionKey, Type: "text"}, {Name: "price", Kind: gen.ClusteringKey, Type: "decimal"}, {Name: "weight", Kind: gen.ClusteringKey, Type: "double"},
		{Name: "means", Kind: gen.Regular, Type: "text"}, {Name: "cash", Kind: gen.Regular, Type: "bigint"},
	}}
	db, err := gen.OpenBackend(t.Context(), backend, &gen.Schema{Tables: []*gen.Table{&plain}})
	require.NoError(t, err)
	type row struct{ means string }
	codec := &gen.Codec[row]{Table: &plain, Encode: func(e *gen.Encoder, v *row) {
		e.Text("other")
		e.Decimal(decimal("2"))
		e.Double(1)
		e.Text(v.means)
		e.Bigint(5)
	}}
	other := gen.NewRoot(db, codec, gen.Link(gen.Aggregate{Root: &plain}))
	require.NoError(t, gen.Insert(t.Context(), other, &row{"card"}))
	_, err = store.Offers.Get(t.Context(), "other", decimal("2"), 1)
	requireDamagedChoice(t, err)
	require.NoError(t, gen.Insert(t.Context(), other, &row{"cash"}))
	_, err = store.Offers.Get(t.Context(), "other", decimal("2"), 1)
	require.NoError(t, err)
}

// testEqualOnANode finds the encodings that a node treats as equal.
func testEqualOnANode(t *testing.T, session gocqlx.Session) {
	storetest.Execute(t, session, `CREATE TYPE pair (a int, b decimal);
		CREATE TABLE equals (k int PRIMARY KEY, decimals set<decimal>, varints set<varint>, doubles set<double>, pairs set<frozen<pair>>, vectors set<frozen<vector<float, 2>>>)`)
	for column, c := range map[string]struct {
		elements string
		want     int
	}{
		"decimals": {"{1.0, 1.00, 1e0, 0.10e1, 0.0, 0e9, -0.00}", 2},
		"varints":  {"{blobAsVarint(0x01), blobAsVarint(0x0001), blobAsVarint(0xff), blobAsVarint(0xffff)}", 2},
		"doubles":  {"{blobAsDouble(0x7ff8000000000000), blobAsDouble(0x7ff8000000000001), blobAsDouble(0xfff8000000000000), 0.0, -0.0}", 3},
		"pairs":    {"{{a: 1, b: 1.0}, {a: 1, b: 1.00}}", 1},
		"vectors":  {"{[1, NaN], [1, NaN], [1, -0.0], [1, 0]}", 3},
	} {
		storetest.Execute(t, session, "INSERT INTO equals (k, "+column+") VALUES (1, "+c.elements+")")
		n := 0
		require.NoError(t, session.Session.Query("SELECT collection_count("+column+") FROM equals WHERE k = 1").Scan(&n))
		require.Equal(t, c.want, n, column)
	}
}
