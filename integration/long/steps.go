package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// step is one go test: its packages, a regular expression of their tests, as -run takes it, and their flags, among which are variables of
// the environment (NAME=value). SEED is replaced by the seed of the round, and CLOCK by the milliseconds since 1970, so that each run tests
// other cases.
type step struct {
	dirs  string
	tests string
	flags string
}

// suites are the packages whose tests need a server.
var suites = []string{"./integration/...", "./mapper/internal/conformance", "./examples/..."}

// clusters are the steps that start three nodes, kill some, and wait for them most of the time. They run beside the other steps.
var clusters = []step{
	{"./integration/faults", "^TestKilledNodes$/^(writes|replicas|agreement)$", "-kills=1 -replicas=3 -replicas.nodes -replicas.seed=SEED"},
	{"./integration/faults", "^TestKilledNodes$/^versioned$", "-versioned.faults=10 -versioned.seed=SEED"},
	{"./integration/faults", "^TestDataCentres$", "-datacentres"},
	{"./integration/faults", "^TestLeasesOnNodes$", "-leases.kills=4 -leases.seed=SEED"},
	{"./integration/faults", "^TestFanOutOnNodes$", "-fanout.targets=4 -fanout.holders=300"},
}

// other are steps with tests that `go test ./...` skips, or that run there over another driver, on another version of Cassandra, or with other seeds.
var other = []step{
	{"./integration/command", "^Test(Grants|ConnectionsWithTLS)$", "-roles"},
	{"./mapper/internal/simulation", "^Test(.*Schedules|ReconcileBesideOneWriter|PreemptedCalls)$", "-schedules=2500 -preemptions=10 -schedules-from=CLOCK"},
	{"./integration/site", "^Test(SitesOfExamples|NuHTMLChecker)$", "-all -nu"},
	{"./integration/site/browser", "^TestBrowser$", "-every"},
	{"./integration/suite ./integration/store ./integration/migrate ./integration/values ./mapper/internal/conformance", "^Test", "AML_DRIVER=apache"},
	{"./integration/migrations ./integration/projection", "OnANode|^Test(Rows|Columns|Conversions|Partitions|InvalidCopies|ServerAccepts|ATable|FromPlain)", "AML_DRIVER=apache"},
	{"./integration/store", "^Test", "CASSANDRA_VERSION=4.1.10 CASSANDRA_HOSTS="},
}

