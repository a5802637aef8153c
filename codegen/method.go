package codegen

import (
	"fmt"
	"strings"
)

// commentWidth is the maximum length of a line of a comment, without the slashes.
const commentWidth = 122

// methodDocs returns the comments of the methods of a root, once its copies are known.
func (v *tableView) methodDocs() methodDocs {
	if len(v.Copies) == 0 {
		return methodDocs{
			Insert: doc("Insert writes v in one statement. Its identifier must be new: in an existing row, the cells of absent fields stay."),
			Put:    doc("Put writes v in one statement, whether its row exists or not; absent fields become null."),
			Change: doc("Change writes the differences between old and new in one statement. It does not read: old must be equal to the stored row. " +
				"It returns mapper.ErrKeyChanged if the identifiers differ."),
			Import: doc("%s", importDoc("", "")),
			Update: doc("Update reads one %s, calls change with it and writes the changes in one statement. %s", v.Struct, updateLimits),
			Delete: doc("Delete deletes one %s%s.%s It is not an error if the row does not exist.", v.Struct, v.inOneWrite(), v.deletePartsDoc()),
		}
	}
	all := v.copyNames()
	return methodDocs{
		Insert: doc("Insert writes v and its rows in %s as one logged batch. Its identifier must be new: if the row exists, old cells "+
			"and old copies stay.", all),
		Put: doc("Put reads the row of v and writes v and its rows in %s as one logged batch, whether there was a row or not. It is not atomic: of two "+
			"concurrent writes of one cell, one is lost.", all),
		Change: doc("Change writes the differences between old and new, also in %s, as one logged batch. It does not read: old must be equal to the stored row. "+
			"It returns mapper.ErrKeyChanged if the identifiers differ.", all),
		Import: doc("%s", importDoc(" and its rows in "+all, "It reads before and after the write. ")),
		Update: doc("Update reads one %s, calls change with it and writes the changes, also in %s, as one logged batch. %s", v.Struct, all, updateLimits),
		Delete: doc("%s%s It is not an error if the row does not exist.", v.deleteDoc(), v.deletePartsDoc()),
	}
}

const updateLimits = "It returns an error of change, and mapper.ErrNotFound if there is no row. It is not atomic: of two concurrent Updates of one " +

	"cell, one is lost."

func importDoc(copies, reads string) string {
	return "Import writes v" + copies + " at the time mapper.Options.Timestamp, which must be set, unless a cell of the row was written at that time or " +
		"later. " + reads + "The first result reports whether v was written."
}

// deleteDoc returns the comment of Delete. Rows of shared copies stay. The row is read first if the keys of copies have columns
// outside its key.
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

// inOneWrite returns how a row without copies is deleted.
func (v *tableView) inOneWrite() string {
	if len(v.SeparateParts()) > 0 {
		return " in one write"
	}
	return " in one statement"
}

// copyNames returns the names of the tables of the copies: "a, b and c".
func (v *tableView) copyNames() string {
	var names []string
	for _, c := range v.Copies {
		names = append(names, c.Name)
	}
	return list(names)
}

// claimed returns the names of the copies whose rows can belong to another root.
func (v *tableView) claimed() string {
	var names []string
	for _, c := range v.Copies {
		if c.Owned {
			names = append(names, c.Name)
		}
	}
	return list(names)
}

// list returns names as text: "a, b and c".
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
