// Package reconcile compares the copies of roots with the rows of the roots, and repairs the differences. [Run] scans whole tables, [Row] examines
// one row, and [Restamp] writes one row again. A difference that a scan finds is read again before it is repaired, because other programs write
// at the same time.
package reconcile