// larger are steps with tests that `go test ./...` runs in a small size.
var larger = []step{
	{"./integration/alternatives", "^Test(CostsAreThoseOfTheStores|CostsOfRandomRelationships|DesignsOfRandomModels)$", "-all -designs.counted=5 -designs.models=20 -designs.node=100 -designs.seed=SEED"},
	{"./integration/faults", "^Test", "AML_DRIVER=apache"},
	{"./integration/faults", "^TestKilledQueue$", "-queue.tasks=4000 -queue.kills=30 -queue.seed=SEED"},
	{"./integration/language", "^Test(Corpus|(StoresOf)?LanguageExamplesRun)$", "-all -corpus=30 -corpus-seed=SEED"},
	{"./integration/migrations", "^Test(AdoptCorpus|InspectAndAdoptExamples|ServerAcceptsPlannedMigrations|DiffOfPairs|ReplayOfRandomStatements)$",
		"-all -adopted=4 -corpus-seed=SEED -pairs=8 -pairs-seed=SEED -replay=200 -replay-seed=SEED"},
	{"./integration/store", "^Test(ManyParts|BackfillsRestoreWhatTheStoreWrote|DeletionsOnDisk|RestoredTables|EachPartition|FanOutAfterManyServedOutboxes)$",
		"-all -parts=50000 -outboxes=1000000 -each-cases=5000 -each-node-cases=200 -each-seed=SEED"},
	{"./mapper/internal/conformance", "^Test(Scans(OfANode)?Continue|MemoryConforms)$",
		"-scan.cases=2000 -scan.node-cases=30 -scan.seed=SEED -conformance.sequences=300 -conformance.seed=SEED"},
	{"./integration/bench/followers", "^TestRun$", "-holders=20000"},
	{"./integration/bench", "^TestQuickStudy$", "-study"},
	{"./integration/site/browser", "^TestEveryPage$", "-every"},
	{"./codegen/diagram", "^TestLayout$", "-graphs=80"},
	{"./codegen/diagram", "^Test(FramesOfPackages|.*Legible)$", "-graphs=30"},
	{"./integration/values", "^Test(Agreement|OwnAgreement)$", "-rapid.checks=150 -rapid.seed=SEED"},
	{"./integration/projection", "^TestCopies(|OfParts|OnANode)EqualTheProjection$|^Test(Saves|References)OfRandomModels(OnANode)?$|^TestElements(OnANode)?AreWrittenAsByUpdate$",
		"-projection-cases=3000 -projection-part-cases=1000 -projection-node-cases=100 -projection-save-cases=800 -projection-save-models=4 -projection-reference-cases=2000 -element-cases=10000 -element-node-cases=300 -projection-seed=SEED"},
	{"./integration/projection", "^TestBackfills(OnANode)?EqualTheProjection$|^TestBackfills(WithConcurrentWriters|OfAnAddedColumn)$|ConvergeWhereTheModelDoesNotWarn$|^TestReconciledCopies(OnANode)?EqualTheProjection$",
		"-projection-fill-cases=1000 -projection-overlap-models=60 -projection-fills=20 -projection-reconcile-cases=2000 -projection-reconciles=10 -projection-seed=SEED"},
	{"./integration/command", "^Test(MigrationsWalk|Scripts)$", "-walk.releases=4 -long"},
	{"./mapper/internal/cell", "^Test", "-rapid.checks=2000 -rapid.seed=SEED"},
	{"./mapper/internal/plan", "^Test", "-rapid.checks=300 -rapid.seed=SEED"},
	{"./mapper/internal/simulation", "^Test(Follow|FollowChecked|Reference|Record|RecordCopies)Schedules$", "-schedules=20000 -schedules-from=CLOCK"},
	{"./migrate", "^Test", "-rapid.checks=1000 -rapid.seed=SEED"},
	{"./mapper/internal/cell", "^FuzzDecode$", "-fuzztime=10000x"},
	{"./mapper/internal/cell", "^FuzzMemory$", "-fuzztime=10000x"},
	{"./mapper/gen", "^FuzzDecimalText$", "-fuzztime=15000x"},
	{"./aml/model", "^FuzzTag$", "-fuzztime=15000x"},
	{"./aml/load", "^FuzzLookup$", "-fuzztime=15000x"},
	{"./aml/load", "^FuzzSource$", "-fuzztime=1000x"},
	{"./codegen/query/syntax", "^FuzzParse$", "-fuzztime=15000x"},
	{"./internal/lex", "^FuzzScript$", "-fuzztime=15000x"},
	{"./migrate/folder", "^FuzzSplit$", "-fuzztime=15000x"},
	{"./migrate/internal/effect", "^FuzzDDL$", "-fuzztime=15000x"},
	{"./migrate/catalog", "^FuzzApply$", "-fuzztime=15000x"},
	{"./migrate/catalog", "^FuzzReplay$", "-fuzztime=10000x"},
}

// String returns the packages and the tests of the step.
func (s step) String() string { return s.dirs + " " + s.tests }

// fuzzes reports whether the step is a fuzz test.
func (s step) fuzzes() bool { return strings.HasPrefix(s.tests, "^Fuzz") }

// args returns the arguments of the go command for a round that runs at a time.
func (s step) args(seed int64, now time.Time) []string {
	args := []string{"test", "-count=1", "-run=" + s.tests}
	if s.fuzzes() {
		args = []string{"test", "-run=^$", "-fuzz=" + s.tests}
	}
	args = append(args, strings.Fields(s.dirs)...)
	values := strings.NewReplacer("SEED", fmt.Sprint(seed), "CLOCK", fmt.Sprint(now.UnixMilli()))
	return append(args, slices.DeleteFunc(strings.Fields(values.Replace(s.flags)), isVariable)...)
}

// env returns the variables of the environment.
func (s step) env() []string {
	return slices.DeleteFunc(strings.Fields(s.flags), func(f string) bool { return !isVariable(f) })
}

func isVariable(flag string) bool { return !strings.HasPrefix(flag, "-") }
