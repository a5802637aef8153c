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
	adoptedModels = flag.Int("adopted", 4, "how many random models share the keyspace of TestAdoptCorpus")
	corpusSeed    = flag.Uint64("corpus-seed", 1, "the seed of these models")
)

// unsaid are the reasons for which a model that is written from a keyspace may lack something. Those of the corpus need Go
// types with codecs of their own, or are the columns that the mapper keeps for itself.
var unsaid = map[string]*regexp.Regexp{
	"column of the mapper's own": regexp.MustCompile(`: AML504: name "aml_|column aml_pending: no Go map`),
	"key of a map":               regexp.MustCompile(`: no Go map can have \S+ as its key$|: type= cannot name the user-defined type in `),
	"vector":                     regexp.MustCompile(`: a vector of .* needs a Go type with a codec of its own$`),
	"type of such":               regexp.MustCompile(`: type \S+ is not in the model$`),
	"type that is left over":     regexp.MustCompile(`: no column of the model needs it$`),
}

// A keyspace of many random models is read as they ask for it, and the model that is written from it asks for all of it
// again, apart from what it names.
func TestAdoptCorpus(t *testing.T) {
	t.Parallel()
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
	require.Empty(t, catalog.Compare(there, ledToBy(t, &want.Schema)))

	m, err := reverse.Adopt(there, reverse.Config{})
	require.NoError(t, err)
	left := requireAdopted(t, known, there, m)
	require.Len(t, m.Gaps, len(left))
	t.Logf("%d types, %d tables, %d columns; not said: %v", len(there.Types), len(there.Tables), columnsOf(there), countGaps(t, m.Gaps))
}

// randomKeyspace returns what the models of a seed ask for together.
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

// countGaps counts gaps by their reasons, each of which is known.
func countGaps(t *testing.T, gaps []string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, g := range gaps {
		kinds := slices.DeleteFunc(slices.Sorted(maps.Keys(unsaid)), func(k string) bool { return !unsaid[k].MatchString(g) })
		require.NotEmpty(t, kinds, g)
		out[kinds[0]]++
	}
	return out
}
