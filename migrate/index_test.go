package migrate

import (
	"bytes"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

func TestIndexFound(t *testing.T) {
	row := func(name, table, target, class string) builtIndex {
		if class == "" {
			return newBuiltIndex(name, table, "COMPOSITES", map[string]string{"target": target})
		}
		return newBuiltIndex(name, table, "CUSTOM", map[string]string{"target": target, "class_name": class})
	}
	for _, c := range []struct {
		statement            string
		there                builtIndex
		own, equal, namesake bool
	}{
		{"CREATE INDEX i ON t (c)", row("i", "t", "c", ""), true, false, false},
		{"CREATE INDEX i ON t (c)", row("i", "t", "c", "sai"), true, false, false}, // the default may be that
		{"CREATE INDEX i ON t (c)", row("j", "t", "c", ""), false, true, false},
		{"CREATE INDEX i ON t (c)", row("i", "t", "d", ""), false, false, true},
		{"CREATE INDEX i ON t (c)", row("i", "u", "c", ""), false, false, true},
		{"CREATE INDEX i ON t (c)", row("j", "u", "c", ""), false, false, false},
		{`CREATE INDEX "I" ON t ("C")`, row("I", "t", `"C"`, ""), true, false, false},
		{`CREATE INDEX i ON t ("keys(m)")`, row("j", "t", "keys(m)", ""), false, false, false},
		{"CREATE INDEX i ON t (keys(m))", row("j", "t", "keys(m)", ""), false, true, false},
		{"CREATE INDEX i ON t (keys(m))", row("j", "t", "values(m)", ""), false, false, false},
		{"CREATE INDEX i ON t (m)", row("j", "t", "values(m)", ""), false, true, false},
		{"CREATE INDEX i ON t (c) USING 'sai'", row("j", "t", "c", ""), false, false, false},
		{"CREATE INDEX i ON t (c) USING 'sai'", row("i", "t", "c", ""), false, false, true},
		{"CREATE INDEX i ON t (c) USING 'SAI'", row("j", "t", "c", "org.apache.cassandra.index.sai.StorageAttachedIndex"), false, true, false},
		{"CREATE INDEX i ON t (c) USING 'legacy_local_table'", row("j", "t", "c", ""), false, true, false},
		{"CREATE INDEX i ON t (c) USING 'legacy_local_table'", row("j", "t", "c", "sai"), false, false, false},
		{"CREATE INDEX ON t (c)", row("t_c_idx", "t", "c", ""), true, false, false},
		{"CREATE INDEX ON t (c)", row("t_c_idx_12", "t", "c", ""), true, false, false},
		{"CREATE INDEX ON t (c)", row("t_c_idx_a", "t", "c", ""), false, true, false},
		{"CREATE INDEX ON t (c)", row("t_c_idx", "u", "d", ""), false, false, false}, // the server takes the next name
		{`CREATE INDEX ON t ("a b")`, row("t_ab_idx", "t", `"a b"`, ""), true, false, false},
		{"CREATE CUSTOM INDEX i ON t (a, b) USING 'x.Both'", row("i", "t", "a,b", "x.Both"), true, false, false},
		{"CREATE CUSTOM INDEX i ON t (a, b) USING 'x.Both'", row("j", "t", "a,b", "x.Both"), false, false, false},
	} {
		e := effectOf(c.statement, "shop")
		require.NotNil(t, e, c.statement)
		own, equal, namesake := e.index.found([]builtIndex{c.there})
		assert.Equal(t, []bool{c.own, c.equal, c.namesake}, []bool{own != nil, equal != nil, namesake != nil}, "%s\n%+v", c.statement, c.there)
	}
}

// If an equal index has another name, the server creates none, and the run does not wait for it.
func TestUpTakesAnEqualIndex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		var log bytes.Buffer
		db.built = []builtIndex{{name: "i1", table: "cars", column: "color", class: indexname.Legacy}, {name: "i3", table: "cars", column: "id", class: indexname.Legacy}}
		fsys := cqlFiles("0001_i.cql", "CREATE INDEX IF NOT EXISTS i2 ON cars (color);\nCREATE INDEX IF NOT EXISTS i3 ON cars (name)")
		require.NoError(t, db.up(t, t.Context(), fsys, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}))
		assert.Len(t, db.built, 2)
		assert.Contains(t, log.String(), `an equal index is there under another name, and the server made no second one" file=0001_i.cql statement=1 table=cars column=color index=i2 there=i1`)
		assert.Contains(t, log.String(), `another index has the name, and the server made no second one" file=0001_i.cql statement=2 table=cars column=name index=i3 of=cars.id`)
	})
}

// The name that the server would choose may be taken; the schema shows which name it chose instead.
func TestUpFindsAMadeUpIndexName(t *testing.T) {
	for _, lost := range []fault{fine, before, behind} {
		synctest.Test(t, func(t *testing.T) {
			db := newFake()
			db.built = []builtIndex{{name: "cars_color_idx", table: "vans", column: "id", class: indexname.Legacy}}
			db.fault = once("exec CREATE INDEX ON cars (color)", lost)
			require.NoError(t, db.up(t, t.Context(), cqlFiles("0001_i.cql", "CREATE INDEX ON cars (color)"), Config{}))
			assert.Equal(t, []string{"CREATE INDEX ON cars (color)"}, db.sent)
			assert.Equal(t, "cars_color_idx_1", db.built[1].name)
		})
	}
}
