package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	library "github.com/cassaml/cassaml/examples/library/catalogue"
	"github.com/cassaml/cassaml/examples/marketplace/shop"
	quickstart "github.com/cassaml/cassaml/examples/quickstart/shop"
	approach2 "github.com/cassaml/cassaml/examples/vehicles/approach2/fleet"
	approach3 "github.com/cassaml/cassaml/examples/vehicles/approach3/fleet"
	approach5 "github.com/cassaml/cassaml/examples/vehicles/approach5/fleet"
	approach8 "github.com/cassaml/cassaml/examples/vehicles/approach8/fleet"
	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/projection/computed"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/migrate"
)

// copied is a compiled model with redundant tables.
type copied struct {
	name, dir string
	backfills map[string]migrate.Backfill
	insert    func(*testing.T, gocqlx.Session, storetest.Draw)
}

// copiedModels have every kind of copy.
var copiedModels = []copied{
	{"jobs", "../models/workshop", workshop.Backfills(), func(t *testing.T, s gocqlx.Session, d storetest.Draw) {
		c := storetest.NewChain(t, storetest.OpenJobs(t, s, mapper.Config{}))
		c.Draw = d
		for n := range c.Jobs {
			c.Jobs[n] = c.Change(n, storetest.ChainKey(n), 30)
			storetest.InsertJobs(t, c.Store, c.Jobs[n])
		}
		storetest.InsertJobs(t, c.Store, storetest.Changed(storetest.Brakes(), func(j *workshop.Job) {
			j.ID, j.Tools = storetest.JobID(99), []workshop.Tool{{Serial: "s9", Bought: storetest.Date(2026, 1, 2)}}
		}))
	}},
	{"stock", "../models/stock", stock.Backfills(), insertStock},
	{"computed", "../projection/computed", computed.Backfills(), insertComputed},
}

var copiedExamples = []copied{
	{"catalogue", "../../examples/library/catalogue", library.Backfills(), insertCatalogue},
	{"shop", "../../examples/marketplace/shop", shop.Backfills(), insertShop},
	{"quickstart", "../../examples/quickstart/shop", quickstart.Backfills(), func(t *testing.T, s gocqlx.Session, d storetest.Draw) {
		store, err := quickstart.Open(t.Context(), s, mapper.Config{})
		require.NoError(t, err)
		for n := range byte(5) {
			v := &quickstart.Customer{ID: storetest.JobID(n), Name: d.Text("Ana", "Rui")}
			for _, plate := range d.Some("a", "b", "c") {
				v.Vehicles = append(v.Vehicles, quickstart.Vehicle{Plate: fmt.Sprint(plate, n), Color: d.Text("", "blue")})
			}
			v.Vehicles = append(v.Vehicles, quickstart.Vehicle{Plate: fmt.Sprint(n)})
			require.NoError(t, store.Customers.Insert(t.Context(), v))
		}
	}},
	{"approach2", "../../examples/vehicles/approach2/fleet", approach2.Backfills(), func(t *testing.T, s gocqlx.Session, d storetest.Draw) {
		store, err := approach2.Open(t.Context(), s, mapper.Config{})
		require.NoError(t, err)
		for n := range int32(5) {
			v := &approach2.Cliente{ID: n, Nome: d.Text("Ana", "Rui"), Emails: d.Some("x", "y"), Veiculos: []approach2.Veiculo{{Placa: fmt.Sprint(n), Cor: d.Text("", "azul")}}}
			require.NoError(t, store.Clientes.Insert(t.Context(), v))
		}
	}},
	{"approach3", "../../examples/vehicles/approach3/fleet", approach3.Backfills(), func(t *testing.T, s gocqlx.Session, d storetest.Draw) {
		store, err := approach3.Open(t.Context(), s, mapper.Config{})
		require.NoError(t, err)
		for n := range int32(5) {
			v := &approach3.Cliente{ID: n, Nome: d.Text("Ana", "Rui"), Veiculos: []approach3.Veiculo{{Placa: fmt.Sprint(n), Cor: d.Text("", "azul")}}}
			require.NoError(t, store.Clientes.Insert(t.Context(), v))
		}
	}},
	{"approach5", "../../examples/vehicles/approach5/fleet", approach5.Backfills(), func(t *testing.T, s gocqlx.Session, d storetest.Draw) {
		store, err := approach5.Open(t.Context(), s, mapper.Config{})
		require.NoError(t, err)
		for n := range 9 { // several vehicles of one client, with different names
			v := &approach5.Veiculo{Placa: fmt.Sprint(n), Cor: d.Text("", "azul"), Cliente: approach5.Proprietario{ID: d.Int32N(4), Nome: d.Text("Ana", "Rui", "Eva")}}
			require.NoError(t, store.Veiculos.Insert(t.Context(), v))
		}
	}},
	{"approach8", "../../examples/vehicles/approach8/fleet", approach8.Backfills(), func(t *testing.T, s gocqlx.Session, d storetest.Draw) {
		store, err := approach8.Open(t.Context(), s, mapper.Config{})
		require.NoError(t, err)
		for n := range int32(9) { // only a key
			require.NoError(t, store.ClientesVeiculos.Insert(t.Context(), &approach8.ClienteVeiculo{IDCliente: n / 2, Placa: fmt.Sprint(n)}))
		}
	}},
}

