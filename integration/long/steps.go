package main

import (
	"fmt"
	"strings"
)

// step is one go test: of a package, tests that a regular expression names, with their own flags. SEED is replaced.
type step struct {
	dir   string
	tests string
	flags string
}

var steps = []step{
	{"./integration", "^TestKilledNodes$", "-kills=10 -replicas=20 -replicas.rounds=3 -replicas.seed=SEED"},
	{"./integration/migrations", "^TestCorpus$", "-corpus=200 -corpus-seed=SEED -all"},
	{"./integration/migrations", "^Test(LanguageExamplesRun|InspectAndAdoptExamples)$", "-all"},
	{"./integration/migrations", "^TestAdoptCorpus$", "-adopted=30 -corpus-seed=SEED"},
	{"./integration/migrations", "^TestDiffOfPairs$", "-pairs=40 -pairs-seed=SEED"},
	{"./integration/migrations", "^TestReplayOfRandomStatements$", "-replay=300 -replay-seed=SEED"},
	{"./integration", "^TestMemoryConforms$", "-conformance.sequences=600 -conformance.seed=SEED"},
	{"./integration", "^Test(Own)?Agreement$", "-rapid.checks=300 -rapid.seed=SEED"},
	{"./integration/projection", "^TestCopiesEqualTheProjection$", "-projection-cases=10000 -projection-seed=SEED"},
	{"./integration/projection", "^TestCopiesOnANodeEqualTheProjection$", "-projection-node-cases=200 -projection-seed=SEED"},
	{"./integration/projection", "^TestBackfillsOnANodeGiveTheProjection$", "-projection-fills=60 -projection-seed=SEED"},
	{"./mapper/internal/cell", "^Test", "-rapid.checks=5000 -rapid.seed=SEED"},
	{"./mapper/internal/plan", "^Test", "-rapid.checks=2000 -rapid.seed=SEED"},
	{"./migrate", "^Test", "-rapid.checks=2000 -rapid.seed=SEED"},
	{"./mapper/internal/cell", "^FuzzDecode$", "-fuzztime=200000x"},
	{"./mapper/internal/cell", "^FuzzMemory$", "-fuzztime=100000x"},
	{"./mapper/gen", "^FuzzDecimalText$", "-fuzztime=100000x"},
	{"./aml/model", "^FuzzTag$", "-fuzztime=200000x"},
	{"./aml/load", "^FuzzLookup$", "-fuzztime=200000x"},
	{"./aml/load", "^FuzzSource$", "-fuzztime=5000x"},
	{"./migrate", "^FuzzSplit$", "-fuzztime=200000x"},
	{"./migrate", "^FuzzDDL$", "-fuzztime=200000x"},
	{"./migrate/catalog", "^FuzzParse$", "-fuzztime=100000x"},
	{"./migrate/catalog", "^FuzzReplay$", "-fuzztime=50000x"},
}

// args returns the arguments of the go command.
func (s step) args(seed int64) []string {
	args := []string{"test", "-count=1", "-run=" + s.tests}
	if strings.HasPrefix(s.tests, "^Fuzz") {
		args = []string{"test", "-run=^$", "-fuzz=" + s.tests}
	}
	args = append(args, s.dir)
	return append(args, strings.Fields(strings.ReplaceAll(s.flags, "SEED", fmt.Sprint(seed)))...)
}
