package language

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/corpus"
)

var (
	corpusSize = flag.Int("corpus", corpus.Block, "the number of random models of TestCorpus")
	corpusSeed = flag.Uint64("corpus-seed", 1, "the seed of the random models; 0 uses the clock")
	all        = flag.Bool("all", false, "create all models of the corpus and all examples of docs/language.md on the node")
)

// leastInCorpus returns the least number of occurrences of each construct, option, type and refusal in a number of models.
func leastInCorpus(models int) int { return models / corpus.Block }

// The node accepts the models that the checker accepts, and the checker rejects the others for the fault that was added.
func TestCorpus(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "random models with vectors and storage-attached indexes")
	server := cassandra.Test(t)
	seed := *corpusSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("%d models of -corpus-seed=%d", *corpusSize, seed)
	models := corpus.New(seed).Models(*corpusSize)
	count := corpus.Count(models)
	elsewhere := []model.Rule{model.RuleNotExecuted, model.RuleUnreachable} // unsupported constructs are counted below; no store is in another package than its model
	for _, r := range model.Rules() {
		if !slices.Contains(elsewhere, r) {
			require.Contains(t, count, "fault "+r.Code, "no fault has this code")
		}
	}
	t.Log("\n" + count.String())
	assert.Empty(t, count.FewerThan(leastInCorpus(*corpusSize)), "these constructs are too rare")
	judged := judge(t, models)
	if !*all {
		judged = covering(judged)
	}
	create(t, server, judged)
}

// judgedModel is a model with its diagnostics and schema.
type judgedModel struct {
	*corpus.Model
	source string
	schema *schema.Schema // of a valid model
}

// judge loads and builds the models and compares the diagnostics with the added faults.
func judge(t *testing.T, models []*corpus.Model) []*judgedModel {
	t.Helper()
	known, err := corpus.Imports()
	require.NoError(t, err)
	began := time.Now()
	var out []*judgedModel
	notExecuted, stores, finders, views := 0, 0, 0, 0
	for _, x := range models {
		j := &judgedModel{Model: x, source: string(x.Source())}
		out = append(out, j)
		p, err := load.Source(known.Fset, corpus.Module+"/"+x.Name, map[string][]byte{"model.go": []byte(j.source)}, known)
		if err != nil {
			t.Errorf("%s: %v\n%s", x.Name, err, j.source)
			continue
		}
		m, faults := model.Build(p)
		if j.Executable && !model.Refused(faults) {
			s := schema.New(m)
			store, more, err := codegen.Generate(m, s, codegen.Config{})
			if err != nil {
				t.Errorf("%s: %v\n%s", x.Name, err, j.source)
			}
			if faults = append(faults, more...); len(store) > 0 {
				stores, finders, views = stores+1, finders+indexesOf(s), views+len(s.Views)
			}
		}
		j.expect(t, faults)
		if !model.Refused(faults) {
			notExecuted += len(model.NotExecuted(m))
			j.schema = schema.New(m)
		}
	}
	least := leastInCorpus(len(models))
	assert.GreaterOrEqual(t, notExecuted, least, "AML103")
	assert.GreaterOrEqual(t, stores, least, "stores")
	assert.GreaterOrEqual(t, finders, least, "indexes in stores")
	assert.GreaterOrEqual(t, views, least, "views in stores")
	t.Logf("%d stores generated, with %d indexes and %d views; %d unsupported constructs (AML103)", stores, finders, views, notExecuted)
	t.Logf("judged in %v", time.Since(began).Round(time.Millisecond))
	return out
}

func indexesOf(s *schema.Schema) (n int) {
	for _, t := range s.Tables {
		n += len(t.Indexes)
	}
	return n
}

// expect compares diagnostics with the faults that were added.
func (j *judgedModel) expect(t *testing.T, faults []model.Diagnostic) {
	t.Helper()
	if model.Refused(faults) != j.Broken() {
		t.Errorf("%s is valid: %v\n%s\n%s", j.Name, !j.Broken(), lines(faults), j.source)
		return
	}
	for _, f := range j.Faults {
		line := j.Line(f.Place)
		if !slices.ContainsFunc(faults, func(d model.Diagnostic) bool { return d.Rule.Code == f.Fault.Code && d.Pos.Line == line }) {
			t.Errorf("%s: no %s (%s) at line %d:\n%s\n%s", j.Name, f.Fault.Code, f.Fault.Name, line, lines(faults), j.source)
		}
	}
}

func lines(faults []model.Diagnostic) string {
	var out []string
	for _, f := range faults {
		if f.Rule.Severity == model.Refusal {
			out = append(out, f.String())
		}
	}
	return strings.Join(out, "\n")
}

// fewModels is the number of models that a node creates by default. With seed 1 they contain 206 of the 249 features of all
// models; the tables of packages workshop and conformance have every type in every place.
const fewModels = 4

