package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/internal/systemschema"
)

func TestVerifyProtocol(t *testing.T) {
	for version := range 6 {
		require.Equal(t, 0 < version && version < 4, verifyProtocol(version) != nil, version)
	}
}

func TestVerifyOldest(t *testing.T) {
	for version, want := range map[string]string{
		"4.0.17": "mapper: node 10.0.0.1 runs Cassandra 4.0.17, 4.1 or later is needed",
		"x":      "mapper: node 10.0.0.1 runs Cassandra x, 4.1 or later is needed",
	} {
		require.EqualError(t, verifyOldest(systemschema.Node{Address: "10.0.0.1", Release: version}), want)
	}
	for _, version := range []string{"4.1.10", "5.0.8", "5.0-rc1", "6.0-alpha2", "10.1", ""} {
		require.NoError(t, verifyOldest(systemschema.Node{Address: "10.0.0.1", Release: version}), version)
	}
}

func TestVerifyServer(t *testing.T) {
	k := NewKeyspace("shop")
	k.Oldest = systemschema.Node{Address: "10.0.0.1", Release: "4.1.10"}
	plain := func(c ...descriptor.Column) *descriptor.Table {
		columns := append([]descriptor.Column{{Name: "id", Type: "int"}, {Name: "name", Type: "text"}}, c...)
		return &descriptor.Table{Name: "customers", Aggregate: "Customer", Partition: 1, Key: 1, Load: "SELECT", Columns: columns}
	}
	emails := descriptor.Column{Name: "emails", Type: "set<text>", Cells: projection.Set}
	saved, copied, indexed := plain(emails), plain(emails), plain(descriptor.Column{Name: "place", Type: "frozen<vector<float, 2>>"})
	saved.Load = ""
	indexed.Indexes = []descriptor.Index{{Column: 1, Target: "name"}}
	aggregates := []*descriptor.Aggregate{{Root: saved, Copies: []descriptor.Projection{{Table: copied}}, Versioning: new(descriptor.Versioning)}}

	require.NoError(t, k.VerifyServer(&descriptor.Schema{Tables: []*descriptor.Table{plain(), saved, copied}, Aggregates: aggregates}))
	require.EqualError(t, k.VerifyServer(&descriptor.Schema{Views: []*descriptor.Table{plain(emails, descriptor.Column{Name: "home", Type: "address", Cells: projection.UDT})}}),
		"mapper: open the store: node 10.0.0.1 runs Cassandra 4.1.10; it has no write times of lists, sets, maps and user-defined types that are not frozen, which these need: "+
			"Customer: customers.emails set<text>, Customer: customers.home address: make them frozen, or upgrade every node to Cassandra 5.0")
	require.EqualError(t, k.VerifyServer(&descriptor.Schema{Tables: []*descriptor.Table{indexed}, Types: []*descriptor.Type{{Name: "spot", Of: "Spot", Fields: []descriptor.Field{{Name: "at", Type: "vector<float, 3>"}}}}}),
		"mapper: open the store: node 10.0.0.1 runs Cassandra 4.1.10; it has no vectors, which these need: Spot: spot.at vector<float, 3>, "+
			"Customer: customers.place frozen<vector<float, 2>>: upgrade every node to Cassandra 5.0; it has no storage-attached indexes (SAI), which these need: "+
			"Customer: index on customers (name): upgrade every node to Cassandra 5.0")
	require.EqualError(t, k.VerifyWriteTimes("Reconcile", saved),
		"mapper: Reconcile: node 10.0.0.1 runs Cassandra 4.1.10; it has no write times of lists, sets, maps and user-defined types that are not frozen, which these need: "+
			"Customer: customers.emails set<text>: make them frozen, or upgrade every node to Cassandra 5.0")

	k.Oldest.Release = "5.0.8"
	require.NoError(t, k.VerifyServer(&descriptor.Schema{Tables: []*descriptor.Table{plain(emails), indexed}}))
	require.NoError(t, k.VerifyWriteTimes("Reconcile", saved))
}
