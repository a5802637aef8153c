package migrate

import (
	"bytes"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/internal/effect"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

// If an equal index has another name, the server creates none, and the run does not wait for it.
func TestUpTakesAnEqualIndex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		var log bytes.Buffer
		db.built = []effect.BuiltIndex{{Name: "i1", Table: "cars", Column: "color", Class: indexname.Legacy}, {Name: "i3", Table: "cars", Column: "id", Class: indexname.Legacy}}
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
			db.built = []effect.BuiltIndex{{Name: "cars_color_idx", Table: "vans", Column: "id", Class: indexname.Legacy}}
			db.fault = once("exec CREATE INDEX ON cars (color)", lost)
			require.NoError(t, db.up(t, t.Context(), cqlFiles("0001_i.cql", "CREATE INDEX ON cars (color)"), Config{}))
			assert.Equal(t, []string{"CREATE INDEX ON cars (color)"}, db.sent)
			assert.Equal(t, "cars_color_idx_1", db.built[1].Name)
		})
	}
}
