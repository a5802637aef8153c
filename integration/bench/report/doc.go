// Package report shows results: as a table, as a chart, as JSON, and as lines for benchstat.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/integration/bench/measure"
//		"github.com/cassaml/cassaml/integration/bench/report"
//	)
//
//	func main() {
//		fmt.Print(report.Table([]measure.Result{
//			{Work: "bind", Variant: "gocqlx", NS: 4000, Allocs: 80, Bytes: 3000, Spread: 0.02},
//			{Work: "bind", Variant: "cassaml", NS: 400, Allocs: 6, Bytes: 1500, Spread: 0.01},
//		}))
//	}
package report
