// Package skew compares the clock of a client with the clocks of the servers. It has no I/O: [Measure] computes one [Finding]
// from the answers of the nodes, and [Guard] decides from the findings when to check again and whether to refuse writes.
//
//	package main
//
//	import (
//		"fmt"
//		"time"
//
//		"github.com/cassaml/cassaml/mapper/internal/skew"
//	)
//
//	func main() {
//		client, server := time.UnixMilli(5_000), time.UnixMilli(2_000)
//		f := skew.Measure([]skew.Answer{{Host: "10.0.0.1", Client: client, Server: server, RoundTrip: 20 * time.Millisecond}})
//		fmt.Println(f.Skew, f.Verdict(time.Second)) // 2.98s wrong
//
//		g := skew.NewGuard(time.Second, time.Now, time.Now)
//		if g.Begin() {
//			g.End(f)
//		}
//		fmt.Println(g.Failing())
//	}
package skew
