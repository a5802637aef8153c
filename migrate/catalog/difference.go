package catalog

import "strings"

// Difference is one thing in which two keyspaces differ. Have and Want say what either has, in the words of CQL (of a whole
// type or table the statement that creates it); an empty one has nothing there.
type Difference struct {
	Type     string // a user-defined type, or
	Table    string // a table, by its name, and in it
	Column   string // a column of the table or a field of the type,
	Index    string // an index of the table,
	Property string // or a property of the table; none of the three is the type or table itself
	Have     string
	Want     string
}

// String returns one line, such as "table customers, column name: has int, not text".
func (d Difference) String() string { return d.Subject() + ": " + d.verdict() }

// Subject returns what differs, such as "table customers, column name".
func (d Difference) Subject() string {
	of := "table " + d.Table
	member := "column"
	if d.Type != "" {
		of, member = "type "+d.Type, "field"
	}
	switch {
	case d.Column != "":
		return of + ", " + member + " " + d.Column
	case d.Index != "":
		return of + ", index " + d.Index
	case d.Property != "":
		return of + ", property " + d.Property
	}
	return of
}

func (d Difference) verdict() string {
	whole := d.Column == "" && d.Index == "" && d.Property == ""
	switch {
	case whole && d.Have == "":
		return "is missing"
	case whole && d.Want == "":
		return "is there and should not be"
	case d.Property != "" && d.Have == "":
		return "has the server's default, not " + oneLine(d.Want)
	case d.Property != "" && d.Want == "":
		return "has " + oneLine(d.Have) + ", not the server's default"
	case d.Have == "":
		return "is missing: " + oneLine(d.Want)
	case d.Want == "":
		return "is there and should not be: " + oneLine(d.Have)
	}
	return "has " + oneLine(d.Have) + ", not " + oneLine(d.Want)
}

// oneLine joins the lines of a statement.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
