#!/usr/bin/env bash
# Breaks the code on purpose, one line at a time in a scratch copy, and expects a test to notice each time.
#   integration/mutate.sh [NAME...]     only the mutants of these names
# The copy that is not broken passes first; a mutant must compile; one that no test catches makes the script fail.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

die() { printf 'mutate: %s\n' "$*" >&2; exit 1; }

# name | file | what stands there | what is put in its place | packages whose tests must notice
mutants=$(cat <<'TABLE'
projection-split-order|mapper/internal/plan/program.go|m.regs[op.Dst+k] = w.Next()|m.regs[op.Dst+op.N-1-k] = w.Next()|./mapper/internal/plan
projection-make-if-null|mapper/internal/plan/program.go|if m.regs[op.Src] != nil {|if m.regs[op.Dst] == nil {|./mapper/internal/plan
projection-map-entry|mapper/internal/plan/program.go|if c == Entry {|if c == Each {|./mapper/internal/plan
plan-row-moves-not|mapper/internal/plan/copy.go|if was && p.new != nil && !c.exists.units.meets(&p.changed) {|if was && p.new != nil {|./mapper/internal/plan
plan-orphan-stays|mapper/internal/plan/copy.go|p.remove(c.Table, old, p.back())|_ = old|./mapper/internal/plan
plan-list-of-others|mapper/internal/plan/link.go|l.p.elements, element = true, source{element: true}|l.p.elements, element = false, source{}|./mapper/internal/plan
plan-removed-entry-stays|mapper/internal/plan/difference.go|drop.append(a.key)|_ = a.key|./mapper/internal/plan
plan-changed-entry-unseen|mapper/internal/plan/difference.go|if !same(a.value, b.value) {|if same(a.value, b.value) {|./mapper/internal/plan
plan-one-decimal-twice|mapper/internal/plan/plan.go|m.Back = 1|m.Back = 0|./mapper/internal/plan
write-list-repeated-in-place|mapper/gen/write.go|at += step|at += 0 * step|./mapper/gen
write-above-what-was-read|mapper/gen/write.go|db.clock.next(c.written+spacing, repeats)|db.clock.next(0, repeats)|./mapper/gen
codec-invalid-utf8|mapper/internal/cell/encoder.go|if !utf8.ValidString(s) {|if utf8.ValidString(s) && s == "" {|./mapper/internal/cell
codec-long-cell|mapper/internal/cell/cell.go|if n > len(b) {|if n > len(b)+1 {|./mapper/internal/cell
codec-date-epoch|mapper/internal/cell/encoder.go|e.Int(int32(day + dateEpoch))|e.Int(int32(day + dateEpoch + 1))|./mapper/internal/cell
TABLE
)

cd "$root"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' f; do [ ! -e "$f" ] || printf '%s\0' "$f"; done |
  tar --null -cf - -T - | tar -xf - -C "$scratch"
cd "$scratch"

wanted() { # NAME [NAME...]
  local name=$1 n
  shift
  [ $# -gt 0 ] || return 0
  for n in "$@"; do [ "$n" != "$name" ] || return 0; done
  return 1
}

packages=()
while IFS='|' read -r name _ _ _ tests; do
  wanted "$name" "$@" || continue
  for p in $tests; do packages+=("$p"); done
done <<< "$mutants"
[ ${#packages[@]} -gt 0 ] || die "no such mutant: $*"
mapfile -t packages < <(printf '%s\n' "${packages[@]}" | sort -u)
printf 'unbroken: go test %s\n' "${packages[*]}"
go test -count=1 "${packages[@]}" || die 'the tests fail before anything is broken'

survivors=0
while IFS='|' read -r name file from to tests; do
  wanted "$name" "$@" || continue
  cp -- "$file" "$scratch/original"
  FROM=$from TO=$to perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$file"
  changed=$(diff "$scratch/original" "$file" | grep -c '^>' || true)
  [ "$changed" = 1 ] || die "$name: $changed lines of $file change, not one; mend the table"
  [ "$(grep -cF -- "$from" "$scratch/original")" = 1 ] || die "$name: what it replaces stands in $file more than once; mend the table"
  go vet ./... > "$scratch/vet" 2>&1 || { cat "$scratch/vet" >&2; die "$name does not compile"; }
  # shellcheck disable=SC2086 # a list of packages
  if go test -count=1 $tests > "$scratch/result" 2>&1; then
    printf 'SURVIVED  %s (%s)\n' "$name" "$file"
    survivors=$((survivors + 1))
  else
    caught=$(grep -m 1 -oE '^ *--- FAIL: [^ ]+' "$scratch/result" | sed 's/.*: //') || die "$name: no test failed, but go test did: $(tail -n 5 "$scratch/result")"
    printf 'caught    %-28s by %s\n' "$name" "$caught"
  fi
  cp -- "$scratch/original" "$file"
done <<< "$mutants"
[ "$survivors" -eq 0 ] || die "$survivors mutants were not caught"
echo 'every mutant was caught'
