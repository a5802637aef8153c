// Package gocqldriver lets stores and migrations use sessions of github.com/gocql/gocql, which github.com/scylladb/gocqlx/v2 wraps.
package gocqldriver
