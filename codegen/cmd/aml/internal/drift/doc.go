// Package drift compares a live keyspace with a model.
package drift
