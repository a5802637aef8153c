package migrate

import (
	"github.com/cassaml/cassaml/migrate/folder"
	"time"
)

// state is what the database knows about the migrations of a keyspace.
type state struct {
	epoch   int64         // how many times the lock was taken; 0: never
	owner   string        // the run that has the lock, until its time is over; "" for none
	lapses  time.Duration // how long that is from when it was read, unless the run renews it
	records history
	fills   fills
	owners  owners
	fence   int64 // of a named folder: the epoch of the lock under which its records were written last
	locked  bool  // epoch, owner, lapses and owners are known; a read of a named folder's partition alone leaves them out
}

// under completes the state of a named folder by what is recorded beside the lock.
func (s state) under(lock state) state {
	s.fence = s.epoch
	s.epoch, s.owner, s.lapses, s.owners, s.locked = lock.epoch, lock.owner, lock.lapses, lock.owners, true
	return s
}

// history is what is recorded of files and functions, by their number.
type history map[int]record

// record is what is known about one migration: a row of aml_migrations.
type record struct {
	number    int
	name      string
	checksum  string   // of the file as it was when its last statement was recorded
	total     int      // statements in the file then
	applied   *int     // statements recorded as applied; nil: nothing is recorded
	hashes    []string // of those statements, in order
	sending   string   // hash of the statement behind them, once it may have been sent
	appliedAt time.Time
	failure   string // why that statement failed last
}

// fillKey names a backfill: the migration that asks for it and the table.
type fillKey struct {
	number int
	table  string
}

// fill is how far a backfill has got.
type fill struct {
	key  fillKey
	name string // of the file
	from string // the mark that was saved last
	done bool
}

type fills map[fillKey]fill

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

// after is the record of a file once the first n statements of it are applied.
func after(f *folder.File, n int, now time.Time) record {
	var hashes []string
	for _, s := range f.Statements[:n] {
		hashes = append(hashes, s.Hash)
	}
	return record{
		number:    f.Number,
		name:      f.Name,
		checksum:  f.Checksum,
		total:     len(f.Statements),
		applied:   &n,
		hashes:    hashes,
		appliedAt: now,
	}
}