// covering returns a few of the valid models: each has more features that the ones before do not have than any other model.
func covering(models []*judgedModel) []*judgedModel {
	var out []*judgedModel
	asked := map[string]bool{}
	for range fewModels {
		var best *judgedModel
		most := 0
		for _, m := range models {
			if n := m.asksMore(asked); n > most {
				best, most = m, n
			}
		}
		if best != nil {
			out = append(out, best)
			maps.Copy(asked, best.asks())
		}
	}
	return out
}

// asksMore returns the number of features of a model that are not in asked.
func (j *judgedModel) asksMore(asked map[string]bool) (n int) {
	for what := range j.asks() {
		if !asked[what] {
			n++
		}
	}
	return n
}

// asks returns the features of a valid model: types with their place, keys with their order, properties and options of
// indexes with their names, views with the number of their columns.
func (j *judgedModel) asks() map[string]bool {
	out := map[string]bool{}
	if j.schema == nil {
		return out
	}
	for _, u := range j.schema.Types {
		for _, f := range u.Fields {
			addType(out, "field", f.Type)
		}
	}
	for _, t := range j.schema.Tables {
		for _, c := range t.Columns {
			addType(out, fmt.Sprint("column ", c.Kind), c.Type)
			out[fmt.Sprint("order ", c.Kind, c.Order)] = true
		}
		for _, p := range t.Properties {
			out["property "+p.Name] = true
		}
		for _, i := range t.Indexes {
			out["index "+i.Class] = true
			addType(out, "index", i.Column.Type)
			for _, o := range i.Options {
				out["option "+o.Name] = true
			}
		}
	}
	for _, v := range j.schema.Views {
		out[fmt.Sprint("view ", len(v.Columns))] = true
	}
	return out
}

// addType adds a type, and the types in it, below its place.
func addType(out map[string]bool, in string, t *schema.Type) {
	name := t.Name
	if t.UDT {
		name = "type"
	}
	out[fmt.Sprint(in, " ", name, " ", t.Frozen)] = true
	for _, arg := range t.Args {
		addType(out, name, arg)
	}
}

// create creates the schemas of the valid models on the node, those of a block in one keyspace, and compares the resulting
// schema with the models.
func create(t *testing.T, server *cassandra.Server, models []*judgedModel) {
	t.Helper()
	began := time.Now()
	run := strings.ReplaceAll(uuid.NewString(), "-", "")[:8]
	var blocks sync.WaitGroup
	turns := make(chan struct{}, 2)
	statements := 0
	for n, block := range slices.Collect(slices.Chunk(models, corpus.Block)) {
		for _, m := range block {
			if m.schema != nil {
				statements += len(m.schema.Statements())
			}
		}
		blocks.Go(func() {
			turns <- struct{}{}
			createBlock(t, server, fmt.Sprintf("corpus_%s_%d", run, n), block)
			<-turns
		})
	}
	blocks.Wait()
	t.Logf("%d statements in %v", statements, time.Since(began).Round(time.Millisecond))
}

func createBlock(t *testing.T, server *cassandra.Server, keyspace string, models []*judgedModel) {
	session, err := open(server, keyspace)
	if err != nil {
		t.Error(err)
		return
	}
	defer session.Close()
	defer func() {
		if err := session.Query("DROP KEYSPACE " + keyspace).Exec(); err != nil {
			t.Errorf("drop keyspace %s: %v", keyspace, err)
		}
	}()
	var made []*schema.Schema
	refused := false
	for _, m := range models {
		if m.schema != nil {
			refused = !m.create(t, session) || refused
			made = append(made, m.schema)
		}
	}
	if refused {
		return // the remains of a rejected model would be reported as differences
	}
	there, err := inspect(session, keyspace)
	if err != nil {
		t.Error(err)
		return
	}
	there.compare(t, made)
	readAgain(t, session, keyspace)
}

// readAgain lets the node parse every type in the form of its system tables, as it does at its start: a type that it cannot
// parse prevents the start.
func readAgain(t *testing.T, session *gocql.Session, keyspace string) {
	printed := map[string]bool{}
	columns := session.Query("SELECT type FROM system_schema.columns WHERE keyspace_name = ?", keyspace).Iter()
	for of := ""; columns.Scan(&of); {
		printed[of] = true
	}
	udts := session.Query("SELECT field_types FROM system_schema.types WHERE keyspace_name = ?", keyspace).Iter()
	for of := []string(nil); udts.Scan(&of); {
		for _, o := range of {
			printed[o] = true
		}
	}
	if err := errors.Join(columns.Close(), udts.Close()); err != nil {
		t.Error(err)
		return
	}
	delete(printed, "counter") // not allowed in a table with other types
	text := "CREATE TABLE printed_types (k int PRIMARY KEY"
	for i, of := range slices.Sorted(maps.Keys(printed)) {
		text += fmt.Sprintf(", c%d %s", i, of)
	}
	if err := session.Query(text + ")").Exec(); err != nil {
		t.Errorf("the node would not start again: %v", err)
	}
}

