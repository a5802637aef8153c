package examples

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/examples/library/catalogue"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

func Example_reading() {
	ctx := context.Background()
	store, err := catalogue.OpenBackend(ctx, memory.New(memory.Config{}))
	if err != nil {
		log.Fatal(err)
	}
	for i, title := range []string{"Dynamo", "Bigtable", "Cassandra", "Spanner"} {
		a := &catalogue.Artifact{ArtifactID: gocql.UUID{15: byte(i + 1)}, Type: "paper", Title: title, VenueName: "OSDI", Year: int32(2006 + i)}
		if err := store.Artifacts.Insert(ctx, a); err != nil {
			log.Fatal(err)
		}
	}

	// One row, by its whole key.
	_, err = store.Artifacts.Get(ctx, gocql.UUID{15: 9})
	fmt.Println(errors.Is(err, mapper.ErrNotFound))

	// The rows of one partition, in the order of the table: the newest year first.
	osdi := store.ArtifactsByVenue.Of("OSDI")
	for a, err := range osdi.YearFrom(2007).YearBefore(2009).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(a.Year, a.Title)
	}

	// The oldest alone.
	for a, err := range osdi.Reverse().Limit(1).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(a.Year, a.Title)
	}

	// Without a loop.
	oldest, err := osdi.Reverse().First(ctx)
	if err != nil {
		log.Fatal(err)
	}
	n, err := osdi.YearFrom(2008).Count(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(oldest.Title, n)

	// Several rows by their keys.
	many, err := store.Artifacts.GetMany(ctx, []gocql.UUID{{15: 4}, {15: 9}, {15: 1}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(many[0].Title, many[1] == nil, many[2].Title)

	// Page by page, with a token between two requests of a client.
	for token := ""; ; {
		page, err := osdi.PageSize(3).Page(ctx, token)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items))
		if token = page.Next; token == "" {
			break
		}
	}
	// Output:
	// true
	// 2008 Cassandra
	// 2007 Bigtable
	// 2006 Dynamo
	// Dynamo 2
	// Spanner true Dynamo
	// 3
	// 1
}
