#!/usr/bin/env bash
# Breaks the code on purpose, one line at a time, and expects that a test fails each time.
#   integration/mutate.sh [NAME...]     only the mutants of these names
# First the tests run with the unchanged code. Each mutant must change one line and must compile. A mutant that no test
# catches makes the script fail. The files of the repository are not changed: the go command reads the mutant from an
# overlay. One mutant for each processor is tried at a time.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd "$root"

die() { printf 'mutate: %s\n' "$*" >&2; exit 1; }

# name | file | text of a line | its replacement | packages of whose tests one must fail, the fastest first, each with the
# options of go test that narrow the tests down
mutants=$(cat <<'TABLE'
references-of-elements-are-one|codegen/alternatives/referring.go|		n, path = x.n, path[1:]|		path = path[1:]|./codegen/alternatives -run=TestCostsOfReferencesInElements
references-of-elements-that-can-be-null|codegen/alternatives/referring.go|	if !isSet(path) {|	if len(path) == 0 {|./codegen/alternatives -run=TestCostsOfReferencesInElements
references-of-an-added-element|codegen/alternatives/referring.go|	case isOfElement && x.Effect == Adding:|	case x.Effect == Adding:|./codegen/alternatives -run=TestCostsOfReferencesInElements
unreleased-values-are-one|mapper/internal/save/reservation.go|slog.Int("values", len(failed))|slog.Int("values", 1)|./integration/store -run=TestUnreleasedValues
embedded-instances-of-generic-structs|codegen/alternatives/gosource/struct.go|	case *ast.IndexExpr:|	case *ast.ParenExpr:|./codegen/alternatives/gosource -run=TestEmbeddedStructs
rows-of-other-parts|codegen/alternatives/cost.go|	return a != nil && a.Root != nil && a.Struct.Name != x.element|	return a != nil && a.Root == a|./codegen/alternatives -run=TestPartsWithoutRows
pages-of-other-parts|codegen/alternatives/cost.go|!x.isOtherPart(target) {|target != nil {|./codegen/alternatives -run=TestPartsWithoutRows
reads-of-rows-of-other-parts|codegen/alternatives/cost.go|	if slices.Contains(of, x.Effect) && part.Struct.Name == x.element {|	if slices.Contains(of, x.Effect) {|./codegen/alternatives -run=TestPartsWithoutRows
explained-deletion-without-dropped-references|codegen/explain/versioned.go|all := len(removed.Writes); all > 1 {|all := len(removed.Writes); all > 1 && len(x.table.Copies) > 0 {|./integration/store -run=TestExplainOfStands/memory
explained-references-in-one-partition|codegen/explain/reference.go|, partition: r.Table.Name}|}|./integration/store -run=TestExplainOfStands/memory
explained-sets-of-references-in-one-partition|codegen/explain/reference.go|		w.Each, w.Rows = true, |		w.Rows = |./codegen/explain
types-of-tables-that-are-not-drawn|codegen/diagram/chebotkotype.go|range UsedTypes(s, tables) {|range UsedTypes(s, s.Tables) {|./codegen/diagram -run=TestTypesOfSomeRoots
mermaid-that-is-too-long|codegen/diagram/mermaid/mermaid.go|		if len(s.Text) > MaxText {|		if len(s.Text) < 0 {|./codegen/diagram/mermaid -run=TestLongRoot
partitions-of-a-batch-are-its-statements|mapper/internal/plan/mutation.go|	return len(seen)|	return len(all)|./mapper/gen -run=TestBatchIsOneWrite
partitions-of-a-read-of-several|mapper/internal/store/read.go|		n, _ := cell.Count(r.Key[last], 1)|		n := 1|./integration/store -run=TestReadsOfViewsWithoutRemainingTTLs/memory
partitions-of-a-scan|mapper/internal/store/read.go|	case len(r.Key) <= last:|	case len(r.Key) < last:|./integration/store -run=TestReadsOfViewsWithoutRemainingTTLs/memory
advice-without-a-query-that-is-not-cql|codegen/advise/advice.go|	if wrong := append(a.misread(), a.resolveWrites()...); len(wrong) > 0 {|	if wrong := a.resolveWrites(); len(wrong) > 0 {|./codegen/advise -run=TestTextsThatAreNotCQL
view-reads-a-remaining-ttl|aml/schema/build.go|	return &View{Table: t, Model: v}|	t.Remaining = of.Remaining; return &View{Table: t, Model: v}|./codegen/explain -run=TestExplanationsOfRandomModels
claim-is-raised-from-any-floor|mapper/internal/plan/save.go|	c.Write.Add(last)|	c.Write.Add(last); c.require(row, t.nonKeyColumns()[:len(t.nonKeyColumns())-1]...); return c|./mapper/internal/simulation -run=TestAClaimIsRaisedFromTheFloor
claims-are-given-back-for-a-second-only|mapper/internal/save/call.go|	stop := context.AfterFunc(w.Ctx, func() {|	began, begin := context.WithCancel(w.Ctx); begin(); stop := context.AfterFunc(began, func() {|./mapper/internal/simulation -run=TestRefusedSavesGiveBackManyClaims
values-of-an-ended-goroutine-are-not-written|mapper/internal/call/bulk.go|err == ErrExited |err != nil && b == nil |./integration/store -run=TestInsertAllWhoseCallbacksExit
versioned-root-above-the-limit-of-a-request|mapper/internal/save/commit.go|		err = w.fits(&save.Root)|		_ = w.fits(&save.Root)|./integration/store -run=TestRefusedValuesClaimNothing
claim-of-an-insert-is-given-back-by-another-save|mapper/internal/save/claim.go|		x.unsure = x.unsure |		_ = x.unsure |./mapper/internal/simulation -run=TestClaimOfAnInsertThatAnotherSaveHasMoved
claim-without-its-own-lease|mapper/internal/save/claim.go|		x.seen = observation{r.Owner, r.At, x.DB.Env.Elapsed(), o.CurrentVersion()}|		since := x.DB.Env.Elapsed(); if x.seen.owner != nil { since = x.seen.since }; x.seen = observation{r.Owner, r.At, since, o.CurrentVersion()}|./mapper/internal/simulation -run=TestEachClaimHasItsLease
value-without-a-reservation-is-owned|mapper/internal/save/claim.go|			c.unowned = append(c.unowned, v)|			if r != nil { c.unowned = append(c.unowned, v) }|./mapper/internal/simulation -run=TestTheCopyOfAValue
owner-of-a-kept-value-is-read-plainly|mapper/internal/save/reservation.go|if r, err := w.DecodeReservation(v, row); err != nil|if r, err := w.DecodeReservation(v, row); r != nil|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
copies-of-unowned-values|mapper/internal/save/propagate.go|w.Aggregate.Propagate(s, unowned, parts)|w.Aggregate.Propagate(s, unowned[:0], parts)|./mapper/internal/simulation -run=TestReconcileOfARowKeeps
assign-raises-to-the-future|mapper/internal/save/assign.go|newest > w.DB.Config.Now()|newest < 0 && newest > w.DB.Config.Now()|./mapper/internal/simulation -run=TestAssignVersionsRefusesACopy
purge-of-a-reservation-that-changed|mapper/internal/plan/save.go|func PlanPurgeReservation(t *Table, row cell.Row) *Conditional {|func PlanPurgeReservation(t *Table, row cell.Row) *Conditional { if c := removal(t, row); c != nil { c.require(row, t.nonKeyColumns()[:1]...); return c }|./mapper/internal/simulation -run=TestReconcileKeepsAReservation
orphan-of-an-owned-value-is-deleted|mapper/internal/reconcile/orphan.go|		case r != nil && r.Owner != nil:|		case r != nil && r.Owner != nil && x.config.DryRun:|./mapper/internal/simulation -run=TestReconcileOfARowKeepsTheClaim
purge-before-the-copies-are-deleted|mapper/internal/reconcile/purge.go| at < s.CurrentVersion() | at < 0 |./mapper/internal/simulation -run=TestReconcileKeepsADeleted
done-marker-beside-unknown-rows|mapper/internal/plan/save.go|	known = known && a.Knows(pending)|	_ = a.Knows(pending)|./mapper/internal/simulation -run=TestReconcileKeepsADeleted
shared-row-is-deleted|mapper/internal/plan/save.go|		if c.Shared |		if len(a.Copies) < 0 |./mapper/internal/simulation -run=TestVersionedSavesKeep
row-of-another-root-is-an-orphan|mapper/internal/reconcile/difference.go|if root.source == nil && x.c.Owned()|if root.source != nil && x.c.Owned()|./mapper/internal/simulation -run=TestReconcileOfARowKeepsTheRows
extra-row-of-another-root|mapper/internal/plan/repair.go|r.c.Owned() && r.root != nil &&|r.c.Owned() && r.root == nil &&|./mapper/internal/simulation -run=TestReconcileOfARowKeepsTheRows
element-is-matched-twice|mapper/internal/plan/unknown.go|		if !m.taken[i] && same(m.old[i]) {|		if same(m.old[i]) {|./mapper/internal/plan -run=TestKeep
claim-of-unknown-outcome-counts-as-created|mapper/internal/save/claim.go|		x.unsure = true|		if x.r, err = x.readTimedReservation(x.value); err == nil && x.r != nil && x.Owns(x.r) && x.r.At == x.at { x.created = true; return true, nil }|./mapper/internal/simulation -run=TestClaimSchedules
release-of-any-owner|mapper/internal/save/reservation.go|		c.If = append(c.If, x)|		_ = append(c.If, x)|./mapper/internal/simulation -run=TestClaimSchedules
release-of-a-claim-of-any-version|mapper/internal/save/reservation.go|	for i, x := range r.was {|	for i, x := range r.was { if i == 0 { continue }|./mapper/internal/simulation -run=TestClaimSchedules
join-after-a-refused-raise|mapper/internal/save/claim.go|	if joined = outcome == plan.Applied; joined {|	if joined = outcome != plan.Undecided; joined {|./mapper/internal/simulation -run=TestClaimSchedules
methods-are-called-before-the-rules-are-checked|mapper/internal/call/root.go|if err := r.DB.ConstraintError(r.Codec.Table, c.new, broken, nil); err != nil {|if err := r.DB.ConstraintError(r.Codec.Table, c.new, broken, nil); err != nil && c == nil {|./integration/store -run=TestRulesAreCheckedBeforeMethods
reconcile-calls-methods-of-any-row|mapper/internal/call/root.go|r.DB.ConstraintError(r.Codec.Table, row, r.Codec.Typed.CheckAny(v), nil); err != nil {|r.DB.ConstraintError(r.Codec.Table, row, r.Codec.Typed.CheckAny(v), nil); err != nil && w == nil {|./integration/store -run=TestRowsWithoutRequiredFieldsAreWritable/memory
method-that-panics-ends-the-program|mapper/internal/call/codec.go|if p := recover(); p != nil {|if p := any(nil); p != nil {|./integration/store -run=TestMethodsThatPanic
type-that-panics-ends-the-program|mapper/gen/custom.go|if p := recover(); p != nil {|if p := any(nil); p != nil {|./integration/store -run=TestTypesThatPanic
panic-of-a-method-shows-a-secret|mapper/internal/call/codec.go|i >= len(t.Columns) && slices|i < 0 && slices|./integration/store -run=TestMethodsThatPanic
model-runs-at-initialization|mapper/internal/call/codec.go|c.zero = sync.OnceValue(c.encodeZero)|c.zero = sync.OnceValue(c.encodeZero); c.zero()|./integration/store -run=TestTypesThatPanic
versioned-row-whose-methods-fail-stays|mapper/internal/save/call.go|return s, call.IgnoreMethods(err)|return s, err|./integration/store -run=TestRowsWhoseMethodsFail
row-whose-methods-fail-is-projected|mapper/internal/save/call.go|	s, err := w.ReadLasting()|	s, err := w.ReadLasting(); err = call.IgnoreMethods(err)|./integration/store -run=TestReadsOfRowsWhoseMethodsFail/memory
verified-row-of-a-method-that-fails|mapper/internal/call/verified.go|if !p.ReadsMethods(source.Codec.Table) {|if p != nil {|./integration/store -run=TestReadsOfRowsWhoseMethodsFail/memory
element-of-a-row-whose-methods-fail|mapper/internal/call/element.go|Failed: failed != nil|Failed: failed == nil|./integration/store -run=TestRowsWhoseMethodsFail
empty-collection-counts-as-a-value|codegen/check.go|case cells && t.MultiCell():|case cells && t == nil:|./codegen -run=TestGolden$
struct-of-nulls-counts-as-a-value|codegen/check.go|if cells && t.Kind == model.Composed {|if cells && t == nil {|./codegen -run=TestGolden$
value-that-is-encoded-as-null-counts|codegen/check.go|case ownNull(t):|case t == nil:|./codegen -run=TestGolden$
column-in-a-struct-has-cells|codegen/check.go|!a.Nested && !a.Frozen()|!a.Frozen()|./codegen -run=TestGolden$
static-value-decides-a-copy|aml/model/staticcopy.go|if first.Static {|if first.Static && p == nil {|./aml/load -run=TestDiagnostics/staticdecision
method-of-a-copy-reads-a-static-value|aml/model/staticcopy.go|func(at *Attribute) bool { return at.Static }); i >= 0 {|func(at *Attribute) bool { return at.Static }); i > 99 {|./aml/load -run=TestDiagnostics/staticdecision
keyset-is-decided-by-the-last-value|mapper/internal/plan/range.go|		if order = compare(i, row[i], v); order != 0 {|		if order = compare(i, row[i], v); i < 0 {|./integration/store -run=TestKeyset/memory
keyset-of-a-rounded-time|mapper/internal/call/query.go|		values = values[:cut]|		_ = cut|./integration/store -run=TestKeysetOfPreciseTimes
keyset-low-bound-has-the-values-of-the-upper-one|mapper/internal/plan/range.go|	return Bound{m.Low, m.Values[:m.LowValues]}, Bound{m.Up, m.Values[m.LowValues:]}|	return Bound{m.Low, m.Values}, Bound{m.Up, m.Values[m.LowValues:]}|./integration/store -run=TestKeysetDeletes/memory
keyset-of-mixed-orders|aml/schema/keyset.go|c.Order != t.Discriminators()[first].Order })|c.Order < 0 && len(t.Discriminators()) > first })|./integration/store -run=TestExplainKeyset
keyset-hides-a-discriminator|aml/schema/keyset.go|		if !t.isDiscriminator(k.method) {|		if k.method != "" {|./integration/store -run=TestExplainKeyset
table-page-of-a-forged-size|mapper/internal/call/tablepage.go|size > uint32(most) {|size > uint32(most)<<20 {|./mapper/internal/call -run=TestForgedPageSizes
table-page-token-without-its-size|mapper/internal/call/tablepage.go|		asked.PageSize, state, err = cutSize(state, sizes.Most)|		_, state, err = cutSize(state, sizes.Most)|./integration/store -run=TestAllPageTokens
forgotten-row-in-flight|mapper/internal/call/recent.go| && row.epoch == r.epoch.Load()||./integration/store -run=TestForgottenSharedRows
forgotten-row-of-a-versioned-root|mapper/internal/call/copywrites.go|, epoch: w.epoch}|, epoch: w.db.epoch()}|./integration/store -run=TestForgottenSharedRows
together-returns-rows-twice|mapper/internal/call/together.go|j.at.has(partition, clustering) {|j.at.has(-1, clustering) {|./integration/store -run=TestTogether/memory
together-begins-after-the-last-row|mapper/internal/call/together.go|after = &mergePlace{partition: -1,|after = &mergePlace{partition: 0,|./integration/store -run=TestTogether/memory
together-over-deleted-rows|mapper/internal/call/together.go|	if 2*live < j.size {|	if 2*live < 0 {|./mapper/internal/simulation -run=TestRowsThatAreLeftOut
each-reads-a-partition-at-once|mapper/internal/call/merge.go|	if m.left < 1 {|	if m.left > 1<<60 {|./mapper/internal/simulation -run=TestRowsThatAreLeftOut
together-serial|mapper/internal/call/together.go|	case q.r.DB.serial:|	case q.r.DB.serial && q.limit < 0:|./mapper/internal/simulation -run=TestRowsThatAreLeftOut
vet-discarded-query|codegen/vet/discard.go|s.NumFields() != 1 {|s.NumFields() != 0 {|./codegen/vet
forget-without-cache|codegen/file.go|	if slices.ContainsFunc(s.Tables, remembered) {|	if s.Tables != nil {|./codegen -run=TestTableWithTheNameOfAMissingMethod
keyset-query-in-another-order|codegen/query/keyset.go|func(n syntax.Name, c *schema.Column) bool { return of.column(n) == c }) {|func(n syntax.Name, c *schema.Column) bool { return of.column(n) != nil }) {|./codegen/query
keyset-query-with-the-upper-bound-first|codegen/query/keyset.go|			text = call + text|			text += call|./codegen/query
together-without-room-for-returned-rows|mapper/internal/call/together.go|		r.Limit = j.size + len(j.at.returned)|		r.Limit = j.size|./integration/store -run=TestTogether/memory
together-forged-place|mapper/internal/call/together.go|		if state = state[4:]; i >= len(q.partitions) {|		if state = state[4:]; i < 0 {|./mapper/internal/call -run=TestForgedTies
each-page-size-at-most-a-hundred|mapper/internal/call/merge.go|		size = int(m.q.pageSize)|		size = min(size, int(m.q.pageSize))|./integration/store -run=TestEachPartitionPageSize/memory
restamp-without-the-ttl-that-is-left|mapper/internal/plan/restamp.go|Write: t.regular(), Action: Put, TTL: f.exists.RemainingTTL}|Write: t.regular(), Action: Put}|./mapper/internal/simulation -run=TestRestamp
restamp-one-ttl-for-all-values|mapper/internal/plan/restamp.go|g.RemainingTTL != f.exists.RemainingTTL })|g.RemainingTTL < 0 })|./mapper/internal/simulation -run=TestRestamp
restamp-of-an-expired-row|mapper/internal/reconcile/row.go|int64(m.TTL) > seconds {|int64(m.TTL) > 0 {|./mapper/internal/simulation -run=TestRestamp
fill-key-expires-with-the-first-value|mapper/internal/plan/fill.go|RemainingTTL: f.stamps.longestTTL(f.a), There: true}|RemainingTTL: f.stamps.row.RemainingTTL, There: true}|./mapper/internal/plan ./mapper/internal/simulation -run=TestRestamp
reconcile-static-values-of-the-root-are-removed|mapper/internal/reconcile/static.go|statics[i] != nil && !x.r.Aggregate.ImpliesStatic(x.c, i, root) {|statics[i] != nil && len(root) >= 0 {|./integration/store -run=TestReconcileKeepsStatic
reconcile-orphan-root-is-not-raised|mapper/internal/reconcile/orphan.go|	if o.wrote > o.at && o.raise != nil {|	if o.wrote > o.at && o.raise == nil {|./mapper/internal/simulation -run=TestReconcileOrphan
reconcile-orphan-raise-beyond-the-skew|mapper/internal/reconcile/orphan.go|	case o.wrote > o.at && o.raise != nil && x.newRootCheck(x.w.Root).checkAhead(|	case o.wrote > o.at && o.raise == nil && x.newRootCheck(x.w.Root).checkAhead(|./mapper/internal/simulation -run=TestReconcileOrphan
reconcile-orphan-raise-is-not-propagated|mapper/internal/reconcile/orphan.go|	_, err := x.propagate(o.root)|	_, err := x.w.ReadState(true)|./mapper/internal/simulation -run=TestReconcileOrphan
reconcile-raise-that-is-refused|mapper/internal/save/propagate.go| err == nil && !answer.Applied {| err != nil && answer.Applied {|./mapper/internal/simulation -run=TestReconcileOrphan
reconcile-orphan-floor-is-not-raised|mapper/internal/save/reservation.go|w.setReservation(r, nil, r.At, above+1)|w.setReservation(r, nil, r.At, r.Floor)|./mapper/internal/simulation -run=TestReconcileOrphan
reconcile-missing-marker-is-a-finding|mapper/internal/reconcile/repairversioned.go|	if gone, err := x.pendingGone(s); !gone|	if gone, err := x.pendingGone(s); gone|./mapper/internal/simulation -run=TestReconcileWithoutADoneMarker
reconcile-pending-row-that-remains-is-no-finding|mapper/internal/reconcile/repairversioned.go|row[c.Table.Key-1] == nil {|row[c.Table.Key-1] != nil {|./mapper/internal/simulation -run=TestReconcileWithoutADoneMarker
reconcile-parts-of-a-chosen-root|mapper/internal/reconcile/run.go|chosen[part.Name] = true|chosen[name+part.Name[:0]] = true|./integration/store -run=TestReconcileOfTables
reconcile-dry-run-counts-orphans-twice|mapper/internal/reconcile/plain.go|return x.config.DryRun && x.whole != nil }|return x.config.DryRun && x.whole == nil }|./mapper/internal/simulation -run=TestADryRun
fillnull-overwrites-a-value|mapper/internal/save/fillnull.go| s.Row[column] != nil {| s == nil {|./mapper/internal/simulation -run=TestFillNull
lint-filled-column-is-not-reported|migrate/lint/copy.go|case catalog.Column(to, schema.Deleted) != nil:|case catalog.Column(to, schema.Floor) != nil:|./migrate/lint -run=TestEachRule
up-without-backfills-is-accepted|migrate/pending.go|config.Backfills != nil|config.Backfills == nil|./migrate -run=TestUpNeedsBackfills
up-hint-is-hidden-by-functions|migrate/load.go|if err == ErrNoFiles && len(onlyMigrations(funcs)) > 0 {|if len(funcs) > 0 {|./migrate -run=TestLoadWithoutFiles
up-function-without-the-serial-consistency|migrate/apply.go|	ctx = migrating.WithSerial(ctx, r.config.SerialConsistency)|	_ = migrating.WithSerial|./migrate -run=TestUpPassesTheSerialConsistency
store-of-a-migration-without-its-serial-consistency|mapper/internal/call/db.go|	c.SerialConsistency = cmp.Or(c.SerialConsistency, migrating.Serial(ctx))|	_ = migrating.Serial(ctx)|./mapper/gen -run=TestOpenInAMigration
up-function-without-the-later-files|migrate/apply.go|return r.db.call(migrating.WithLaterFiles(ctx, r.laterFiles()), f)|_ = migrating.WithLaterFiles; return r.db.call(ctx, f)|./migrate -run=TestUpKnowsTheOtherFiles
up-newer-files-are-known|migrate/up.go|one.started() && one.number > folder.Newest(r.files)|one.started() && one.number < 0|./migrate -run=TestUpKnowsTheOtherFiles
lint-copied-list-is-not-reported|migrate/lint/lint.go|l.checkCopy(s.Func)|_ = s.Func|./migrate/lint -run=TestEachRule
diff-copied-list-without-advice|migrate/diff/diff.go|p.emit(f.why+copiedOnce(f.Move), CallFunc{f.Name})|p.emit(f.why, CallFunc{f.Name})|./migrate/diff -run=TestCopiesOfLists
lint-version-at-an-internal-column|migrate/lint/version.go|if len(added) == 1 {|if len(added) < 0 {|./migrate/lint -run=TestVersionedTables
diff-field-that-comes-back-is-not-filled|migrate/diff/udt.go|fewer && len(known) < len(u.Fields) &&|fewer && len(known) > len(u.Fields) &&|./migrate/diff -run=ComesBack
diff-fields-of-a-fill-are-forgotten|migrate/diff/udt.go|len(has.Fields) > len(u.Fields) && tableComposes(t, u)|len(has.Fields) < len(u.Fields)|./migrate/diff -run=ComesBack
diff-fields-of-an-earlier-fill-stay|migrate/catalog/order.go|delete(o.fields, d.Argument)|_ = o.fields|./migrate/diff -run=ComesBack
replay-misspelled-object|migrate/catalog/replay.go|return noObject(words)|return ""|./migrate/catalog -run=TestMisspelled
backfill-duplicate-is-passed-over|mapper/internal/save/assign.go|out = append(out, scanStep(a, "claims", a.r.cloneKey, a.claim))|_ = a.claim|./mapper/internal/simulation -run=TestAssignVersions
backfill-refused-row-ends-the-run|mapper/internal/scan/fill.go|case skippable(err):|case skippable(err) && f.p == nil:|./mapper/gen -run=TestFillSkips
backfill-refused-row-is-forgotten|mapper/internal/scan/skip.go|p.tokens, p.rows = append(p.tokens, token), p.rows+1|p.rows++|./mapper/gen -run=TestFillSkips
backfill-refused-rows-of-a-page-count-twice|mapper/internal/scan/skip.go|p.pending = p.pending[:0]|_ = p|./mapper/internal/scan -run=TestRowsOfPages
backfill-rest-is-not-read-again|mapper/internal/scan/skip.go|case more > 0 && len(p.tokens) == len(before):|case more > 0:|./mapper/gen -run=TestFillSkips
backfill-other-error-is-passed-over|migrate/backfill.go|if p, ok := err.(partial); ok {|if p, ok := errors.AsType[partial](err); ok {|./migrate -run=TestUpReportsAnErrorBeside
backfill-function-is-not-tried-again|migrate/pending.go|done[key].refused != "" && !slices.Contains(keys, key)|done[key].done && !slices.Contains(keys, key)|./migrate -run=TestUpLeaves
backfill-is-run-twice-in-one-run|migrate/backfill.go|r.tried[f.key] = true|_ = r.tried|./migrate -run=TestUpLeaves
verified-row-is-returned-as-read|mapper/internal/call/verified.go|return p.RowWith(row, root)|return row, nil|./mapper/internal/simulation -run=TestMixedSchedules
delete-at-any-version|mapper/internal/save/versioned.go| s.Version != version:| s == nil:|./mapper/internal/simulation -run=TestSchedules
reconcile-of-a-row-keeps-known-claims|mapper/internal/reconcile/row.go|!x.w.Reservations().Owns(v) {|x.w.Reservations().Owns(v) {|./mapper/internal/simulation -run=TestMixedSchedules
reconcile-of-a-row-keeps-known-rows|mapper/internal/reconcile/row.go|return x.deleteOrphanRow(c, copyRow{key: key, row: row})|return nil|./mapper/internal/simulation -run=TestReleaseSchedules
refill-misses-rows|mapper/internal/save/backfill.go|return w.Copies().SendCopies(mutations, s)|return w.Copies().SendCopies(mutations[:len(mutations)/2], s)|./mapper/internal/simulation -run=TestRefillSchedules
outcome-beyond-the-limit-of-attempts|mapper/internal/plan/save.go|len(now.Attempts) < maxAttempts &&|len(now.Attempts) <= maxAttempts &&|./mapper/internal/simulation -run=TestOvertakenSchedules
zero-uuid-is-an-identifier|mapper/internal/call/root.go|if c.op != "Update" && c.op != "Change" {|if c.op == "Run" {|./integration/store -run=TestZeroUUID
zero-uuid-is-an-identifier-of-a-versioned-root|mapper/internal/save/versioned.go|	if op != "Change" {|	if op == "Run" {|./integration/store -run=TestZeroUUID
put-ignores-the-version|mapper/internal/save/versioned.go|if version != 0 && (!s.Exists()|if version < 0 && (!s.Exists()|./integration/store -run=TestPutOfAVersion/memory
put-of-a-version-inserts|mapper/internal/save/versioned.go|version != 0 && (!s.Exists() |version != 0 && s.Exists() && (!s.Exists() |./integration/store -run=TestPutOfAVersion/memory
put-of-a-version-is-repeatable|mapper/internal/save/versioned.go|w.once = version != 0|w.once = version < 0|./integration/store -run=TestPutOfAVersion/memory
tuple-of-a-type-is-one-marker|mapper/internal/plan/mutation.go|; c.Assign != nil {|; c.Assign != nil && m.One != nil {|./integration/store -run=TestTuplesOfAType
tuple-that-is-null-has-nulls|mapper/internal/plan/tuple.go|case c == nil:|case c == nil && marker == "":|./integration/store -run=TestTuplesOfAType
filled-tuple-is-one-marker|mapper/internal/plan/fillstatement.go|if c.Assign == nil {|if len(c.Assign) >= 0 {|./integration/store -run=TestTuplesAreRepaired
driver-error-before-sending-is-unknown|mapper/driver/gocqldriver/error.go|" values send got ")|" values are missing ")|./mapper/internal/store
unsendable-write-is-repeated|mapper/internal/call/write.go|outcome.Final() |outcome == store.Refused |./mapper/gen -run=TestOutcomes
unsendable-save-is-repeated|mapper/internal/save/commit.go|failure.Outcome.Final() && unknown|failure.Outcome == store.Refused && unknown|./mapper/internal/simulation -run=TestSavesThatCannotBeSent
no-connection-is-final|mapper/internal/store/store.go|return o == Refused |return o != Unknown |./mapper/gen -run=TestOutcomes
parts-after-the-last-row-are-torn|mapper/internal/save/versionedparts.go|if err == nil && !shown {|if err == nil && !shown && len(all) == 0 {|./mapper/internal/simulation -run=TestGetWithSchedules
moved-row-keeps-a-removed-static-value|mapper/internal/plan/plan.go|c.Targets[i].Units.Intersects(&p.changed))|false)|./mapper/internal/plan -run=TestStaticValuesOfARow
static-values-of-one-root-stay|mapper/internal/plan/link.go|p.ownStatics.Add(c)|_ = shared|./mapper/internal/plan -run=TestStaticValuesOfARow
large-put-looks-at-the-size-of-the-new-rows|mapper/internal/call/root.go|logged); !b.spread {|logged); b.tooLarge(r.DB.Config.BatchLimit) == nil {|./mapper/internal/simulation -run=TestRepeatedLargeWrites
large-element-that-is-there-is-not-written|mapper/internal/call/element.go|if !g.table.Large |if g.table.Large |./mapper/internal/simulation -run=TestRepeatedLargeWrites
large-put-with-unlogged-deletions-is-repeatable|mapper/internal/call/delivery.go|return m.Action == plan.Delete })|return m.Action == plan.Delete && !isUnlogged(m) })|./mapper/internal/simulation -run=TestRepeatedLargeWrites
large-delete-of-unknown-outcome-reports-no-rows|mapper/internal/call/delivery.go|d.rootLast) && d.unlogged|false) && d.unlogged|./mapper/internal/simulation -run=TestRepeatedLargeWrites
types-that-double-are-type-checked|aml/load/extent.go|if n > maxExtent && x.over == nil {|if n > maxExtent && x.over != nil {|./aml/load -run=TestTypesThatDouble -timeout=20s
query-function-is-a-literal|codegen/query/expression.go|v.Kind == syntax.Function|v.Kind == syntax.Null|./codegen/query -run=TestAnswers$
query-number-above-32-bits|codegen/query/expression.go|strconv.ParseFloat(text, bits(t))|strconv.ParseFloat(text, 64)|./codegen/query -run=TestOffersCompile
query-number-is-octal|codegen/query/value.go|digits = strings.TrimLeft(digits, "0")|digits = strings.TrimLeft(digits, "_")|./codegen/query -run=TestAnswers$
query-two-variables-for-a-marker|codegen/query/answer.go|return "OfEach(" + w.partitions(in) + ")"|_ = w.arguments(key); return "OfEach(" + w.partitions(in) + ")"|./codegen/query -run=TestAnswers$
query-marker-of-two-types|codegen/query/variable.go|key := Variable{marker, goType}|key := Variable{marker, ""}|./codegen/query -run=TestOffersCompile
query-offer-of-a-final-field|codegen/query/declare.go|option == "final" && at.Fixed|option == "final" && at.Key|./codegen/query -run=TestAnswers$
query-hidden-constant|codegen/query/expression.go|token.IsExported(c.Name)|token.IsIdentifier(c.Name)|./codegen/query -run=TestOffersCompile
query-nearest-rows-above-the-limit|codegen/query/special.go|exceeds(w.limit.Text, maxNearest)|exceeds(w.limit.Text, 9*maxNearest)|./codegen/query -run=TestAnswers$
query-limit-above-32-bits|codegen/query/syntax/select.go|strconv.ParseInt(v.Text, 10, 32)|strconv.ParseInt(v.Text, 10, 64)|./codegen/query -run=TestAnswers$
query-entry-without-a-note|codegen/query/syntax/select.go|if p.pieces() {|if p.pieces(); s.Piece != nil {|./codegen/query -run=TestAnswers$
query-set-of-a-versioned-root|codegen/query/write.go|verb == "UPDATE" && !a.Versioned() && set|verb == "UPDATE" && set|./codegen/query -run=TestAnswers$
query-batch-of-a-versioned-root|codegen/query/write.go|!root.InBatches()|root.Counter|./codegen/query -run=TestAnswers$
query-element-with-a-condition|codegen/query/find.go|return r.implies(w, to.table.Aggregate) }))|return r == nil }))|./codegen/query -run=TestAnswers$
query-copy-of-other-rows|codegen/query/offer.go|case !complete(d.base):|case d.base == nil:|./codegen/query -run=TestAnswers$
query-name-of-an-element|codegen/query/special.go|return "[]" + k.goType(g.Elem)|return g.Text|./codegen/query -run=TestOffersCompile
lex-half-a-character|internal/lex/lex.go|utf8.DecodeRuneInString(rest)|utf8.DecodeRuneInString(rest[:1])|./codegen/query -run=TestAnswers$
struct-without-tags-is-no-mistake|aml/load/struct.go|untagged = untagged && s.Tag(i) == ""|untagged = untagged && s.Tag(i) != ""|./aml/load -run=TestDiagnostics
excluded-struct-is-a-mistake|aml/load/struct.go|tag.Found && strings.TrimSpace(tag.Text) != "-"|tag.Found|./aml/load -run=TestDiagnostics
enum-of-a-source-is-not-counted|aml/model/warning.go|source = o.Path.Steps[len(o.Path.Steps)-1]|_ = o.Path.Steps[len(o.Path.Steps)-1]|./aml/load -run=TestDiagnostics
second-statement-of-a-text|codegen/vet/check.go|if len(statements) > 1 {|if len(statements) > 9 {|./codegen/vet
condition-before-where|codegen/query/syntax/write.go|if p.skip("WHERE", "IF"); p.Peek().Is("IF") {|if p.skip("WHERE", "IF"); p.Peek().Is("IS") {|./codegen/vet
tags-are-not-compared|codegen/unchanged.go|view := fieldsView{f.Name, f.Type(qualify), tagLiteral(f.Tag)}|view := fieldsView{f.Name, f.Type(qualify), tagLiteral("")}|./codegen -run=TestChangesDoNotCompile
underlying-types-are-not-compared|codegen/unchanged.go|append(out, variable{name, g.Kind.Native()})|append(out[:0], variable{name, g.Kind.Native()})|./codegen -run=TestChangesDoNotCompile
validate-of-cqlshrc-before-an-authority|codegen/cmd/aml/internal/server/complete.go|file.insecure && cmp.Or(d.CA, d.ServerName) == ""; d.Insecure {|file.insecure; d.Insecure {|./codegen/cmd/aml/internal/server
password-of-cqlshrc-for-any-user|codegen/cmd/aml/internal/server/complete.go|d.Password == "" && d.User == file.user {|d.Password == "" {|./codegen/cmd/aml/internal/server
word-turns-checks-of-certificates-off|codegen/cmd/aml/internal/server/cqlshrc.go|r.insecure = strings.EqualFold(value, "false");|r.insecure = !strings.EqualFold(value, "true");|./codegen/cmd/aml/internal/server
secret-in-an-error-of-a-file|codegen/cmd/aml/internal/server/ini.go|		return errors.New("a line has neither|		return errors.New(text + "a line has neither|./codegen/cmd/aml/internal/server -run=OfCqlshrc
key-of-cqlshrc-twice|codegen/cmd/aml/internal/server/ini.go|	if r.seen[k] {|	if r.seen[k] && k.key == "" {|./codegen/cmd/aml/internal/server -run=OfCqlshrc
continued-value-of-cqlshrc-is-a-key|codegen/cmd/aml/internal/server/ini.go|	if r.inKey && indent > r.indent {|	if r.inKey && indent < r.indent {|./codegen/cmd/aml/internal/server -run=OfCqlshrc
section-of-cqlshrc-of-any-case|codegen/cmd/aml/internal/server/ini.go|		r.section, r.inKey = text[1:end], false|		r.section, r.inKey = strings.ToLower(text[1:end]), false|./codegen/cmd/aml/internal/server -run=OfCqlshrc
password-in-an-error-of-a-contact|codegen/cmd/aml/internal/server/cqlshrc.go|return contact[strings.LastIndexByte(contact, '@')+1:]|return contact|./codegen/cmd/aml/internal/server -run=TestContacts
readable-password-is-not-reported|codegen/cmd/aml/internal/server/complete.go|info.Mode().Perm()&0o077 != 0|info.Mode().Perm()&0o007 != 0|./codegen/cmd/aml/internal/server -run=TestReadable
connection-without-tls-is-not-reported|codegen/cmd/aml/internal/server/complete.go|if file.describesTLS() && !file.decided {|if file.describesTLS() && file.decided {|./codegen/cmd/aml/internal/server -run=NotEncrypted
files-of-tls-are-not-checked|codegen/cmd/aml/internal/server/complete.go|&d.Key), d.CheckTLS())|&d.Key))|./codegen/cmd/aml/internal/server -run=TestFilesOfTLS
client-certificate-without-a-key|codegen/cmd/aml/internal/program/program.go|	case n.Key == "":|	case n.Key == n.Cert:|./codegen/cmd/aml/internal/server -run=TestFilesOfTLS
authority-is-not-used|codegen/cmd/aml/internal/program/program.go|if c.RootCAs = x509.NewCertPool(); !c.RootCAs.|if pool := x509.NewCertPool(); !pool.|./codegen/cmd/aml/internal/server -run=TestFilesOfTLS
other-provider-of-cqlshrc|codegen/cmd/aml/internal/server/cqlshrc.go|		if value != plainProvider {|		if value == "" {|./codegen/cmd/aml/internal/server -run=TestFaultsOfCqlshrc
tls-of-any-version|codegen/cmd/aml/internal/program/program.go|MinVersion: tls.VersionTLS12|MinVersion: tls.VersionTLS10|./codegen/cmd/aml/internal/server
nodes-of-other-data-centres|codegen/cmd/aml/internal/program/program.go|cluster.HostFilter = gocql.DataCentreHostFilter(n.DataCentre)|_ = gocql.DataCentreHostFilter(n.DataCentre)|./codegen/cmd/aml/internal/server
diff-needs-a-connection|codegen/cmd/aml/internal/diffcmd/live.go|return nil // the variables of|return complete(c, given) // the variables of|./codegen/cmd/aml -run=TestScripts/connection
stale-store-of-an-import|aml/load/dependency.go|only = only && inGenerated(e)|only = only && !inGenerated(e)|./codegen/cmd/aml -run=TestScripts/stale
end-of-a-run-does-not-wait|migrate/apply.go|context.WithTimeout(t.has, r.config.DDLTimeout)|context.WithTimeout(t.ctx, r.config.DDLTimeout)|./migrate -run=TestRunThatEndsWaits
end-of-a-run-waits-forever|migrate/apply.go|		_ = wait.Sleep(ctx, lastAnswer)|		_ = wait.Sleep(ctx, time.Hour)|./migrate -run=TestRunThatEndsWaits
folder-with-other-numbers|migrate/owner.go|if _, contradicts := errors.AsType[*FileError](err); !contradicts {|if _, contradicts := errors.AsType[*FileError](err); contradicts {|./migrate -run=TestUpRefusesTheRecordOf
foreign-table-is-awaited|migrate/up.go|			err = errors.Join(err, lookErr)|			err = errors.Join(err, errors.Unwrap(lookErr))|./migrate -run=TestForeignTable
store-record-with-the-line-ends-of-windows|codegen/recorded.go|	return strings.TrimSuffix(string(line), "\r")|	return string(line)|./codegen/cmd/aml -run=TestScripts/package_record
store-without-its-record-is-not-found|codegen/cmd/aml/internal/modelfolder/store.go|	if exists(own.File()) {|	if own != nil {|./codegen/cmd/aml -run=TestScripts/package_lost
folders-of-a-workspace-are-left-out|codegen/cmd/aml/internal/modelfolder/tree.go|err == nil && t.modules[at] {|err != nil && t.modules[at] {|./codegen/cmd/aml -run=TestScripts/workspace
no-model-is-a-success|codegen/cmd/aml/internal/modelfolder/model.go|	if models == 0 {|	if models < 0 {|./codegen/cmd/aml -run=TestScripts/workspace
output-that-is-not-complete|codegen/cmd/aml/internal/commandline/output.go|w.err = cmp.Or(w.err, err)|_ = cmp.Or(w.err, err)|./codegen/cmd/aml -run=TestOutputOnAFullDisk/help
generate-overwrites-a-file|codegen/cmd/aml/generate.go|if err == nil && !own {|if err != nil && !own {|./codegen/cmd/aml -run=TestScripts/foreign
message-of-a-decimal|mapper/internal/cell/native.go|{decimalLiteral, decimalValue, writeDecimal}|{nil, decimalValue, writeDecimal}|./mapper/internal/cell -run=TestFormat
release-does-not-raise-the-floor|mapper/internal/save/reservation.go|max(r.Floor+1, version))|max(r.Floor, version))|./mapper/internal/simulation -run=TestGivenBack
reconcile-release-does-not-raise-the-floor|mapper/internal/save/reservation.go|max(now.Floor+1, o.CurrentVersion()))|max(now.Floor, o.CurrentVersion()))|./mapper/internal/simulation -run=TestReconcileRaises
refused-save-keeps-its-claims|mapper/internal/save/commit.go|	if outcome == plan.NotApplied {|	if outcome == plan.NotApplied && w.Ctx == nil {|./mapper/internal/simulation -run=TestSavesThatServersRefuse
unknown-save-gives-back-its-claims|mapper/internal/save/commit.go|	if outcome == plan.NotApplied {|	if outcome != plan.Applied {|./mapper/internal/simulation -run=TestSavesOfUnknownOutcome
refused-claims-are-kept|mapper/internal/save/claim.go|		if w.releaseCreated(c.created, planned); err != nil {|		if err != nil {|./mapper/internal/simulation -run=TestRefusedSaves
claim-in-flight-keeps-the-others|mapper/internal/save/claim.go|		if w.releaseCreated(c.created, planned); err != nil {|		if err != nil { w.releaseCreated(c.created, planned)|./mapper/internal/simulation -run=TestClaimsAreGivenBack
claims-before-a-refused-one-are-kept|mapper/internal/save/claim.go|			w.releaseCreated(c.created, planned) // those before it|			_ = planned|./mapper/internal/simulation -run=TestClaimsBeforeARefusedOne
claim-of-unknown-outcome-is-given-back|mapper/internal/save/claim.go|		x.unsure = true|_ = x.unsure|./mapper/internal/simulation -run=TestClaimsOfUnknown
taken-over-claim-of-unknown-outcome-is-given-back|mapper/internal/save/claim.go|		x.unsure = outcome == plan.Undecided|		_ = outcome|./mapper/internal/simulation -run=TestClaimsOfUnknown
value-of-the-row-is-given-back|mapper/internal/save/claim.go|unsure: held.Has(v)}|unsure: false}|./mapper/internal/simulation -run=TestRefusedChange
value-of-the-row-of-a-change-is-given-back|mapper/internal/save/claim.go|		if held, err = w.confirm(old.Version); err != nil {|		if _, err = w.confirm(old.Version); err != nil {|./mapper/internal/simulation -run=TestRefusedChange
give-back-ends-with-its-call|mapper/internal/save/call.go|context.WithoutCancel(w.Ctx)|w.Ctx|./mapper/internal/simulation -run=TestEndedCalls
join-without-a-raise|mapper/internal/save/claim.go|		return x.join(waits)|		return waits, nil|./mapper/internal/simulation -run=TestJoined
join-after-an-unknown-raise|mapper/internal/save/claim.go|	if joined = outcome == plan.Applied; joined {|	if joined = outcome != plan.NotApplied; joined {|./mapper/internal/simulation -run=TestJoined
joined-claim-is-given-back|mapper/internal/save/claim.go|		x.r = &raised|		x.r, x.created, raised.was = &raised, true, cell.Row{raised.was[0], plan.Bigint(raised.Floor)}|./mapper/internal/simulation -run=TestJoined
join-renews-the-lease|mapper/internal/plan/save.go|	c.Write.Add(last)|	c.Write = t.BeyondKey()|./mapper/internal/simulation -run=TestShortCalls
join-before-the-others-are-claimed|mapper/internal/save/claim.go|	if !waits { // both saves|	if !waits && x.at < 0 { // both saves|./mapper/internal/simulation -run=TestSavesJoin
lease-counts-from-the-call|mapper/internal/save/claim.go|	return r.written > 0 && age|	return r.written < 0 && age|./mapper/internal/simulation -run=TestShortCalls
lease-without-the-skew|mapper/internal/save/claim.go|- max(0, w.DB.Config.MaxClockSkew)|- 0*max(0, w.DB.Config.MaxClockSkew)|./mapper/internal/simulation -run=TestLease
lease-counts-from-the-claim-alone|mapper/internal/save/claim.go|	if w.DB.Env.Elapsed()-since >= w.DB.Config.Lease {|	if since < 0 {|./mapper/internal/simulation -run=TestLease
claims-one-after-the-other|mapper/internal/save/claim.go|	if len(values) > 1 {|	if len(values) > 99 {|./mapper/internal/simulation -run=TestManyValues
refused-save-gives-back-below-its-version|mapper/internal/save/commit.go|	if outcome == plan.NotApplied {|	if outcome == plan.NotApplied { w.Reservations().releaseCreated(taken.created, 0); taken.created = nil|./mapper/internal/simulation -run=TestFloorOfARefusedSave
save-that-cannot-be-planned-again-keeps-its-claims|mapper/internal/save/commit.go|			w.Reservations().releaseCreated(taken.created, planned)|			_ = planned|./mapper/internal/simulation -run=TestSaveThatCannotBePlanned
save-that-cannot-read-keeps-its-claims|mapper/internal/save/claim.go|		w.releaseCreated(c.created, save.State.Version)|		_ = c.created|./mapper/internal/simulation -run=TestSaveThatCannotRead
moved-claim-is-kept|mapper/internal/save/claim.go|	x.created = !x.unsure|	x.created = !x.unsure && !(x.r != nil && x.Owns(x.r))|./mapper/internal/simulation -run=TestMovedClaims
overtaken-save-keeps-its-claims|mapper/internal/save/commit.go|		return outcome, w.classifyRefusal(old, now)|		return plan.Undecided, w.classifyRefusal(old, now)|./mapper/internal/simulation -run=TestOvertakenSaves
save-that-is-not-sent-keeps-its-claims|mapper/internal/save/commit.go|				return plan.NotApplied, err|				return plan.Undecided, err|./mapper/internal/simulation -run=TestSavesThatAreNotSent
floor-of-the-last-value|mapper/internal/save/claim.go|c.floor = max(c.floor, x.r.Floor)|c.floor = x.r.Floor|./mapper/internal/simulation -run=TestVersionsAreAboveTheFloorsOfAllValues
reconcile-release-of-unknown-outcome|mapper/internal/save/reservation.go|			if outcome == plan.Applied |			if outcome != plan.NotApplied |./mapper/internal/simulation -run=TestReconcileRepeatsARelease
reconcile-raise-of-unknown-outcome|mapper/internal/save/reservation.go|	if err == nil && outcome != plan.Applied {|	if err == nil && outcome == plan.NotApplied {|./mapper/internal/simulation -run=TestReconcileRepeatsARaise
save-one-above-the-floor|mapper/internal/plan/save.go|s.State.Version >= floor+2 }|s.State.Version >= floor+1 }|./mapper/internal/simulation -run=TestVersionsAreTwo
version-one-above-the-floor|mapper/internal/plan/save.go|		v = max(v, floor+2)|		v = max(v, floor+1)|./mapper/internal/simulation -run=TestVersionsAreTwo
uncommitted-statement-is-refused|mapper/internal/store/outcome.go|	outcome := Unknown|	outcome := Refused|./mapper/internal/store -run=TestConditionalStatements
purge-by-the-clock-of-a-client|mapper/internal/reconcile/purge.go|written >= limit)|written < 0)|./mapper/internal/simulation -run=TestReconcileKeepsWhatAServerWroteLately
purge-of-reservations-by-the-clock-of-a-client|mapper/internal/save/reservation.go|max(r.Floor, r.At, r.floorWritten)|max(r.Floor, r.At)|./mapper/internal/simulation -run=TestReconcileKeepsWhatAServerWroteLately
copy-of-another-owner-is-written|mapper/internal/plan/save.go|	s.rows = a.ownedRows(s.rows, o.Unowned)|	_ = o.Unowned|./mapper/internal/simulation -run=TestAssignVersionsAfterASaveOfTheLoser
copy-of-another-owner-is-deleted|mapper/internal/plan/save.go|&& a.owns(c, row, unowned) {|{|./mapper/internal/simulation -run=TestAssignVersionsAfterASaveOfTheLoser
backfill-writes-the-copy-of-another-owner|mapper/internal/plan/assign.go|range a.ownedRows(rows, unowned) {|range rows {|./mapper/internal/simulation -run=TestBackfillKeepsTheCopyOfTheOwner
assign-keeps-the-copy-of-a-loser|mapper/internal/save/assign.go|differs == nil:|differs != w.Codec.Table:|./mapper/internal/simulation -run=TestAssignVersionsRestores
elements-with-the-same-unique-value|mapper/internal/plan/limits.go|		if n > 1 && n > was.count(all[0]) {|		if n > 1 && n < was.count(all[0]) {|./mapper/internal/plan
row-with-equal-elements-is-refused|mapper/internal/plan/limits.go|		if n > 1 && n > was.count(all[0]) {|		if n > 1 && n > 0*was.count(all[0]) {|./mapper/internal/plan
serve-host-is-not-checked|codegen/site/serve/server.go|case !isLoopback(requestHost(r)):|case !isLoopback(requestHost(r)) && r.Host == "":|./codegen/site/serve
docs-page-of-the-user-is-removed|codegen/cmd/aml/internal/ownfile/folder.go|		if own {|		if own == own {|./codegen/cmd/aml -run=TestScripts/docs$
docs-leftovers-stay|codegen/write.go|return ok && number != ""|return ok && number == ""|./codegen/cmd/aml -run=TestScripts/docs$
refill-before-the-last-node|internal/indexbuild/await.go|for _, node := range nodes {|for _, node := range nodes[:1] {|./internal/indexbuild
serve-equal-site-reloads|codegen/site/serve/run.go|case old.err == nil|case old.err != nil|./codegen/site/serve
serve-last-site-is-lost|codegen/site/serve/run.go|next.files = old.files|next.files = files|./codegen/site/serve
site-missing-anchor-is-missed|integration/site/links.go|isPage && !ids[u.Fragment]|isPage && ids == nil|./integration/site -run TestFaults
projection-split-order|mapper/internal/plan/program.go|m.regs[op.Dst+k] = w.Next()|m.regs[op.Dst+op.N-1-k] = w.Next()|./mapper/internal/plan
projection-make-if-null|mapper/internal/plan/program.go|if m.regs[op.Src] != nil {|if m.regs[op.Dst] == nil {|./mapper/internal/plan
projection-map-entry|aml/projection/program.go|if c == Entry {|if c == Each {|./mapper/internal/plan
reconcile-scan-keeps-what-is-stored|mapper/internal/call/root.go|if !plan.SameKey(row, read, n-t.Hidden) {|if !plan.SameKey(row, read, t.Key) {|./mapper/internal/simulation -run=TestScansRewriteRows
release-of-the-value-of-another-row|mapper/internal/save/reservation.go|		if w.Owns(&c.dropped[i]) {|		if c.dropped[i].Owner != nil {|./mapper/internal/simulation -run=TestReleaseOfTheValue
refusal-after-an-unknown-outcome|mapper/internal/save/commit.go|case failure.Outcome.Final() && unknown == nil:|case failure.Outcome == store.Refused:|./mapper/internal/simulation -run=TestRefusalAfter
attempts-of-a-full-list-are-known|mapper/internal/plan/save.go|len(now.Attempts) < maxAttempts && |len(now.Attempts) < 99 && |./mapper/internal/simulation -run=TestRepeatAfterManySaves
attempts-without-a-limit|mapper/internal/plan/versioning.go|len(ids)-(maxAttempts-1)|len(ids)-99|./mapper/internal/simulation -run=TestRepeatAfterManySaves
fence-clears-the-attempts|mapper/internal/plan/save.go|	s.State.Row[v.Version] = Bigint(s.State.Version)|	s.State.Row[v.Version], s.State.Row[v.Attempts] = Bigint(s.State.Version), nil|./mapper/internal/simulation -run=TestFenceKeeps
delete-does-not-finish-the-first|mapper/internal/save/versioned.go|saved, err = deleted, w.finish(deleted)|saved, err = deleted, nil|./mapper/internal/simulation -run=TestRepeatedDelete
reconcile-releases-without-the-floor|mapper/internal/save/reservation.go|max(now.Floor+1, o.CurrentVersion()))|max(now.Floor+1, 0*o.CurrentVersion()))|./mapper/internal/simulation -run=TestVersionsAreAboveTheFloor
fence-below-the-claim|mapper/internal/save/claim.go|PlanFence(w.Aggregate, o, r.Owner, r.At, w|PlanFence(w.Aggregate, o, r.Owner, 0*r.At, w|./mapper/internal/simulation -run=TestVersionsAreAboveTheFloor
reconcile-claims-below-the-floor|mapper/internal/reconcile/reservation.go|if floor > 0 && s.Version < floor+2 {|if floor > 0 && s.Version < floor-1<<60 {|./mapper/internal/simulation -run=TestVersionsAreAboveTheFloor
assign-below-the-floor|mapper/internal/save/assign.go|if floor > 0 && s.Version < floor+2 {|if floor > 0 && s.Version < floor-1<<60 {|./mapper/internal/simulation -run=TestVersionsAreAboveTheFloor
reconcile-removes-young-rows|mapper/internal/reconcile/purge.go|	limit := x.purgeable(x.w.Codec.Table)|	limit := x.purgeable(x.w.Codec.Table) + 1<<60|./mapper/internal/simulation -run=TestReconcileRemovesOnlyRowsThatAreOld
row-that-was-removed-was-not-saved|mapper/internal/save/commit.go|	now, err := w.ReadState(true)|	now, err := w.ReadState(true); if err == nil && now == nil { return plan.NotApplied, call.ErrChanged }|./mapper/internal/simulation -run=TestRepeatAfterTheRowWasRemoved
part-of-a-refused-batch-is-deleted|mapper/internal/save/parts.go| must == (row != nil) {| !must && row == nil {|./mapper/internal/simulation -run=TestRefusedPartsAreNamed
lease-save-of-an-expired-row|mapper/internal/plan/save.go|v.Live > 0 && old.Exists() {|v.Live > 0 && old.Exists() && c.Row == nil {|./mapper/internal/simulation -run=TestLockSchedules
lease-reconcile-raises-a-row-that-expires|mapper/internal/reconcile/repairversioned.go|		if at < s.Version && !expiresSoon(s) {|		if at < s.Version {|./mapper/internal/simulation -run=TestReconcileOfRowsThatExpireSoon
lease-raise-prolongs-the-values|mapper/internal/plan/save.go|	s.Root.Values = nil // the values|	_ = a // the values|./mapper/internal/simulation -run=TestLateRaisesOfSessions
lease-copy-with-a-shorter-ttl-begins-again|mapper/internal/plan/lifetime.go|own > 0 && own < a.TTL(a.Root) {|own > 0 && own < 0 {|./mapper/internal/simulation -run=TestNotesOfSessionsThatHaveExpired
lease-copy-with-a-shorter-ttl-is-rounded-up|mapper/internal/plan/lifetime.go|now-m.At+1e6-1)/1e6|now-m.At)/1e6|./mapper/internal/simulation -run=TestNotesOfSessionsThatHaveExpired
lease-row-is-not-kept|mapper/internal/call/lifetime.go|	return ttl, ttl + grace|	return ttl, ttl + 0*grace|./mapper/internal/simulation -run=TestLockSchedules
lease-version-expires|mapper/internal/plan/save.go|	return column != v.Live && (column == v.Version|	return column != v.Live && (column == -1|./mapper/internal/simulation -run=TestLockSchedules
lease-refusal-of-an-expired-row-is-final|mapper/internal/save/commit.go|now.Version == old.Version {|now.Version < old.Version {|./mapper/internal/simulation -run=TestSaveThatIsRefused
lease-expired-row-exists|mapper/internal/plan/versioning.go|		s.Deleted = row[v.Live] == nil|		_ = row[v.Live] == nil|./integration/store -run=TestLocks/memory
lease-expired-row-is-read|mapper/internal/plan/table.go|		return c == nil|		return c == nil && !t.Lives|./integration/store -run=TestLocks/memory
lease-copies-have-the-whole-ttl|mapper/internal/save/commit.go|		copies.Expire(s.Life.Since)|		_ = copies|./mapper/internal/simulation -run=TestCopiesOfSessions
lease-copies-are-rounded-up|mapper/internal/call/write.go| + time.Second - 1) / time.Second)|) / time.Second)|./mapper/internal/simulation -run=TestCopiesOfSessions
lease-done-marker-of-rows-that-were-not-sent|mapper/internal/call/write.go|		b.late = true|		b.late = b.since == nil|./mapper/internal/simulation -run=TestCopiesOfSessions
lease-done-marker-in-a-later-batch|mapper/internal/call/copywrites.go|		w.batches[i].late = i > 0|		w.batches[i].late = i < 0|./mapper/internal/simulation -run=TestCopiesOfSessions
lease-released-twice-is-a-conflict|mapper/internal/save/versioned.go|		case !s.Exists() && r.Aggregate.Versioning.Live > 0:|		case !s.Exists() && r.Aggregate.Versioning.Live < 0:|./integration/store -run=TestLocks/memory
insert-or-get-reads-again|mapper/internal/save/versioned.go|	if w.Op != "InsertOrGet" |	if w.Op != "" |./integration/store -run=TestInsertOrGet/memory
insert-or-get-of-a-lost-answer-takes-the-refusal|mapper/internal/save/commit.go|			return w.resolve(old, save, unknown)|			w.refused = answer.Row; return plan.NotApplied, call.ErrChanged|./mapper/internal/simulation -run=TestSchedules
insert-reads-plainly|mapper/internal/save/versioned.go|		return w.readShown(true)|		return w.readShown(false)|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
save-reads-plainly-again|mapper/internal/save/commit.go|s, err := w.readShown(serial)|s, err := w.readShown(serial && w.Ctx == nil)|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
unversioned-row-is-read-plainly|mapper/internal/save/versioned.go|	s, err := w.ReadState(true)|	s, err := w.ReadState(false)|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
outcome-is-read-plainly|mapper/internal/save/commit.go|	now, err := w.ReadState(true)|	now, err := w.ReadState(false)|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
change-confirms-plainly|mapper/internal/save/claim.go|	now, err := w.ReadState(true)|	now, err := w.ReadState(false)|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
reservation-is-read-plainly|mapper/internal/save/reservation.go|	row, err := w.ReadRow(c.Table, c.Key, w.DB.Config.SerialConsistency)|	row, err := w.ReadRow(c.Table, c.Key, w.DB.Config.Consistency)|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
owner-is-read-plainly|mapper/internal/save/claim.go|o, err := x.ReadKeyState(r.Owner, true)|o, err := x.ReadKeyState(r.Owner, false)|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
part-is-read-plainly|mapper/internal/save/parts.go|p.w.DB.Config.SerialConsistency|p.w.DB.Config.Consistency|./mapper/internal/simulation -run=TestPartsInACentreThatLagsBehind
part-not-found-is-checked-plainly|mapper/internal/save/parts.go|now, e := p.w.ReadState(true)|now, e := p.w.ReadState(false)|./mapper/internal/simulation -run=TestPartsInACentreThatLagsBehind
part-is-judged-by-a-plain-read|mapper/internal/save/parts.go|now, err = w.ReadState(true)|now, err = w.ReadState(false)|./mapper/internal/simulation -run=TestPartsInACentreThatLagsBehind
part-refusal-is-read-plainly|mapper/internal/save/parts.go|p.Row[:t.Key], w.DB.Config.SerialConsistency|p.Row[:t.Key], w.DB.Config.Consistency|./mapper/internal/simulation -run=TestPartsInACentreThatLagsBehind
reconcile-looks-plainly|mapper/internal/reconcile/repairversioned.go|	if s.Exists() && s.Version == 0 {|	if s, _ = x.w.ReadState(false); s.Exists() && s.Version == 0 {|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
reconcile-reads-reservations-plainly|mapper/internal/save/reservation.go|w.ReadRow(c.Table, c.Key, consistency)|w.ReadRow(c.Table, c.Key, min(consistency, w.DB.Config.Consistency))|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
reconcile-reads-the-root-of-an-orphan-plainly|mapper/internal/save/call.go|return w.readLastingState(w.DB.Config.SerialConsistency)|return w.readLastingState(w.DB.Config.Consistency)|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
reconcile-frees-after-a-plain-read|mapper/internal/save/reservation.go|o, err := w.ReadKeyState(w.Key, true)|o, err := w.ReadKeyState(w.Key, false)|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
reconcile-marks-after-a-plain-read|mapper/internal/save/propagate.go|if done, err := w.isMarked(s)|s, _ = w.ReadState(false); if done, err := w.isMarked(s)|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
assign-reads-plainly|mapper/internal/save/assign.go|	if err == nil && s.Exists() && s.Version == 0 {|	if s, err = w.ReadState(false); err == nil && s.Exists() && s.Version == 0 {|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
fill-reads-plainly|mapper/internal/save/backfill.go|mutations, err := w.Aggregate.CopyRows(s, p, unowned)|s, _ = w.ReadState(false); mutations, err := w.Aggregate.CopyRows(s, p, unowned)|./mapper/internal/simulation -run=TestCallsInACentreThatLagsBehind
release-lowers-the-floor|mapper/internal/save/reservation.go|	for i, x := range r.was {|	for i, x := range r.was[:1] {|./mapper/internal/simulation -run=TestJoinedClaimsStay
claim-of-a-removed-row-is-stale|mapper/internal/save/claim.go|o.CurrentVersion() > version)|o.CurrentVersion() >= version)|./mapper/internal/simulation -run=TestClaimOfARow
reconcile-page-with-strays-is-equal|mapper/internal/reconcile/plain.go|return left == 0|return left >= 0|./mapper/internal/simulation
upsert-inserts-over-a-row|mapper/internal/save/versioned.go|before, exists := w.stateRow(s)|before, exists := w.stateRow(nil)|./mapper/internal/simulation -run=TestSchedules
upsert-returns-not-found|mapper/internal/save/versioned.go|if !s.Exists() && !u.creates {|if !s.Exists() {|./integration/store -run=TestUpsert
upsert-returns-an-error-of-a-stale-read|mapper/internal/save/parts.go|p.absent = true|p.absent = false|./integration/store -run=TestUpsert
upsert-inserts-parts-with-a-condition|mapper/internal/save/parts.go|if p.created && w.Action == plan.InsertPart {|if p.created && w.Action == plan.PutPart {|./integration/store -run=TestUpsert
upsert-changes-the-key|mapper/internal/save/versioned.go|if !plan.SameKey(row, before, w.Codec.Table.Key) {|if exists && !plan.SameKey(row, before, w.Codec.Table.Key) {|./integration/store -run=TestUpsert
plan-delete-by-key-respects-conditions|mapper/internal/plan/copy.go|was, err := c.execute(p.old, true)|was, err := c.execute(p.old, false)|./integration/projection -run=ByKey
plan-delete-by-key-reads|mapper/internal/plan/link.go|return !c.DeletedByKey()|return !c.Shared && !c.Range|./integration/projection -run=ByKey
delete-by-key-calls-every-method|mapper/internal/call/root.go|row, v, r.Codec.Typed.ComputeKeyAny)|row, v, r.Codec.Typed.ComputeAny)|./integration/projection -run=ByKey
model-key-method-reads-anything|aml/model/redundantkey.go|func(at *Attribute) bool { return !at.Key })|func(*Attribute) bool { return false })|./aml/schema
model-key-of-two-sources|aml/model/redundantkey.go|return containsPaths(r.sourceKey(), plain)|return true|./aml/schema
plan-row-keeps-its-key|mapper/internal/plan/copy.go|sameCells(old, new, 0, c.Table.Key)|true|./mapper/internal/plan
plan-orphan-is-not-deleted|mapper/internal/plan/copy.go|p.leave(c, old)|_ = old|./mapper/internal/plan
plan-same-bucket-is-rewritten|mapper/internal/plan/copy.go|sameCells(old, new, 0, c.Table.Key)|false|./mapper/internal/plan
plan-list-without-own-cells|aml/projection/derive.go|d.OwnCells, element = true, Origin{Element: true}|d.OwnCells, element = false, Origin{}|./mapper/internal/plan
plan-removed-entry-is-not-deleted|mapper/internal/plan/difference.go|drop.append(a.key)|_ = a.key|./mapper/internal/plan
plan-changed-entry-is-missed|mapper/internal/plan/difference.go|if !same(a.value, b.value) {|if same(a.value, b.value) {|./mapper/internal/plan
plan-condition-is-ignored|mapper/internal/plan/program.go|if m.regs[op.Src] == nil && !m.always {|if m.regs[op.Src] == nil && m.p == nil {|./mapper/internal/plan
plan-condition-false-is-true|mapper/internal/plan/program.go|c[0] == 0) && !m.always {|c[0] == 9) && !m.always {|./integration/projection
delete-by-key-with-a-null-key|mapper/internal/plan/copy.go|		v = view{row: was.row(0)}|		v = view{row: was.row(0)}; p.leave(c, v); return nil|./integration/projection -run=TestDeleteByKey
delete-by-key-is-not-repeatable|mapper/internal/call/root.go|old: row, repeatable: true}, nil|old: row}, nil|./integration/projection -run=TestDeleteByKey
upsert-of-the-zero-uuid|mapper/internal/save/versioned.go|	if !exists {|	if exists {|./integration/store -run=TestZeroUUID
upsert-that-ends-returns-an-internal-error|mapper/internal/save/versioned.go|			given = nil|			_ = given|./integration/store -run=TestUpsertThatEnds
upsert-of-an-unknown-outcome-is-repeatable|mapper/internal/save/commit.go| w.Op == "Delete", Err: err}| w.Op != "Update", Err: err}|./integration/store -run=TestUpsertThatEnds
operation-in-errors-of-the-caller|mapper/internal/call/operation.go|own != nil && errors.Is(err, own)|own == nil && errors.Is(err, own)|./mapper/gen -run=TestErrorsNameTheOperation
upsert-hides-whether-there-is-a-row|mapper/gen/root.go|own = change(v.(*T), exists)|own = change(v.(*T), true)|./integration/store -run=TestUpsertOfAFinal
upsert-of-a-deleted-row-has-its-values|mapper/internal/save/versioned.go|	if s.Exists() {|	if s != nil {|./integration/store -run=TestUpsert/memory
delete-by-key-calls-all-methods|codegen/table.go|				if !called(i) {|				if !called(i) && i > 99 {|./codegen -run=TestGolden$
member-of-the-other-driver|codegen/driver.go|t.Elem, t.Key}, t.Members...) {|t.Elem, t.Key}, t.Members[:0]...) {|./codegen -run=TestTypesOfTheOtherDriver
key-of-the-other-driver|codegen/driver.go|[]*model.Type{t.Elem, t.Key},|[]*model.Type{t.Elem},|./codegen -run=TestTypesOfTheOtherDriver
field-of-the-other-driver|codegen/driver.go|	for _, o := range m.Objects {|	for _, o := range m.Objects[:0] {|./codegen -run=TestTypesOfTheOtherDriver
time-limit-of-options-is-shared|mapper/internal/call/db.go|other.Config.Timeout, other.deadlines = o.Timeout, nil|other.Config.Timeout = o.Timeout|./mapper/internal/call -run=TestTimeLimits
context-that-can-end-is-shared|mapper/internal/call/deadline.go| ctx.Done() != nil | ctx.Err() != nil |./mapper/internal/call -run=TestContexts
context-of-a-fake-clock-is-shared|mapper/internal/call/deadline.go|	return now == now.Round(0) //nolint|	return now.IsZero() //nolint|./mapper/internal/call -run=TestFakeClocks
shared-context-hides-values|mapper/internal/call/deadline.go|	return v.values.Value(key)|	return nil|./mapper/internal/call -run=TestSharedContexts
shared-context-is-kept|mapper/internal/call/deadline.go|old != nil && now.Before(old.before) {|old != nil {|./mapper/internal/call -run=InTime
plan-list-index|mapper/internal/plan/program.go|uint32(k))|uint32(k+1))|./mapper/internal/plan
load-dependencies-share-no-types|aml/load/dependency.go|gcexportdata.Read(r, l.fset, all, p.PkgPath)|gcexportdata.Read(r, l.fset, map[string]*types.Package{}, p.PkgPath)|./aml/load -run TestSource
load-method-reads-fewer-fields|aml/load/reads.go|r.paths = append(r.paths, path)|r.paths = append(r.paths, path)[:len(r.paths)]|./aml/load -run TestReads
plan-constant-is-ignored|mapper/internal/plan/program.go|!slices.Contains(op.Values, string(c))) && !m.always {|slices.Contains(op.Values, string(c))) && !m.always {|./integration/projection -run TestCopies
plan-method-reads-nothing|aml/projection/derive.go|every.Units.Add(u)|_ = u|./mapper/internal/plan
plan-shared-row-is-deleted|mapper/internal/plan/copy.go|if c.Shared {|if c.Shared && c.Table == nil {|./mapper/internal/plan
plan-expiring-row-is-partial|mapper/internal/plan/copy.go|p.a.TTL(c.Table) > 0|p.a.TTL(c.Table) < 0|./mapper/internal/plan
plan-renewal-without-copies|mapper/internal/plan/copy.go|if p.renews |if false |./mapper/internal/plan
part-change-of-the-first-column|mapper/internal/plan/part.go|for i := p.Table.Key; i < len(|for i := p.Table.Key + 1; i < len(|./integration/projection -run=TestSavesOfRandomModels$
part-put-keeps-absent-fields|mapper/internal/plan/part.go|m.Write = w.Of.Table.visible()|m.Write = w.Write|./integration/projection -run=TestSavesOfRandomModels$
parts-of-another-save-are-returned|mapper/internal/call/withparts.go|if err == nil && at != r.version {|if err == nil && at < 0 {|./integration/store -run=TestGetWithVersionedPart/memory
read-that-times-out-ends-the-call|mapper/internal/call/reader.go|!store.TimedOut(err)|err != nil|./mapper/gen -run=TestReadsThatTimeOut
large-piece-that-fails-is-forgotten|mapper/internal/call/delivery.go|return d.partialError(i, err)|continue|./mapper/internal/simulation -run=TestTraceSchedules
large-piece-before-the-write-time-of-its-root|mapper/internal/call/delivery.go|d.db.sendUntil(ctx, p, d.change.at, d.change.at, d.db.Env.Resend)|d.db.sendUntil(ctx, p, d.change.at-9_000_000, d.change.at, d.db.Env.Resend)|./mapper/internal/simulation -run=TestTraceSchedules
unlogged-rows-that-are-lost-are-not-reported|mapper/internal/call/delivery.go|if l.Rows == nil {|if l.Rows != nil {|./mapper/internal/simulation -run=TestTraceSchedules
shared-row-is-cached-before-it-is-acknowledged|mapper/internal/call/delivery.go|lost[i] == nil {|i >= 0 {|./mapper/internal/simulation -run=TestTraceSchedules
follow-equal-keys-twice|mapper/internal/call/many.go|if d.seen[text] == nil {|if d.seen != nil {|./integration/store -run=TestFollow/memory
follow-missing-target-is-nil|mapper/internal/call/follow.go|case p.to.value == nil:|case p.to.value == nil && p.of == nil:|./integration/store -run=TestFollow/memory
follow-secret-key-in-error|mapper/internal/call/follow.go|if !f.Secret {|if f != nil {|./integration/store -run=TestFollow/memory
follow-place-of-element|mapper/internal/call/follow.go|strconv.Itoa(p.number)|strconv.Itoa(p.number+1)|./integration/store -run=TestFollow/memory
follow-invalid-options|mapper/internal/call/follow.go|if err := target.checkRead(); err != nil {|if err := target.checkRead(); err != nil && r.Codec == nil {|./integration/store -run=TestFollow/memory
reference-of-fields-of-others|aml/schema/reference.go|return r.origin.same(f.key) &&|return|./aml/schema -run=TestReferences
referring-table-with-some-rows|aml/schema/referring.go|redundancy.OneOf == nil &&|redundancy.Path == redundancy.Path &&|./aml/schema -run=TestReferring
element-rows-that-other-fields-determine|aml/schema/element.go|add && other != "":|add && other == "":|./aml/schema -run=TestElements
element-of-a-list-with-a-copy|aml/schema/element.go|if d := p.derivation(); d.derives(&d.Any, p.sourceIndex(c)) {|if d := p.derivation(); d.derives(&d.Any, p.sourceIndex(c)) && c == nil {|./aml/schema -run=TestElements
element-of-a-list-is-sent-again|mapper/internal/call/element.go|once := w.element >= Append|once := w.element > Prepend|./integration/store -run=TestElementsOfListsAreSentOnce
element-at-the-wrong-end|mapper/internal/plan/element.go|m.One = &a.extends[column][1]|m.One = &a.extends[column][0]|./integration/store -run=TestElements/node
element-rule-is-not-checked|mapper/internal/call/element.go|return slices.Contains(was.broken, f)|return was != nil|./integration/store -run=TestElements/memory
element-without-the-write-time-that-was-read|mapper/internal/call/element.go|c.written = at.written|_ = at|./integration/store -run=TestElementsAfterTheTimeThatWasRead
set-member-of-another-field|mapper/internal/plan/set.go|p.changed.Add(a.units[column] + field)|p.changed.Add(a.units[column])|./integration/projection -run=TestElementsAreWrittenAsByUpdate
insertall-two-values-of-one-row|mapper/internal/call/bulk.go|if g != nil && (g.keys[key]|if g != nil && (g.keys[key+key]|./integration/store -run=TestInsertAllOfOneRow
insertall-counts-what-is-unknown|mapper/internal/call/bulk.go|b.beyond[p] = err == nil|b.beyond[p] = true|./integration/store -run=TestResultOfInsertAll
diagram-line-through-a-box|codegen/diagram/drawnode.go|x := n.x - n.at + n.inner + |x := n.x - n.at + n.w + |./codegen/diagram -run=TestManyReferences
diagram-space-around-a-group|codegen/diagram/layout.go|space   = 12|space   = 0|./codegen/diagram -run=TestManyReferences
diagram-attempts-of-many-crossings|codegen/diagram/page.go|if least == 0 {|if least >= 0 {|./codegen/diagram -run=TestLayout
diagram-ratio-of-a-page|codegen/diagram/page.go|mostRatio = 1.92|mostRatio = 9|./codegen/diagram -run=TestLayout
diagram-page-that-is-nearly-empty|codegen/diagram/page.go|mostWhite = 0.75|mostWhite = 1|./codegen/diagram -run=TestLayout
diagram-parts-overlap|codegen/diagram/rows.go|y = max(y, at.Y+parts[j].Height+space)|y = max(y, at.Y+space)|./codegen/diagram -run=TestFramesOfPackages
diagram-order-of-references|codegen/diagram/layout.go|return cmp.Compare(rank(a), rank(b))|return cmp.Compare(rank(b), rank(a))|./codegen/diagram -run=TestLayout
diagram-label-without-room|codegen/diagram/node.go|wide = max(wide, n.stem()+labelGap+small.width(e.label)+beside)|wide = max(wide, n.stem()+labelGap+0*small.width(e.label)+beside)|./codegen/diagram -run=TestManyReferences
diagram-text-is-not-escaped|codegen/diagram/svg.go|escape(t.S)|t.S|./codegen/diagram -run=TestHostileNames
diagram-direction-of-a-text|codegen/diagram/text.go|unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)|r == 0|./codegen/diagram -run=TestHostileNames
diagram-package-of-a-table|codegen/diagram/chebotko.go|return tableKey(d.labels[s] + "." + table)|return tableKey(table)|./codegen/diagram -run=TestFramesOfPackages
diagram-focus-in-one-direction|codegen/diagram/focus.go|linked[from], linked[to] = append(linked[from], to), append(linked[to], from)|linked[from] = append(linked[from], to)|./codegen/diagram -run=TestFocus
diagram-files-of-one-name|codegen/diagram/draw.go|used[strings.ToLower(out[i])] = true|used[out[i]] = true|./codegen/diagram -run=TestFilesOfRoots
diagram-overwrites-a-file|codegen/cmd/aml/internal/ownfile/own.go|if err == nil && !own {|if err == nil && !own && force {|./codegen/cmd/aml -run=TestScripts/diagram$
diagram-link-without-the-sign-of-a-static|codegen/diagram/row.go|d.use(StaticSign(at)) + at.GoName()|at.GoName()|./codegen/diagram -run=TestOptionsAreDrawn
diagram-group-is-not-drawn|codegen/diagram/words.go|if s := disjunction(at); s != "" {|if s := disjunction(at); s == "-" {|./codegen/diagram -run=TestOptionsAreDrawn
diagram-type-in-a-type|codegen/diagram/chebotkotype.go|use(f.Type)|_ = f.Type|./codegen/diagram -run=TestTypesAreDrawn
diagram-query-without-an-answer|codegen/diagram/workflow.go|color = Removed|color = Ink|./codegen/diagram -run=TestWorkflow
diagram-label-of-another-reference|codegen/diagram/layout.go|if l.label != "" {|if l.label == "-" {|./codegen/diagram -run=TestLayout
diagram-arrows-that-look-like-one|codegen/diagram/layout.go|return from, to // the|return middle - 1, middle + 1 // the|./codegen/diagram -run=TestArrowsAreApart
diagram-crossings-are-not-counted|codegen/diagram/measure.go|count += crossings(a, b)|count += 0 * crossings(a, b)|./codegen/diagram -run=TestCrossings
diagram-crossings-of-lines-with-a-common-end|codegen/diagram/measure.go|const merged = 40|const merged = 4000|./codegen/diagram -run=TestCrossings
geometry-line-through-a-box|codegen/diagram/geometry/geometry.go|!b.Group && s.crosses|b.Round && s.crosses|./codegen/diagram/geometry
geometry-text-on-a-text|codegen/diagram/geometry/geometry.go|if at.overlaps(o) {|if at == o {|./codegen/diagram/geometry
graphviz-cache-of-machine-code|codegen/diagram/graphviz/graphviz.go|return newEngine(wazero.NewRuntimeConfig()) })|c, _ := wazero.NewCompilationCacheWithDir("wazero"); return newEngine(wazero.NewRuntimeConfig().WithCompilationCache(c)) })|./codegen/diagram/graphviz -run=TestNoCacheOfMachineCode
graphviz-is-loaded-at-initialization|codegen/diagram/graphviz/graphviz.go|return newEngine(wazero.NewRuntimeConfigInterpreter()) })|return newEngine(wazero.NewRuntimeConfigInterpreter()) }); _, _ = interpreted()|./codegen/diagram/graphviz -run=TestInitLoadsNothing
diagram-second-step-to-a-table|codegen/diagram/workflow.go|e.label += fmt.Sprintf(", Q%d", to)|_ = to|./codegen/diagram -run=TestWorkflow$
diagram-step-to-a-table-that-is-not-drawn|codegen/diagram/workflow.go|case !w.tables[target]:|case target == "":|./codegen/diagram -run=TestWorkflowOfSomeRoots
diagram-arrow-from-a-table-to-its-query|codegen/diagram/workflow.go|{{left - long, headHeight / 2}, {left, headHeight / 2}}|{{left, headHeight / 2}, {left - long, headHeight / 2}}|./codegen/diagram -run=TestWorkflow$
diagram-label-wider-than-its-package|codegen/diagram/packages.go|w := int(name.Width()) + |w := 0*int(name.Width()) + |./codegen/diagram -run=TestSeveralPackages
diagram-query-of-a-table-that-is-not-drawn|codegen/diagram/workflow.go|q.Table != "" && !d.workflow.tables[q.Table]|q.Table == "-"|./codegen/diagram -run=TestWorkflowOfSomeRoots
diagram-focus-without-references-of-parts|codegen/diagram/overview.go|for _, as := range a.Associations {|for _, as := range a.Associations { if a.Root != nil { continue }|./codegen/diagram -run=TestFocusOfMembers
diagram-link-to-another-root|codegen/diagram/draw.go|o.Link(Node{Aggregate: root})|o.Link(Node{Aggregate: roots[0]})|./codegen/diagram -run=TestLargeModel
diagram-fields-of-two-references|codegen/diagram/tree.go|slices.Contains(r.Fields, at)|r.Target == at.Association.Target|./codegen/diagram -run=TestReferencesBySeveralFields
diagram-mandatory-composition|codegen/diagram/drawnode.go|Y: top - 13, S: e.label, Style: small, Color: Faint, Underline: e.mandatory}|Y: top - 13, S: e.label, Style: small, Color: Faint}|./codegen/diagram -run=TestMandatoryLines
diagram-copy-of-the-same-root|codegen/diagram/frame.go|Stroke: Ink, Dashed: e.dashed,|Stroke: Ink,|./codegen/diagram -run=TestCopyOfTheSameRoot
png-without-dashes|codegen/diagram/png.go|c.pen(l.Stroke, l.Dashed, false)|c.pen(l.Stroke, false, false)|./codegen/diagram -run=TestShapesOfPNG
mermaid-without-focus|codegen/diagram/mermaid/mermaid.go|diagram.Select(models, o)|diagram.Roots(models, o.Roots)|./codegen/diagram/mermaid -run=TestRoots
mermaid-line-of-each-field|codegen/diagram/mermaid/class.go|&& begins(at.Association)|&& at.Association != nil|./codegen/diagram/mermaid -run=TestReferences
mermaid-third-of-a-name|codegen/diagram/mermaid/escape.go|i.taken[id]; n++|i.taken[id] && n < 3; n++|./codegen/diagram/mermaid -run=TestPackagesWithEqualNames
mermaid-type-of-a-qualifier|codegen/diagram/mermaid/class.go|d.types.Qualifier(at)|diagram.CQL.Qualifier(at)|./codegen/diagram/mermaid -run=TestLogicalTypes
query-comment-of-the-next|codegen/query/workflow.go|return queries[i+1]|return q|./codegen/query -run=TestWorkflow
mermaid-direction-is-a-statement|codegen/diagram/mermaid/escape.go|(?i)(direction)|(?i)(direktion)|./codegen/diagram/mermaid -run=TestDiagrams
mermaid-text-is-not-escaped|codegen/diagram/mermaid/escape.go|if literal(r) {|if r > 0 {|./codegen/diagram/mermaid -run=TestDiagrams
mermaid-word-of-the-grammar|codegen/diagram/mermaid/escape.go|slices.Contains(reserved, strings.ToLower(base)) {|slices.Contains(reserved, "") {|./codegen/diagram/mermaid -run=TestDiagrams
diagram-update-in-a-code-fence|codegen/cmd/aml/internal/diagramcmd/update.go|inFence = m[1]|_ = m[1]|./codegen/cmd/aml -run=TestScripts/diagrammermaid$
change-direction-of-a-statement|codegen/diagram/change/markdown.go|lines[i] = diagram.PlainTo(line, len(line))|lines[i] = line|./codegen/diagram/change -run=TestHostileTexts
change-without-a-sign|codegen/diagram/change/picture.go|r.Sign.String(), strong, color.ink)|Same.String(), strong, color.ink)|./codegen/diagram/change -run=TestSigns
query-order-of-one-column|codegen/query/order.go|r.reversed(o) != r.reversed(rest[0])|false|./codegen/query -run=TestAnswers$
query-restriction-after-a-gap|codegen/query/answer.go|case i >= 0 && open != nil:|case false:|./codegen/query -run=TestAnswers$
query-expiring-copy-answers-for-its-source|codegen/query/find.go|!a.Properties.Expires()|a != nil|./codegen/query -run=TestAnswers$
query-copy-with-some-rows-answers-for-its-source|codegen/query/find.go|if condition(a) == condition(b) {|if a != nil {|./codegen/query -run=TestAnswers$
query-literal-beyond-its-type|codegen/query/value.go|8*n.Size|64|./codegen/query -run=TestAnswers$
query-offer-with-nil-in-its-key|codegen/query/offer.go|d.when = c|_ = c|./codegen/query -run=TestAnswers$
query-statement-after-an-error|codegen/query/syntax/parse.go|p.Err, p.Failed = nil, false|p.Failed = false|./codegen/query/syntax
element-of-a-shared-row|aml/schema/element.go|case !key.contained(p.Columns[:len(p.Table.Key())]):|case false:|./aml/schema -run=TestElements
element-removed-is-added|mapper/internal/call/element.go|case w.element == Remove:|case w.element == Append:|./integration/projection -run=TestElementsAreWrittenAsByUpdate
element-key-with-another-value|mapper/internal/cell/collection.go|at := e.openCollection(1)|at := e.openCollection(2)|./integration/projection -run=TestElementsAreWrittenAsByUpdate
plan-static-set-in-row|mapper/internal/plan/set.go|m.Action = PutStatic|_ = static|./mapper/internal/plan
plan-delete-at-the-time-of-the-write|mapper/internal/plan/plan.go|m.Back = 1|m.Back = 0|./mapper/internal/plan
write-deletes-the-row-of-another-owner|mapper/internal/call/release.go|if !x.keep {|if x != nil {|./mapper/gen
write-deletes-a-row-below-its-write-time|mapper/internal/call/release.go|max(c.written, x.written)|max(c.written, 0*x.written)|./mapper/gen
plan-distinct-row-is-partial|mapper/internal/plan/copy.go|p.appear(c.Table, c, new, c.Distinct |p.appear(c.Table, c, new, c == nil |./mapper/gen
write-delete-keeps-unread-rows|mapper/internal/plan/copy.go|case p.new == nil && c.Range:|case p.new == nil && c.Range && p.a == nil:|./integration/projection
write-import-of-an-older-value|mapper/internal/call/import.go|at >= r.DB.at {|at > r.DB.at {|./mapper/gen
write-import-keeps-copies|mapper/internal/plan/owner.go|p.leave(c, view{row: row})|_ = p|./mapper/gen
write-repeated-import-keeps-copies|mapper/internal/call/import.go|return false, r.clear(ctx, c, there)|return false, nil|./mapper/gen
clock-keeps-future-time|mapper/internal/store/clock.go|t = now|_ = now|./mapper/internal/store
write-shared-row-expires|mapper/internal/call/root.go|p != nil && p.Shared {|p != nil && p.Shared && p.Range {|./mapper/gen
write-list-repeated-in-place|mapper/internal/call/write.go|d.change.at += store.Spacing|d.change.at += 0 * store.Spacing|./mapper/gen
write-below-the-write-times-that-were-read|mapper/internal/call/write.go|db.clock.Next(written+store.Spacing, repeats)|db.clock.Next(0, repeats)|./mapper/gen
write-forgets-an-unknown-outcome|mapper/internal/call/write.go|outcome == store.Unknown {|outcome > store.Unknown {|./mapper/internal/simulation -run=TestPlainSchedules
write-repeated-with-the-full-ttl|mapper/internal/call/write.go|b.seconds = max(0, (db.Config.Now().UnixMicro()-at)/1e6)|b.seconds = min(0, (db.Config.Now().UnixMicro()-at)/1e6)|./mapper/gen
write-put-nulls-statics|mapper/internal/plan/plan.go|nulls && t.Columns[i].Kind != projection.Static |nulls && t.Columns[i].Kind != 9 |./mapper/internal/plan ./mapper/gen
backfill-newer-than-the-source|mapper/internal/plan/fill.go|BackfillWrite{At: g.At}|BackfillWrite{At: g.At + 1}|./mapper/internal/plan
backfill-row-at-the-newest-write-time|mapper/internal/plan/fill.go|f.exists = f.decided.or(f.key())|f.exists = f.key()|./mapper/internal/plan
backfill-below-a-tombstone|mapper/internal/plan/fill.go|value = value.with(f.decided)|_ = f.decided|./mapper/internal/plan
backfill-cell-at-the-newest-write-time|mapper/internal/plan/fill.go|value = value.with(f.decided)|value = value.with(f.stamps.row)|./mapper/internal/plan
backfill-static-at-the-time-of-the-condition|mapper/internal/plan/fill.go|if kind != projection.Static {|if kind < 9 {|./mapper/internal/plan
backfill-ttl-of-another-field|mapper/internal/plan/fill.go|case t.Form == projection.ByField:|case t.Form == projection.ByField && i < 0:|./mapper/internal/plan
backfill-element-at-the-newest-write-time|mapper/internal/plan/stamp.go|s.elements[column][string(key)].or(|Stamp{}.or(|./mapper/internal/plan
backfill-overwrites-a-delete|mapper/internal/plan/fill.go|Stamp{At: longAgo,|Stamp{At: f.now,|./mapper/internal/plan
backfill-expires-after-the-source|mapper/internal/scan/fill.go|Age: 1 + (|Age: 0 * (|./mapper/gen
backfill-skips-a-partition|mapper/internal/scan/pagescan.go|f.complete = f.at|f.complete = slices.Clone(at)|./mapper/gen
copydata-element-at-the-newest-write-time|migrate/copydata/statement.go|if len(x.stamps) > 1 && i < len(x.stamps) {|if len(x.stamps) > 1<<10 {|./migrate/copydata
copydata-without-ttl|migrate/copydata/statement.go|if of.ttl > 0 {|if of.ttl > 1<<30 {|./migrate/copydata
copydata-last-second-never-expires|migrate/copydata/read.go|s.ttl = -1|s.ttl = 0|./migrate/copydata
copydata-ttl-of-cells-without-one|migrate/copydata/read.go|longest = 0|longest = out.ttl|./migrate/copydata
copydata-list-own-attempt-is-forgotten|migrate/copydata/write.go|sent = true|sent = false|./migrate/copydata
copydata-list-is-sent-again-at-one-time|migrate/copydata/write.go|l.at += 2|l.at += 0|./migrate/copydata
copydata-older-than-its-cells|migrate/copydata/read.go|at: max(out.at, s.at)|at: min(out.at, s.at)|./migrate/copydata
codec-invalid-utf8|mapper/internal/cell/encoder.go|if !isASCII(s) && !utf8.ValidString(s) {|if !isASCII(s) && s == "" {|./mapper/internal/cell
codec-end-of-text-is-not-checked|mapper/internal/cell/encoder.go|all := binary.NativeEndian.Uint64(b[len(b)-8:])|all := uint64(0)|./mapper/internal/cell
codec-smallint-endian|mapper/internal/cell/encoder.go|0, 0, 0, 2, byte(v>>8), byte(v)|0, 0, 0, 2, byte(v), byte(v>>8)|./mapper/internal/cell
codec-vint-sign|mapper/internal/cell/cell.go|u := uint64(v>>63) ^ uint64(v<<1)|u := uint64(v << 1)|./mapper/internal/cell
codec-decimal-scale-sign|mapper/internal/cell/encoder.go|uint32(int32(v.Scale()))|uint32(-int32(v.Scale()))|./mapper/internal/cell
codec-minus-zero|mapper/internal/cell/encoder.go|math.Float64bits(v)))|math.Float64bits(v + 0)))|./mapper/internal/cell
codec-nan|mapper/internal/cell/encoder.go|e.Int(int32(math.Float32bits(v)))|e.Int(int32(map[bool]uint32{true: 0x7fc00000, false: math.Float32bits(v)}[v != v]))|./mapper/internal/cell
codec-v4-in-v6|mapper/internal/cell/encoder.go|switch a = a.Unmap(); {|switch {|./mapper/internal/cell
codec-empty-becomes-null|mapper/internal/cell/compose.go|return n, d.enter(c[lengthSize:]), true|return n, d.enter(c[lengthSize:]), n > 0|./mapper/internal/cell
codec-set-order|mapper/internal/cell/collection.go|slices.SortFunc(spans, compare)|slices.Reverse(spans)|./mapper/internal/cell
codec-capacity|mapper/internal/cell/decoder.go|return d.chunk[from : from+n : from+n]|return d.chunk[from : from+n]|./mapper/internal/cell
codec-huge-count|mapper/internal/cell/cell.go|n <= (len(c)-lengthSize)/(per*lengthSize)|n <= (len(c)-lengthSize)*per|./mapper/internal/cell
codec-last-fault-only|mapper/internal/cell/encoder.go|e.faults = append(e.faults, |e.faults = append(e.faults[:0], |./mapper/internal/cell
codec-wrong-element|mapper/internal/cell/fault.go|f.wrap(start, elementStep(i))|f.wrap(start, elementStep(i+1))|./mapper/internal/cell ./mapper/gen
codec-wrong-member|mapper/internal/cell/fault.go|countValues(c[:d.at]) - 1|countValues(c[:d.at])|./mapper/internal/cell ./mapper/gen
codec-unknown-fields-dropped|mapper/internal/plan/unknown.go|for o.More() {|for false {|./mapper/internal/plan ./mapper/gen
codec-unknown-fields-are-missed|mapper/internal/call/codec.go|at.unknown = l.d.Unknown()|at.unknown = l.d.Failed()|./mapper/gen
codec-driver-capacity|mapper/driver/gocqldriver/values.go|*c = b[:len(b):len(b)]|*c = b|./mapper/driver/gocqldriver
apache-received-bytes-have-a-capacity|mapper/driver/apachedriver/values.go|*c = b[:len(b):len(b)]|*c = b|./mapper/internal/conformance -run=TestReceivedBytesAreKept
apache-received-bytes-are-used-again|mapper/driver/apachedriver/values.go|*c = b[:len(b):len(b)]|*c = append((*c)[:0:cap(*c)], b...)|./mapper/internal/conformance -run=TestReceivedBytesAreKept
apache-reads-are-sent-once|mapper/driver/apachedriver/session.go|g.RetryPolicy(rereads{}).Idempotent(true)|g.RetryPolicy(rereads{})|./mapper/internal/conformance -run=TestAttemptsOfDrivers
apache-statement-with-once-is-repeated|mapper/driver/apachedriver/session.go|g.RetryPolicy(nil).Idempotent(false)|g.Idempotent(true)|./mapper/internal/conformance -run=TestAttemptsOfDrivers
apache-batch-is-not-repeated|mapper/driver/apachedriver/session.go|		b.repeats = true|		b.repeats = false|./mapper/internal/conformance -run=TestAttemptsOfDrivers
apache-level-of-conditions-is-not-sent|mapper/driver/apachedriver/session.go|	if q.Serial != 0 {|	if q.Serial > 99 {|./mapper/internal/conformance -run=TestLevelsAreSent
apache-level-of-conditions-of-a-batch-is-not-sent|mapper/driver/apachedriver/session.go|	if c.Serial != 0 {|	if c.Serial > 99 {|./mapper/internal/conformance -run=TestLevelsAreSent
apache-level-is-not-sent|mapper/driver/apachedriver/session.go|	if c.Consistency != 0 {|	if c.Consistency > 99 {|./mapper/internal/conformance -run=TestLevelsAreSent
apache-write-time-of-the-driver|mapper/driver/apachedriver/session.go|	if q.NoTimestamp {|	if q.NoTimestamp && q.CQL == "" {|./mapper/internal/conformance -run=TestWriteTimesOfDrivers
apache-time-out-counts-as-not-sent|mapper/driver/apachedriver/error.go|		return driver.NoAnswer|		return driver.NotConnected|./mapper/internal/conformance -run=TestTimeoutsOfDrivers
gocql-end-of-a-connection|mapper/driver/gocqldriver/error.go|errors.Is(err, io.EOF)|errors.Is(err, io.ErrClosedPipe)|./mapper/internal/conformance -run=TestBrokenConnections
apache-end-of-a-connection|mapper/driver/apachedriver/error.go|errors.Is(err, io.EOF)|errors.Is(err, io.ErrClosedPipe)|./mapper/internal/conformance -run=TestBrokenConnections
apache-statement-is-not-described|mapper/driver/apachedriver/session.go|	if q.Metadata {|	if q.Metadata && q.CQL == "" {|./mapper/internal/conformance -run=TestColumnsShift
go-type-whose-null-is-unknown|aml/cqltype/native.go|Foreign: true, Stored: "$x.IsValid()"|Foreign: true, Stored: ""|./mapper/internal/cell -run=TestZeroValuesAreNull
go-type-that-can-be-null|aml/model/type.go|native().Stored != ""|native().Stored == "none"|./codegen -run=TestGoTypesInEveryRole
go-type-that-can-be-empty|aml/model/type.go|native().Required != ""|native().Required == "none"|./codegen -run=TestGoTypesInEveryRole
go-type-that-is-required-and-null|codegen/check.go|return p.condition(g.Stored, t, x)|return p.condition(g.Stored[:0], t, x)|./codegen -run=TestGoTypesInEveryRole
go-type-that-is-required-and-empty|codegen/check.go|return p.condition(g.Required, a.Type, x)|return ""|./codegen -run=TestGoTypesInEveryRole
go-type-with-a-literal|codegen/query/expression.go|fmt.Sprintf(g.Literal, v.Text), true|"", false|./codegen/query -run=TestEveryGoTypeHasALiteral
codec-long-cell|aml/form/value.go|if n > len(b) {|if n > len(b)+1 {|./mapper/internal/cell
codec-length-beyond-the-end|mapper/internal/cell/decoder.go|uint(n) > uint(len(b)) {|uint(n) > uint(cap(b)) {|./mapper/internal/cell
codec-null-refused|mapper/gen/custom.go|if *v = zero; !null {|if *v = zero; true {|./mapper/gen
codec-choice-is-not-checked|mapper/internal/cell/compose.go|if a.Present && a.Name == name {|if a.Present {|./mapper/internal/cell
write-fault-without-key|mapper/internal/cell/encoder.go|return f.at < end })|return f.at >= 0*end })|./mapper/gen
codec-memory-unbounded|mapper/internal/cell/decoder.go|d.spare -= excess; d.spare < 0 {|d.spare -= excess; d.spare < -1<<40 {|./mapper/internal/cell
codec-decimal-of-zeros|mapper/internal/cell/native.go|-scale <= zerosMax {|-scale <= 1<<30 {|./mapper/gen
codec-decimal-keeps-its-zeros|aml/form/canonical.go|scale -= stripZeros(|scale -= 0 * stripZeros(|./aml/form
codec-nan-is-not-canonical|aml/form/canonical.go|return binary.BigEndian.AppendUint64(nil, nan64)|return b|./aml/form
codec-set-in-byte-order|mapper/internal/cell/collection.go|return of.Compare(|return (*Form)(nil).Compare(|./mapper/internal/cell
codec-element-is-not-canonical|mapper/internal/cell/collection.go|moved = AppendValue(moved, of.Canonical(e.b[s.from+lengthSize:s.key]))|moved = append(moved, e.b[s.from:s.key]...)|./mapper/internal/cell
plan-key-of-copy-keeps-its-scale|mapper/internal/plan/link.go|p.Table.Columns[c].Form.Variants() {|p.Table.Columns[c].Form.Variants() && c < 0 {|./mapper/internal/plan
backfill-element-of-another-scale|mapper/internal/plan/stamp.go|out[string(c.Form.Canonical(w.Next()))] = x|out[string(w.Next())] = x|./mapper/internal/plan
copydata-key-keeps-its-scale|migrate/copydata/write.go|return c.form.Canonical(b), err|return b, err|./migrate/copydata
codec-date-in-utc|mapper/internal/cell/encoder.go|shown := t.Unix() + int64(offset)|shown := t.Unix() + 0*int64(offset)|./mapper/internal/cell
codec-date-epoch|mapper/internal/cell/encoder.go|e.Int(int32(day + dateEpoch))|e.Int(int32(day + dateEpoch + 1))|./mapper/internal/cell
memory-tombstone-loses|mapper/memory/cell.go|return v.value == nil|return v.value != nil|./mapper/memory
memory-smaller-bytes-win|mapper/memory/cell.go|bytes.Compare(v.value, o.value) > 0|bytes.Compare(v.value, o.value) < 0|./mapper/memory
memory-expiring-loses|mapper/memory/cell.go|return v.expires > o.expires|return v.expires < o.expires|./mapper/memory
write-new-row-with-nulls|mapper/internal/call/root.go|c.over = false|c.over = true|./mapper/gen
read-token-of-another-query|mapper/internal/call/token.go|subtle.ConstantTimeCompare(b[:hashSize], t.bind(q, state)) == 0|subtle.ConstantTimeCompare(b[:hashSize], t.bind(q, state)) > 1|./mapper/gen
read-token-damaged|mapper/internal/call/token.go|	add(state)|	add(state[:0])|./mapper/gen
scan-cuts-a-partition|mapper/internal/scan/tablescan.go|			p.whole = p.token|			p.whole = token|./mapper/internal/conformance -run=TestScanContinuesAfterEachRow
scan-never-ends-a-slice|mapper/internal/scan/tablescan.go|			p.whole = high|			_ = high|./integration/store -run=TestScanReportsItsProgress/memory
scan-continues-at-the-beginning-of-a-slice|mapper/internal/scan/tablescan.go|s.slice(ctx, i, n, to.at.tokens[i], func|s.slice(ctx, i, n, sliceStart(i, n), func|./mapper/internal/conformance -run=TestScanContinuesAfterEachRow
scan-returns-deleted-roots|mapper/internal/scan/tablescan.go|if p.r.Omits(row) {|if row[p.r.Codec.Table.Key-1] == nil {|./integration/store -run=TestScanOfVersionedRoots.*/memory
scan-ignores-an-error-of-a-row|mapper/internal/scan/tablescan.go|		case p.err != nil:|		case p.err == errBreak:|./mapper/internal/scan -run=TestScanOf
scan-checkpoint-of-another-table|mapper/internal/scan/checkpoint.go|	case words[1] != table:|	case words[1] == "":|./mapper/internal/scan -run=TestCheckpointIsRefused
scan-checkpoint-in-another-form|mapper/internal/scan/checkpoint.go|c.String() != text {|c == nil {|./mapper/internal/scan -run=TestCheckpointIsRefused
driver-type-under-a-defined-type|codegen/driver.go|	case slices.Contains(g.Over, d.path):|	case slices.Contains(g.Over, ""):|./codegen -run=TestTypesOfTheOtherDriver
driver-type-argument|codegen/driver.go|			if foreignGo(arg, d) != "" {|			if foreignGo(arg, d) == "-" {|./codegen -run=TestTypesOfTheOtherDriver
driver-type-in-unmarshal-only|codegen/driver.go|			if t.Go.CQLInfo[i] == d.path {|			if i == 0 && t.Go.CQLInfo[i] == d.path {|./codegen -run=TestTypesOfTheOtherDriver
driver-types-over-the-nearest|aml/load/struct.go|n != nil; n = l.definedOver(n) {|n != nil; n = nil {|./codegen -run=TestTypesOfTheOtherDriver
driver-of-elements|codegen/driver.go|append([]*model.Type{t.Elem, t.Key}, t.Members...)|append([]*model.Type{t.Key}, t.Members...)|./codegen -run=TestTypesOfTheOtherDriver
driver-of-objects|codegen/driver.go|		check(o.Attributes)|		check(o.Attributes[:0])|./codegen -run=TestTypesOfTheOtherDriver
bar-of-steps-is-not-removed|codegen/cmd/aml/internal/commandline/terminal.go|		_ = b.bar.Clear()|		_ = b.bar|./codegen/cmd/aml/internal/migratecmd -run=TestStepsDrawABar
hidden-method-of-a-separate-store|codegen/separate.go|!token.IsExported(method.Name)|method.Name == ""|./codegen -run=TestUnreachableNames
hidden-constant-of-a-separate-store|codegen/unchanged.go|(b.imports.canName(n) && token.IsExported(c.Name))|b.imports.canName(n)|./codegen/cmd/aml -run=TestScripts/package
cycle-through-a-separate-store|aml/load/import.go|x.PkgPath == on|x == p && x.PkgPath == on|./codegen/cmd/aml -run=TestScripts/package_refused
facts-of-a-separate-store|codegen/vet/packages.go|len(more) > 0|len(more) > 99|./codegen/cmd/aml -run=TestScripts/vet
driver-that-is-recorded|codegen/recorded.go|secondLine(store) == RecordedApache {|secondLine(store) == Apache {|./codegen/cmd/aml -run=TestScripts/driver
driver-of-a-stub|codegen/driver.go|return drivers[driver].Adapter }|return drivers[Gocql].Adapter }|./codegen/cmd/aml -run=TestScripts/driver
driver-is-not-checked|codegen/cmd/aml/generate.go|	if len(faults) == 0 {|	if len(faults) == 0 && dir == "" {|./codegen/cmd/aml -run=TestScripts/driver
removed-entries-of-a-map-with-values|mapper/internal/plan/difference.go|	case a.more && !b.more && per == 1:|	case a.more && !b.more:|./mapper/internal/plan
no-rows-for-any-loop-over-a-null|mapper/internal/plan/program.go|	if p.Loop == 0 && int(p.Ops[0].Src) < len(src) |	if p.Loop >= 0 && int(p.Ops[0].Src) < len(src) |./mapper/internal/plan
conditional-statement-with-an-ended-context|mapper/internal/store/conditional.go|	if err := Ended(ctx); err != nil {|	if err := Ended(context.WithoutCancel(ctx)); err != nil {|./integration/store -run=TestWritesWithAnEndedContext/versioned
scan-error-of-the-slice-of-an-ended-context|mapper/internal/scan/slices.go|queue && ctx.Err() != nil {|queue && ctx.Err() == nil {|./integration/store -run=TestCallsWhoseContextEndsAnywhere
scan-slices-with-a-gap|mapper/internal/scan/slices.go|	return low, sliceStart(i+1, n)|	return low, sliceStart(i+1, n) - 1|./mapper/internal/scan -run=TestEnds
latest-write-time-of-several-cells|aml/statement/statement.go|	if singleCell {|	if !singleCell {|./mapper/internal/store -run=TestWrittenRead
open-without-write-times|mapper/internal/store/oldserver.go|		if t.Load != "" && !slices|		if t.Load == "" && !slices|./mapper/internal/store -run=TestVerifyServer
job-without-write-times|mapper/internal/store/oldserver.go|c.Cells != projection.Single {|c.Cells == projection.List {|./mapper/internal/store -run=TestVerifyServer
oldest-server-is-not-asked|migrate/oldserver.go|oldest.Before(5, 0) {|oldest.Before(4, 0) {|./migrate -run=TestUpRefusesWhatAnOldServer
node-that-answers-is-not-counted|internal/systemschema/server.go|		if len(r.peers) > 1 {|		if len(r.peers) > 0 {|./internal/systemschema -run=TestNodes
node-beside-the-peers-of-another|internal/systemschema/server.go|			if r.peers[node] {|			if !r.peers[node] {|./internal/systemschema -run=TestNodes
open-protocol-3|mapper/internal/store/server.go|version < minProtocol {|version < minProtocol-1 {|./mapper/internal/store
clock-two-findings|mapper/internal/skew/guard.go|g.wrong = min(g.wrong+1, Findings)|g.wrong = min(g.wrong+2, Findings)|./mapper/internal/skew
clock-jump-is-forgotten|mapper/internal/skew/guard.go|if v != Unanswered {|if v <= Unanswered {|./mapper/internal/skew
clock-whole-round-trip|mapper/internal/skew/measure.go|return most - a.RoundTrip, most|return most, most|./mapper/internal/skew
read-secret-in-problem|mapper/internal/plan/fault.go|return masked(path), masked(problem)|return masked(path), problem|./mapper/internal/plan
memory-farthest-first|mapper/memory/near.go|similarity(to, b[column]), similarity(to, a[column])|similarity(to, a[column]), similarity(to, b[column])|./mapper/memory
memory-index-finds-all|mapper/memory/find.go|f.compare.Compare(c, f.folded) == 0|f.compare.Compare(c, f.folded) < 9|./mapper/memory
memory-no-marker|mapper/memory/row.go|r.marker.live(deleted, now)|false|./mapper/memory ./mapper/internal/plan
replay-static-is-added-again|migrate/catalog/table.go|case (old.Kind == schema.Static) != (c.Kind == schema.Static):|case false:|./migrate/diff
replay-type-is-added-again|migrate/catalog/table.go|case len(names(c.Type)) > 0:|case false:|./migrate/diff
replay-drops-indexed|migrate/catalog/table.go|if i := indexed(t, c.Name); i != nil {|if i := indexed(t, c.Name); i != nil && false {|./migrate/catalog
replay-compaction-resets-false-positives|migrate/catalog/table.go|now[property.FalsePositives] = Option(t, property.FalsePositives)|_ = property.FalsePositives|./migrate/catalog
replay-nests-unfrozen|migrate/internal/ddl/type.go|unfit = nesting(t)|unfit = nil|./migrate/catalog
replay-sequential-renames|migrate/catalog/table.go|taken[to[from]] = true|taken[to[from]] = false|./migrate/catalog
replay-ignores-views|migrate/catalog/index.go|if v.Base == table {|if v.Base == "" {|./migrate/catalog
property-any-number|aml/model/property/rule.go|return ok && n >= from && n <= to|return ok && n <= to|./aml/model ./migrate/catalog
property-percentile-without-a-start|aml/model/property/retry.go|places(f) < 100|f < 100|./aml/model ./migrate/catalog
property-mega-is-mebi|aml/model/property/unified.go|f * math.Pow(1000,|f * math.Pow(1024,|./aml/model
replay-grows-partition-key|migrate/catalog/type.go|if t, c := k.PartitionKeyUser(s.Name); t != nil {|if t, c := k.PartitionKeyUser(s.Name); t != nil && false {|./migrate/catalog
diff-drops-the-table-of-was|migrate/diff/diff.go|!p.kept[t.Name] && ||./codegen/cmd/aml
diff-drops-a-manual-table|migrate/diff/diff.go| && !p.from.Manual[t.Name] && t| && t|./codegen/cmd/aml
diff-drops-earlier-column|migrate/diff/diff.go|&& !earlierColumn(t, c.Name) ||./migrate/diff
diff-drops-index-of-earlier-column|migrate/diff/index.go| && !earlierColumn(to, catalog.IndexedColumn(i))||./migrate/diff
diff-does-not-fill-copies|migrate/diff/table.go| p.stored(owner.Redundancy.Source)| false|./migrate/diff
diff-does-not-fill-new-fields-of-copies|migrate/diff/udt.go|return o.Object == object|return false|./migrate/diff
diff-renames-in-any-order|migrate/diff/was.go|taken[r.From] && !taken[r.To]|taken[r.From]|./migrate/diff
diff-field-between|migrate/diff/udt.go|if f.Name != was.Name && f.Attribute.Was != was.Name {|if false {|./migrate/diff
diff-drops-every-index-first|migrate/diff/index.go|return catalog.SameIndex(i, w) })|return w != nil })|./migrate/diff
diff-was-is-stale|migrate/diff/hint.go| && !hasColumn(p.replaced(t), at.Was) {| {|./migrate/diff
diff-narrower-is-wider|migrate/diff/move.go|case !slices.Contains(n.Wider, to):|case slices.Contains(n.Wider, to) && from == to:|./migrate/diff
diff-does-not-drop-an-index|migrate/diff/index.go|!catalog.SameIndex(i, want)):|false):|./migrate/diff
diff-static-shared|migrate/diff/sources.go|if !s.copiedTo(key, s.new.PartitionKey) {|if s.copiedTo(key, nil) {|./migrate/diff
diff-name-is-used-twice|migrate/diff/sources.go|return c.Name != name && |return c.Name == name && |./migrate/diff
lint-list-removal-is-repeated|migrate/lint/data.go|c.Type.MultiCell() && !subtracts(words)|c.Type.MultiCell()|./migrate/lint
lint-by-hand-of-a-missing-object|migrate/lint/lint.go|!l.now.Has(d.Argument)|!l.now.Has(d.Argument[:1])|./migrate/lint
lint-allows-all|migrate/lint/lint.go|f.Code == code && f.number|f.number|./migrate/lint
lint-allows-everywhere|migrate/lint/lint.go|f.Code == code && f.number == number|f.Code == code && number >= 0|./migrate/lint
lint-null-is-a-value|migrate/lint/data.go|words[0].Is("NULL")|words[0].Is("NULLS")|./migrate/lint
lint-ttl-is-missed|migrate/lint/data.go|case what.Is("TTL") && n > 0:|case what.Is("TTL") && n < 0:|./migrate/lint
lint-future-timestamp-is-missed|migrate/lint/data.go|n > time.Now().UnixMicro():|n < time.Now().UnixMicro():|./migrate/lint
lint-new-table-is-existing|migrate/lint/schema.go|range l.before.Tables|range l.now.Tables|./migrate/lint
lock-without-renewal-is-kept|migrate/lock.go|missable * t.interval()|renewals * t.interval()|./migrate
unavailable-is-unknown|migrate/outcome.go|unavailable(err) && checkedBefore(statement)|unavailable(err) && !checkedBefore(statement)|./migrate
statement-is-prepared|migrate/outcome.go|return "/**/" + statement|return statement|./migrate
reserved-table-is-written|migrate/folder/check.go|"INTO", "UPDATE", "FROM", "ON",|"INTO", "UPDATE", "FROM",|./migrate/folder
marker-of-a-name-is-missed|migrate/folder/check.go|return ":" + words[i+1].Text|return ""|./migrate/folder
false-condition-is-applied|migrate/outcome.go|_, ok := errors.AsType[*notAppliedError](err)|ok := err == nil|./migrate
empty-migration-is-recorded|migrate/folder/check.go|acts := func(d Directive) bool { return d.Verb != allowDirective }|acts := func(d Directive) bool { return true }|./migrate/folder ./migrate
transaction-is-a-batch|migrate/folder/split.go|s.end = "COMMIT TRANSACTION"|s.end = "APPLY BATCH"|./migrate/folder
status-late-file-is-missed|migrate/status.go|case f.Number < latest.number:|case f.Number < 0*latest.number:|./migrate
contained-delete-is-missed|migrate/folder/check.go|[]string{"INTO", "UPDATE", "FROM"}|[]string{"INTO", "UPDATE"}|./migrate/folder
compare-place-in-key|migrate/catalog/compare.go|1+slices.Index(t.ClusteringKey, c)|1+0*slices.Index(t.ClusteringKey, c)|./migrate/catalog
compare-options-of-index|migrate/catalog/compare.go|text += " with " + i.Entries()|text += " with "|./migrate/catalog
reverse-frozen-lost|migrate/reverse/table.go|multiCell && c.Type.Frozen|multiCell && !c.Type.Frozen|./migrate/reverse
reverse-set-is-list|migrate/reverse/shape.go|f.option("unique", "")|f.option("final", "")|./migrate/reverse
reverse-without-reason|migrate/reverse/reverse.go|why = err.Error()|why = err.Error()[:0]|./migrate/reverse
reverse-gap-is-not-listed|migrate/reverse/check.go|out = append(out, gap{table: w.commented(d.Table), text: d.Subject()|_ = append(out, gap{table: w.commented(d.Table), text: d.Subject()|./migrate/reverse
warning-method-is-one-cell|aml/model/divergence.go|case when.Method() != nil:|case false:|./aml/load
warning-null-and-false-are-one|aml/model/divergence.go|last.Type.CQL == "boolean" && (|last.Type.CQL == "none" && (|./aml/load
warning-delete-removes-all-rows|aml/model/divergence.go|!a.StartsWithSourceKey() && !a.FollowsFromKey():|false:|./aml/load
warning-claims-are-ignored|aml/model/warning.go|a.SourceKey() != nil {|true {|./aml/load
source-key-in-no-composition|aml/model/redundantkey.go|return f.Is(of)|return f.Object == nil && f.Path == of|./aml/schema
load-inherited-marker|aml/load/load.go|l.inherited(t, inModel)|map[bool]*model.Struct{}[inModel]|./aml/load
save-forgets-what-is-pending|mapper/internal/plan/save.go|out[string(pendingKey(p.Table, p.Key))] = p|_ = p|./mapper/internal/simulation -run=TestSchedules
save-keeps-the-rows-of-a-set|mapper/internal/plan/save.go|c.Exists.Rewritten(&p.changed, true)|c.Exists.Rewritten(&p.changed, false)|./mapper/internal/simulation -run=TestSchedules
save-deletes-at-its-own-version|mapper/internal/plan/save.go|	out = append(out, a.drop(pending, rows)...)|	out = append(out, a.drop(pending, rows)...); for i := range out { out[i].At = s.Version }|./mapper/internal/simulation -run=TestSchedules
save-below-the-floor|mapper/internal/plan/save.go|	if floor > 0 {|	if floor < 0 {|./mapper/internal/simulation -run=TestSchedules
save-at-the-clock|mapper/internal/plan/save.go|v := max(now, old+2)|v := max(now, 2)|./mapper/internal/simulation -run=TestSchedules
save-without-a-condition|mapper/internal/plan/save.go|c.If = []Condition{{Column|_ = []Condition{{Column|./mapper/internal/simulation -run=TestSchedules
save-applied-twice|mapper/internal/plan/save.go|	if slices.Contains(now.Attempts, id) {|	if slices.Contains(now.Attempts, truncated) {|./mapper/internal/simulation -run=TestSchedules
change-hides-earlier-saves|mapper/internal/plan/save.go|s.State.Attempts = []Attempt{truncated, o.ID}|s.State.Attempts = []Attempt{o.ID}|./mapper/internal/simulation -run=TestSchedules
change-marks-copies-done|mapper/internal/plan/save.go|s.blind = true|s.blind = false|./mapper/internal/simulation -run=TestSchedules -schedules=20000
change-forgets-what-it-drops|mapper/internal/plan/save.go|s.Root.Added, s.Root.Removed = pendingCell(s.dropped), a.pendingNames(s.rows)|s.Root.Removed = a.pendingNames(s.rows)|./mapper/internal/simulation -run=TestSchedules
part-changed-without-a-condition|mapper/internal/plan/part.go|	case ChangePartIf, DeletePart:|	case DeletePart:|./mapper/internal/simulation -run=TestPartSchedules
part-deleted-without-a-condition|mapper/internal/plan/part.go|	case ChangePartIf, DeletePart:|	case ChangePartIf:|./mapper/internal/simulation -run=TestPartSchedules
parts-of-a-root-that-was-saved-are-deleted|mapper/internal/plan/save.go|append([]PartWrite{v.Part.Clearing(new)}, v.Part.head(PutHead, new)...)|append([]PartWrite{v.Part.Clearing(new)}, v.Part.head(PutHead, new)...); s.Root.If = nil|./mapper/internal/simulation -run=TestPartSchedules
parts-stay-after-their-root|mapper/internal/plan/save.go|append([]PartWrite{v.Part.Clearing(new)}, v.Part.head(PutHead, new)...)|v.Part.head(PutHead, new)|./mapper/internal/simulation -run=TestPartSchedules
part-judged-before-the-version|mapper/internal/save/parts.go| now.CurrentVersion() != old.CurrentVersion() {| old == nil {|./mapper/internal/simulation -run=TestPartSchedules
part-judged-before-the-attempts|mapper/internal/save/commit.go|			return w.resolve(old, save, unknown)|			return plan.NotApplied, w.classifyRefusal(old, nil)|./integration/store -run=TestLostAnswersOfVersionedParts
part-of-another-version|mapper/internal/save/parts.go| at != p.version {| at < 0 {|./integration/store -run=TestVersionedPartsStartOver/memory
part-not-found-of-another-version|mapper/internal/save/parts.go|p.stale = now.CurrentVersion() != p.version|p.stale = now.CurrentVersion() < 0|./integration/store -run=TestVersionedPartsStartOver/memory
part-of-a-deleted-range-is-read|mapper/internal/save/parts.go|	case p.deleted(key):|	case p.deleted(key) && p.ended:|./mapper/internal/simulation -run=TestPartSchedules
part-of-a-deleted-range-is-written|mapper/internal/save/parts.go|	case p.deleted(x.key):|	case p.deleted(x.key) && p.ended:|./integration/store -run=TestRangesOfVersionedPartsInAFunction/memory
part-range-with-a-written-row|mapper/internal/save/parts.go|		if x.written && w.InRange(x.key) {|		if x.read && w.InRange(x.key) {|./integration/store -run=TestRangesOfVersionedPartsInAFunction/memory
part-range-of-any-first-column|mapper/internal/plan/part.go|	for i := t.Partition; i < n; i++ {|	for i := t.Partition + 1; i < n; i++ {|./integration/projection -run=TestSavesOfRandomModels$
part-range-of-a-missing-root-is-sent|mapper/internal/save/parts.go|	if p.ranges = append(p.ranges, w); !p.created {|	if p.ranges = append(p.ranges, w); p != nil {|./integration/store -run=TestRangesOfVersionedPartsInAFunction/memory
part-range-without-its-lower-bound|mapper/internal/plan/part.go|		return DeleteRange(w.Of.Table, w.Row, w.Low, w.Up)|		return DeleteRange(w.Of.Table, w.Row, Bound{}, w.Up)|./mapper/internal/simulation -run=TestPartSchedules
empty-page-of-parts-is-older-than-its-root|mapper/internal/save/partswith.go|		if root, err = p.readRoot(ctx); err != nil {|		if root, err = p.readRoot(ctx); root != nil { return root, next, nil }; if err != nil {|./mapper/internal/simulation -run=TestPartSchedules
root-without-a-version-beside-its-parts|mapper/internal/save/partswith.go|*p.r.Codec.Version(shown) != 0 {|*p.r.Codec.Version(shown) >= 0 {|./integration/store -run=TestPagesOfPartsWithoutAVersion
fault-beside-a-row-names-another-column|mapper/internal/cell/decoder.go|		column += d.skipped|		column += d.shared|./mapper/internal/cell -run=TestDecodeBeside
head-row-is-deleted-with-the-root|mapper/internal/plan/save.go|append([]PartWrite{v.Part.Clearing(new)}, v.Part.head(PutHead, new)...)|[]PartWrite{v.Part.Clearing(new)}|./integration/store -run=TestRequestsOfVersionedParts/memory
head-row-of-a-new-root-is-not-written|mapper/internal/plan/save.go|slices.Concat(o.Parts, v.Part.head(PutHead, new))|o.Parts|./integration/store -run=TestRequestsOfVersionedParts/memory
head-row-stays-after-a-purge|mapper/internal/plan/save.go|	c.Parts = v.Part.head(DropHead, s.Row)|	_ = v.Part.head(DropHead, s.Row)|./integration/store -run=TestHeadRowsOnANode
head-row-is-counted|mapper/internal/store/only.go|!t.IsHead(row) && |true && |./integration/store -run=TestHeadRowsThatAnIndexFinds/memory
head-row-is-read-as-a-part|mapper/internal/plan/part.go|row[t.Head][0] == 0|row[t.Head][0] == 9|./integration/store -run=TestHeadRowsAreNotRead/memory
head-row-of-a-copied-root-is-not-written|mapper/internal/plan/assign.go|	c.Parts = a.Versioning.Part.head(PutHead, s.Row)|	_ = a.Versioning.Part.head(PutHead, s.Row)|./integration/migrations -run=TestHeadRowsAreAdded
copy-of-versioned-rows-misses-saves-in-flight|migrate/diff/move.go|Serial: catalog.Column(old, schema.Deleted) != nil}|Serial: catalog.Column(old, schema.Deleted) == nil}|./integration/migrations -run=TestHeadRowsAreAdded
copy-of-versioned-rows-at-another-serial-level|migrate/copydata/read.go|	return cmp.Or(migrating.Serial(ctx), driver.Serial)|	return cmp.Or(driver.Serial, migrating.Serial(ctx))|./integration/migrations -run=TestHeadRowsAreAdded
copy-of-versioned-rows-beside-a-replaced-copy|migrate/diff/move.go|r != nil && r.Source == a && p.replaced(other) != nil {|r != nil && r.Source == a && p.replaced(other) == nil {|./migrate/diff -run=TestMovesByHand
versions-are-assigned-each-time|migrate/diff/version.go|	if was := p.replaced(t); old == nil && was != nil|	if was := p.replaced(t); was != nil|./integration/migrations -run=TestHeadRowsAreAdded
lint-of-a-copy-of-versioned-rows|migrate/lint/copy.go|			if catalog.Column(to, schema.Deleted) != nil {|			if catalog.Column(from, schema.Deleted) != nil {|./migrate/lint -run=TestEachRuleFires
head-row-is-counted-as-a-part|mapper/internal/plan/part.go|	if t.Head > 0 && len(row) >= t.Head {|	if t.Head > 0 && len(row) > t.Head {|./mapper/internal/simulation -run=TestHeadRowSchedules
range-of-parts-deletes-the-head-row|mapper/internal/plan/part.go|		partition = append(partition, cell.Cell{1})|		partition = append(partition, cell.Cell{0})|./mapper/internal/simulation -run=TestHeadRowSchedules
warning-of-head-rows-for-roots-that-have-them|aml/model/warning.go|a.Version != nil && !a.HeadRow {|a.Version != nil {|./aml/load -run=TestDiagnostics
part-written-twice|mapper/internal/save/parts.go|		return errTwice|		_ = errTwice|./integration/store -run=TestVersionedPartsAreRefused/memory
save-with-parts-of-any-size|mapper/internal/save/commit.go|err = w.fits(&save.Root)|_ = w.fits(&save.Root)|./integration/store -run=TestSaveWithPartsIsTooLarge
save-reads-an-old-marker|mapper/internal/save/propagate.go|at > 0 && at >= s.Version, err|at > 0, err|./mapper/internal/simulation -run=TestSchedules
reconcile-without-grace|mapper/internal/reconcile/run.go|return now - x.config.Grace.Microseconds()|return now|./mapper/internal/simulation -run=TestReconcileBesideOneWriter -schedules=20000
reconcile-at-the-present-time|mapper/internal/plan/repair.go|at := r.o.Before + 1|at := r.o.Now|./mapper/internal/plan -run=TestRepair
reconcile-below-the-source|mapper/internal/plan/repair.go|at = max(at, of.At)|_ = of.At|./mapper/internal/plan
reconcile-extra-row-at-its-own-time|mapper/internal/plan/repair.go|Action: Delete}, r.o.Before}}|Action: Delete}, x.Stamps.Newest()}}|./mapper/internal/plan
reconcile-row-without-a-marker|mapper/internal/plan/repair.go|	d.mark()|	_ = d.mark|./mapper/internal/plan
reconcile-compares-bytes|mapper/internal/plan/repair.go|s.equal(parseType(t.Columns[column].Type), read, encoded)|s == nil|./mapper/internal/plan
reconcile-sums-without-the-copy|mapper/internal/reconcile/sums.go|s.sums.bucket(h).Add(-h.Row)|s.sums.bucket(h).Add(0)|./mapper/internal/simulation -run=TestReconcileReadsOnlySuspects
reconcile-counts-a-page-twice|mapper/internal/reconcile/sums.go|func (s *sumScan) Begin() { s.page, s.statics = s.page[:0], nil }|func (s *sumScan) Begin() {}|./mapper/internal/reconcile -run=TestReconcileCountsPagesOnce
reconcile-hashes-keys-only|mapper/internal/plan/sum.go|		b = cell.AppendValue(b, c)|		b = cell.AppendValue(b, row[0])|./mapper/internal/plan -run=TestHasher
reconcile-counts-findings-twice|mapper/internal/reconcile/run.go|	c.page[i] = true|	c.page[i] = false|./mapper/internal/simulation -run=TestReconcileCountsFindingsOnce
reconcile-purges-static-values-early|mapper/internal/reconcile/static.go|s.Newest() >= limit {|s == nil {|./mapper/internal/simulation -run=TestReconcileStaticValues
reconcile-reads-copies-first|mapper/internal/reconcile/difference.go|	there, err := x.readCopies(ctx, x.c, rowKey)|	there, err := x.readCopies(ctx, x.c, rowKey); root, _ = x.readRoot(ctx, rootKey)|./mapper/internal/simulation -run=TestReconcileSchedules
reconcile-does-not-look-again|mapper/internal/reconcile/difference.go|	case again != nil && again.Writes != nil && !again.Recent:|	case again != nil && again.Writes == nil:|./mapper/internal/simulation -run=TestReconcilePlain
reconcile-keeps-rows-without-an-owner|mapper/internal/reconcile/difference.go|			return x.newCopyCheck(r, c).deleteUnowned(ctx, row.key)|			return nil|./mapper/internal/simulation -run=TestReconcileSchedules
reconcile-releases-a-claim-in-flight|mapper/internal/save/reservation.go|stale, ended := now.stale(o, version),|stale, ended := version >= 0,|./mapper/internal/simulation -run=TestReconcileReleasesLeaked
reconcile-without-a-fence|mapper/internal/save/reservation.go|		case stale:|		case stale, ended:|./mapper/internal/simulation -run=TestReconcileReleases
reconcile-deletes-at-the-present-time|mapper/internal/reconcile/orphan.go|		o.at = o.root.Version|		o.at = x.now()|./mapper/internal/simulation -run=TestReconcileDeletesBelowLaterSaves
reconcile-deletes-above-the-floor|mapper/internal/reconcile/orphan.go|			o.at = r.Floor|			o.at = x.now()|./mapper/internal/simulation -run=TestReconcileDeletesBelowLaterSaves
reconcile-purges-early|mapper/internal/reconcile/purge.go|	return x.now() - x.gcGrace(t) - x.limit.Microseconds()|	return x.now()|./mapper/internal/simulation -run=TestReconcileRemovesDeletedRows
claim-nothing|mapper/internal/save/claim.go|if kept := was.Has(v) && old.CurrentVersion() != 0; !kept {|if len(was) > 99 {|./mapper/internal/simulation -run=TestSchedules
claim-nothing-for-a-row-without-a-version|mapper/internal/save/claim.go|if kept := was.Has(v) && old.CurrentVersion() != 0; !kept {|if !was.Has(v) {|./mapper/internal/simulation -run=TestARowWithoutAVersionIsSaved
change-of-a-row-without-a-version|mapper/internal/save/versioned.go|	case state.Version == 0:|	case state.Version < 0:|./mapper/internal/simulation -run=TestARowWithoutAVersionIsSaved
assign-below-the-write-times|mapper/internal/plan/assign.go|least := u.Values.At + 2|least := min(u.Values.At, 1)|./mapper/internal/simulation -run=TestAssignVersions
assign-to-a-row-that-expires|mapper/internal/save/assign.go|case u.Values.RemainingTTL > 0:|case u.Values.RemainingTTL < 0:|./mapper/internal/simulation -run=TestAssignVersions
assign-to-a-row-of-the-future|mapper/internal/save/assign.go|case newest > servers.UnixMicro():|case newest < servers.UnixMicro() - 1<<60:|./mapper/internal/simulation -run=TestAssignVersions
assign-continues-after-refused-rows|mapper/internal/save/assign.go|append(a.refused, err, a.save("|append(a.refused, err, a.save("x|./mapper/internal/simulation -run=TestAssignVersions
fill-of-a-versioned-root-at-another-time|mapper/internal/plan/assign.go|of.Version = max(of.Version, longAgo)|of.Version = longAgo|./mapper/internal/simulation -run=TestFillOfAVersionedRoot
claim-by-a-change-of-any-version|mapper/internal/save/claim.go|	if w.blind && len(added) > 0 {|	if w.blind && len(added) > 99 {|./mapper/internal/simulation -run=TestChangeOfAnotherVersion
claim-of-an-older-save|mapper/internal/save/claim.go|	case x.Owns(r) && r.At == x.at:|	case x.Owns(r) && r.At <= x.at:|./mapper/internal/simulation -run=TestSchedules
claim-below-a-newer-save|mapper/internal/save/claim.go|	case x.Owns(r) && r.At > x.at:|	case x.Owns(r) && r.At > x.at && x.at < 0:|./mapper/internal/simulation -run=TestSchedules -schedules=20000
claim-without-a-fence|mapper/internal/save/claim.go|	return false, x.fence(o, r)|	return x.set(max(r.Floor, o.CurrentVersion()))|./mapper/internal/simulation -run=TestClaimSchedules
claim-takes-over-without-the-floor|mapper/internal/save/claim.go|x.set(max(r.Floor, o.CurrentVersion()))|x.set(max(r.Floor, 0*o.CurrentVersion()))|./mapper/internal/simulation -run=TestSchedules
release-without-the-floor|mapper/internal/save/reservation.go|max(r.Floor+1, version))|max(r.Floor+1, 0*version))|./mapper/internal/simulation -run=TestSchedules
release-of-a-newer-claim|mapper/internal/save/reservation.go|		c.If = append(c.If, plan.Condition{Column: t.Key + n + i, Value: x})|		_, _ = i, x|./mapper/internal/simulation -run=TestSchedules
get-by-returns-rows-without-the-value|mapper/internal/call/getby.go|:= c.In(row); !has|:= c.In(row); !has && err != nil|./mapper/internal/simulation -run=TestGetBySchedules
get-by-returns-deleted-rows|mapper/internal/call/getby.go|r.Omits(row) {|r.Omits(row) && row[0] == nil {|./mapper/internal/simulation -run=TestGetByLeavesOut
get-by-misses-reservations|mapper/internal/plan/save.go|if row[t.Key] == nil {|if row[0] != nil {|./mapper/internal/simulation -run=TestGetBySchedules
get-by-finds-empty-values|mapper/internal/call/getby.go|if !plan.ClaimsNothing(c) {|if c != nil {|./integration/store -run=TestGetByOfValues
get-by-finds-values-too-long|mapper/internal/call/getby.go|if problem := v.TooLong(); problem != ""|if problem := v.TooLong(); problem == "-"|./integration/store -run=TestGetByOfValues
server-of-a-damaged-archive|integration/cassandra/archive_unix.go|err == nil && got != string(want)|err != nil && got != string(want)|./integration/cassandra -run=TestDamagedArchives
server-needs-archived-classes|integration/cassandra/archive_unix.go|if ctx.Err() != nil {|if true {|./integration/cassandra -run=TestServersStart
read-of-a-deleted-root|mapper/internal/plan/table.go|return t.Deleted > 0 && t.ShowsDeleted(row[t.Deleted]) }|return t.Deleted > len(row) }|./mapper/internal/simulation -run=TestVersions
work-takes-a-held-slice|mapper/internal/work/queue.go|r.owner != uuid.UUID{} }|r.epoch < 0 }|./mapper/internal/work
work-begins-a-phase-early|mapper/internal/work/queue.go|		if begun {|		if begun == begun {|./mapper/internal/work
work-writes-after-its-end|mapper/internal/work/local.go|old.epoch == r.epoch && !old.done|old.epoch == r.epoch|./mapper/internal/work
work-epoch-is-not-raised|mapper/internal/work/queue.go|r.epoch+1, uuid|max(r.epoch, 1), uuid|./mapper/internal/work -run=TestNextWaits
work-does-not-wake-up|mapper/internal/work/queue.go|	close(l.q.changed)|	_ = l.q.changed|./mapper/internal/work -run=TestNextWaits
work-takes-a-held-row|mapper/internal/work/table.go|` AND owner = null`|``|./mapper/internal/conformance -run=TestLeaseIsRenewedInTime
work-changes-a-done-row|mapper/internal/work/table.go| AND done = null`|`|./mapper/internal/conformance -run=TestLostLease
work-lease-does-not-expire|mapper/internal/work/table.go|int(t.ttl.Seconds())|int(t.ttl.Hours()*1e6)|./mapper/internal/conformance -run=TestUnknownOutcomesOfLeases
work-unknown-is-refused|mapper/internal/work/table.go|unknown = err != nil|unknown = false|./mapper/internal/conformance -run=TestUnknownOutcomesOfLeases
work-header-expires-first|mapper/internal/work/table.go|headerTTL = 60 *|headerTTL = 6 *|./mapper/internal/conformance -run=TestSharedJob
work-header-is-not-compared|mapper/internal/work/table.go|case header != job.Header:|case header == "":|./mapper/internal/conformance -run=TestOpenRefusesAnotherHeader
memory-compares-one-condition|mapper/memory/conditional.go|!bytes.Equal(value, x.Value) {|!bytes.Equal(value, x.Value) && len(c.If) == 1 {|./mapper/internal/conformance -run=TestMemoryComparesAndSets
cas-refused-is-applied|mapper/internal/store/conditional.go|if row[0][0] != 0 {|if len(row[0]) == 1 {|./integration/faults -run=TestKilledNodes/versioned -versioned.faults=1
save-marks-before-its-batches|mapper/internal/call/copywrites.go|		if err := w.db.sendUntil(ctx, &w.batches[i], version|		if err := w.db.sendUntil(ctx, &w.batches[len(w.batches)-1-i], version|./mapper/internal/simulation -run=TestSchedules
group-with-an-empty-text-is-claimed|mapper/internal/plan/save.go|bool { return len(c) == 0 }|bool { return c == nil }|./mapper/internal/simulation -run=TestReconcileReleasesEmptyGroups
key-of-a-group-with-an-empty-text|aml/model/redundantkey.go|i := slices.IndexFunc(unique, |i := slices.IndexFunc(unique[:1], |./aml/load -run=TestDiagnostics
copy-with-a-key-of-any-length|mapper/internal/plan/save.go|	p.checkLimits(pending)|	_ = pending|./integration/store -run=TestUniqueValues/memory
unique-value-of-any-length|mapper/internal/plan/limits.go|for _, c := range claims {|for _, c := range claims { if c.Key != nil { break }|./integration/store -run=TestUniqueValues/memory
limit-counts-deleted-rows|mapper/internal/call/query.go|(q.r.Codec.Table.Deleted > 0|(q.r.Codec.Table.Deleted > 9999|./integration/store -run=TestDeletedRowsAreNotRead/memory
old-keys-without-methods|mapper/internal/call/verified.go|len(r.Codec.Table.Computed) == 0|len(r.Codec.Table.Computed) >= 0|./integration/store -run=TestVersionedWrites/memory
parts-stay-without-their-root|mapper/internal/plan/plan.go|p.out = append(p.out, p.a.deleteParts(p.old)...)|_ = p.a.deleteParts(p.old)|./integration/store -run=TestParts/memory
parts-copies-stay|mapper/internal/call/root.go|err := r.deleteParts(ctx, key); err != nil|err := r.DB.broken; err != nil|./integration/store -run=TestParts/memory
parts-of-no-root-stay|mapper/internal/call/root.go|return r.deleteOrphans(ctx, args)|return nil|./integration/store -run=TestParts/memory
range-of-a-copy-with-another-next-column|aml/projection/range.go|		if int(columns[i]) != i {|		if int(columns[i]) < 0 {|./aml/projection
range-of-a-copy-with-other-columns|aml/projection/range.go|		if !slices.Contains(columns[:given], uint16(i)) {|		if !slices.Contains(columns, uint16(i)) {|./aml/projection
range-in-the-order-of-the-root|mapper/internal/plan/range.go|				first[k] = key[c.Columns[k]]|				first[k] = key[k]|./integration/store -run=TestDeletesOfRangesOfCopies/memory
part-range-deletes-the-root|mapper/internal/plan/range.go|	if a.Root.Within |	if a.Root.Large |./integration/store -run=TestDeletesOfPartsInTheTableOfTheRoot/memory
parts-bounds-are-exchanged|mapper/internal/plan/range.go|uint16(len(key)), low.Comparison, up.Comparison|uint16(len(key)), up.Comparison, low.Comparison|./integration/store -run=TestParts/memory
counters-add-is-repeated|mapper/internal/call/counter.go|once: true}|once: false}|./mapper/gen -run=Counters
counters-delete-cannot-be-repeated|mapper/internal/call/counter.go|repeatable: true}|repeatable: false}|./mapper/gen -run=Counters
counters-options-are-ignored|mapper/internal/call/counter.go|err == nil && (r.DB.ttl|err != nil && (r.DB.ttl|./mapper/gen -run=Counters
counters-zero-is-written|mapper/internal/plan/counter.go|if d != 0 {|if d != 1<<62 {|./mapper/gen -run=Counters
counters-have-a-timestamp|mapper/internal/store/cql.go|case m.Table.Counts():|case m.Table.Counts() && m.At != 0:|./integration/store -run=TestCounters
counters-memory-adds-to-a-deleted-counter|mapper/memory/counter.go|cells[0].at <= r.deleted|cells[0].at < never|./mapper/gen -run=Counters
counters-static-in-a-row|mapper/memory/counter.go|c.add64(p.static, k, delta)|c.add64(r, k, delta)|./mapper/gen -run=Counters
counters-only-static|aml/model/aggregate.go|return !at.Key && !at.Static|return !at.Key|./aml/load
delivery-deletes-before-it-writes|mapper/internal/call/delivery.go|range append(splitBySize(written, limit, maxStatements), splitBySize(deleted, limit, maxStatements)...) {|range append(splitBySize(deleted, limit, maxStatements), splitBySize(written, limit, maxStatements)...) {|./integration/store -run=TestLargeWrites/memory
delivery-deletes-the-root-first|mapper/internal/call/delivery.go|d.rootLast = all.op == "Delete" |d.rootLast = all.op == "delete" |./integration/store -run=TestLargeWriteInterrupted
delivery-forgets-the-tables-left|mapper/internal/call/delivery.go|d.tables(nil, d.pieces[i:])|d.tables(nil, d.pieces[len(d.pieces)-1:])|./integration/store -run=TestLargeWriteInterrupted
delivery-put-repeats-nothing|mapper/internal/call/root.go|if c.op != "Put" |if c.op == "Put" |./integration/store -run=TestLargeWriteInterrupted
delivery-put-forgets-its-deletions|mapper/internal/call/delivery.go|d.main.repeatable = false|d.main.repeatable = true|./integration/store -run=TestLargeWriteInterrupted
delivery-refused-after-its-copies|mapper/internal/call/delivery.go|ok && unknown == nil {|ok && unknown != nil {|./integration/store -run=TestLargeWriteInterrupted
unlogged-row-that-is-lost-is-remembered|mapper/internal/call/delivery.go|d.change.at, again); lost[i] == nil {|d.change.at, again); d != nil {|./integration/store -run=TestUnloggedRowsThatAreLost
unlogged-row-that-is-lost-is-not-reported|mapper/internal/call/delivery.go|l.Rows = append(l.Rows, |l.Rows = append(l.Rows[:0], |./integration/store -run=TestUnloggedRowsThatAreLost
unlogged-after-the-done-marker|mapper/internal/call/copywrites.go|r.DB.splitUnloggedCopies(unlogged), [][]plan.Mutation{done}) {|[][]plan.Mutation{done}, r.DB.splitUnloggedCopies(unlogged)) {|./integration/store -run=TestLostUnloggedCopies
cache-without-an-end|mapper/internal/call/recent.go|return found && row.from <= now && now < row.until|return found && row.from <= now|./integration/store -run=TestCachedSharedRows
cache-of-a-later-clock|mapper/internal/call/recent.go|return found && row.from <= now && now < row.until|return found && now < row.until|./integration/store -run=TestCachedSharedRows
cache-without-a-limit|mapper/internal/call/recent.go|lru.New[string, recentRow](limit)|lru.New[string, recentRow](9*limit)|./integration/store -run=TestCachedSharedRows
cache-omits-a-row-of-an-import|mapper/internal/call/recent.go|db.at == 0 && !c.repairs|!c.repairs|./integration/store -run=TestCacheIsBypassed
plan-ttl-is-the-default|mapper/internal/plan/lifetime.go|seconds, ok := given[l.Name]|seconds, ok := given[""]|./mapper/internal/plan -run=TestNamedLifetimes
plan-size-without-the-expiry|mapper/internal/plan/size.go|n += expirySize|n += 0 * expirySize|./integration/store -run=TestLargeWrites/node
batch-with-two-writes-of-a-root|mapper/internal/call/batchrows.go|s.roots[root]; ok {|s.roots[root]; ok && other > i {|./mapper/gen -run=TestBatch
batch-deletes-a-row-that-it-inserts|mapper/internal/call/batch.go|if !rows.replaces(i, &m) {|if m.Table != nil {|./mapper/gen -run=TestBatch
parts-after-their-root|mapper/internal/call/root.go|if err := r.deleteParts(ctx, key); err != nil {|defer func() { _ = r.deleteParts(ctx, key) }(); if err := r.DB.broken; err != nil {|./mapper/internal/simulation -run=TestPlainPartSchedules
parts-without-the-copies-of-a-page|mapper/internal/call/part.go|append(d.mutations, mutations...), d.bytes|append(d.mutations, mutations[:1]...), d.bytes|./mapper/internal/simulation -run=TestPlainPartSchedules
parts-of-the-first-page-only|mapper/internal/call/part.go|return page.State, d.send(ctx)|return nil, d.send(ctx)|./mapper/internal/simulation -run=TestPlainPartSchedules
parts-of-other-roots|mapper/internal/call/part.go|store.Read{Key: args}|store.Read{Key: args[:0]}|./mapper/internal/simulation -run=TestPlainPartSchedules
reconcile-reports-new-parts|mapper/internal/reconcile/parts.go|case *oldest >= before:|case *oldest < 0:|./integration/store -run=TestReconcileReportsPartsWithoutRoot/memory
reconcile-dates-parts-by-one-row|mapper/internal/reconcile/parts.go|if at < before {|if at > 0 {|./integration/store -run=TestReconcileReportsPartsWithoutRoot/memory
reconcile-looks-for-no-root|mapper/internal/reconcile/parts.go|if root != nil |if root == nil |./integration/store -run=TestReconcileReportsPartsWithoutRoot/memory
reconcile-skips-the-part-inside|mapper/internal/reconcile/parts.go|case a.Inside != nil:|case len(a.Copies) < 0:|./integration/store -run=TestReconcileReportsPartsWithoutRoot/memory
batch-deletes-a-part-that-it-writes|mapper/internal/call/batchrows.go|ok && other != i {|ok && other == i {|./mapper/gen -run=TestBatch
batch-below-the-write-times-that-were-read|mapper/internal/call/batch.go|max(all.written, w.written)|max(all.written, 0*w.written)|./mapper/gen -run=TestBatch
batch-mixes-static-values|mapper/internal/call/batchrows.go|ok && there.write != i && (!whole|ok && there.write == i && (!whole|./mapper/gen -run=TestBatch
tracers-end-in-the-order-of-start|mapper/tracers.go|slices.Backward(t.all)|slices.All(t.all)|./mapper -run TestSeveralTracers
tracers-share-one-context|mapper/tracers.go|own = contexts[i]|_ = contexts[i]|./mapper -run TestSeveralTracers
trace-logs-quick-requests|mapper/logtracer.go|case result.Duration < t.Slow:|case result.Duration < 0:|./mapper -run TestLogTracer
trace-unknown-outcome|mapper/internal/call/trace.go|failure.Outcome == store.Unknown|failure.Outcome == store.Refused|./integration/store -run=TestTelemetryOfLostAnswers
otel-error-with-a-key|mapper/otel/failure.go|return failure{status, status, e.Message}|return failure{status, status, e.Error()}|./mapper/otel
otel-serial-read-at-a-quorum|mapper/otel/describe.go|if r.SerialConsistency != 0 && !r.Conditional {|if r.SerialConsistency != 0 && r.Conditional {|./integration/store -run=TestTelemetry$
vet-conditional-write-of-a-version|codegen/vet/check.go|if !conditional {|if true {|./codegen/vet
vet-write-of-a-copy|codegen/vet/store.go|x.Kept, root = Redundant, t.Aggregate.Redundancy.Source|x.Kept, root = Plain, t.Aggregate.Redundancy.Source|./codegen/vet
vet-prefix-of-the-clustering-key|codegen/vet/filtering.go|rest = rest[min(len(r.Columns), len(rest)):]|rest = rest[:]|./codegen/vet
vet-index-answers|codegen/vet/filtering.go|return r.Operator == syntax.Equal|return r.Operator == syntax.Like|./codegen/vet
vet-place-in-a-sum|codegen/vet/query.go|position(info, e.Y, offset-left)|position(info, e.Y, offset-offset)|./codegen/cmd/aml -run TestScripts/vet
vet-ignore-without-a-reason|codegen/vet/query.go|len(words) < 3|len(words) < 2|./codegen/vet
reads-many-in-another-order|mapper/internal/call/many.go|found(i, one.value)|found(len(of)-1-i, one.value)|./integration/store -run=TestGetMany$/memory
reads-equal-keys-twice|mapper/internal/call/many.go|if d.seen[text] == nil {|if len(key) > 0 {|./integration/store -run=TestGetMany$/memory
reads-first-of-a-deleted-root|mapper/internal/call/first.go|	read.Limit = 0|	_ = read.Limit|./integration/store -run=TestDeletedRowsAreNotRead/memory
reads-count-deleted-roots|mapper/internal/store/only.go|!t.ShowsDeleted(row[t.Key]))|row != nil)|./integration/store -run=TestDeletedRowsAreNotRead/memory
reads-count-static-values|mapper/internal/store/only.go|row[t.Key-1] != nil|row != nil|./integration/store -run=TestStatics/memory
reads-limit-static-values-of-an-index|mapper/internal/call/query.go|q.mixed())|false)|./integration/store -run=TestFirstByIndex
reads-of-a-write-are-speculative|mapper/internal/call/reader.go|v, at, err := r.traced(ctx, op, l)|_, _ = r.first(ctx, op, l); v, at, err := r.traced(ctx, op, l)|./mapper/gen -run=TestWhatSpeculates
reads-of-a-write-are-weak|mapper/internal/call/reader.go|Consistency: r.DB.Config.Consistency}|Consistency: r.Consistency()}|./mapper/gen -run=TestReadConsistency
reads-speculative-error-wins|mapper/internal/call/speculate.go|			waiting++|			_ = waiting|./mapper/gen -run=TestSpeculate
each-place-of-equal-rows|mapper/internal/call/merge.go|return cmp.Compare(a.place, b.place)|return cmp.Compare(b.place, a.place)|./integration/store -run=TestEachPartition/memory
each-equal-row-of-a-later-partition|mapper/internal/call/mergeplace.go|inclusive := partition > after.partition|inclusive := false|./integration/store -run=TestEachPartition/memory
each-order-of-a-reversed-query|mapper/internal/call/mergeplace.go|return q.r.Codec.Table.Columns[column].Desc != q.reverse|return q.r.Codec.Table.Columns[column].Desc|./integration/store -run=TestEachPartition/memory
each-runs-of-both-directions|aml/statement/statement.go|desc(from-1) == desc(from); from--|true; from--|./integration/store -run=TestEachPartition/memory
each-token-of-other-keys|mapper/internal/call/token.go|for _, key := range q.partitions {|for _, key := range q.partitions[:0] {|./integration/store -run=TestEachPartitionTokens
each-forged-place|mapper/internal/call/mergeplace.go|t.Columns[column].Form.Compare(c, q.key[column]) != 0 {|t.Columns[column].Form.Compare(c, q.key[column]) > 9 {|./mapper/internal/call -run=TestForgedPlaces
site-character-that-turns-the-text|codegen/site/text.go|unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):|r == 0:|./codegen/site -run=TestHostileTexts
site-link-to-a-file|codegen/site/doccomment.go|if l, ok := t.(*comment.Link); ok &&|if l, ok := t.(*comment.Link); ok && l == nil &&|./codegen/site -run=TestHostileTexts
site-cql-is-not-escaped|codegen/site/highlight.go|piece := template.HTMLEscapeString(cql[t.From:t.To])|piece := cql[t.From:t.To]|./codegen/site -run=TestHostileTexts
site-two-pages-with-one-name|codegen/site/names.go|for i := 2; n.taken[file]; i++ {|for i := 2; n.taken[base]; i++ {|./codegen/site -run=TestFileNames
site-read-is-a-write|codegen/site/table.go|if !r.Read && x.Table.Name|if x.Table.Name|./codegen/site -run=TestPagesHaveTheDerivation
site-cell-without-its-copies|aml/schema/effect.go|out = append(out, p.Table.Ordered()[k])|_ = k|./codegen/site -run=TestPagesHaveTheDerivation
site-file-of-others-is-overwritten|codegen/cmd/aml/internal/ownfile/folder.go|faults = append(faults, CheckReplaceable(|_ = append(faults, CheckReplaceable(|./codegen/cmd/aml -run=TestScripts/docs$
site-folder-of-others-is-written|codegen/cmd/aml/internal/ownfile/folder.go|if own == nil && !force {|if own == nil && dir == "" {|./codegen/cmd/aml -run=TestScripts/docs$
site-old-page-stays|codegen/cmd/aml/internal/ownfile/folder.go|os.Remove(filepath.Join(dir, n))|os.Remove(filepath.Join(dir, "missing", n))|./codegen/cmd/aml -run=TestScripts/docs$
load-comment-of-a-type|aml/load/doccomment.go|if doc == nil && len(d.Specs) == 1 {|if doc == nil && len(d.Specs) == 0 {|./aml/load -run=TestDocComments
reference-no-fence|mapper/internal/save/reference.go|	if s.CurrentVersion() < at {|	if s.CurrentVersion() < at-1<<62 {|./mapper/internal/simulation -run=TestReferenceSchedules -schedules=20000
reference-fence-below-the-row|mapper/internal/save/reference.go|plan.PlanFence(w.Aggregate, s, w.Key, at, w.Options())|plan.PlanFence(w.Aggregate, s, w.Key, 0, w.Options())|./integration/store -run=TestRowOfASaveAhead
reference-target-read-before-the-row|mapper/internal/save/reference.go|	if err := w.sendRows(save.Added.Rows(save.State.Version), save.State.Version); err != nil {|	defer func() { _ = w.sendRows(save.Added.Rows(save.State.Version), save.State.Version) }(); if err := error(nil); err != nil {|./mapper/internal/simulation -run=TestReferenceSchedules -schedules=20000
copied-reads-each-save|mapper/internal/call/copied.go|	if refers && !hasReference(c, old, row) {|	if refers {|./integration/store -run=TestCopiedFields/memory
copied-keeps-the-old-target|mapper/internal/call/copied.go|!bytes.Equal(old[i], row[i]) }) {|false }) {|./integration/store -run=TestCopiedFields/memory
copied-keeps-zero-values|mapper/internal/call/copied.go|return !f.Optional && isZero(old[f.Column]) })|return false })|./integration/store -run=TestCopiedFieldsOfEarlierRows/memory
copied-reads-a-target-again|mapper/internal/call/bulk.go|nil, c.new, v, b.known)|nil, c.new, v, CopiedTargets{})|./integration/store -run=TestCopiedFieldsOfPlainRoot/memory
copied-not-in-the-value|mapper/internal/call/copied.go|	r.Codec.Typed.CopyAny(v, from)|	_ = from|./integration/store -run=TestCopiedFields/memory
copied-drift-not-reported|mapper/internal/reconcile/versionedscan.go|	return s.x.newRootCheck(s.Root).compareCopied(ctx, existing(s.page))|	return nil|./integration/store -run=TestReconcileCopiedFields/memory
copied-in-a-batch|aml/model/glossary.go| && len(a.FinalCopies) == 0||./integration/store -run=TestNoBatchOfCopiedFields
reference-deletes-without-looking|mapper/internal/save/reference.go|		err = w.References().release()|		err = error(nil)|./mapper/internal/simulation -run=TestReferenceSchedules -schedules=20000
reference-revert-at-the-same-version|mapper/internal/plan/reference.go|	s.State.Deleting = deleting|	s.State.Deleting = deleting; if !deleting { s.State.Version = old.Version; s.Root.Row[a.Versioning.Version] = old.Row[a.Versioning.Version] }|./mapper/internal/simulation -run=TestReferenceSchedules -schedules=20000
reference-stray-deleted-at-a-later-version|mapper/internal/save/reference.go|r.DeleteRef(row, at)}, at)|r.DeleteRef(row, at+1<<40)}, at)|./mapper/internal/simulation -run=TestReferenceSchedules -schedules=20000
reference-saves-do-not-wait|mapper/internal/save/commit.go|	case old.Exists() && old.Deleting && !w.clears:|	case old.Exists() && old.Deleting && w.path != nil && len(w.path) > 99:|./integration/store -run=TestUnfinishedDeletion
reference-deletion-is-not-ended|mapper/internal/save/reference.go|	for s.Exists() && s.Deleting {|	for s.Exists() && s.Deleting && len(w.path) > 99 {|./integration/store -run=TestUnfinishedDeletion
reference-dropped-row-stays|mapper/internal/plan/save.go|		if !s.after.Has(r) {|		if !s.after.Has(r) && len(s.after) > 99 {|./integration/store -run=TestReconcileReferences
reference-rows-are-not-recorded|mapper/internal/save/reference.go|		if missing[i] {|		if missing[i] && len(rows) > 99 {|./integration/store -run=TestReconcileReferences
reference-change-does-not-compare|mapper/internal/save/versioned.go|	if err == nil && !was.Equal(is) {|	if err != nil && !was.Equal(is) {|./integration/store -run=TestCheckedReferences/memory
reference-marked-row-is-left-out|mapper/internal/plan/table.go|	return isTrue(c)|	return c != nil|./integration/store -run=TestUnfinishedDeletion
reference-marked-target-counts|mapper/internal/save/reference.go|!s.Deleting |s.Exists() |./mapper/internal/simulation -run=TestReferenceSchedules -schedules=20000
reference-clear-waits-for-the-marked-row|mapper/internal/save/commit.go|old.Deleting && !w.clears:|old.Deleting:|./integration/store -run=TestDeletionsInACycle
reference-in-a-cycle-is-not-cleared|mapper/internal/save/reference.go|h.OnDelete != descriptor.Clear && slices|slices|./mapper/internal/simulation -run=TestReferenceSchedules -schedules-from=779623 -schedules=1
reference-clear-removes-the-mark|mapper/internal/plan/save.go|slices.Clone(new), old.Exists() && old.Deleting|slices.Clone(new), false|./integration/store -run=TestDeleteTarget/memory
reference-clear-counts-as-a-save|mapper/internal/plan/save.go|	if s.State.Deleting { // the|	if s.State.Deleting && len(attempts) > 99 { // the|./integration/store -run=TestDeleteTarget/memory
part-copies-of-unread-rows|mapper/internal/save/partcopies.go|w.Action != plan.InsertPart && !p.row(w.Row).read|w.Action != plan.InsertPart && p.row(w.Row).read|./mapper/internal/simulation -run=TestTicketSchedules
part-copies-that-are-written-are-forgotten|mapper/internal/plan/partcopy.go|a.partKeys(pending, changed[i].After)|a.partKeys(pending, nil)|./mapper/internal/simulation -run=TestTicketSchedules
part-copies-that-leave-are-forgotten|mapper/internal/plan/partcopy.go|a.partKeys(pending, changed[i].Before)|a.partKeys(pending, nil)|./mapper/internal/simulation -run=TestTicketSchedules
part-copies-are-deleted-and-written|mapper/internal/plan/partcopy.go|[string(pendingKey(p.Table, p.Key))]; written {|[string(pendingKey(p.Table, p.Key))]; written && c == nil {|./mapper/internal/simulation -run=TestTicketSchedules
part-copies-are-not-settled|mapper/internal/save/partcopies.go|	keys := w.Aggregate.PendingParts(old)|	keys := w.Aggregate.PendingParts(old)[:0]|./mapper/internal/simulation -run=TestTicketSchedules
part-copies-that-fail-are-settled|mapper/internal/save/partcopies.go|	return w.Copies().SendCopies(mutations, old)|	_ = w.Copies().SendCopies(mutations, old); return nil|./mapper/internal/simulation -run=TestTicketSchedules
parts-are-deleted-before-their-copies|mapper/internal/plan/save.go|v.Part != nil && (o.Clear |v.Part != nil && (v != nil |./mapper/internal/simulation -run=TestTicketSchedules
root-with-parts-is-inserted-again|mapper/internal/save/partcopies.go|	if w.Aggregate.PartsSince(old) > 0 {|	if w.Aggregate.PartsSince(old) < 0 {|./mapper/internal/simulation -run=TestTicketSchedules
deleted-root-with-parts-is-done|mapper/internal/plan/save.go|		t := a.derivedTable(p.Table)|		t := a.derivedTable(p.Table); if p.Table == a.Root.Name { return false }|./mapper/internal/simulation -run=TestTicketSchedules
part-copies-of-the-first-page|mapper/internal/save/partcopies.go|more; more = len(state) > 0 {|more; more = len(state) < 0 {|./mapper/internal/simulation -run=TestTicketSchedules
part-copies-are-deleted-too-early|mapper/internal/save/partcopies.go|PlanPartDeletes(w.priorPart(row), at)|PlanPartDeletes(w.priorPart(row), at-8_000_000)|./mapper/internal/simulation -run=TestTicketSchedules
part-copies-of-the-range-are-left|mapper/internal/save/partcopies.go|			out = append(out, plan.PartChange{Before: p.w.priorPart(row)})|			_ = row|./mapper/internal/simulation -run=TestTicketSchedules
part-change-is-copied-as-it-was-given|mapper/internal/plan/partcopy.go|	for i := range w.Write.All() {|	for i := range out {|./mapper/internal/simulation -run=TestTicketSchedules
part-copies-without-a-limit|mapper/internal/save/partcopies.go|	if len(p.writes) > maxCopiedParts {|	if len(p.writes) > 9*maxCopiedParts {|./integration/store -run=TestLargestSaveOfCopiedParts/memory
part-range-without-a-limit|mapper/internal/save/partcopies.go|len(out) > most {|len(out) > 9*most {|./integration/store -run=TestLargestSaveOfCopiedParts/memory
part-copies-are-filled-later|mapper/internal/save/backfill.go|plan.PlanPart(r.Aggregate, row, at)|plan.PlanPart(r.Aggregate, row, at+1<<40)|./integration/store -run=TestBackfillOfCopiesOfVersionedParts
orphan-of-a-part-stays|mapper/internal/reconcile/partcopies.go|	return s, found != nil, err|	return s, len(found) >= 0, err|./integration/store -run=TestReconcileCopiesOfVersionedParts
copy-of-a-part-is-not-raised|mapper/internal/reconcile/partcopies.go|	if err == nil && len(left) > 0 {|	if err != nil && len(left) > 0 {|./integration/store -run=TestReconcileCopiesOfVersionedParts
reconcile-leaves-parts-of-a-deleted-root|mapper/internal/reconcile/versionedscan.go|s.v.Aggregate.PartsSince(row.state) > 0|s.v.Aggregate.PartsSince(row.state) < 0|./integration/store -run=TestUnfinishedDeletionOfCopiedParts/memory
shared-copy-of-a-versioned-part|aml/model/redundancy.go|		d.guarded(a, s)|		_ = s|./aml/load -run=TestDiagnostics/part
buckets-of-a-later-release-are-not-read|mapper/internal/call/relations.go|max(t.Buckets, db.buckets[t.Name])|t.Buckets|./integration/store -run TestBucketsOfOtherReleases
fewer-buckets-than-the-model-are-opened|mapper/internal/store/verify.go|ok && o.Buckets < t.Buckets|ok && false|./integration/store -run TestBucketsOfOtherReleases
follow-no-fence|mapper/internal/save/reference.go|	if s.CurrentVersion() < at {|	if s.CurrentVersion() < at-1<<62 {|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
follow-fence-below-the-row|mapper/internal/save/reference.go|plan.PlanFence(w.Aggregate, s, w.Key, at, w.Options())|plan.PlanFence(w.Aggregate, s, w.Key, 0, w.Options())|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
follow-refused-save-deletes-its-rows|mapper/internal/save/commit.go|	if outcome == plan.NotApplied {|	if outcome == plan.NotApplied { refs := plan.Refs(nil); if row != nil { refs, _ = w.Aggregate.FollowingRefs(slices.Clone(row)) }; for _, r := range refs { _ = w.Copies().Send([]plan.Mutation{r.DeleteRef(r.Key, save.State.Version)}, save.State.Version) }|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
follow-target-read-before-the-row|mapper/internal/save/followed.go|		if err := w.sendRows(added.Rows(at), at); err != nil {|		defer func() { _ = w.sendRows(added.Rows(at), at) }(); if err := error(nil); err != nil {|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
follow-target-is-read-plainly|mapper/internal/save/reference.go|s, err := t.ReadState(true)|s, err := t.ReadState(false)|./integration/store -run=TestSavesSetFollowedFields/memory
follow-clears-any-outbox|mapper/internal/plan/followed.go|	c.require(s.Row, v.Outbox)|	c.require(s.Row, v.Deleted)|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
follow-outbox-row-without-the-fence|mapper/internal/save/outbox.go|	if s.CurrentVersion() < listed {|	if s.CurrentVersion() < listed-1<<62 {|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
follow-outbox-row-is-not-written|mapper/internal/save/commit.go|[]plan.Mutation{w.Aggregate.PutOutbox(w.Key, save.State.Version)}, save|nil, save|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
follow-holder-is-not-tried-again|mapper/internal/save/followed.go|		held, err = w.refreshOnce(r, target, version)|		held, _ = w.refreshOnce(r, target, version)|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
follow-outbox-is-lost-by-a-save|mapper/internal/plan/followed.go|	row[v.Outbox], s.State.Outbox = old.Row[v.Outbox], old.Outbox|	row[v.Outbox], s.State.Outbox = nil, 0|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
follow-serves-one-bucket|mapper/internal/save/outbox.go|for number := range int32(w.DB.Buckets(h.CheckedReference.Table)) {|for number := range int32(1) {|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
follow-ignores-holders-that-fail|mapper/internal/save/outbox.go|	return cmp.Or(errs...)|	return nil|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
follow-clears-after-some-holders|mapper/internal/save/outbox.go|	if err == nil && !more {|	if err == nil && more == more {|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
fan-out-uses-the-checkpoint-of-another-outbox|mapper/internal/save/fanoutbucket.go|	if c.Outbox != f.version {|	if c.Outbox == 0 && f.version > 0 {|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
fan-out-checkpoint-before-the-holders|mapper/internal/save/outbox.go|			if failed = cmp.Or(failed, w.serveRows(rows, version)); failed == nil {|			before := slices.Clone(rows); defer func() { failed = cmp.Or(failed, w.serveRows(before, version)) }(); if failed == nil {|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
fan-out-checkpoint-after-a-holder-that-failed|mapper/internal/save/outbox.go|w.serveRows(rows, version)); failed == nil {|w.serveRows(rows, version)); w.Ctx != nil {|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
fan-out-lease-is-proof|mapper/internal/save/fanoutbucket.go|	case c.All:|	case c.All != slice.Held:|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
fan-out-forgets-buckets-of-others|mapper/internal/save/fanoutbucket.go|				taken = append(taken, b)|				_ = b|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
fan-out-ignores-buckets-that-fail|mapper/internal/save/fanoutbucket.go|				failed = cmp.Or(failed, err)|				failed = cmp.Or(failed, nil)|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
fan-out-bucket-that-failed-is-served|mapper/internal/save/fanoutbucket.go|c.All = err == nil;|c.All = true;|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
fan-out-ended-by-its-context-succeeds|mapper/internal/save/fanout.go|cmp.Or(err, context.Cause(ctx), x.failed)|cmp.Or(err, x.failed)|./integration/store -run=TestFanOutContinues
fan-out-begins-again|mapper/internal/save/fanoutbucket.go|f.version, c.After, func|f.version, nil, func|./integration/store -run=TestFanOutContinues
fan-out-saves-more-checkpoints|mapper/internal/save/outbox.go|const holdersInOrder = 1000|const holdersInOrder = 500|./mapper/internal/simulation -run=TestLeasesOfAFanOut
fan-out-leases-for-few-holders|mapper/internal/save/fanoutbucket.go|	case !more:|	case !more && limit < 0:|./mapper/internal/simulation -run=TestLeasesOfAFanOut
fanout-command-prints-no-errors|codegen/cmd/aml/internal/reconcilecmd/fanout.go|	if p.Failed > o.fan.Failed {|	if p.Failed < o.fan.Failed {|./codegen/cmd/aml/internal/reconcilecmd -run=TestFanOutPrintsErrors
fanout-command-without-copies|codegen/cmd/aml/internal/reconcilecmd/fanout.go|	if !fansOut(s) {|	if fansOut(s) {|./codegen/cmd/aml -run=TestFanOutOptions
estimate-without-outboxes|aml/model/estimate.go|	if key == 0 {|	if key >= 0 {|./aml/model -run=TestEstimateOfDerivedTables
follow-holder-is-not-saved|mapper/internal/save/followed.go|at >= version {|at >= version-1<<62 {|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
keep-insert-without-an-outbox|mapper/internal/plan/followed.go|		return a.IsKept()|		return false|./mapper/internal/simulation -run=TestKeepSchedules -schedules=20000
keep-loses-the-columns|mapper/internal/plan/followed.go|	for _, i := range a.Versioning.Kept {|	for _, i := range a.Versioning.Kept[:0] {|./mapper/internal/simulation -run=TestKeepSchedules -schedules=20000
keep-loses-the-outbox|mapper/internal/plan/followed.go| a.IsKept()) {| len(v.Kept) > 99) {|./mapper/internal/simulation -run=TestKeepSchedules -schedules=20000
keep-holder-ignores-a-deleted-target|mapper/internal/save/followed.go| t.HasUnserved(held) {| t.HasUnserved(1<<62) {|./mapper/internal/simulation -run=TestKeepSchedules -schedules=20000
keep-holder-follows-any-deleted-target|mapper/internal/plan/followed.go|s.Deleted && s.Outbox > since|s.Deleted && s.Version > since|./mapper/internal/simulation -run=TestKeepSchedules -schedules=20000
keep-purge-of-a-set-outbox|mapper/internal/reconcile/purge.go| s.Outbox > 0 | s.Outbox < 0 |./mapper/internal/simulation -run=TestKeepSchedules -schedules=20000
keep-outbox-of-a-deleted-row-is-left|mapper/internal/reconcile/followed.go|	if s != nil && s.Outbox > 0 {|	if s.Exists() && s.Outbox > 0 {|./mapper/internal/simulation -run=TestKeepSchedules -schedules=20000
keep-restricts-deletions|mapper/internal/save/reference.go|		if h.OnDelete == descriptor.Keep {|		if h.OnDelete > descriptor.Keep {|./integration/store -run=TestDeleteUnderKeep/memory
deletion-is-not-listed|mapper/internal/save/deletion.go|	return w.References().sendRows([]plan.Mutation{w.Aggregate.PutOutbox(w.Key, at)}, at)|	return nil|./mapper/internal/simulation -run=TestReferenceSchedules -schedules=20000
deletion-is-unlisted-before-it-has-ended|mapper/internal/save/deletion.go|	saved, err := w.saveOnce(s, nil)|	w.unlistDeletion(s); saved, err := w.saveOnce(s, nil)|./mapper/internal/simulation -run=TestReferenceSchedules -schedules=20000
deletion-is-unlisted-while-the-row-is-marked|mapper/internal/save/outbox.go| s.Exists() && s.Deleting {| s.Exists() && s.Deleting && listed < 0 {|./mapper/internal/simulation -run=TestReferenceSchedules -schedules=20000
deletion-is-unlisted-with-a-set-outbox|mapper/internal/save/deletion.go| s.Outbox > 0 {| s.Outbox < 0 {|./mapper/internal/simulation -run=TestKeepSchedules -schedules=20000
deletion-of-any-number-in-one-call|mapper/internal/save/deletion.go|	if w.inline.left == 0 {|	if w.inline.left < 0 {|./integration/store -run=TestDeletionOfMany/Delete/memory
deletion-of-many-is-unknown|mapper/internal/save/deletion.go|	w.marked = false // the|	_ = w.marked // the|./integration/store -run=TestDeletionOfMany/Delete/memory
deletion-forgets-roots-that-fail|mapper/internal/save/deletion.go|	return cmp.Or(err, failed)|	return err|./integration/store -run=TestDeletionGoesOnAfterAFailure
deletion-is-left-by-reconcile|mapper/internal/reconcile/reference.go|		err := r.FinishDeletion(ctx, reconcile, key)|		err := error(nil)|./mapper/internal/simulation -run=TestFollowSchedules -schedules=20000
diff-fills-the-outboxes|migrate/diff/table.go|t.Name == descriptor.Outboxes|t.Name == "-"|./integration/migrations -run=TestReferencesBecomeChecked
follow-reference-to-an-empty-key|mapper/internal/save/followed.go|	if err := w.checkKeys(added); err != nil {|	if err := w.checkKeys(added); err != nil && w.clears {|./integration/store -run=TestCopiesInEveryForm/memory
follow-own-row-is-read|mapper/internal/save/followed.go|Version: at}); !w.isOwn(refs[i]) {|Version: at}); i >= 0 {|./integration/store -run=TestCopiesInEveryForm/memory
follow-own-row-at-no-version|mapper/internal/save/followed.go|(&plan.State{Row: row, Version: at})|(&plan.State{Row: row, Version: 0})|./integration/store -run=TestCopiesInEveryForm/memory
follow-field-of-a-composition|mapper/internal/plan/followed.go|		values[f.Member-1] = value|		_ = value|./integration/store -run=TestCopiesInEveryForm/memory
follow-composition-of-nulls|mapper/internal/save/followed.go|	w.Codec.Table.Normalize(row[:len(w.Codec.Table.Columns)])|	w.Codec.Table.Normalize(row[:0])|./integration/store -run=TestCopiesInEveryForm/memory
follow-new-copy-is-not-filled|migrate/diff/table.go|	p.addCopy(t, c)|	_ = p.addCopy|./migrate/diff -run=TestCopiesOfARoot
outboxes-belong-to-one-folder|migrate/owner.go|name != descriptor.Outboxes {|name != descriptor.Outboxes+"x" {|./integration/migrate -run=TestTwoPackagesShareTheOutboxes
outboxes-are-dropped|migrate/diff/diff.go|&& t.Name != descriptor.Outboxes { //|&& t.Name != descriptor.Outboxes+"x" { //|./migrate/diff -run=TestCopiesOfARoot
fanout-of-unknown-roots|mapper/internal/save/fanout.go|		if !known {|		if !known && n < 0 {|./integration/store -run=TestTwoPackagesShareTheOutboxes/memory
explain-change-of-a-root-with-references|codegen/explain/versioned.go|	if x.related() { // it reads|	if !x.related() { // it reads|./integration/store -run=TestExplainFollowed/memory
references-are-released-after-a-plain-read|mapper/internal/save/reference.go|w.saveOverRead(true, next)|w.saveOverRead(false, next)|./mapper/internal/simulation -run=TestFollowCheckedSchedules -schedules=20000
recorded-copies-trust-an-outbox|mapper/internal/save/record.go|w.StaleFields(s, false)|w.StaleFields(s, true)|./mapper/internal/simulation -run=TestRecordCopiesSchedules -schedules=20000
recorded-copies-are-not-set|mapper/internal/save/record.go|	if w.Aggregate.Follows() {|	if w.Aggregate.Follows() && recorded {|./mapper/internal/simulation -run=TestRecordCopiesSchedules -schedules=20000
target-of-a-reference-is-read-plainly|mapper/internal/save/reference.go|s, err := t.ReadState(true)|s, err := t.ReadState(false)|./integration/store -run TestCheckedReferences/memory
remaining-ttl-of-a-version|mapper/internal/save/versioned.go|r.SetRemaining(v, s.Life.Left)|r.SetRemaining(v, s.Life.Kept)|./integration/store -run=RemainingTTLs
remaining-ttl-not-read-by-scans|mapper/internal/scan/tablescan.go|Positioned: true, Lasting: s.r.Lasting(), After|Positioned: true, After|./integration/store -run=RemainingTTLs
remaining-ttl-after-the-columns-of-a-write|mapper/internal/call/reader.go|for i, n := t.Key, len(t.Columns); i < n && n+i-t.Key < len(row); i++|for i, n := t.Key, len(t.Columns); n+i-t.Key < len(row); i++|./integration/store -run=RemainingTTLs
advice-break-even|codegen/advise/advice.go|if readsOther > readsFirst {|if readsOther < readsFirst {|./codegen/advise -run TestBreakEven
advice-rate-of-another-select|codegen/advise/workload.go|n.pos.Line > after && |n.pos.Line > 0 && |./codegen/advise -run TestRateOfOneSelect
advice-latency-elements|codegen/advise/latency.go|enough && (!had|enough && (had|./codegen/advise -run TestLatency
advice-latency-of-a-write|codegen/advise/workload.go|func(n note) bool { return n == *p.latency })|func(note) bool { return false })|./codegen/advise -run TestLatency
study-interrupted-in-the-first-call|integration/bench/kills.go|if open[design].Calls > 0 {|if open[design].Calls > 1 {|./integration/bench -run TestSteps
study-steps-are-repeated|integration/bench/study.go|text, err := os.ReadFile(file)|text, err := os.ReadFile("")|./integration/bench -run TestCompletedSteps
study-ratio-of-rounds|integration/bench/judgement.go|slices.Min(ratios), slices.Max(ratios)|slices.Max(ratios), slices.Min(ratios)|./integration/bench -run TestJudgements
study-no-difference|integration/bench/judgement.go|e != equal && least <= 1|e != equal && least > 1|./integration/bench -run TestJudgements
advice-conditional-requests|codegen/advise/weights.go|w.Conditional*float64(c.Conditional)|w.Write*float64(c.Conditional)|./codegen/advise -run TestBreakEven
alternative-checks|codegen/alternatives/cost.go|if removed := x.removed(); removed > 0 {|if removed := x.removed(); removed > 1 {|./integration/alternatives -run Costs
alternative-dropped-references|codegen/alternatives/cost.go|case s.others:|case false:|./integration/alternatives -run Costs
alternative-field-type|codegen/alternatives/draft.go|all := slices.Concat([]string{"association=" + target}, options, k.cqlType())|all := slices.Concat([]string{"association=" + target}, options)|./codegen/alternatives -run TestFewDesigns
alternative-large|codegen/alternatives/draft.go|if s.tag.Has("large") {|if s.tag.Has("largest") {|./codegen/alternatives -run TestFewDesigns
alternative-import-path|codegen/alternatives/package.go|fmt.Appendf(nil, "%q", path), 1))|[]byte(own), 1))|./codegen/cmd/aml -run TestScripts/alternatives
alternative-needed-version|codegen/alternatives/version.go|if slices.ContainsFunc(s.Others, needsVersion)|if s.Others == nil|./codegen/alternatives -run TestVersionThat
alternative-same-as-versioned|codegen/alternatives/alternatives.go|slices.Equal(a.lines(), b.lines())|a == b|./codegen/alternatives -run TestVersionThat
alternative-copies|codegen/alternatives/relationship.go|	r.readCopies(holder, at)|	_ = holder|./codegen/alternatives -run TestCopiesFollow
alternative-followers|codegen/alternatives/following.go|x.cost.add(cost, x.n)|x.cost.add(cost, 1)|./integration/alternatives -run TestCostsAreThose
alternative-single-unique|codegen/alternatives/unique.go|return all, 0, 0|return min(all, 0), 0, 0|./codegen/alternatives -run TestTables
advice-tie|codegen/advise/advice.go|compareBool(y.Current, x.Current)|compareBool(x.Current, y.Current)|./codegen/advise -run TestMarketplace
alternative-comment-of-a-part|codegen/alternatives/design.go|	d.describe(e, "a part of "+d.Root.Struct)|	_ = e|./codegen/conceptual -run TestCommentsOfDesigns
alternative-comment-of-an-element|codegen/alternatives/draft.go|		d.describe(e, "an element of "+d.Root.Struct)|		_ = e|./codegen/conceptual -run TestCommentsOfDesigns
advice-write-of-a-part|codegen/alternatives/resolve.go|if part := findPart(m, name); part != nil {|if part := findPart(m, name); part == nil {|./codegen/advise -run TestWriteOfAPart
advice-write-of-another-design|codegen/alternatives/resolve.go|if len(found) == 1 {|if len(found) == 1 && found[0] == name {|./codegen/advise -run TestWorkloadAfterItsAdvice
advice-write-of-one-of-several|codegen/alternatives/resolve.go|if len(found) == 1 {|if len(found) > 0 {|./codegen/advise -run TestSeveralRelationships
alternative-buckets|codegen/alternatives/referring.go|return max(1, r.Writes[0].Table.Buckets)|return 1|./codegen/alternatives -run TestChangeOfAFollowedField
alternative-followed-field|codegen/alternatives/cost.go|if x.Effect == Renaming && slices.Contains(r.Fields, x.Field) {|if x.Effect == Renaming {|./codegen/alternatives -run TestChangeOfAFollowedField
explain-cause-of-followers|codegen/explain/followed.go|holder.Serial, holder.Cause, holder.If = true, Follower, |holder.Serial, holder.If = true, |./codegen/alternatives -run TestChangeOfAFollowedField
explain-cause-of-deletions|codegen/explain/outline/related.go|			referring++|			_ = r|./codegen/explain
advice-model-by-its-edit|codegen/alternatives/alternatives.go|	case current && a.unchanged(r, before, d):|	case false:|./codegen/advise -run=TestDesignOfTheModelIsTheModel
advice-weight-limit|codegen/advise/document.go|n < least|n < -least|./codegen/advise -run TestWrongWeights
advice-text-after-json|codegen/advise/document.go|if _, err := d.Token(); !errors.Is(err, io.EOF) {|if !d.More() {|./codegen/advise -run TestWrongWeights
advice-rate-limit|codegen/advise/workload.go|n >= minRate && n <= maxRate|n <= maxRate|./codegen/advise -run TestNumbersOfAWorkload
advice-negative-p99|codegen/advise/latency.go|*m.P99 < minP99|*m.P99 < -minP99|./codegen/advise -run TestWrongMeasurements
advice-method-with-an-operation|codegen/advise/resolve.go|case methods[method] != w.Operation:|case false:|./codegen/advise -run TestMethodWithAnOperation
advice-several-elements|codegen/advise/advice.go|!readsOne.MatchString(q.Method)|q.Method == ""|./codegen/advise -run TestSeveralElements
advice-losing-designs|codegen/advise/advice.go|case len(p.Loses) > 0:|case len(p.Loses) > 99:|./codegen/advise -run TestDesigns
alternative-reference-in-a-key|codegen/alternatives/draft.go|		if f.Scalar {|		if f.Scalar && f.attribute.Association == nil {|./codegen/alternatives -run TestKeysThatRefer
alternative-reference-of-a-key|codegen/alternatives/draft.go|"static", "final", "from", "was", "copy"}|"static", "final", "from", "was", "copy", "association"}|./codegen/alternatives -run TestKeysThatRefer
alternative-checked-key|codegen/alternatives/version.go|(s.Key, isChecked)|(s.Key[:0], isChecked)|./codegen/alternatives -run TestKeysThatRefer
alternative-dropped-reference|codegen/alternatives/losses.go|		case x != nil && len|		case x != nil && in != nil && len|./codegen/alternatives -run TestFieldsThatAreDropped
alternative-root-of-pairs|codegen/alternatives/relationship.go|	root := at.Association.Target|	root := a.Key()[0].Association.Target|./codegen/alternatives -run TestUniqueSide
alternative-element-of-pairs|codegen/alternatives/relationship.go|	if element == root {|	if element == nil {|./codegen/alternatives -run TestUniqueSide
alternative-rows-of-pairs|codegen/alternatives/relationship.go|x.Target.Struct.Name == r.Root.Struct {|x.Target.Struct.Name != r.Root.Struct {|./codegen/alternatives -run TestUniqueSide
alternative-pair-of-an-element|codegen/alternatives/relationship.go|	case isPairOfElement(a):|	case isPairOfElement(a) && at == nil:|./codegen/alternatives -run TestPairsOfElements
alternative-element-of-a-pair-is-named|codegen/alternatives/relationship.go|refers(at) && !(at.Key && isPairOfElement(a));|refers(at);|./codegen/alternatives -run TestPairsOfElements
advice-read-of-another-reference|codegen/alternatives/relationship.go|r.hasRelationship(source, first)|source != nil|./codegen/advise -run TestReadsOfReferences
advice-read-of-pairs|codegen/alternatives/relationship.go|	case refers(r.Element):|	case source == nil:|./codegen/advise -run TestReadsOfReferences
alternative-version-of-the-model|codegen/alternatives/current.go|repeatedElements(a, at), guarded("versioned", a.Version != nil)|repeatedElements(a, at), guarded("versioned", a == nil)|./codegen/alternatives -run TestDesignsAreRecognised
alternative-table-of-the-model|codegen/alternatives/current.go|return original(p.Identifier[0]) == at })|return p.Identifier[0] == at })|./codegen/alternatives -run TestDesignsAreRecognised
alternative-references-of-both-sides|codegen/alternatives/current.go|len(found) == 2 {|len(found) == 3 {|./codegen/alternatives -run TestDesignsAreRecognised
alternative-references-of-both-sides-are-one|codegen/alternatives/relationship.go|	case opposite != nil:|	case opposite != nil && r == nil:|./codegen/alternatives -run TestDesignsAreRecognised
alternative-no-design-of-the-model|codegen/alternatives/current.go|by.Target.Struct.Name == targets[1]|by.Target.Struct.Name != ""|./codegen/alternatives -run TestModelWithoutADesign
advice-write-of-a-set-of-references|codegen/alternatives/resolve.go|len(found) == 0 && at != nil {|len(found) == 0 && at == nil {|./codegen/advise -run TestWorkloadAfterItsAdvice
advice-write-of-an-inverse|codegen/alternatives/resolve.go|		return "", findOmitted(m, name)|		return "", ""|./codegen/advise -run TestWorkloadAfterItsAdvice
alternative-statement-of-a-part|codegen/alternatives/cost.go|writes && s.Case == want {|writes && s.Case != want {|./codegen/alternatives -run TestTables
alternative-kept-unique|codegen/alternatives/unique.go|case r.Cause == explain.KeptValue:|case r.Cause == explain.NoCause:|./codegen/alternatives -run TestTables
alternative-changed-unique|codegen/alternatives/unique.go|p.Steps[p.Loop+1].GoName() == field })|p.Steps[p.Loop+1].GoName() != field })|./codegen/alternatives -run TestTables
explain-request-without-a-cause|codegen/explain/read.go|empty.Cause, empty.If = EmptyPage, "if|empty.If = "if|./codegen/explain -run TestCausesAndVerbs
explain-statement-without-its-verb|codegen/explain/reference.go|{CQL: r.Table.Insert(), Verb: Inserts}|{CQL: r.Table.Insert()}|./codegen/explain -run TestCausesAndVerbs
explain-statement-without-its-elements|codegen/explain/field.go|If: byElements, Verb: Updates, Elements: c}|If: byElements, Verb: Updates}|./codegen/explain -run TestCausesAndVerbs
advice-dropped-version|codegen/alternatives/losses.go|return x != nil && x.Version != nil|return x != nil|./codegen/advise -run TestDesigns
advice-several-roots|codegen/alternatives/losses.go|case !r.many() && a.ManyToMany:|case false:|./codegen/advise -run TestDesigns
conceptual-unknown-column|codegen/conceptual/reads.go|if !d.hasColumn(e, c.Text) {|if c.Text == "" {|./codegen/conceptual -run TestColumns
conceptual-read-together|codegen/conceptual/rules.go|together := g.readTogether(e, r)|together := false|./codegen/conceptual -run TestRules
conceptual-rest-of-a-line|codegen/conceptual/parse.go|line = strings.TrimSpace(m[5])|line = m[5][:0]|./codegen/conceptual -run=TestAttributesOnOneLine
site-copy-of-a-column|codegen/site/table.go|append(b.origins(c.Attribute.Origin), b.copied(owner, c.Attribute)...)|b.origins(c.Attribute.Origin)|./codegen/site -run=TestPagesHaveTheCopies
site-columns-that-copy|codegen/site/copied.go|if f.From == at {|if f.From == nil {|./codegen/site -run=TestPagesHaveTheCopies
site-search-without-pages|codegen/site/site.go|s.find(x.Name, "page", x.Href, "")|_ = x|./codegen/site -run=TestSearchHasThePages
missing-folder-without-a-path|migrate/folder/read.go|Path: dir, Err: at.Err|Path: dir[:0], Err: at.Err|./migrate/folder -run=TestMissingFolder
lint-grace-of-outboxes|migrate/lint/schema.go|case n < hintWindow && table != descriptor.Outboxes:|case n < hintWindow && descriptor.Outboxes != "":|./migrate/lint -run TestHarmless
copy-of-a-misspelt-root|aml/model/copy.go|case last == nil && l.target(name) == nil:|case last == nil && name == "":|./aml/load -run TestDiagnostics
explain-summary-of-references|codegen/explain/outline/request.go|return text + related(o)|return text|./codegen/explain
gosource-tags|codegen/alternatives/gosource/struct.go|text := key + " " + strings.TrimSpace(amlKey.ReplaceAllLiteralString(old, ""))|text := key + strings.TrimSpace(old[:0])|./codegen/alternatives/gosource
gosource-methods|codegen/alternatives/gosource/struct.go|if fn, ok := d.(*ast.FuncDecl); ok && receiver(fn) == of {|if fn, ok := d.(*ast.FuncDecl); ok && receiver(fn) == "" {|./codegen/alternatives/gosource
reference-clear-leaves-equal-elements|mapper/internal/plan/reference.go|	if found && steps[0].Set && len(steps) > 1 {|	if found && steps[0].Set && len(steps) > 99 {|./mapper/internal/plan -run=TestCleared
reference-clear-of-an-element-of-a-key|mapper/internal/plan/reference.go|	if len(values) != len(target) {|	if len(values) > len(target) {|./mapper/internal/plan -run=TestCleared
reference-clear-compares-other-encodings|mapper/internal/plan/reference.go|!same(r.Table.Columns[i].Form.Canonical(v), target[i])|!same(v, target[i])|./mapper/internal/plan -run=TestCleared
reference-key-that-is-too-long|mapper/internal/plan/save.go|		if problem := r.tooLong(); problem != "" {|		if problem := r.tooLong(); problem == "-" {|./integration/store -run=TestReferencesWithImpossibleKeys/memory
reference-to-an-empty-key|mapper/internal/save/reference.go|	if err := w.checkKeys(save.Added); err != nil {|	if err := w.checkKeys(save.Added); err != nil && len(w.path) > 99 {|./integration/store -run=TestReferencesWithImpossibleKeys
reference-missing-target-is-reported-once|mapper/internal/save/reference.go|	return w.missing(save.Added, func(r plan.Ref) bool { return exist|	return w.missing(save.Added.Targets(), func(r plan.Ref) bool { return exist|./integration/store -run=TestCheckedReferences/memory
reference-deletion-that-ends-is-known|mapper/internal/save/reference.go|mapper.OutcomeUnknown(err) {|w.marked {|./integration/store -run=TestOutcomeOfADeletion/memory
reference-refused-deletion-is-unknown|mapper/internal/save/deletion.go|		w.marked = false|		_ = w.marked|./integration/store -run=TestOutcomeOfADeletion/memory
cascade-leaves-parts|mapper/internal/save/reference.go|	case err == nil && w.Aggregate.PartsSince(saved) > 0:|	case err == nil && w.Aggregate.PartsSince(saved) < 0:|./integration/store -run=TestCheckedReferenceWithACopy/memory
unfilled-reverse-table-is-read|mapper/internal/save/reference.go|	s, err := old, w.DB.CheckFilled(w.Ctx, w.Codec.Table.Name)|	s, err := old, error(nil)|./integration/migrations -run=TestReferencesBecomeChecked
unfilled-reverse-table-below-a-cascade|mapper/internal/call/unfilled.go|		if h.OnDelete == descriptor.Cascade {|		if h.OnDelete == descriptor.Cascade && len(seen) > 99 {|./integration/store -run=TestUnfilledReverseTables
unfilled-reverse-table-for-ever|mapper/internal/call/unfilled.go|bool { return !now[name] })|bool { return !now[name] && len(now) > 99 })|./integration/migrations -run=TestReferencesBecomeChecked
unfilled-mark-is-not-removed|mapper/internal/save/deletion.go|	if isRefused(err) && w.revert(s) {|	if held := new(*mapper.HeldError); errors.As(err, held) && w.revert(s) {|./integration/migrations -run=TestReferencesBecomeChecked
recorded-reference-to-nothing|mapper/internal/save/record.go|bool { return exist[r.TargetName()] })|bool { return exist[r.TargetName()] == exist[r.TargetName()] })|./integration/migrations -run=TestReferencesBecomeChecked
recorded-reference-without-a-higher-version|mapper/internal/save/record.go|	return w.Copies().SendRaise(raise)|	_ = raise; return nil|./integration/migrations -run=TestReferencesBecomeChecked
diff-reverse-table-is-created-filled|migrate/diff/reference.go|descriptor.UnfilledComment(buckets(t))), withComment(asWritten, descriptor.UnfilledComment(buckets(t)))|descriptor.BucketsComment(buckets(t))), withComment(asWritten, descriptor.BucketsComment(buckets(t)))|./migrate/diff
diff-unfilled-reverse-table-stays|migrate/diff/reference.go|	if unfilled {|	if unfilled = false; unfilled {|./migrate/diff -run=TestReverseTableIsFilledByALaterFile
clear-of-a-final-reference|aml/model/association.go|	case x.OnDelete == Clear && at.Fixed:|	case x.OnDelete == Clear && at.Fixed && at.Key:|./aml/load -run=TestDiagnostics/cascade
clear-empties-a-required-composition|aml/model/association.go|	if rule := required(at); rule != "" {|	if rule := required(at); rule == "-" {|./aml/load -run=TestDiagnostics/cascade
deletion-goes-on-although-it-is-restricted|mapper/internal/save/deletion.go|		if isRefused(err)|		if len(w.path) > 99|./integration/store -run=TestDeletionThatIsRestrictedLater
deletion-goes-on-although-it-can-be-restricted|mapper/internal/save/deletion.go|		if unknown != nil && !restricts {|		if unknown != nil && !restricts && len(w.path) > 99 {|./mapper/internal/simulation -run=TestDeletionWhoseRestrictionsCannotBeRead
deletion-that-is-not-reverted-has-ended|mapper/internal/save/deletion.go|	case isRefused(err) && marked:|	case isRefused(err) && !marked && len(key) > 99:|./mapper/internal/simulation -run=TestDeletionThatCannotBeReverted
deletion-is-not-listed-again|mapper/internal/save/reference.go|	if old.Deleting && errors.Is(err, errMoreDependents) {|	if old.Deleting && errors.Is(err, errNothing) {|./mapper/internal/simulation -run=TestFanOutToRootsWhoseDeletionIsNotListed
deletion-of-many-at-any-rate|mapper/internal/save/deletion.go|pace.Rate == 0 {|pace.Rate >= 0 {|./mapper/internal/simulation -run=TestRateOfADeletion
deletion-is-carried-on-beside-unknown-references|mapper/internal/save/deletion.go|		if err = r.DB.CheckFilled(ctx, r.Codec.Table.Name); err == nil {|		if err = error(nil); err == nil {|./mapper/internal/simulation -run=TestDeletionWhileReferencesAreNotRecorded
deletion-is-not-refused-after-a-failure|mapper/internal/save/deletion.go| isRefused(err) {| isRefused(nil) {|./mapper/internal/simulation -run=TestDeletionThatOneOfTwoRootsRestricts
deletion-ended-by-another-call-is-a-conflict|mapper/internal/save/reference.go|	return slices.Equal(before, w.attempts|	return len(s.Attempts) > 99 && slices.Equal(before, w.attempts|./integration/store -run=TestDeletionEndedByAnotherCall/memory
outbox-is-set-again-after-it-was-served|mapper/internal/plan/save.go|	if i := a.Versioning.Outbox; i > 0 && old.Outbox > 0 |	if i := a.Versioning.Outbox; i > 99 && old.Outbox > 0 |./integration/store -run=TestServedOutboxStaysClear/memory
copies-of-a-target-with-a-lower-version|mapper/internal/save/followed.go|t.Exists() && t.Version >= held |t.Exists() && t.Version >= min(held, 0) |./integration/store -run=TestCopiesOfATargetWithALowerVersion
version-with-the-conditions-of-a-fence|mapper/internal/plan/save.go|{ c.CQL, c.If = statement, c.If[:1] }|{ c.CQL = statement }|./mapper/internal/simulation -run=TestFollowSchedules
copies-of-a-restored-target-stay|mapper/internal/save/followed.go|target.Exists() && target.Version < held {|target.Exists() && target.Version < min(held, 0) {|./mapper/internal/simulation -run=TestReconcileAfterARestoreOfATarget
outbox-listed-later-is-removed-once|mapper/internal/save/outbox.go|		return w.Repeat(func() error {|		return func(f func() error) error { return f() }(func() error {|./mapper/internal/simulation -run=TestOutboxListedByALaterSave
fan-out-whose-tracer-exits-has-served|mapper/internal/call/environment.go|	if wg.Wait(); exited.Load() {|	if wg.Wait(); exited.Load() && n < 0 {|./mapper/internal/simulation -run=TestFanOutWhoseTracerExits
fan-out-of-a-bucket-that-exits-has-served|mapper/internal/save/fanoutbucket.go|			err := call.ErrExited|			err := call.ErrExited; err = nil|./mapper/internal/simulation -run=TestFanOutWhoseTracerExits
stray-row-is-deleted-at-its-version|mapper/internal/plan/reference.go|if written <= now {|if written < 0 {|./mapper/internal/simulation -run=TestStrayRows
stray-row-of-a-wrong-clock-raises-a-version|mapper/internal/plan/reference.go|if written <= now {|if now >= 0 {|./mapper/internal/simulation -run=TestStrayRows
fan-out-waits-for-an-outbox-ahead|mapper/internal/save/fanout.go|return skew >= 0 && at >|return skew > 1<<60 && at >|./mapper/internal/simulation -run=TestFanOutWithAnOutboxAheadOfTheClock -timeout=20s
fan-out-of-an-outbox-that-two-clocks-explain|mapper/internal/save/fanout.go|+2*skew+|+0*skew+|./mapper/internal/simulation -run=TestFanOutLeavesOutboxesOfSavesInFlight
fan-out-of-saves-in-flight|mapper/internal/save/fanout.go|now.Add(-x.db.Config.Lease)|now.Add(0*-x.db.Config.Lease)|./mapper/internal/simulation -run=TestFanOutLeavesOutboxesOfSavesInFlight
fan-out-ended-by-its-context-forgets-errors|mapper/internal/save/fanout.go|		case err != nil && ctx.Err() != nil:|		case err != nil && ctx.Err() != nil && c.Follow:|./mapper/internal/simulation -run=TestFanOutThatItsContextEnds
fan-out-tries-what-failed-at-once|mapper/internal/save/fanout.go|		if x.progress.Served > served && x.failed == nil {|		if x.progress.Served > served {|./mapper/internal/simulation -run=TestPausesOfAFanOutThatFails
fan-out-ends-before-it-has-looked-again|mapper/internal/save/fanout.go| && x.progress.Served == served && !c.Follow| && !c.Follow|./integration/store -run=TestFanOutOfWhatIsListedMeanwhile/memory
fan-out-waits-for-a-fixed-clock|mapper/internal/save/fanout.go|passed.After(now) {|passed.Before(now) {|./integration/store -run=TestFanOutWithAFixedClock -timeout=10s
outbox-row-is-removed-at-its-version|mapper/internal/plan/followed.go|	out.At = max(at, written)|	out.At = min(at, written)|./integration/store -run=TestOutboxWithALaterWriteTime -timeout=60s
outbox-row-of-another-partition-is-served|mapper/internal/plan/followed.go|!SameKey(a.OutboxKey(out.Key), row,|!SameKey(row, row,|./integration/store -run=TestDamagedOutboxes -timeout=60s
outbox-row-without-a-version-is-served|mapper/internal/plan/followed.go| row[3] == nil | row[3] == nil && at > 9 |./integration/store -run=TestDamagedOutboxes -timeout=60s
fan-out-follows-in-silence|mapper/internal/save/fanout.go|err != nil && ctx.Err() == nil {|err != nil && ctx.Err() != nil {|./integration/store -run=TestFanOutReportsThatItCannotRead -timeout=60s
gosource-group|codegen/alternatives/gosource/struct.go|if len(d.gen.Specs) > 1 {|if len(d.gen.Specs) > 99 {|./codegen/alternatives/gosource
gosource-comment-in-a-group|codegen/alternatives/gosource/struct.go|begin, end, doc = d.spec.Pos(), d.spec.End(), d.spec.Doc|begin, end = d.spec.Pos(), d.spec.End()|./codegen/alternatives/gosource
gosource-import-of-a-major-version|codegen/alternatives/gosource/package.go|name, "v"); ok && path.Dir(full) != "." {|name, "v"); ok && path.Dir(full) == "." {|./codegen/alternatives/gosource
gosource-quoted-tag|codegen/alternatives/gosource/struct.go|if strings.Contains(tag, "`") {|if strings.Contains(tag, "``") {|./codegen/alternatives/gosource
gosource-field-without-a-tag|codegen/alternatives/gosource/struct.go|if at := d.offset(f.Type.End()); key != "" {|if at := d.offset(f.Type.End()); key == "" {|./codegen/alternatives/gosource
gosource-key-after-another-name|codegen/alternatives/gosource/struct.go|isMarker(s, d.amlName()) {|isMarker(s, "aml") {|./codegen/alternatives/gosource
gosource-one-of-several-names|codegen/alternatives/gosource/struct.go|	if i := index(f, name); i > 0 {|	if i := index(f, name); i > 9 {|./codegen/alternatives/gosource
gosource-field-that-exists|codegen/alternatives/gosource/struct.go|d != nil && d.field(name) != nil {|d != nil && d.field("") != nil {|./codegen/alternatives/gosource
gosource-type-that-exists|codegen/alternatives/gosource/struct.go|if d != nil && p.declares(m[1]) {|if d != nil && p.declares("") {|./codegen/alternatives/gosource
conceptual-one-or-more|codegen/conceptual/parse.go|"one or more": {Min: true, Many: true}|"one or more": {Many: true}|./codegen/conceptual -run TestCardinalities
conceptual-many|codegen/conceptual/parse.go|"many(0)": {Many: true}|"many(0)": {}|./codegen/conceptual -run TestCardinalities
conceptual-zero-or-one|codegen/conceptual/parse.go|"zero or one": {},|"zero or one": {Min: true},|./codegen/conceptual -run TestCardinalities
conceptual-optionally-to|codegen/conceptual/parse.go|m[3] == "to"|m[3] != ""|./codegen/conceptual -run TestCardinalities
conceptual-star-of-a-key|codegen/conceptual/parse.go|PK: m[2] != ""|PK: m[2] == "**"|./codegen/conceptual -run TestDecisions
conceptual-second-diagram|codegen/conceptual/parse.go|		if p.diagram {|		if p.diagram && p.begun == p.front {|./codegen/conceptual -run TestFaults$
conceptual-mark-of-an-encoding|codegen/conceptual/parse.go|strings.TrimPrefix(text, "\ufeff")|strings.TrimPrefix(text, "")|./codegen/conceptual -run TestFileOfAnotherEditor
conceptual-smallint|codegen/conceptual/types.go|return "int16", "", true|return "int8", "", true|./codegen/conceptual -run TestTypes
conceptual-two-supertypes|codegen/conceptual/comment.go|p.fault("%s is a subtype of %s already: a subtype has one supertype", e.Name, e.super.Super.Name)|_ = e|./codegen/conceptual -run TestFaults$
conceptual-cycle-of-subtypes|codegen/conceptual/comment.go|case s.Super != nil && s.Super.isSubtype(e):|case e == s.Super:|./codegen/conceptual -run TestFaults$
conceptual-weak-subtype|codegen/conceptual/comment.go|p.fault("%s is a subtype of %s, in whose row it is, and cannot be weak of another entity: remove it from one of the comments", e.Name, e.super.Super.Name)|_ = e|./codegen/conceptual -run TestFaults$
conceptual-two-owners|codegen/conceptual/comment.go|case e.owner != nil && e.owner != owner:|case e.owner == e:|./codegen/conceptual -run TestFaults$
conceptual-two-relationships-of-one-name|codegen/conceptual/comment.go|return o.Name == n.Name })|return o.Name == "" })|./codegen/conceptual -run TestFaults$
conceptual-part-of-a-part|codegen/conceptual/write.go|			g.writeAttribute(v, e, p)|			g.attribute(v, e, p)|./codegen/conceptual -run TestDecisions
conceptual-several-composites|codegen/conceptual/write.go|			f.typ, f.tag = "[]"+v.name, f.tag+",max=20"|			f.tag += ""|./codegen/conceptual -run TestDecisions
conceptual-key-of-a-root-with-parts|codegen/conceptual/write.go|if i > 0 && !g.hasPart(e) {|if i > 0 {|./codegen/conceptual -run TestDecisions
conceptual-type-of-the-key-of-a-part|codegen/conceptual/write.go|			f.tag += ",type=" + option|			f.tag += option[:0]|./codegen/conceptual -run TestDecisions
conceptual-table-of-two-entities|codegen/conceptual/write.go|	for i := 2; g.tables[out]; i++ {|	for i := 2; g.tables[""]; i++ {|./codegen/conceptual -run TestDecisions
conceptual-key-of-a-subtype|codegen/conceptual/write.go|		g.writeOwnKey(v, t)|		_ = t|./codegen/conceptual -run TestDecisions
conceptual-key-of-the-owner|codegen/conceptual/write.go|return !g.fks[a] })|return true })|./codegen/conceptual -run TestDecisions
conceptual-group-of-two-specialisations|codegen/conceptual/structure.go|slices.ContainsFunc(s.fields, has); i++ {|slices.ContainsFunc(s.fields[:0], has); i++ {|./codegen/conceptual -run TestDecisions
conceptual-name-that-is-an-option|codegen/conceptual/structure.go|		f.tag = tagName(column)|		f.tag = column|./codegen/conceptual -run TestDecisions
conceptual-one-to-one-of-the-left-side|codegen/conceptual/relationship.go|		always = r.To.Min|		always = r.Of.Min|./codegen/conceptual -run TestDecisions
conceptual-unique-key-of-several-fields|codegen/conceptual/relationship.go|x.tag += ",unique"; len(refs) > 1 {|x.tag += ",unique"; len(refs) > 9 {|./codegen/conceptual -run TestDecisions
conceptual-pair-of-one-entity|codegen/conceptual/relationship.go|		if seen[side] {|		if seen[nil] {|./codegen/conceptual -run TestDecisions
conceptual-rates-are-added|codegen/conceptual/reads.go|r.Total[e] += rate|r.Total[e] = rate|./codegen/conceptual -run TestDecisions
conceptual-rate-of-another-select|codegen/conceptual/reads.go|		after = pos.Line|		after = 0|./codegen/conceptual -run TestDecisions
conceptual-side-of-a-named-relationship|codegen/conceptual/rules.go|		if slices.Contains(x.Of, e) {|		if slices.Contains(x.Of, nil) {|./codegen/conceptual -run TestDecisions
conceptual-single-that-others-refer-to|codegen/conceptual/rules.go|g.countOthers(dependent, r) > 0|g.countOthers(dependent, r) > 99|./codegen/conceptual -run TestDecisions
conceptual-two-parts-in-a-table|codegen/conceptual/rules.go|!(g.versioned(of) && g.hasPart(of))|!(g.versioned(of) && g.hasPart(nil))|./codegen/conceptual -run TestDecisions
conceptual-read-alone-without-a-key|codegen/conceptual/rules.go|g.reads.Alone[e] > 0 && len(e.key()) > 0|g.reads.Alone[e] > 0|./codegen/conceptual -run TestDecisions
conceptual-name-of-a-table|codegen/conceptual/rules.go|return r > unicode.MaxASCII })|return r > unicode.MaxRune })|./codegen/conceptual -run TestFaults$
advice-priority-of-relationships|codegen/advise/advice.go|cmp.Compare(x.Priority, y.Priority)|cmp.Compare(y.Priority, x.Priority)|./codegen/advise -run TestPriorities
advice-least-priority|codegen/advise/advice.go|r.Priority = min(r.Priority, q.priority)|r.Priority = max(r.Priority, q.priority)|./codegen/advise -run TestPriorities
advice-priority-of-queries|codegen/advise/advice.go|cmp.Compare(x.priority, y.priority)|cmp.Compare(y.priority, x.priority)|./codegen/advise -run TestPriorities
advice-redundant-tables-first|codegen/advise/advice.go|compareBool(x.Aggregate.IsSource(), y.Aggregate.IsSource())|compareBool(y.Aggregate.IsSource(), x.Aggregate.IsSource())|./codegen/advise -run TestPriorities
advice-least-limit|codegen/advise/advice.go|d < r.Limits[o])|d > r.Limits[o])|./codegen/advise -run TestRatesAndLimits
advice-rates-of-reads|codegen/advise/advice.go|r.Rates[o] += q.rate|r.Rates[o] = q.rate|./codegen/advise -run TestRatesAndLimits
advice-rates-of-writes|codegen/advise/advice.go|r.Rates[w.Operation] += w.Rate|r.Rates[w.Operation] = w.Rate|./codegen/advise -run TestRatesAndLimits
advice-limit-of-a-write|codegen/advise/advice.go|r.limit(w.Operation, w.Latency)|r.limit(w.Operation, 0)|./codegen/advise -run TestRatesAndLimits
advice-insert-of-a-root|codegen/advise/advice.go|w.Name == r.Root.Struct+".Insert"|w.Name == ".Insert"|./codegen/advise -run TestRatesAndLimits
advice-delete-of-a-root|codegen/advise/advice.go|w.Name == r.Root.Struct+".Delete"|w.Name == ".Delete"|./codegen/advise -run TestRatesAndLimits
advice-no-store|codegen/advise/advice.go|	case x.NoStore != "":|	case x.NoStore == "x":|./codegen/advise -run TestDesignsThatCannot
advice-designs-of-one-reason|codegen/advise/text.go|append(names[p.Reason], p.Name)|append(names[p.Reason][:0], p.Name)|./codegen/advise -run TestDesignsThatCannot
advice-dearest-operation|codegen/advise/advice.go|sum += part; part > most {|sum += part; part < most {|./codegen/advise -run TestReason
advice-share-of-the-cost|codegen/advise/advice.go|100*most/sum, reason)|most/sum, reason)|./codegen/advise -run TestReason
advice-writes-of-a-reason|codegen/advise/advice.go|c.Requests - c.Conditional - c.Reads - c.Batches, "write"}|c.Requests - c.Conditional - c.Batches, "write"}|./codegen/advise -run TestReason
advice-never-cheaper|codegen/advise/advice.go|at <= 0 {|at == 0 {|./codegen/advise -run TestReason
advice-weight-of-a-batch|codegen/advise/weights.go|w.Batch*float64(c.Batches)|w.Write*float64(c.Batches)|./codegen/advise -run TestCost
advice-single-writes|codegen/advise/weights.go|	single := c.Requests - c.Conditional - c.Reads - c.Batches|	single := c.Requests - c.Conditional - c.Reads|./codegen/advise -run TestCost
advice-measurement-of-a-refusal|codegen/advise/latency.go| m.P99 == 0 {| m.P99 < 0 {|./codegen/advise -run TestMeasurementsOfFewer
advice-measurement-of-fewer-elements|codegen/advise/latency.go|!had && m.Elements > out.Elements|!had && m.Elements < out.Elements|./codegen/advise -run TestMeasurementsOfFewer
advice-published-measurements|codegen/advise/advice.go|len(r.Limits) > 0 })|len(r.Limits) >= 0 })|./codegen/advise -run TestMeasurementsOfFewer
advice-latency-of-a-select|codegen/advise/workload.go|		p.latency = nil // it is above this statement|		_ = p.latency // it is above this statement|./codegen/advise -run TestRatesAndLimits
advice-comment-at-the-end|codegen/advise/workload.go|	if seen < len(p.notes) {|	if seen > len(p.notes) {|./codegen/advise -run TestCommentsWithoutEffect
advice-two-comments|codegen/advise/workload.go|		case found[n.key]:|		case found[""]:|./codegen/advise -run TestCommentsWithoutEffect
advice-comment-after-a-select|codegen/advise/workload.go|FindStringSubmatchIndex(text); m != nil {|FindStringSubmatchIndex(text); m != nil && number < 0 {|./codegen/advise -run TestCommentsWithoutEffect
advice-space-in-a-comment|codegen/advise/workload.go|\s*aml:\s*(\w+)|\s*aml:(\w+)|./codegen/advise -run TestFormsOfComments
advice-write-of-a-redundant-aggregate|codegen/advise/resolve.go|return x.IsSource() && x.Struct.Name == root })|return x.Struct.Name == root })|./codegen/advise -run TestWriteOfARedundant
advice-unused-parts|codegen/advise/text.go|	case a.Root != nil:|	case a.Root == a:|./codegen/advise -run TestUnusedTables
alternative-compared-keys|codegen/alternatives/gotype.go|if k := r.Element.single(); !isComparable(k.attribute.Field.Type) {|if k := r.Element.single(); k == nil {|./codegen/alternatives -run TestReasonsOfTypes
alternative-contains-itself|codegen/alternatives/gotype.go|		if r.holds(f.Type, r.Element.Struct) {|		if r.holds(f.Type, "") {|./codegen/alternatives -run TestReasonsOfTypes
alternative-key-of-a-map|codegen/alternatives/gotype.go|t.Kind == model.Map && r.holds(t.Key, r.Element.Struct)|t.Kind == model.Map && r.holds(t.Key, "")|./codegen/alternatives -run TestReasonsOfTypes
alternative-embedded-struct|codegen/alternatives/design.go|} else if name := f.attribute.Path[0]; !slices|} else if name := f.Name; !slices|./codegen/alternatives -run TestReasonsOfTypes
alternative-edit-of-another-format|codegen/alternatives/alternatives.go|diff.Diff(name, given[name], name|diff.Diff(name, append(given[name][:0:0], before[name]...), name|./codegen/alternatives -run TestEditOfTheFile
alternative-set-in-a-value|codegen/alternatives/design.go|		if set |		if set = f == nil; set |./codegen/alternatives -run TestFieldsOfTheRoot
alternative-order-of-the-key-of-a-part|codegen/alternatives/design.go|for _, k := range slices.Backward(d.Root.Key) {|for _, k := range d.Root.Key {|./codegen/alternatives -run TestFieldsOfTheRoot
alternative-column-of-the-key-of-a-part|codegen/alternatives/design.go| f.Column == k.Column })| f.Column == "" })|./codegen/alternatives -run TestFieldsOfTheRoot
alternative-rename-of-a-static-field|codegen/alternatives/relationship.go| && !f.attribute.Static && | && |./codegen/alternatives -run TestFieldsOfTheRoot
alternative-many-roots|codegen/alternatives/alternatives.go|if c.ManyToMany && !d.many {|if c.ManyToMany && d.many {|./codegen/alternatives -run TestFieldsOfTheRoot
alternative-views-of-removed-tables|codegen/alternatives/relationship.go|		if gone[v.Of] |		if gone[nil] |./codegen/alternatives -run TestFieldsOfTheRoot
alternative-file-with-a-type|codegen/alternatives/alternatives.go|if in(pos) && mentions(m, name) {|if in(pos) && name == "" {|./codegen/alternatives -run TestFilesOfADesign
alternative-file-with-a-type-of-keys|codegen/alternatives/alternatives.go| has(t.Key)| has(nil)|./codegen/alternatives -run TestFilesOfADesign
alternative-version-of-a-value|codegen/alternatives/losses.go|!s.Aggregate && r.Root.Version != ""|!s.Aggregate && r.Root.Version == "v"|./codegen/alternatives -run TestGuaranteesOfElements
alternative-existence-in-a-row|codegen/alternatives/losses.go|		return r.Root.Version != ""|		return r.Root.Version == "v"|./codegen/alternatives -run TestGuaranteesOfElements
alternative-version-for-other-references|codegen/alternatives/version.go| x.Target.Struct.Name == s.Struct && !r.hasRelationship(a, x.Path[0])) {| x.Target.Struct.Name == "" && !r.hasRelationship(a, x.Path[0])) {|./codegen/alternatives -run TestGuaranteesOfElements
alternative-version-for-other-copies|codegen/alternatives/version.go| c.Target.Struct.Name == s.Struct && !r.hasRelationship(a, c.Attribute) {| c.Target.Struct.Name == "" && !r.hasRelationship(a, c.Attribute) {|./codegen/alternatives -run TestGuaranteesOfElements
alternative-several-roots-of-pairs|codegen/alternatives/losses.go|FromElements, FromBoth, PairsOfKeys}|FromElements, FromBoth}|./codegen/alternatives -run TestElementsWithSeveralRoots
alternative-several-roots-of-both|codegen/alternatives/losses.go|FromElements, FromBoth, PairsOfKeys}|FromElements, PairsOfKeys}|./codegen/alternatives -run TestElementsWithSeveralRoots
alternative-two-sets-of-references|codegen/alternatives/resolve.go|				return nil, nil|				return holder, found|./codegen/alternatives -run TestElementsWithSeveralRoots
alternative-condition-on-the-reference|codegen/alternatives/relationship.go| has(a.Redundancy.When) | has(nil) |./codegen/alternatives -run TestFieldsThatFollowTheReference
alternative-final-copies|codegen/alternatives/version.go|slices.Concat(holder.Copies, holder.FinalCopies)|holder.Copies|./codegen/alternatives -run TestFieldsThatFollowTheReference
alternative-version-of-a-part|codegen/alternatives/losses.go|	case x != nil && x.Root != nil:|	case x.Root != nil && x.Version != nil:|./codegen/alternatives -run TestGuaranteesOfElements
alternative-inverse-of-another-root|codegen/alternatives/current.go|a.Redundancy.Shared && a.Redundancy.Source.Struct.Name == x.element:|a.Redundancy.Shared:|./codegen/alternatives -run TestNamesOfNoRelationship
alternative-redundant-root|codegen/alternatives/current.go|a.Redundancy.Shared && a.Redundancy.Source.Struct.Name == x.element:|a.Redundancy.Source.Struct.Name == x.element:|./codegen/alternatives -run TestNamesOfNoRelationship
alternative-fields-of-a-reference|codegen/alternatives/current.go| r.Of == r.Target.Key()[0])| r != nil)|./codegen/advise -run TestWorkloadAfterItsAdvice
alternative-reference-that-is-a-key|codegen/alternatives/current.go| at.Key:| at == nil:|./codegen/alternatives -run TestNamesOfNoRelationship
alternative-unique-side-of-the-model|codegen/alternatives/current.go| && targets[0] == x.element && !checked:| && !checked:|./codegen/alternatives -run TestModelWithoutADesign
alternative-checked-pair-of-the-model|codegen/alternatives/current.go| && targets[0] == x.element && !checked:| && targets[0] == x.element:|./codegen/alternatives -run TestModelWithoutADesign
alternative-null-in-a-pair-of-the-model|codegen/alternatives/current.go|case isPairOfElement(a) && targets[0]|case targets[0]|./codegen/alternatives -run TestModelWithoutADesign
alternative-pairs-of-one-struct|codegen/alternatives/current.go|by != nil && len(targets) == 2 && by|by != nil && by|./codegen/alternatives -run TestModelWithoutADesign
alternative-table-of-several-elements|codegen/alternatives/current.go|len(p.Discriminators) > 0 |len(p.Discriminators) > 9 |./codegen/alternatives -run TestTablesThatAreNotByTheKey
alternative-table-by-a-field-of-the-root|codegen/alternatives/current.go| slices.ContainsFunc(p.Identifier, isOfRoot) {| p == nil {|./codegen/alternatives -run TestTablesThatAreNotByTheKey
alternative-references-in-an-embedded-struct|codegen/alternatives/resolve.go|len(at.Path) > 1 |len(at.Path) > 9 |./codegen/alternatives -run TestNamesOfNoRelationship
alternative-designs-that-do-not-contain-the-root|codegen/alternatives/resolve.go|case strings.HasPrefix(design, "inverse"):|case strings.Contains(design, "e"):|./codegen/advise -run TestWorkloadAfterItsAdvice
alternative-target-in-another-package|codegen/alternatives/relationship.go|at.Association.Target.Struct.Path != r.model.Package.Path:|at.Association.Target == nil:|./codegen/alternatives -run TestRelationshipsWithOtherPackages
alternative-field-of-an-embedded-struct|codegen/alternatives/relationship.go|	case len(at.Path) > 1:|	case len(at.Path) > 9:|./codegen/alternatives -run TestRefusedRelationships
alternative-pair-with-a-set|codegen/alternatives/relationship.go| x.Many | x.Checked |./codegen/alternatives -run TestFormsOfPairs
alternative-pair-with-null|codegen/alternatives/relationship.go| at.Type.Nullable| at == nil|./codegen/alternatives -run TestFormsOfPairs
alternative-pair-of-one-struct|codegen/alternatives/relationship.go|return sides[0] != sides[1] && sides|return sides|./codegen/alternatives -run TestFormsOfPairs
alternative-key-that-is-no-scalar|codegen/alternatives/relationship.go|			if !k.Scalar {|			if !k.Scalar && s == nil {|./codegen/alternatives -run TestRefusedRelationships
alternative-qualifier|codegen/alternatives/relationship.go|case len(at.Type.Qualifier) > 0:|case len(at.Type.Qualifier) > 9:|./codegen/alternatives -run TestIdentityOfElements
alternative-optional-identity|codegen/alternatives/relationship.go|x.Mandatory && newField(x).Scalar|newField(x).Scalar|./codegen/alternatives -run TestIdentityOfElements
alternative-identity-of-a-list|codegen/alternatives/relationship.go|x.Mandatory && newField(x).Scalar|x.Mandatory|./codegen/alternatives -run TestIdentityOfElements
alternative-table-of-several-keys|codegen/alternatives/relationship.go|View: len(a.Key()) == 1 && a|View: a|./codegen/alternatives -run TestTablesThatAreNotByTheKey
alternative-table-of-roots|codegen/alternatives/relationship.go| == 1 && a.Redundancy.Path != nil})| == 1})|./codegen/alternatives -run TestFieldsThatFollowTheReference
alternative-structs-in-keys-of-maps|codegen/alternatives/relationship.go|	compose(t.Key, to)|	_ = t.Key|./codegen/alternatives -run TestTablesThatAreNotByTheKey
alternative-elements-in-a-struct|codegen/alternatives/relationship.go| slices.ContainsFunc(o.Fields, origin))| o == nil)|./codegen/alternatives -run TestTablesThatAreNotByTheKey
advice-read-of-a-root-without-elements|codegen/alternatives/relationship.go|case name == r.Root.Struct && r.Form == Embedded:|case name == r.Root.Struct:|./codegen/advise -run TestReadsOfReferences
alternative-name-of-a-table|codegen/alternatives/draft.go|r < unicode.MaxASCII && (r|(r|./codegen/alternatives -run TestNamesOfDesigns
alternative-plural|codegen/alternatives/draft.go|"ch", "sh"}|"ch"}|./codegen/alternatives -run TestNamesOfDesigns
alternative-name-of-several-keys|codegen/alternatives/design.go|		if i > 0 {|		if i > 1 {|./codegen/alternatives -run TestNamesOfDesigns
alternative-reference-in-a-value|codegen/alternatives/design.go|placing, o.Key) && !slices.Contains(referring, o.Key)|placing, o.Key)|./codegen/alternatives -run TestFieldsThatAreDropped
alternative-version-of-final-copies|codegen/alternatives/design.go|if d.following && |if d.copies != nil && |./codegen/alternatives -run TestFieldsThatFollowTheReference
alternative-parts-in-a-table-of-their-own|codegen/alternatives/design.go|	} else if table == d.Root.Table {|	} else if table == "" {|./codegen/alternatives -run TestNamesOfDesigns
alternative-name-of-the-key-of-a-part|codegen/alternatives/design.go|return f.Name == k.Name |return f.Name == "" |./codegen/alternatives -run TestNamesOfDesigns
alternative-compared-arrays|codegen/alternatives/gotype.go|		return isComparable(t.Elem)|		return true|./codegen/alternatives -run TestElementsInKeysOfMaps
alternative-compared-functions|codegen/alternatives/gotype.go|return !strings.HasPrefix(t.Text, "func(")|return strings.HasPrefix(t.Text, "")|./codegen/alternatives -run TestElementsInKeysOfMaps
alternative-compared-collection|codegen/alternatives/gotype.go|if f.Name != r.fields[name] {|if f != nil {|./codegen/alternatives -run TestElementsInKeysOfMaps
alternative-compared-list|codegen/alternatives/gotype.go|		if f.Scalar && !isComparable|		if !isComparable|./codegen/alternatives -run TestElementsInKeysOfMaps
alternative-dropped-version-and-references|codegen/alternatives/losses.go|	if out == nil && r.exists()|	if r.exists()|./codegen/alternatives -run TestGuaranteesOfElements
alternative-reference-of-a-redundant-table|codegen/alternatives/overlaps.go|if a.IsSource() && !x.Checked {|if !x.Checked {|./codegen/alternatives -run TestOverlapsOfFields
alternative-path-of-a-reference|codegen/alternatives/overlaps.go|strings.Join(names(x.Path), ".")|x.Attribute.GoName() + strings.Join(nil, "")|./codegen/alternatives -run TestOverlapsOfFields
alternative-deleted-counters|codegen/alternatives/overlaps.go| a.Counter {| a == nil {|./codegen/alternatives -run TestOverlapsOfFields
alternative-deleted-final-fields|codegen/alternatives/overlaps.go|!at.Key && !at.Fixed && |!at.Key && |./codegen/alternatives -run TestOverlapsOfFields
alternative-list-of-references|codegen/alternatives/overlaps.go|, t.Kind == model.List && at.Association != nil:|:|./codegen/alternatives -run TestOverlapsOfFields
alternative-value-as-a-whole|codegen/alternatives/overlaps.go|t.Kind == model.Composed && at.Frozen():|t.Kind == model.Composed && at == nil:|./codegen/alternatives -run TestOverlapsOfFields
alternative-partition-of-a-derived-table|codegen/alternatives/alternatives.go|range append(a.Derived(), a.Table) {|range append(a.Derived()[:0], a.Table) {|./codegen/alternatives -run TestLargestPartition
alternative-file-that-stays|codegen/alternatives/alternatives.go|		if texts[name] != before[name] {|		if before != nil {|./codegen/alternatives -run TestFilesOfADesign
advice-relationship-that-is-named-twice|codegen/advise/resolve.go|if w.Name = name; !slices.Contains(a.names, name) {|if w.Name = name; name != "" {|./codegen/advise -run TestSeveralWritesOfOne
gosource-name-before-a-version|codegen/alternatives/gosource/package.go|strings.TrimPrefix(name, "go-"), ".v")|strings.TrimPrefix(name, "go-"), ".w")|./codegen/alternatives/gosource
gosource-name-of-a-go-repository|codegen/alternatives/gosource/package.go|strings.Cut(strings.TrimPrefix(name, "go-"), |strings.Cut(name, |./codegen/alternatives/gosource
gosource-import-of-another-name|codegen/alternatives/gosource/package.go|if !used[known] && p.used[name][known] {|if !used[known] {|./codegen/alternatives/gosource
advice-comment-below-a-limit|codegen/advise/workload.go| && !strings.HasPrefix(text, "//") {| {|./codegen/advise -run TestRatesAndLimits
advice-remark-below-a-limit|codegen/advise/workload.go| && !strings.HasPrefix(text, "--") && | && |./codegen/advise -run TestRatesAndLimits
advice-elements-by-several-keys|codegen/advise/advice.go|\.Get(Many)?\(|\.Get\(|./codegen/advise -run TestSeveralElements
alternative-references-with-another-name|codegen/alternatives/relationship.go|at.GoName() != other.referencesName() {|at == nil {|./codegen/alternatives -run TestElementsWithSeveralRoots
alternative-other-references-of-the-element|codegen/alternatives/relationship.go| && x.GoName() == own.referencesName() {| {|./codegen/alternatives -run TestElementsWithSeveralRoots
alternative-options-of-an-embedded-struct|codegen/alternatives/design.go| && len(f.attribute.Path) == 1 && | && |./codegen/alternatives -run TestFieldsThatAreDropped
alternative-references-of-an-embedded-struct|codegen/alternatives/losses.go| && len(f.attribute.Path) == 1:|:|./codegen/alternatives -run TestFieldsThatAreDropped
alternative-warnings|codegen/alternatives/alternatives.go|schema.New(m), texts, faults|schema.New(m), texts, nil|./codegen/alternatives -run TestOverlapsOfFields
TABLE
)

wanted() { # NAME [NAME...]
  local name=$1 n
  shift
  [ $# -gt 0 ] || return 0
  for n in "$@"; do [ "$n" != "$name" ] || return 0; done
  return 1
}

# runs prints a line for each go test of the last column: a package and its options.
runs() { sed 's/ \(\.\/\)/\n\1/g' <<< "$1" | while read -r run; do printf '%s%s%s\n' "${run%% *}" "$(sizes "$run")" "${run#"${run%% *}"}"; done; }

# sizes prints options for more random cases than those of `go test ./...`, of which some are needed for some mutants.
sizes() { # PACKAGE [OPTION...]
  case $1 in
  ./integration/projection*) printf ' -projection-cases=600 -projection-part-cases=200 -projection-node-cases=60 -projection-fill-cases=600 -projection-fills=15 -projection-overlap-models=60 -projection-reconcile-cases=600 -projection-reconciles=4 -element-cases=5000 -element-node-cases=32' ;;
  ./mapper/internal/simulation*) printf ' -schedules=5000' ;;
  ./mapper/internal/conformance*) printf ' -conformance.sequences=150' ;;
  ./integration/migrations*) printf ' -adopted=4 -pairs=4 -replay=150' ;;
  esac
}

# try tests a mutant, and prints the result. It fails unless a test has failed.
try() { # NAME FILE FROM TO TESTS
  local name=$1 file=$2 from=$3 to=$4 tests=$5 dir=$scratch/$1 changed run caught
  mkdir "$dir"
  FROM=$from TO=$to perl -0pe 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$file" > "$dir/mutant.go"
  changed=$(diff "$file" "$dir/mutant.go" | grep -c '^>' || true)
  [ "$changed" = 1 ] || die "$name: $changed lines of $file change, not one; correct the table"
  [ "$(grep -cF -- "$from" "$file")" = 1 ] || die "$name: $file has the text to replace more than once; correct the table"
  printf '{"Replace": {"%s": "%s"}}' "$root/$file" "$dir/mutant.go" > "$dir/overlay.json"
  while read -r run; do
    if grep -qs '"pgregory.net/rapid"' "${run%% *}"/*_test.go; then run="$run -rapid.nofailfile"; fi # otherwise it leaves a file
    # shellcheck disable=SC2086 # a package and options
    if go test -count=1 -failfast -vet=off -overlay="$dir/overlay.json" $run > "$dir/result" 2>&1; then continue; fi
    if grep -q '\[build failed\]\|\[setup failed\]' "$dir/result"; then
      die "$name does not compile: $(head -n 5 "$dir/result")"
    fi
    caught=$(grep -m 1 -oE '^ *--- FAIL: [^ ]+' "$dir/result" | sed 's/.*: //') ||
      die "$name: no test failed, but go test did: $(tail -n 5 "$dir/result")"
    printf 'caught    %-46s by %s\n' "$name" "$caught"
    return
  done <<< "$(runs "$tests")"
  printf 'SURVIVED  %s (%s)\n' "$name" "$file"
  return 1
}

while IFS= read -r row; do
  [ "$(tr -dc '|' <<< "$row")" = '||||' ] || die "the row ${row%%|*} has a | in a text; choose a text without one"
done <<< "$mutants"

tests=()
while IFS='|' read -r name _ _ _ of; do
  ! wanted "$name" "$@" || while read -r run; do tests+=("$run"); done <<< "$(runs "$of")"
done <<< "$mutants"
[ ${#tests[@]} -gt 0 ] || die "no such mutant: $*"
while read -r run; do
  printf 'unbroken  go test %s\n' "$run"
  # shellcheck disable=SC2086 # a package and options
  go test $run || die 'the tests fail before anything is broken'
done <<< "$(printf '%s\n' "${tests[@]}" | sort -u)"

running=0 failed=0
reap() { wait -n || failed=$((failed + 1)); running=$((running - 1)); }
while IFS='|' read -r name file from to of; do
  wanted "$name" "$@" || continue
  [ "$running" -lt "$(nproc)" ] || reap
  try "$name" "$file" "$from" "$to" "$of" < /dev/null &
  running=$((running + 1))
done <<< "$mutants"
while [ "$running" -gt 0 ]; do reap; done
[ "$failed" -eq 0 ] || die "$failed mutants were not caught"
echo 'every mutant was caught'
