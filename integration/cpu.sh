#!/usr/bin/env bash
# Prints the processor time of the tests of each package, in seconds: of the go command with the tests, and of the servers.
#   integration/cpu.sh [PACKAGE...]     without packages: all
# The packages run one after the other, so each that needs a server starts it, for about 5 s; `go test ./...` starts it once.
# Needs Linux, and no Docker engine. On a machine that is not idle, the times are longer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
TMPDIR=$(mktemp -d) # so that no other process shares the server
export TMPDIR
trap 'rm -rf -- "$TMPDIR"' EXIT
hertz=$(getconf CLK_TCK)

# servers prints the processor time of each running server of this script: its process ID, and its clock ticks.
servers() {
  local file
  for file in "$TMPDIR"/cassaml-*/*/server-*/node1/pid "$TMPDIR"/cassaml-*/*/clusters/server-*/node1/pid; do
    [ ! -e "$file" ] || awk '{ sub(/.*\) /, ""); print pid, $12 + $13 }' pid="$(cat "$file")" "/proc/$(cat "$file")/stat" 2>/dev/null || true
  done
}

# watch appends the times of the servers to a file, often, because those of a server that has ended cannot be read.
watch() { while sleep 0.5; do servers; done > "$1"; }

# spent stores the seconds that the go command and its children have used. times prints them only in this shell.
spent() {
  times > "$TMPDIR/spent"
  seconds=$(awk 'NR == 2 { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }' "$TMPDIR/spent")
}

packages=("$@")
[ $# -gt 0 ] || mapfile -t packages < <(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...)
printf '%8s %8s %8s  %s\n' go servers sum package
failed=0
for package in "${packages[@]}"; do
  servers > "$TMPDIR/before" # of the package before this one, if they have not ended
  watch "$TMPDIR/during" &
  watcher=$!
  spent && before=$seconds
  go test -count=1 "$package" > "$TMPDIR/result" 2>&1 || { failed=1; cat "$TMPDIR/result"; }
  servers > "$TMPDIR/after"
  spent && own=$(awk "BEGIN { print $seconds - $before }")
  kill "$watcher"
  wait "$watcher" 2> /dev/null || true
  awk -v own="$own" -v hertz="$hertz" -v of="$package" '
    FILENAME ~ /before$/ { before[$1] = $2 }
    $2 > most[$1] { most[$1] = $2 }
    END {
      for (pid in most) ticks += most[pid] - before[pid]
      printf "%8.1f %8.1f %8.1f  %s\n", own, ticks / hertz, own + ticks / hertz, of
    }' "$TMPDIR/before" "$TMPDIR/during" "$TMPDIR/after"
done
exit "$failed"
