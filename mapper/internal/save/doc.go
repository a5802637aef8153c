// Package save writes roots that have a version. A save is a conditional statement on the row of the root, which is refused if another save has
// changed the row since it was read. Logged batches then bring the copies to the new version. Unique values are claimed before the save and
// released after it. docs/internals/consistency.md has the rules, and why each is needed.
//
// [Versioned] has the calls of a store, and [Call] is the state of one of them. The package also has the operations on all rows of a
// versioned root: the function that assigns versions, and backfills.
package save
