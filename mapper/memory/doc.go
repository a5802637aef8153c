// Package memory is a backend that keeps a store's tables in memory, with Cassandra's rules for merging what is written:
// services are tested on it without a database. A service that takes its store as an argument needs nothing else:
//
//	package shop_test
//
//	import (
//		"errors"
//		"testing"
//		"time"
//
//		"example.com/service/billing"
//		"example.com/service/shop"
//		"github.com/cassaml/cassaml/mapper"
//		"github.com/cassaml/cassaml/mapper/memory"
//	)
//
//	func TestRename(t *testing.T) {
//		now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
//		backend := memory.New(memory.Config{Now: func() time.Time { return now }})
//		store, err := shop.OpenOn(t.Context(), backend)
//		if err != nil {
//			t.Fatal(err)
//		}
//		if err := store.Customers.Insert(t.Context(), &shop.Customer{ID: 7, Name: "Ana"}); err != nil {
//			t.Fatal(err)
//		}
//		service := billing.NewService(store)
//
//		if err := service.Rename(t.Context(), 7, "Ana Maria"); err != nil {
//			t.Fatal(err)
//		}
//		if c, err := store.Customers.Get(t.Context(), 7); err != nil || c.Name != "Ana Maria" {
//			t.Errorf("got %v, %v", c, err)
//		}
//
//		backend.Intercept(func(r memory.Request) memory.Outcome {
//			if r.Write {
//				return memory.LostAnswer
//			}
//			return memory.Done
//		})
//		var unknown *mapper.UnknownOutcomeError
//		if err := service.Rename(t.Context(), 7, "Bia"); !errors.As(err, &unknown) {
//			t.Errorf("a time-out became %v", err)
//		}
//	}
//
// # What it does as Cassandra does
//
// Of each cell the later write wins; at one timestamp a null, then what has a TTL, then the larger bytes. A delete takes what
// has its timestamp or an older one, whenever it comes. An Insert leaves a marker, which keeps a row whose columns are all
// null; updates leave none. Static values belong to the partition. Lists, sets, maps and UDTs that are not frozen are cells
// each: two whole assignments at one timestamp unite, and a list that is written twice at one holds its elements twice. A
// TTL ends by the backend's clock. A batch is written wholly or not at all. Rows, sets and maps are sorted by the CQL type of
// what they are sorted by. An index finds what it finds there; the nearest vectors are found exactly. A test of the project plays random writes on it and on a real node and compares every cell.
//
// # What it does not do
//
// There is one copy of the data, which every consistency level reads. Tombstones are never removed, and no limit of a server
// is checked. An index with normalize or ascii finds texts of ASCII only, and any other is an error. Partitions are in the order of their keys' bytes when a table is read whole. Bytes
// that are no value of their column's type are kept as they come. Vectors of elements without a fixed length cannot be sorted by: [Backend.Open] refuses a set of them. Only
// stores reach it: [gocqlx] and its query builder need a session.
//
// [gocqlx]: https://github.com/scylladb/gocqlx
package memory
