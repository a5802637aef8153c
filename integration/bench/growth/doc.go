// Package growth measures the cost of one round of a game while the game grows, as in the experiment of Poffo (2016) with rows
// that share a key and one aggregate of NoAM: up to 400 rounds of 1,750 bytes. Each round costs one read and one write.
//
//   - parts: a round is a part, a row of its own. It reads the previous round, and puts the new one.
//   - list: the rounds are a list in the row of the game. It reads the game, and writes the whole list.
//   - entry: the rounds are a map in the row of the game. It reads the game, and puts the entry of the new round.
//
// Reads and writes are measured separately. The games of the three variants follow one another. A first game of each is not counted.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/gocql/gocql"
//
//		"github.com/cassaml/cassaml/integration/bench/growth"
//	)
//
//	func main() {
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace = "bench" // an empty one
//		results, err := growth.Run(context.Background(), cluster, growth.Config{Rounds: growth.Rounds, Games: 3, Progress: os.Stderr})
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Print(growth.Table(results))
//	}
package growth
