package codegen

import (
	"fmt"
	"strings"
)

// methodDocs are the comments of a root's methods: the requests that each makes, what is atomic, and its errors.
type methodDocs struct {
	Insert, Put, Change, Import, Update, Delete string
}

// commentWidth is the greatest length of a line of a comment, without the slashes.
const commentWidth = 122

// methodDocs returns the comments of the methods of a root, once its copies are known.
func (v *tableView) methodDocs() methodDocs {
	if len(v.Copies) == 0 {
		return methodDocs{
			Insert: doc("Insert writes v in one statement. Its identifier must be new: over a row that is there, the cells of absent fields stay."),
			Put:    doc("Put writes v in one statement, whether its row is there or not; absent fields become null."),
			Change: doc("Change writes what differs between old and new in one statement. It does not read: old must be what the table has. " +
				"mapper.ErrKeyChanged when the identifiers differ."),
			Import: doc("%s", importDoc("", "")),
			Update: doc("Update reads one %s, calls change with it and writes what change has changed, in one statement. %s", v.Struct, updateLimits),
			Delete: doc("Delete deletes one %s in one statement. To delete a row that is not there is no error.", v.Struct),
		}
	}
	all := v.copyNames()
	return methodDocs{
		Insert: doc("Insert writes v and its rows in %s as one logged batch. Its identifier must be new: over a row that is there, old cells "+
			"and old copies stay.", all),
		Put: doc("Put reads the row of v and writes v and its rows in %s as one logged batch, whether there was a row or not. It is not atomic: of two "+
			"writes of one cell at the same time, one is lost.", all),
		Change: doc("Change writes what differs between old and new, in %s too, as one logged batch. It does not read: old must be what the table has. "+
			"mapper.ErrKeyChanged when the identifiers differ.", all),
		Import: doc("%s", importDoc(" and its rows in "+all, "It reads before and after the write. ")),
		Update: doc("Update reads one %s, calls change with it and writes what change has changed, in %s too, as one logged batch. %s", v.Struct, all, updateLimits),
		Delete: doc("%s To delete a row that is not there is no error.", v.deleteDoc()),
	}
}

const updateLimits = "An error of change is returned as it is, and nothing is written. It is not atomic: of two Updates of one cell at the same " +
	"time, one is lost. mapper.ErrNotFound when there is no row."

func importDoc(copies, reads string) string {
	return "Import writes v" + copies + " at the time mapper.Options.Timestamp, which the store must have, unless a cell of the row was written at that time or " +
		"later. " + reads + "Written reports whether v was written."
}

// deleteDoc returns what Delete deletes. Rows of shared copies stay. The row is read first where the keys of rows of copies have more than
// its key.
func (v *tableView) deleteDoc() string {
	var deleted []string
	reads := false
	for _, c := range v.Copies {
		if !c.Shared {
			deleted = append(deleted, c.Name)
			reads = reads || !c.Range
		}
	}
	text := "Delete deletes one " + v.Struct
	if deleted != nil {
		text += " and its rows in " + list(deleted) + " as one logged batch"
	}
	if reads {
		text += ", after a read of the row"
	}
	return text + "."
}

// copyNames returns the names of the tables of the copies: "a, b and c".
func (v *tableView) copyNames() string {
	var names []string
	for _, c := range v.Copies {
		names = append(names, c.Name)
	}
	return list(names)
}

// claimed returns the names of the copies of which a row can belong to another root.
func (v *tableView) claimed() string {
	var names []string
	for _, c := range v.Copies {
		if c.Owner != nil {
			names = append(names, c.Name)
		}
	}
	return list(names)
}

// list returns names as a sentence has them: "a, b and c".
func list(names []string) string {
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return strings.Join(names, "")
}

// doc returns the lines of a comment.
func doc(format string, args ...any) string {
	var b strings.Builder
	length := 0
	for word := range strings.FieldsSeq(fmt.Sprintf(format, args...)) {
		switch {
		case length == 0:
			b.WriteString("// ")
		case length+1+len(word) > commentWidth:
			b.WriteString("\n// ")
			length = 0
		default:
			b.WriteString(" ")
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String()
}
