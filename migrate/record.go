package migrate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// state has the records of a keyspace: its migrations, backfills, lock and owners.
type state struct {
	epoch   int64         // how many times the lock has been taken; 0: never
	owner   string        // the run that has the lock, until the lock expires; "" for none
	expires time.Duration // the remaining time of the lock when it was read, unless the run renews it
	records history
	fills   fills
	owners  owners
	fence   int64 // set for a named folder: the epoch of the lock when its records were last written
	locked  bool  // epoch, owner, expires and owners are known; a read of only a named folder's partition omits them
}

// withLock adds the content of the partition of the lock to the state of a named folder.
func (s state) withLock(lock state) state {
	s.fence = s.epoch
	s.epoch, s.owner, s.expires, s.owners, s.locked = lock.epoch, lock.owner, lock.expires, lock.owners, true
	return s
}

// holder returns the part of an error message that names the run with the lock; "" if no run has it.
func (s state) holder() string {
	if s.owner == "" {
		return ""
	}
	return fmt.Sprintf(": run %s has the lock, which expires in %s unless that run renews it", s.owner, s.expires.Round(time.Second))
}

// history has the records of files and functions, by their numbers.
type history map[int]record

// record is the record of one migration: a row of aml_migrations.
type record struct {
	number    int
	name      string
	checksum  string   // the checksum of the file when its last statement was recorded
	total     int      // statements in the file at that time
	applied   *int     // number of statements recorded as applied; nil: nothing is recorded
	hashes    []string // the hashes of these statements, in order
	sending   string   // hash of the next statement, once it may have been sent
	appliedAt time.Time
	failure   string // why that statement last failed
}

// fillKey identifies a backfill: the migration that requests it, and the table.
type fillKey struct {
	number int
	table  string
}

// fill is the progress of a backfill.
type fill struct {
	key     fillKey
	name    string // the name of the file
	from    string // the last saved checkpoint
	done    bool
	refused string // the rows that it has skipped, and the fix; "" if there are none
}

type fills map[fillKey]fill

// started reports whether anything of the file is recorded as applied.
func (r record) started() bool { return r.applied != nil }

// whole reports whether all statements of the file are recorded as applied.
func (r record) whole() bool { return r.started() && *r.applied == r.total }

// count returns the number of statements recorded as applied.
func (r record) count() int {
	if r.applied == nil {
		return 0
	}
	return *r.applied
}

// newRecord returns the record of a file whose first n statements are applied.
func newRecord(f *folder.File, n int, now time.Time) record {
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

// latest returns the started record with the greatest number.
func (h history) latest() record {
	var latest record
	for _, r := range h {
		if r.started() && r.number > latest.number {
			latest = r
		}
	}
	return latest
}

func (h history) inOrder() []record {
	return slices.SortedFunc(maps.Values(h), func(a, b record) int { return a.number - b.number })
}

// owned is the set of objects that a folder owns, such as "table customers". Tables and views share one namespace.
type owned map[string]bool

// tables returns the tables and views among the objects.
func (o owned) tables() owned {
	out := maps.Clone(o)
	maps.DeleteFunc(out, func(object string, _ bool) bool { return !strings.HasPrefix(object, string(effect.TableObject)+" ") })
	return out
}

// list returns the objects in the order in which they are recorded.
func (o owned) list() []string { return slices.Sorted(maps.Keys(o)) }

// owners has the objects that each folder of a keyspace owns, by the name of the folder.
type owners map[string]owned

// otherOwner returns the other folder that owns an object.
func (o owners) otherOwner(object, self string) (folder string, ok bool) {
	for name, objects := range o {
		if name != self && objects[object] {
			return name, true
		}
	}
	return "", false
}

// hasOther reports whether another folder has a record.
func (o owners) hasOther(self string) bool {
	for name := range o {
		if name != self {
			return true
		}
	}
	return false
}
