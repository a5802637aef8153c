// Package scan reads whole tables: [Table] and [All] for callers, and [PageScan] and [RowScan] for backfills and Reconcile, which do something
// with each row. A table is read in slices of the token ring, several at a time, which several processes can divide among themselves. A scan
// saves checkpoints, from which another one continues.
package scan
