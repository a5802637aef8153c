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

func Example_scan() {
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

	// One row after the other, in the order of tokens.
	for a, err := range store.Artifacts.All(ctx, mapper.ScanConfig{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("all:", a.Title)
	}

	// The export fails at the third row. The scan has saved how far it is, and the next one continues there.
	full, exported, checkpoint := errors.New("the disk is full"), 0, ""
	export := func(_ context.Context, a *catalogue.Artifact) error {
		if exported == 2 {
			return full
		}
		exported++
		fmt.Println("export:", a.Title)
		return nil
	}
	config := mapper.ScanConfig{Parallel: 1, SaveCheckpoint: func(c string) error { checkpoint = c; return nil }}
	fmt.Println(store.Artifacts.Scan(ctx, config, export))
	exported, config.Checkpoint = 0, checkpoint
	fmt.Println(store.Artifacts.Scan(ctx, config, export))
	// Output:
	// all: Spanner
	// all: Bigtable
	// all: Dynamo
	// all: Cassandra
	// export: Spanner
	// export: Bigtable
	// the disk is full
	// export: Dynamo
	// export: Cassandra
	// <nil>
}
