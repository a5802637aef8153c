package migrate

import (
	"slices"
	"time"
)

// record is what the database knows about one migration: a row of aml_migrations.
type record struct {
	number    int
	name      string
	checksum  string   // of the file as it was when its last statement was recorded
	total     int      // statements in the file then
	applied   *int     // statements recorded as applied; nil: nothing is recorded
	hashes    []string // of those statements, in order
	appliedAt time.Time
	failure   string // why the statement behind them failed last
	runner    string // who is at that statement now
}

// started reports whether anything of the file is recorded as applied.
func (r record) started() bool { return r.applied != nil }

// whole reports whether all of the file is.
func (r record) whole() bool { return r.started() && *r.applied == r.total }

// count is the number of statements recorded as applied.
func (r record) count() int {
	if r.applied == nil {
		return 0
	}
	return *r.applied
}

// holds reports whether the record tells at least what other does.
func (r record) holds(other record) bool {
	n := len(other.hashes)
	return r.started() && len(r.hashes) >= n && slices.Equal(r.hashes[:n], other.hashes)
}

// after is the record of a file once the first n statements of it are applied.
func after(f *file, n int, now time.Time) record {
	return record{
		number:    f.number,
		name:      f.name,
		checksum:  f.checksum,
		total:     len(f.statements),
		applied:   &n,
		hashes:    f.hashes[:n],
		appliedAt: now,
	}
}
