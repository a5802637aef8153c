package mapper

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// ReconcileConfig configures a run of Reconcile. Its zero value works.
type ReconcileConfig struct {
	DryRun bool     // only report the differences
	Tables []string // the roots by the names of their tables; nil: all

	// Grace is how long before a read a row must have been written to be repaired. It must exceed the longest time from the
	// timestamp of a write until its last effect, plus twice the difference between two clocks: the server replays a batch that
	// was interrupted after some seconds, or when a node returns. The zero value means 10 minutes. Less than 1 minute, or less
	// than 4 times Config.MaxClockSkew, is refused.
	Grace time.Duration

	Parallel int // slices of the token ring that are read at a time; 0: 4
	Rate     int // rows read per second by this process; 0: no limit

	// Job is the name of a run that several processes carry out together: they divide the slices of the token ring among
	// themselves, and each of them returns the report of the whole run. If a process ends early, another one continues its
	// slices. A run that has ended is not repeated: use a new name for each run, such as "nightly-2026-11-22". The empty name
	// means that no other process takes part.
	Job string

	Slices int // the number of slices of the token ring, at most 65,536; 0: 256

	Found    func(Drift)             // is called for each finding, by one goroutine at a time; nil: none
	Progress func(ReconcileProgress) // is called whenever rows were read, by one goroutine at a time; nil: none
}

// DefaultGrace is the default of ReconcileConfig.Grace.
const DefaultGrace = 10 * time.Minute

// DriftKind describes how a row differs from the row that it derives from.
type DriftKind uint8

// The kinds of drift.
const (
	DriftMissing           DriftKind = iota + 1 // a row of a redundant table does not exist
	DriftStale                                  // a row of a redundant table has another value than its root implies
	DriftOrphan                                 // a row of a redundant table follows from no root
	DriftTwoOwners                              // two roots have the same row of a redundant table; it is not repaired
	DriftLeakedReservation                      // a unique value is reserved for a root that does not have it
	DriftUnpropagated                           // a save has not been written to all redundant tables
	DriftHidden                                 // a repair has no effect, because a deletion with a later timestamp hides it
	DriftClockAhead                             // a write time is ahead of the clocks of the servers; it is not repaired
	DriftUnprojectable                          // a root cannot be read, or violates the model; its redundant rows are not changed
	DriftSourcePurged                           // a row of a redundant table has a root without a row, such as a deleted one that has been removed
	DriftMissingRoot                            // a root does not exist, but rows of its parts do; they are not changed
	DriftDangling                               // a checked reference refers to a root that does not exist; it is not repaired
	DriftDeleting                               // a deletion of a root has begun and not ended; it is carried on, or reverted if a root restricts it
)

var driftKinds = [...]string{DriftMissing: "missing", DriftStale: "stale", DriftOrphan: "orphan", DriftTwoOwners: "two owners", DriftLeakedReservation: "leaked reservation",
	DriftUnpropagated: "unpropagated", DriftHidden: "hidden", DriftClockAhead: "clock ahead", DriftUnprojectable: "unprojectable", DriftSourcePurged: "source purged",
	DriftMissingRoot: "missing root", DriftDangling: "dangling", DriftDeleting: "deleting"}

// String returns the kind in lower case: "two owners".
func (k DriftKind) String() string {
	if int(k) >= len(driftKinds) || k == 0 {
		return "unknown"
	}
	return driftKinds[k]
}

// MarshalText returns the kind as String does, for encoding/json.
func (k DriftKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the text of MarshalText.
func (k *DriftKind) UnmarshalText(text []byte) error {
	i := slices.Index(driftKinds[:], string(text))
	if i < 1 {
		return fmt.Errorf("mapper: unknown kind of drift %q", text)
	}
	*k = DriftKind(i)
	return nil
}

// Drift is a difference that Reconcile found. Secret values are shown as ….
type Drift struct {
	Kind      DriftKind `json:"kind"`
	Aggregate string    `json:"aggregate"`        // the Go struct of the root: Customer; the struct of the part if the root is missing
	Table     string    `json:"table"`            // the table of the row: vehicles
	Key       string    `json:"key"`              // its primary key: plate='BRA2E19'; of a missing root, the identifier in the rows of its parts
	Column    string    `json:"column,omitempty"` // the column, if not the whole row differs
	Want      string    `json:"want,omitempty"`   // the value that the root implies
	Have      string    `json:"have,omitempty"`   // the value in the table
	Repaired  bool      `json:"repaired"`
	Reason    string    `json:"reason,omitempty"` // why it was not repaired
}

// ReconcileProgress describes how far a run of Reconcile is.
type ReconcileProgress struct {
	Table string // the table that is read
	Done  int    // slices of all steps that this process has completed
	Total int    // slices of all steps
	Rows  int64  // rows that this process has read
}

// ReconcileReport is the result of a run of Reconcile.
type ReconcileReport struct {
	From        time.Time                      `json:"from"`
	To          time.Time                      `json:"to"`
	Rows        int64                          `json:"rows"`                   // rows that were read
	Found       map[string]map[DriftKind]int64 `json:"found"`                  // the number of findings, by table and kind
	Repaired    int64                          `json:"repaired"`               // findings that were repaired
	TooRecent   int64                          `json:"too_recent"`             // rows that differ, but were written too recently: a later run compares them
	Purged      int64                          `json:"purged"`                 // deleted roots, with their done-markers, and released reservations that were removed; partitions whose static values without rows were removed
	NotSearched []string                       `json:"not_searched,omitempty"` // redundant tables that were not searched for orphans: their rows do not contain the key of their root or, in a run of one row, are not found by it
}

// Total returns the number of findings.
func (r *ReconcileReport) Total() (n int64) {
	for _, kinds := range r.Found {
		for _, count := range kinds {
			n += count
		}
	}
	return n
}

// Clean reports whether no drift is left: every finding was repaired, and no row was left for a later run.
func (r *ReconcileReport) Clean() bool { return r.Total() == r.Repaired && r.TooRecent == 0 }

// Add adds the counts of another report of the same run.
func (r *ReconcileReport) Add(o *ReconcileReport) {
	r.Rows, r.Repaired, r.TooRecent, r.Purged = r.Rows+o.Rows, r.Repaired+o.Repaired, r.TooRecent+o.TooRecent, r.Purged+o.Purged
	for table, kinds := range o.Found {
		if r.Found[table] == nil {
			if r.Found == nil {
				r.Found = map[string]map[DriftKind]int64{}
			}
			r.Found[table] = map[DriftKind]int64{}
		}
		for kind, n := range kinds {
			r.Found[table][kind] += n
		}
	}
	r.NotSearched = slices.Compact(slices.Sorted(slices.Values(slices.Concat(r.NotSearched, o.NotSearched))))
}

// Tables returns the names of the tables with findings, sorted.
func (r *ReconcileReport) Tables() []string { return slices.Sorted(maps.Keys(r.Found)) }
