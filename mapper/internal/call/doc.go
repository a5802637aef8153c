// Package call implements the calls of generated stores on single rows, partitions and batches: it encodes values, plans writes, sends them
// within the time limit of the call, repeats requests that are safe to repeat, decodes rows, and converts failures to errors of package
// mapper. It handles values as untyped pointers to the struct of a table, because a generic type is compiled for every struct in every
// package that uses it. Package gen has the generic methods on top of it.
//
// A call uses these types:
//
//   - [DB]: the open store with its options, clock, tracer and checks of the database;
//   - [Codec]: converts a struct to a row of encoded cells, and back;
//   - [Reader] and [Query]: reads by key, by partition and by an index;
//   - [Root]: writes of a root and all its copies, planned by package plan, sent by package store.
//
// Packages scan, save and reconcile build on it, in this order. Each uses only the packages before it.
package call
