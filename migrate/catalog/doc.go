// Package catalog reads what a keyspace consists of: from the statements of a folder of migrations, from a live keyspace, or
// from a model. All three give a [Keyspace], which can be compared and rendered.
package catalog
