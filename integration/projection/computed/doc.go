// Package computed contains models whose redundant tables are computed with methods: a bucket in a key, rows from a slice of
// scalars and from a slice of structs, and a condition. Methods are Go code, so these models are compiled, not generated at
// random like the models of package projection.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/cassaml/cassaml/integration/projection/computed"
//		"github.com/cassaml/cassaml/mapper/memory"
//	)
//
//	func main() {
//		ctx := context.Background()
//		store, err := computed.OpenBackend(ctx, memory.New(memory.Config{}))
//		if err != nil {
//			log.Fatal(err)
//		}
//		if err := store.Videos.Insert(ctx, &computed.Video{ID: 1, Minutes: 95, Title: "Metropolis"}); err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(store.VideosByHour.Get(ctx, 1, 1)) // of one hour and more
//	}
package computed
