package projection_test

import (
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

var referenceCases = flag.Int("projection-reference-cases", 100, "the number of random sequences of saves of roots with checked references in memory")

// After any sequence of saves and deletions of roots that refer to each other by checked references, and follow each other, the rows are those that follow
// from the options of the references: a reference to nothing is refused, a deletion is refused, deletes or clears what refers to the target, or leaves it as it
// is, and nothing else is changed.
func TestReferencesOfRandomModels(t *testing.T) {
	from, tally := firstSeed(t), newTally()
	r := rand.New(rand.NewPCG(from, 7_000_000))
	known, err := imports()
	require.NoError(t, err)
	for tally.n["cases"] < *referenceCases {
		source := referringModel(r)
		roots, err := projection.CompileRoots(source, known)
		if err != nil {
			tally.add("models rejected", 1)
			continue
		}
		for range casesOfModel {
			references(t, roots, r, tally)
		}
	}
	t.Log(tally)
	for _, what := range []string{"Put", "Put refused", "Update", "Update refused", "Delete", "Delete refused", "cleared", "cascaded"} {
		require.Greater(t, tally.n[what], tally.n["cases"]/20, what)
	}
	require.Positive(t, tally.n["kept"])
}

// The same is true on a node.
func TestReferencesOfRandomModelsOnANode(t *testing.T) {
	known, err := imports()
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(firstSeed(t), 8_000_000))
	for {
		roots, err := projection.CompileRoots(referringModel(r), known)
		if err != nil {
			continue
		}
		session := cassandra.Keyspace(t)
		for _, statement := range roots[0].Schema.Statements() {
			require.NoError(t, session.ExecStmt(statement), statement)
		}
		require.NoError(t, session.AwaitSchemaAgreement(t.Context()))
		db, err := gen.Open(t.Context(), gocqldriver.New(session), mapper.Config{Logger: slog.New(slog.DiscardHandler)}, roots[0].Descriptors())
		require.NoError(t, err)
		s := projection.NewReferences(roots, db, r)
		for range 40 {
			require.NoError(t, s.Step(t.Context()), roots[0].Source)
		}
		require.NoError(t, s.Deleted(t.Context()), roots[0].Source)
		return
	}
}

// references runs one case in memory. At the end Reconcile finds only rows of reverse tables that refused saves have left, and done-markers
// below the version that a deletion has raised to delete such a row, and nothing when it runs again.
func references(t *testing.T, roots []*projection.Compiled, r *rand.Rand, tally *tally) {
	now := time.Unix(1_800_000_000, 0)
	backend := memory.New(memory.Config{Now: func() time.Time { return now }})
	db, err := gen.OpenBackend(t.Context(), backend, roots[0].Descriptors())
	require.NoError(t, err)
	s := projection.NewReferences(roots, db, r)
	for range 20 + r.IntN(20) {
		now = now.Add(100 * time.Microsecond)
		require.NoError(t, s.Step(t.Context()), roots[0].Source)
	}
	require.NoError(t, s.Deleted(t.Context()), roots[0].Source)
	now = now.Add(time.Minute)
	for _, none := range []bool{false, true} {
		require.NoError(t, s.Reconcile(t.Context(), mapper.ReconcileConfig{Slices: 1, Found: func(d mapper.Drift) {
			if none || d.Kind != mapper.DriftOrphan && d.Kind != mapper.DriftUnpropagated {
				t.Errorf("%+v\n%s\n%s", d, s.Last, roots[0].Source)
			}
		}}))
	}
	tally.add("cases", 1)
	for what, n := range s.Done {
		tally.add(what, n)
	}
}

// referringModel returns the source of a model with a target, which can refer to other targets, and a root that refers to it in random fields.
func referringModel(r *rand.Rand) string {
	types := []string{"string", "int32", "int64", "bool", "gocql.UUID"}
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	options := func() string {
		return ",checked" + pick("", ",ondelete=restrict", ",ondelete=cascade", ",ondelete=clear", ",ondelete=clear")
	}
	key := []string{pick(types...)}
	if r.IntN(3) == 0 {
		key = append(key, pick(types...))
	}
	var b, structs strings.Builder
	b.WriteString("package random\n\nimport (\n\t\"github.com/cassaml/cassaml/aml\"\n\t\"github.com/gocql/gocql\"\n)\n\nvar _ gocql.UUID\n\n")
	b.WriteString("type Target struct {\n\taml.Aggregate `aml:\"targets\"`\n\n")
	for i, k := range key {
		fmt.Fprintf(&b, "\tK%d %s `aml:\"k%[1]d,%[3]s\"`\n", i, k, []string{"identifier", pick("identifier", "discriminator")}[i])
	}
	n := 0
	column := func() string { n++; return fmt.Sprint("f", n) }
	single := func(out *strings.Builder) { // fields with a key
		f, o := column(), options()
		for i, k := range key {
			association := "Target"
			if len(key) > 1 {
				association = fmt.Sprint("Target.K", i)
			}
			fmt.Fprintf(out, "\tF%s_%d *%s `aml:\"%[1]s_%[2]d,association=%[4]s%[5]s\"`\n", f, i, k, association, o)
		}
	}
	copied := func() { // fields with a key, and one that follows a field of the target
		f := column()
		for i, k := range key {
			association := "Target"
			if len(key) > 1 {
				association = fmt.Sprint("Target.K", i)
			}
			fmt.Fprintf(&b, "\tF%s_%d *%s `aml:\"%[1]s_%[2]d,association=%[4]s\"`\n", f, i, k, association)
		}
		fmt.Fprintf(&b, "\tC%s *string `aml:\"c%[1]s,copy=Target.Name%[2]s\"`\n", f, pick("", ",ondelete=keep", ",ondelete=keep", ",ondelete=keep"))
	}
	value := func() string { // a struct with a reference
		name := "Value" + column()
		fmt.Fprintf(&structs, "type %s struct {\n\tText *string `aml:\"text\"`\n", name)
		single(&structs)
		structs.WriteString("}\n\n")
		return name
	}
	many := func(goType, option string) {
		fmt.Fprintf(&b, "\tF%s %s `aml:\"%[1]s,max=9%[3]s,association=Target%[4]s\"`\n", column(), goType, option, options())
	}
	composed := func(format, option string) {
		v := value()
		fmt.Fprintf(&b, "\tF%s %s `aml:\"%[1]s,composition%[3]s\"`\n", column(), fmt.Sprintf(format, v), option)
	}
	shapes := []func(){
		func() { single(&b) }, func() { single(&b) }, copied, copied,
		func() { composed("%s", "") }, func() { composed("*%s", "") }, func() { composed("[]%s", ",max=9") },
		func() { composed("[]%s", ",unique,max=9") }, func() { composed("map[string]%s", ",max=9") },
	}
	if len(key) == 1 {
		shapes = append(shapes, func() { many("[]"+key[0], "") }, func() { many("[]"+key[0], ",unique") }, func() { many("map["+key[0]+"]struct{}", "") })
	}
	for range r.IntN(2) {
		single(&b)
	}
	b.WriteString("\tName *string `aml:\"name\"`\n\tVersion int64 `aml:\"version,version\"`\n}\n\ntype Holder struct {\n\taml.Aggregate `aml:\"holders\"`\n\n\tID int32 `aml:\"id,identifier\"`\n")
	for range 1 + r.IntN(4) {
		shapes[r.IntN(len(shapes))]()
	}
	b.WriteString("\tVersion int64 `aml:\"version,version\"`\n}\n\n")
	return b.String() + structs.String()
}
