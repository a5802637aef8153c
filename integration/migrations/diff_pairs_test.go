package migrations

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
)

var (
	pairsSize = flag.Int("pairs", 1, "the number of random pairs of models of TestDiffOfPairs")
	pairSeed  = flag.Uint64("pairs-seed", 1, "the seed of the pairs")
)

// The files of `aml diff` migrate the keyspace of one model to that of another on a node: first with the tables that was=
// keeps, then, without was=, exactly to the model. Faults are fixed as their messages describe.
func TestDiffOfPairs(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "random models with vectors and storage-attached indexes")
	cassandra.Test(t)
	known := imports(t)
	of := func(p *corpus.Pair, source []byte) (*schema.Schema, bool) {
		in, err := load.Source(known.Fset, corpus.Module+"/"+p.Name, map[string][]byte{"model.go": source}, known)
		if err != nil {
			return nil, false // a removed struct was the type of a field
		}
		m, faults := model.Build(in)
		if model.Refused(faults) {
			return nil, false
		}
		return schema.New(m), true
	}
	g := corpus.New(*pairSeed)
	count := &pairCount{changes: map[string]int{}}
	var running sync.WaitGroup
	slots := make(chan struct{}, 2)
	for n, invalid := 0, 0; n < *pairsSize; {
		p := g.Pair()
		way, problem := prepare(p, of)
		if problem != "" {
			require.Less(t, invalid, 20+*pairsSize, "too few pairs can be used: %s", problem)
			invalid++
			continue
		}
		n++
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			// Each pair is a subtest, so that its keyspace is dropped before the next is created: a node keeps memory for
			// each table.
			t.Run(p.Name, func(t *testing.T) { way.walk(t, count) })
		})
	}
	running.Wait()
	t.Logf("%d pairs of -pairs-seed=%d: %d statements, %d with a data step, %d fixed, changes %v",
		*pairsSize, *pairSeed, count.statements, count.dataSteps, count.fixed, count.changes)
	if *pairsSize >= 40 {
		require.GreaterOrEqual(t, count.dataSteps, 10, "pairs with a data step")
		require.Positive(t, count.fixed, "pairs in which ALTER refuses a change")
	}
}

// pairCount counts what has occurred.
type pairCount struct {
	sync.Mutex
	statements, dataSteps, fixed int
	changes                      map[string]int
}

// way is a model in three releases.
type way struct {
	pair   *corpus.Pair
	models [3]*schema.Schema // before, after, and after without was=
	fixed  bool
}

// prepare fixes the faults that diff reports for the second model. problem is the reason why the pair cannot be used.
func prepare(p *corpus.Pair, of func(*corpus.Pair, []byte) (*schema.Schema, bool)) (w *way, problem string) {
	w = &way{pair: p}
	ok := false
	if w.models[0], ok = of(p, p.Before); !ok {
		return nil, "the first model is rejected"
	}
	from, err := catalog.New(w.models[0])
	if err != nil {
		return nil, err.Error()
	}
	after := p.After
	for range 8 {
		if w.models[1], ok = of(p, after); !ok {
			return nil, "the second model is rejected"
		}
		_, err := diff.Diff(from, w.models[1])
		var refused *diff.RefusedError
		if !errors.As(err, &refused) {
			w.models[2], ok = of(p, withoutWas(after))
			return w, map[bool]string{false: "the last model is rejected"}[ok]
		}
		if after, ok = fix(after, refused.Refusals); !ok {
			return nil, refused.Error()
		}
		w.fixed = true
	}
	return nil, "the fix that diff describes does not fix it"
}

// fix adds the tags that faults ask for. It returns false if one asks for another change.
func fix(source []byte, refusals []model.Diagnostic) ([]byte, bool) {
	lines := strings.Split(string(source), "\n")
	for _, r := range refusals {
		tag := regexp.MustCompile("`aml:.*`").FindString(r.Fix)
		if tag == "" || r.Pos.Line < 1 || r.Pos.Line > len(lines) {
			return nil, false
		}
		code, _, _ := strings.Cut(lines[r.Pos.Line-1], "`")
		lines[r.Pos.Line-1] = strings.TrimRight(code, " \t") + " " + tag
	}
	return []byte(strings.Join(lines, "\n")), true
}

// withoutWas removes was= from all tags.
func withoutWas(source []byte) []byte {
	return regexp.MustCompile(`,was=('([^']|'')*'|[^,"\x60\\]*)`).ReplaceAll(source, nil)
}

// walk migrates a keyspace through all releases, by files that are written as `aml diff` writes them.
func (w *way) walk(t *testing.T, count *pairCount) {
	session, dir := cassandra.Keyspace(t), t.TempDir()
	keyspace := session.Session.Query("").Keyspace()
	statements, data := 0, false
	for i, want := range w.models {
		plan, err := diff.Diff(folderState(t, dir), want)
		if !assert.NoError(t, err, "%v\n%s\n%s", w.pair.Changes, w.pair.Before, w.pair.After) {
			return
		}
		if len(plan.Steps) == 0 {
			continue
		}
		name, err := folder.FileName(i+1, "step")
		require.NoError(t, err)
		require.NoError(t, folder.Write(dir, name, plan.Text()))
		config := migrate.Config{Funcs: map[string]migrate.Func{}}
		for _, s := range plan.Steps {
			data = data || s.Directive()
		}
		files, err := folder.Read(os.DirFS(dir))
		require.NoError(t, err)
		for _, f := range files {
			for _, s := range f.Statements {
				if s.Func != "" {
					config.Funcs[s.Func] = func(context.Context, driver.Session) error { return nil }
				}
			}
		}
		statements += len(plan.Steps)
		if !assert.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), os.DirFS(dir), config), "%v\n%s\n%s", w.pair.Changes, w.pair.Before, w.pair.After) {
			return
		}
		live, err := catalog.Inspect(t.Context(), gocqldriver.New(session), keyspace)
		require.NoError(t, err)
		w.same(t, live, folderState(t, dir), "the replay of the folder")
		if i != 1 {
			target, err := catalog.New(want)
			require.NoError(t, err)
			w.same(t, live, target, fmt.Sprintf("model %d", i+1))
		}
	}
	again, err := diff.Diff(folderState(t, dir), w.models[2])
	assert.NoError(t, err)
	assert.Empty(t, again.Text(), "nothing is left to do")
	count.Lock()
	defer count.Unlock()
	count.statements += statements
	if data {
		count.dataSteps++
	}
	if w.fixed {
		count.fixed++
	}
	for _, c := range w.pair.Changes {
		count.changes[c]++
	}
}

func folderState(t *testing.T, dir string) *catalog.Keyspace {
	t.Helper()
	files, err := folder.Read(os.DirFS(dir))
	require.NoError(t, err)
	k, err := catalog.Replay(files)
	require.NoError(t, err)
	return k
}

// same compares two keyspaces, without the table of the runner.
func (w *way) same(t *testing.T, live, want *catalog.Keyspace, of string) {
	t.Helper()
	for _, d := range catalog.Compare(live, want) {
		if d.Table != "aml_migrations" {
			t.Errorf("not %s: %v\nchanges %v\n%s\n%s", of, d, w.pair.Changes, w.pair.Before, w.pair.After)
		}
	}
}
