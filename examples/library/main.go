// Library runs the digital library of Chebotko, Kashlev and Lu ("A Big Data Modeling Methodology for Apache Cassandra",
// 2015): nine tables, one for every query. Package catalogue has them as a store: four sources, four copies that follow two of them,
// and counters.
//
// Every query reads one partition. The cost is in the writes: a new artifact is a batch over three tables, a corrected title
// reaches all of them, and a renamed venue or author moves rows from partition to partition. The program shows each case.
//
//	go run ./examples/library
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/library/catalogue"
)

func main() { example.Main("library", catalogue.Schema, catalogue.Demo) }
