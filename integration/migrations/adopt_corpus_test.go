package migrations

import (
	"flag"
	"maps"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/reverse"
)

var (
	adoptedModels = flag.Int("adopted", 2, "the number of random models in the keyspace of TestAdoptCorpus")
	corpusSeed    = flag.Uint64("corpus-seed", 1, "the seed of these models")
)

// knownGaps are the reasons why a model that is derived from a keyspace can be incomplete. Types of the corpus can need Go
// types with codecs, and columns can be those of the mapper.
var knownGaps = map[string]*regexp.Regexp{
	"column of the mapper":  regexp.MustCompile(`: AML504: name "aml_|column aml_pending: no Go map`),
	"key of a map":          regexp.MustCompile(`: no Go map can have \S+ as its key$|: type= cannot name the user-defined type in `),
	"vector":                regexp.MustCompile(`: a vector of .* needs a Go type with its own codec$`),
	"type of such":          regexp.MustCompile(`: type \S+ is not in the model$`),
	"type without a column": regexp.MustCompile(`: no column of the model uses it$`),
}

// A keyspace is created from many random models. The model that is derived from it has the same schema, except for the gaps
// that it lists.
func TestAdoptCorpus(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "random models with vectors and storage-attached indexes")
	known := imports(t)
	want := randomKeyspace(t, known)
	session := cassandra.SessionLike(t, cassandra.Keyspace(t), func(c *gocql.ClusterConfig) {
		c.Events.DisableSchemaEvents = true // the driver would read the schema again after each statement
		c.Timeout = 5 * time.Minute
	})
	for _, s := range want.Statements() {
		require.NoError(t, session.ExecStmt(s), s)
	}
	there := inspected(t, session)
	require.Empty(t, catalog.Compare(there, want))
	require.Empty(t, catalog.Compare(there, replayOf(t, &want.Schema)))

	m, err := reverse.Adopt(there, reverse.Config{})
	require.NoError(t, err)
	left := requireAdopted(t, known, there, m)
	require.Len(t, m.Gaps, len(left))
	t.Logf("%d types, %d tables, %d columns; gaps: %v", len(there.Types), len(there.Tables), columnsOf(there), countGaps(t, m.Gaps))
}

// randomKeyspace returns the schema of all models of a seed.
func randomKeyspace(t *testing.T, known *models.Imports) *catalog.Keyspace {
	t.Helper()
	all := &catalog.Keyspace{}
	g := corpus.New(*corpusSeed)
	for range *adoptedModels {
		x := g.Valid()
		k := catalogOf(t, known.Source(t, corpus.Module+"/"+x.Name, string(x.Source())))
		all.Types, all.Tables = append(all.Types, k.Types...), append(all.Tables, k.Tables...)
	}
	return all
}

func columnsOf(k *catalog.Keyspace) int {
	n := 0
	for _, t := range k.Tables {
		n += len(t.Columns)
	}
	return n
}

// countGaps counts gaps by their reasons. Each reason must be known.
func countGaps(t *testing.T, gaps []string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, g := range gaps {
		kinds := slices.DeleteFunc(slices.Sorted(maps.Keys(knownGaps)), func(k string) bool { return !knownGaps[k].MatchString(g) })
		require.NotEmpty(t, kinds, g)
		out[kinds[0]]++
	}
	return out
}
