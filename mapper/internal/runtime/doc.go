// Package runtime carries out the methods of generated stores: it encodes values, plans writes, sends them within the time of
// the call, repeats what is safe to repeat, decodes rows, and turns what fails into errors of package mapper. Values come and go
// without their type, as pointers to the struct of a table, because a generic type is compiled for every struct in every package
// that uses it; package gen has the generic methods over it.
//
// A call goes through these types:
//
//   - [DB]: the open store with its options, clock, tracer and checks of the database;
//   - [Codec]: from a struct to a row of encoded cells and back;
//   - [Reader] and [Query]: reads by key, by partition and by an index;
//   - [Root]: writes of a root and all its copies, planned by package plan, sent by package store.
package runtime
