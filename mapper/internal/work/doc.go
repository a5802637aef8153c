// Package work divides a job into slices, and leases each slice to one worker at a time. Several processes share a job by its
// name: the slices are rows of the table aml_work. A worker that ends without completing its slice is replaced when its lease
// expires, and the next one continues from its last checkpoint.
//
// A lease only saves work: a worker whose lease has expired may still write while another one has the slice. So the result of a
// slice must be correct, too, if two workers carry it out.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/cassaml/cassaml/mapper/internal/work"
//	)
//
//	func main() {
//		ctx := context.Background()
//		q := work.NewLocal(work.Job{Slices: 4, Phases: []work.Phase{{Name: "copies", Table: "customers"}}})
//		for {
//			lease, err := q.Next(ctx, 0)
//			if err != nil {
//				log.Fatal(err)
//			}
//			if lease == nil {
//				break
//			}
//			if err := lease.Done(ctx, fmt.Append(nil, "slice ", lease.Slice)); err != nil {
//				log.Fatal(err)
//			}
//		}
//		reports, err := q.Reports(ctx)
//		fmt.Println(len(reports), err) // 4 <nil>
//	}
package work