func insertStock(t *testing.T, s gocqlx.Session, d storetest.Draw) {
	store, err := stock.Open(t.Context(), s, mapper.Config{})
	require.NoError(t, err)
	whole := crate()
	whole.ID = 98
	require.NoError(t, store.Crates.Insert(t.Context(), &whole))
	for n := range int32(12) {
		c := crate()
		c.Hall, c.ID, c.Manager = d.Text("north", "south"), n, d.Text("", "Rui", "Ana")
		c.Name, c.Weight, c.Sealed = d.Text("", "glass"), d.Int32N(3), d.IntN(2) == 0
		c.Sender, c.Labels = storetest.PickOne(d, nil, c.Sender, &stock.Party{City: "Olinda"}), d.Some("frail", "up", "old")
		c.Prices = storetest.PickOne(d, nil, c.Prices, map[string]int64{"sea": int64(n)})
		c.Route, c.Stamp = storetest.PickOne(d, nil, c.Route, c.Route[:1]), storetest.PickOne(d, stock.Party{}, c.Stamp)
		c.Ship = storetest.PickOne(d, nil, c.Ship)
		require.NoError(t, store.Crates.Insert(t.Context(), &c))
	}
	for n := range int32(5) {
		v := &stock.Visit{Visitor: fmt.Sprint(n), Gate: d.Text("east", "west"), Badge: "b"}
		of := store.Visits
		if n%2 == 0 { // a TTL shorter than that of the table
			of = store.With(mapper.Options{TTL: 20 * time.Minute}).Visits
		}
		require.NoError(t, of.Insert(t.Context(), v))
		item := &stock.Item{Hall: d.Text("east", "west"), Place: n, Name: d.Text("", "vase"), Colors: d.Some("red", "green"), Shape: [3]float32{float32(n), 1}}
		if n == 0 {
			item.Colors = []string{"red"}
		}
		require.NoError(t, store.Items.Insert(t.Context(), item))
		key := stock.Key{Serial: fmt.Sprint("k", n), Teeth: "x", Holder: d.Text("Ana", "Rui")}
		require.NoError(t, store.Lockers.Insert(t.Context(), &stock.Locker{Code: fmt.Sprint(n), Row: n, Lock: "l",
			Spares: map[string]stock.Key{fmt.Sprint("s", n): key}, Keys: []stock.Key{key}}))
		require.NoError(t, store.Guards.Insert(t.Context(), &stock.Guard{ID: n, Name: d.Text("", "Ana", "Rui"), Rank: d.Int32N(3)}))
	}
	brief := crate()                                    // deleted, in tables whose other rows remain
	brief.ID, brief.Manager, brief.Labels = 99, "", nil // without values that other crates need
	require.NoError(t, store.With(mapper.Options{TTL: time.Hour}).Crates.Insert(t.Context(), &brief))
}

