package reconcile

import (
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
)

// versionedPhases returns the scans of a versioned root, in this order: of its reservations, so that none is in flight; of its
// rows, with the copies in their partitions; of the other copies; of the reverse tables; and of the reservations that can be purged.
func (x *run) versionedPhases(r save.Versioned) []phase {
	var out []phase
	v := r.Aggregate.Versioning
	all := x.newSums(r.Root, func(c *plan.Projection) bool { return isNear(r, c) })
	for i := range v.Uniques {
		u := &v.Uniques[i]
		out = append(out, phase{name: "reservations", table: u.Table, scan: func(x *run) slice { return newReservationScan(x, r, u) }})
	}
	out = append(out, phase{name: "rows", table: r.Codec.Table, scan: func(x *run) slice { return newVersionedScan(x, r, all) }})
	if summed := sumPhases(r.Root, all); len(summed) > 0 {
		out = append(out, summed...)
		out = append(out, phase{name: "suspects", table: r.Codec.Table, scan: func(x *run) slice { return newVersionedSuspectScan(x, r, all) }})
	}
	for i := range r.Aggregate.Copies {
		if c := &r.Aggregate.Copies[i]; !c.Shared && !isNear(r, c) {
			out = append(out, phase{name: "copies", table: c.Table, scan: func(x *run) slice { return newVersionedCopyScan(x, r, c, all[i]) }})
		}
	}
	for i := range v.References {
		ref := &v.References[i]
		out = append(out, phase{name: "references", table: ref.Table, scan: func(x *run) slice { return newReferenceScan(x, r, ref) }})
	}
	if v.Outboxes != nil {
		out = append(out, phase{name: "outboxes of " + r.Codec.Table.Name, table: v.Outboxes, scan: func(x *run) slice { return newOutboxScan(x, r) }})
	}
	out = append(out, x.partPhases(r)...)
	for i := range v.Uniques {
		u := &v.Uniques[i]
		out = append(out, phase{name: "purge", table: u.Table, scan: func(x *run) slice { return newReservationPurge(x, r, u) }})
	}
	return releasing(out, all)
}

// isNear reports whether a copy is compared page by page with its root: its partitions have the keys of the partitions of the root.
func isNear(r save.Versioned, c *plan.Projection) bool {
	return !c.InOtherPartition() && c.SourceKey != nil
}
