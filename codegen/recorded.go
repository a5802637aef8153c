package codegen

import (
	"bytes"
	"fmt"
	"strings"
)

// SchemaFile is the name of the file with the schema in the folder of a model, for reviewers and for tools that read CQL. It records where the store is.
const SchemaFile = "schema.cql"

// Recorded is where the store of a model is, as its schema.cql records it.
type Recorded struct {
	Package string // package name
	Folder  string // relative to the folder of the model, with slashes
}

// recordedStore begins the line of schema.cql.
const recordedStore = "-- Its store is package "

// Line returns the line of schema.cql.
func (r Recorded) Line() string { return fmt.Sprintf("%s%s in %s", recordedStore, r.Package, r.Folder) }

// RecordedStore returns the place of the store that the text of schema.cql records; ok is false if the store is in the package of the model.
func RecordedStore(schema []byte) (r Recorded, ok bool) {
	text := secondLine(schema)
	if text, ok = strings.CutPrefix(text, recordedStore); !ok {
		return r, false
	}
	r.Package, r.Folder, ok = strings.Cut(text, " in ")
	return r, ok
}

// RecordedDriver returns the driver of a store; Gocql for an empty text.
func RecordedDriver(store []byte) string {
	if secondLine(store) == RecordedApache {
		return Apache
	}
	return Gocql
}

// RecordedModel returns the import path of the model of a store that is in another package; "" for a store in the package of its model.
func RecordedModel(store []byte) string {
	head, _, _ := bytes.Cut(store, []byte("\npackage "))
	for line := range strings.SplitSeq(string(head), "\n") {
		if path, ok := strings.CutPrefix(line, recordedModel); ok {
			return path
		}
	}
	return ""
}

// secondLine returns the second line of a file.
func secondLine(text []byte) string {
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return string(line)
}
