package catalog_test

import (
	"fmt"
	"testing/fstest"

	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
)

// newKeyspace returns the keyspace that the statements of one file create.
func newKeyspace(cql string) *catalog.Keyspace {
	files, err := folder.Read(fstest.MapFS{"0001_init.cql": {Data: []byte(cql)}})
	if err != nil {
		panic(err)
	}
	k, err := catalog.Replay(files)
	if err != nil {
		panic(err)
	}
	return k
}

func ExampleReplay() {
	files, err := folder.Read(fstest.MapFS{
		"0001_init.cql":   {Data: []byte("CREATE TABLE orders (day date, id uuid, total int, PRIMARY KEY (day, id)) WITH CLUSTERING ORDER BY (id DESC)")},
		"0002_amount.cql": {Data: []byte("ALTER TABLE orders DROP total; ALTER TABLE orders ADD amount varint")},
	})
	fmt.Println(err)
	keyspace, err := catalog.Replay(files)
	fmt.Println(err)
	for _, t := range keyspace.Tables {
		fmt.Println(t.CQL())
	}
	// Output:
	// <nil>
	// <nil>
	// CREATE TABLE IF NOT EXISTS orders (
	//     day date,
	//     id uuid,
	//     amount varint,
	//     PRIMARY KEY (day, id)
	// ) WITH CLUSTERING ORDER BY (id DESC)
}

func ExampleCompare() {
	have := newKeyspace("CREATE TABLE orders (id uuid PRIMARY KEY, total int)")
	want := newKeyspace("CREATE TABLE orders (id uuid PRIMARY KEY, total bigint, note text) WITH gc_grace_seconds = 3600")
	for _, d := range catalog.Compare(have, want) {
		fmt.Println(d)
	}
	// Output:
	// table orders, column total: has int, not bigint
	// table orders, column note: is missing: text
	// table orders, property gc_grace_seconds: has the server's default, not 3600
}

func ExampleValue() {
	fmt.Println(catalog.Value("compaction", "{'class': 'org.apache.cassandra.db.compaction.LeveledCompactionStrategy', 'sstable_size_in_mb': 160}"))
	fmt.Println(catalog.Value("compaction", "{'class': 'LeveledCompactionStrategy'}"))
	// Output:
	// {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '160'} <nil>
	// {'class': 'LeveledCompactionStrategy'} <nil>
}
