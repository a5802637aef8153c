// Package storetest contains what the tests of generated stores share: keyspaces with the tables of a model, jobs and what their
// tables must hold, random writes, and a tracer that records requests. It is for tests.
package storetest
