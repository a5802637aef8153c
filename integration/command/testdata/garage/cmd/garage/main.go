// Garage is a program that uses a generated store.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"math/big"
	"os"
	"strings"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/scylladb/gocqlx/v2/qb"

	"example.com/garage"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
)

func main() {
	ctx := context.Background()
	cluster := gocql.NewCluster(strings.Split(os.Getenv("CASSANDRA_HOSTS"), ",")...)
	cluster.Keyspace, cluster.Timeout, cluster.WriteCoalesceWaitTime = os.Getenv("KEYSPACE"), 30*time.Second, 0
	session, err := gocqlx.WrapSession(cluster.CreateSession())
	check(err)
	defer session.Close()

	migrations, err := fs.Sub(garage.Migrations, "migrations")
	check(err)
	config := migrate.Config{Backfills: garage.Backfills()}
	check(migrate.Up(ctx, gocqldriver.New(session), migrations, config))
	check(migrate.Up(ctx, gocqldriver.New(session), migrations, config)) // a second start applies nothing
	store, err := garage.Open(ctx, session, mapper.Config{})
	check(err)

	opened := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	id, err := gocql.ParseUUID("0f3c5d1e-5a7b-4c7d-9e0f-000000000001")
	check(err)
	phone := "555"
	repair := &garage.Repair{
		Garage: "Recife", Year: 2026, Opened: opened, ID: id, Plate: "ABC1234", State: "open",
		Mechanic: &garage.Mechanic{Name: "Rui", Phone: &phone},
		Parts: map[string]garage.Part{
			"brake": {Price: 100, Maker: "Alfa", Since: opened}, "lamp": {Price: 7, Maker: "Luz"},
		},
		Tags: map[string]struct{}{"urgent": {}, "night": {}}, Notes: []string{"noise", "noise"},
		Hours: map[string][]float32{"rui": {1.5, 2}}, Total: big.NewInt(-107), Photos: [][]byte{{1, 2}, {}},
		Bill: garage.Bill{Amount: 107}, Seen: map[gocql.UUID]string{id: "yes"},
	}
	check(store.Repairs.Insert(ctx, repair))
	got, err := store.Repairs.Get(ctx, "Recife", 2026, opened, id)
	check(err)
	fmt.Println("read back equal:", fmt.Sprintf("%+v %v", got.Parts, got.Notes) == fmt.Sprintf("%+v %v", readable(repair).Parts, repair.Notes), *got.Mechanic.Phone, got.Total, got.Photos, got.Bill, got.Seen[id])

	_, err = store.Repairs.Update(ctx, "Recife", 2026, opened, id, func(r *garage.Repair) error {
		r.State = "done"
		r.Parts["brake"] = garage.Part{Price: 90, Maker: "Beta"}
		delete(r.Parts, "lamp")
		delete(r.Tags, "night")
		r.Tags["paid"] = struct{}{}
		r.Mechanic = nil
		return nil
	})
	check(err)
	show(ctx, store)

	check(store.Repairs.Insert(ctx, &garage.Repair{Garage: "Recife", Year: 2026, Opened: opened.Add(time.Hour), ID: id, Plate: "ABC1234", State: "open"}))
	for r, err := range store.RepairsByPlate.Of("ABC1234").OpenedFrom(opened).Reverse().All(ctx) {
		check(err)
		fmt.Println("by plate:", r.Opened.Format(time.TimeOnly), r.State, r.Mechanic)
	}
	for r, err := range store.RepairsByPlate.Of("ABC1234").Opened(opened).Garage("Recife").Limit(1).All(ctx) {
		check(err)
		fmt.Println("one of them:", r.Opened.Format(time.TimeOnly), r.Parts["brake"].Price)
	}

	err = store.Repairs.Insert(ctx, &garage.Repair{Garage: "Recife", Year: 2026, Opened: opened, ID: id})
	var missing *mapper.ConstraintError
	fmt.Println("a constraint:", errors.As(err, &missing), missing.Violations[0].Path)

	var plates []string
	q := qb.Select(garage.RepairsMetadata.Name).Columns("plate").Query(session)
	check(q.SelectRelease(&plates))
	fmt.Println("through gocqlx:", plates)

	check(store.Repairs.Delete(ctx, "Recife", 2026, opened, id))
	show(ctx, store)
	_, err = store.Repairs.Get(ctx, "Recife", 2026, opened, id)
	fmt.Println("deleted:", errors.Is(err, mapper.ErrNotFound))
}

// readable returns a repair as it is read: a date has no time of day.
func readable(r *garage.Repair) *garage.Repair {
	c := *r
	c.Parts = map[string]garage.Part{}
	for n, p := range r.Parts {
		if !p.Since.IsZero() {
			p.Since = p.Since.Truncate(24 * time.Hour)
		}
		c.Parts[n] = p
	}
	return &c
}

func show(ctx context.Context, store *garage.Store) {
	for _, number := range []string{"brake", "lamp"} {
		for p, err := range store.PartsByNumber.Of(number).All(ctx) {
			check(err)
			fmt.Println("part:", p.Number, p.Price, p.Visit.Plate, p.Visit.State, p.Visit.Mechanic)
		}
	}
	for _, tag := range []string{"night", "paid", "urgent"} {
		for r, err := range store.RepairsByTag.Of(tag).All(ctx) {
			check(err)
			fmt.Println("tag:", r.Tag, r.Plate, r.Garage, r.Year)
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
