// Package ownfile writes and compares the files that aml writes, and does not overwrite files that it has not written.
package ownfile
