package catalog

// Note is something of a live keyspace that a [Keyspace] has no place for: what it is, what it is called, and the words to
// tell a reader. Nothing of what a keyspace holds is left out without one.
type Note struct {
	Object string // such as "materialized view"
	Name   string // as CQL writes it
	Table  string // that it belongs to, by its name; "" for none
	Text   string // what it is, in one line
}

// String returns one line: object name: text.
func (n Note) String() string { return n.Object + " " + n.Name + ": " + n.Text }
