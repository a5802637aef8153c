package codegen

import (
	"bytes"
	"fmt"
	"go/token"
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

// RecordedStore returns the place of the store that the text of schema.cql records; nil if the store is in the package of the model. The
// error is about a record that cannot be used, without the name of the file.
func RecordedStore(schema []byte) (*Recorded, error) {
	text, ok := strings.CutPrefix(secondLine(schema), recordedStore)
	if !ok {
		return nil, nil
	}
	r := &Recorded{}
	r.Package, r.Folder, _ = strings.Cut(text, " in ")
	const fix = "write the line as in " + recordedStore + "store in ../store"
	switch {
	case r.Folder == "":
		return nil, fmt.Errorf("the record of the store has no folder: %s", fix)
	case !IsPackageName(r.Package):
		return nil, fmt.Errorf("the record of the store names package %q, which other packages cannot import: %s", r.Package, fix)
	}
	return r, nil
}

// IsPackageName reports whether a package of a store can have a name: other packages import it.
func IsPackageName(name string) bool {
	return token.IsIdentifier(name) && name != "_" && name != "main" && !strings.HasSuffix(name, "_test")
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
			return strings.TrimSuffix(path, "\r")
		}
	}
	return ""
}

// secondLine returns the second line of a file. Git can write the end of a line as \r\n.
func secondLine(text []byte) string {
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return strings.TrimSuffix(string(line), "\r")
}
