// Package memory is a backend that keeps a store's tables in memory and merges writes by Cassandra's rules, for tests of services
// without a database. A service that accepts its store as an argument needs nothing else:
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
//		store, err := shop.OpenBackend(t.Context(), backend)
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
// # Same as in Cassandra
//
// Of two writes of a cell the later one wins; at one timestamp a null wins, then a value with a TTL, then the larger bytes. A
// delete removes all cells with its timestamp or an older one, even if they are written after it. An Insert leaves a marker,
// which keeps a row whose columns are all null; updates leave none. Static values belong to the partition. Lists, sets, maps and
// UDTs that are not frozen consist of several cells: two assignments of a complete value at one timestamp are merged, and a list
// that is written twice at one timestamp has its elements twice. A TTL expires by the backend's clock. A batch is written
// completely or not at all. Rows, sets and maps are sorted by the order of their CQL types. An index finds the same rows as in
// Cassandra; the nearest vectors are found exactly. A test of the project applies random writes to this package and to a real node,
// and compares every cell.
//
// # Different from Cassandra
//
// There is one copy of the data, which every consistency level reads. Tombstones are never removed, and the limits of a server
// are not checked. An index with normalize or ascii finds only ASCII texts; any other text is an error. A read of a complete
// table returns the partitions in the order of their keys' bytes. Bytes that are not a value of their column's type are stored
// unchanged. A write that adds to a deleted counter is an error. Vectors of elements without a fixed length cannot be sorted: [Backend.Open] refuses a set of them. The data can only
// be accessed through stores: [gocqlx] and its query builder need a session.
//
// [gocqlx]: https://github.com/scylladb/gocqlx
package memory
