// Library runs the digital library of Chebotko, Kashlev and Lu ("A Big Data Modeling Methodology for Apache Cassandra",
// 2015): nine tables, one for every query. Package catalogue has eight of them as a store, four sources and four copies that
// follow two of them; the ninth, counters, is package ratings.
//
// Every query reads one partition. The cost is in the writes: a new artifact is a batch over three tables, a corrected title
// reaches all of them, and a renamed venue or author moves rows from partition to partition. The program shows each case.
//
//	go run ./examples/library
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/library/catalogue"
	"github.com/cassaml/cassaml/examples/library/ratings"
)

func main() { example.Main("library", catalogue.Schema+ratings.Schema, catalogue.Demo) }
