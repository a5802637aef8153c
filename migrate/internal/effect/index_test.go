package effect

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestIndexFound(t *testing.T) {
	row := func(name, table, target, class string) BuiltIndex {
		if class == "" {
			return NewBuiltIndex(name, table, "COMPOSITES", map[string]string{"target": target})
		}
		return NewBuiltIndex(name, table, "CUSTOM", map[string]string{"target": target, "class_name": class})
	}
	for _, c := range []struct {
		statement            string
		there                BuiltIndex
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
		e := Parse(c.statement, "shop")
		require.NotNil(t, e, c.statement)
		own, equal, namesake := e.Index.Find([]BuiltIndex{c.there})
		assert.Equal(t, []bool{c.own, c.equal, c.namesake}, []bool{own != nil, equal != nil, namesake != nil}, "%s\n%+v", c.statement, c.there)
	}
}