func insertComputed(t *testing.T, s gocqlx.Session, d storetest.Draw) {
	store, err := computed.Open(t.Context(), s, mapper.Config{})
	require.NoError(t, err)
	for n := range int32(9) {
		require.NoError(t, store.Videos.Insert(t.Context(), &computed.Video{ID: n, Minutes: d.Int32N(200), Title: d.Text("", "a", "ü")}))
		require.NoError(t, store.Posts.Insert(t.Context(), &computed.Post{ID: n, Text: d.Text("", "a b", "b b c"), Likes: d.Int32N(2) + n%2}))
		status := storetest.PickOne(d, computed.Done, computed.Waiting, "")
		require.NoError(t, store.Errands.Insert(t.Context(), &computed.Errand{ID: n, Status: &status, Title: d.Text("", "a")}))
		require.NoError(t, store.Pledges.Insert(t.Context(), &computed.Pledge{ID: n, Email: d.Text("a", "b"), Status: computed.Done, Note: d.Text("", "a")}))
		require.NoError(t, store.Tasks.Insert(t.Context(), &computed.Task{ID: n, Open: n%2 == 0, Mine: n%3 == 0}))
		entry := &computed.Entry{Path: fmt.Sprintf("%s/%d", d.Text("a", "b"), n), Size: 1 + d.Int32N(9), Hidden: n%2 == 0}
		require.NoError(t, store.Entries.Insert(t.Context(), entry))
		stops := storetest.PickOne(d, nil, map[string]string{"a": "xx", "d": "x"}, map[string]string{"b": "", "c": "x"})
		require.NoError(t, store.Trips.Insert(t.Context(), &computed.Trip{ID: n, Stops: stops, Pace: d.Int32N(3)}))
	}
	require.NoError(t, store.Trips.Insert(t.Context(), &computed.Trip{ID: 99, Stops: map[string]string{"a": "x"}, Pace: 1}))
	require.NoError(t, store.Posts.Insert(t.Context(), &computed.Post{ID: 99, Text: "loud", Likes: 1}))
	open := computed.Running
	require.NoError(t, store.Errands.Insert(t.Context(), &computed.Errand{ID: 99, Status: &open, Title: "a"}))
}

func insertCatalogue(t *testing.T, s gocqlx.Session, d storetest.Draw) {
	store, err := library.Open(t.Context(), s, mapper.Config{})
	require.NoError(t, err)
	for n := range byte(8) {
		a := &library.Artifact{ArtifactID: storetest.JobID(n), Type: "paper", Title: d.Text("A", "B"), Authors: append(d.Some("x", "y"), "z"), Keywords: d.Some("k", "l", "m"),
			VenueName: d.Text("SIGMOD", "VLDB"), Year: 2010 + d.Int32N(3)}
		require.NoError(t, store.Artifacts.Insert(t.Context(), a))
		l := &library.Like{ArtifactID: a.ArtifactID, UserID: storetest.JobID(n % 3), UserName: "u", Email: d.Text("", "e"), Areas: append(d.Some("db", "os"), "nets"),
			Type: a.Type, Title: a.Title, Authors: a.Authors, VenueName: a.VenueName, Year: a.Year}
		require.NoError(t, store.UsersByArtifact.Insert(t.Context(), l))
	}
}

func insertShop(t *testing.T, s gocqlx.Session, d storetest.Draw) {
	store, err := shop.Open(t.Context(), s, mapper.Config{})
	require.NoError(t, err)
	for n := range byte(8) {
		o := &shop.Order{UserID: storetest.JobID(n % 3), OrderDate: time.Unix(int64(d.IntN(9)), 0), OrderID: storetest.JobID(n), Status: d.Text("new", "sent"), Total: inf.NewDec(int64(n), 2),
			ShipTo: shop.Address{Street: "Rua", City: "Recife", ZIP: d.Text("", "5"), Country: "BR"}}
		if n%2 == 0 {
			o.Items = []shop.Item{{ProductID: gocql.UUID{15: n + 1}, Price: inf.NewDec(1, 0), Quantity: int32(n)}}
		}
		require.NoError(t, store.OrdersByUser.Insert(t.Context(), o))
	}
}
