package storetest

import (
	"strings"
	"testing"

	"github.com/cassaml/cassaml/integration/cassandra"
)

// requires has the tables of test models that need Cassandra 5.0, each with the reason. Tests of these models are skipped before 5.0.
// docs/internals/cassandra.md has the list, which a test compares.
var requires = []struct{ table, reason string }{
	{"jobs", "plain, with columns that are not frozen (workshop)"},
	{"games", "plain, with columns that are not frozen (part)"},
	{"spans", "plain, with columns that are not frozen (trace)"},
	{"films", "plain, with columns that are not frozen (strict)"},
	{"contacts", "plain, with columns that are not frozen (directory)"},
	{"mechanics", "plain, with columns that are not frozen (garage)"},
	{"orders_by_user", "plain, with a user-defined type that is not frozen (offer)"},
	{"shipments", "plain, with columns that are not frozen (shipment)"},
	{"trips", "plain, with columns that are not frozen (computed)"},
	{"bookings", "a storage-attached index (hotel)"},
	{"papers", "a storage-attached index (paper)"},
	{"sealed_crates", "vectors (stock)"},
	{"walls", "a storage-attached index (head)"},
	{"steps", "plain, with columns that are not frozen (step)"},
	{"shelves", "Reconcile of columns that are not frozen (shelf)"},
	{"employees", "Reconcile of columns that are not frozen (staff)"},
	{"tickets_by_barcode", "a user-defined type that is not frozen in a redundant table (ticket)"},
}

// Requires skips the test if the schema has a table that needs a later Cassandra than the one of the tests.
func Requires(t *testing.T, schema string) {
	t.Helper()
	for _, r := range requires {
		if strings.Contains(schema, "CREATE TABLE IF NOT EXISTS "+r.table+" (") {
			cassandra.Requires(t, "5.0", r.table+": "+r.reason)
		}
	}
}
