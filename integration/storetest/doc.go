// Package storetest contains helpers for tests of generated stores: keyspaces with the tables of a model, jobs and the
// expected content of their tables, random writes, and a tracer that records requests. It is for tests.
package storetest
