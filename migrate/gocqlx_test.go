package migrate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// appliedByGocqlx is what gocqlx records of files under other names.
func appliedByGocqlx(texts ...string) []gocqlxRecord {
	var all []gocqlxRecord
	for i, text := range texts {
		all = append(all, gocqlxRecord{name: string(rune('a'+i)) + ".cql", checksum: gocqlxChecksum([]byte(text)), done: gocqlxPieces([]byte(text))})
	}
	return all
}

func TestUpTakesOverFromGocqlx(t *testing.T) {
	db := newFake()
	db.before = appliedByGocqlx(first, second)
	fsys := cqlFiles("0001_first.cql", first, "0002_second.cql", second, "0003_third.cql", "CREATE e")
	err := db.up(t, t.Context(), fsys, Config{})
	assert.ErrorContains(t, err, "gocqlx has applied 2 migrations to this keyspace (table gocqlx_migrate): set Config.ImportGocqlx")
	assert.Empty(t, db.sent)
	assert.Empty(t, db.owner())

	for range 2 {
		require.NoError(t, db.up(t, t.Context(), fsys, Config{ImportGocqlx: true}))
	}
	assert.Equal(t, []string{"CREATE e"}, db.sent)
	db.took()
	require.NoError(t, db.up(t, t.Context(), fsys, Config{}))
	assert.Equal(t, []string{"read"}, db.took(), "once is enough")
}

func TestUpTakesOverWholeOrNot(t *testing.T) {
	db := newFake()
	db.before = appliedByGocqlx(first, second)
	db.fault = once("finish", before)
	require.NoError(t, db.up(t, t.Context(), shop(), Config{ImportGocqlx: true}))
	assert.Empty(t, db.sent)
}

func TestUpTakesOverOnlyWhatFits(t *testing.T) {
	for name, c := range map[string]struct {
		applied []gocqlxRecord
		want    string
	}{
		"edited": {appliedByGocqlx(first, "CREATE x"), "0002_second.cql: differs from the text that gocqlx applied as b.cql"},
		"gone":   {appliedByGocqlx(first, second, "CREATE x"), "c.cql: was applied and is not among the files"},
		"half": {[]gocqlxRecord{{name: "a.cql", checksum: gocqlxChecksum([]byte(first)), done: 2}},
			"0001_first.cql: gocqlx has applied 2 of its 3 statements; let gocqlx finish it first"},
	} {
		db := newFake()
		db.before = c.applied
		assert.ErrorContains(t, db.up(t, t.Context(), shop(), Config{ImportGocqlx: true}), c.want, name)
		assert.Empty(t, db.state.records, name)
	}
}

func TestGocqlxPieces(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "a;": 1, "a;\n": 1, "a; b": 2, "a;;b;": 3, "-- CALL x;\na;": 2, "';'": 2} {
		assert.Equal(t, want, gocqlxPieces([]byte(text)), text)
	}
}
