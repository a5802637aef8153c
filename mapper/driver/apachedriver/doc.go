// Package apachedriver lets stores and migrations use sessions of github.com/apache/cassandra-gocql-driver/v2.
package apachedriver