// open returns a session in a new keyspace. The session does not receive events for the changes that it makes.
func open(server *cassandra.Server, keyspace string) (*gocql.Session, error) {
	first, err := server.Keyspace(context.Background(), keyspace)
	if err != nil {
		return nil, err
	}
	first.Close()
	cluster := server.Cluster()
	cluster.Keyspace = keyspace
	cluster.Events.DisableSchemaEvents = true
	cluster.Timeout = 5 * time.Minute // a busy node needs long for a schema change, which is not a refusal
	return cluster.CreateSession()
}

// create executes the statements of a model. It returns false if the node rejected one.
func (j *judgedModel) create(t *testing.T, session *gocql.Session) bool {
	ok := true
	for _, s := range j.schema.Statements() {
		if err := session.Query(s).Exec(); err != nil {
			t.Errorf("%s: the checker accepts and the node rejects: %v\n%s\n%s", j.Name, err, s, j.source)
			ok = false
		}
	}
	return ok
}

// catalogue is the schema that the node reports: each line is one column, field or index.
type catalogue map[string]bool

func inspect(session *gocql.Session, keyspace string) (catalogue, error) {
	c := catalogue{}
	var table, column, order, kind, of, name string
	var position int
	columns := session.Query("SELECT table_name, column_name, clustering_order, kind, position, type FROM system_schema.columns WHERE keyspace_name = ?", keyspace).Iter()
	for columns.Scan(&table, &column, &order, &kind, &position, &of) {
		c[columnLine(table, column, order, kind, position, of)] = true
	}
	if err := columns.Close(); err != nil {
		return nil, err
	}
	var names, types []string
	udts := session.Query("SELECT type_name, field_names, field_types FROM system_schema.types WHERE keyspace_name = ?", keyspace).Iter()
	for udts.Scan(&name, &names, &types) {
		for i := range names {
			c[fieldLine(name, i, names[i], types[i])] = true
		}
	}
	if err := udts.Close(); err != nil {
		return nil, err
	}
	var options map[string]string
	indexes := session.Query("SELECT table_name, index_name, options FROM system_schema.indexes WHERE keyspace_name = ?", keyspace).Iter()
	for indexes.Scan(&table, &name, &options) {
		c[indexLine(table, name, options["target"])] = true
	}
	return c, indexes.Close()
}

func columnLine(table, column, order, kind string, position int, of string) string {
	return fmt.Sprintf("column %s.%s: %s %s %d %s", table, column, of, kind, position, order)
}

func fieldLine(udt string, i int, name, of string) string {
	return fmt.Sprintf("field %d of %s: %s %s", i, udt, name, of)
}

func indexLine(table, name, target string) string {
	return fmt.Sprintf("index %s of %s (%s)", name, table, target)
}

// asked returns the lines of a schema.
func asked(s *schema.Schema) catalogue {
	c := catalogue{}
	for _, t := range s.Tables {
		for _, x := range t.Columns {
			c[askedColumn(t, x)] = true
		}
		for _, i := range t.Indexes {
			c[indexLine(t.Name, i.Name, i.Target)] = true
		}
	}
	for _, u := range s.Types {
		for i, f := range u.Fields {
			c[fieldLine(u.Name, i, f.Name, f.Type.String())] = true
		}
	}
	return c
}

func askedColumn(t *schema.Table, c *schema.Column) string {
	order, position := "none", -1
	switch c.Kind {
	case schema.PartitionKey:
		position = slices.Index(t.PartitionKey, c)
	case schema.ClusteringKey:
		position = slices.Index(t.ClusteringKey, c)
		order = [...]string{model.Ascending: "asc", model.Descending: "desc"}[c.Order]
	}
	kind := [...]string{schema.Regular: "regular", schema.PartitionKey: "partition_key", schema.ClusteringKey: "clustering", schema.Static: "static"}[c.Kind]
	return columnLine(t.Name, c.Name, order, kind, position, c.Type.String())
}

// compare reports missing and unexpected lines.
func (c catalogue) compare(t *testing.T, made []*schema.Schema) {
	want := catalogue{}
	for _, s := range made {
		for line := range asked(s) {
			if want[line] && !strings.HasPrefix(line, "column aml_outboxes.") { // all stores of a keyspace have the same
				t.Errorf("expected twice: %s", line)
			}
			want[line] = true
		}
	}
	for _, line := range c.without(want) {
		t.Errorf("unexpected: %s", line)
	}
	for _, line := range want.without(c) {
		t.Errorf("missing: %s", line)
	}
}

func (c catalogue) without(o catalogue) []string {
	var out []string
	for line := range c {
		if !o[line] {
			out = append(out, line)
		}
	}
	sort.Strings(out)
	return out
}

func TestMain(m *testing.M) { cassandra.Main(m) }
