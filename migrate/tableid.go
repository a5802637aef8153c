package migrate

import (
	"crypto/sha1"
	"fmt"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// tableID derives the id of a table from a text (a version 5 UUID): nodes that
// are told to create one name at the same time then create one table.
func tableID(text string) gocql.UUID {
	space := gocql.UUID{0x3f, 0x1d, 0x0c, 0x52, 0x6a, 0x7e, 0x4b, 0x0e, 0x9c, 0x41, 0x5d, 0x2b, 0x88, 0xe0, 0x17, 0xa6}
	sum := sha1.Sum(append(space.Bytes(), text...))
	id := gocql.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return id
}

// withID returns the text of a step as it is sent: CREATE TABLE gets an id that
// follows from keyspace, table, the name of the folder and the number of the
// migration, unless it has one. A table that is dropped and created anew by a
// later migration, or by another folder, has another id, and so has one that the
// same file creates a second time.
func withID(s step, keyspace, folder string) string {
	st, _ := s.statement()
	ks, table, ok := createdTable(st.Text, keyspace)
	if !ok {
		return st.Text
	}
	generation := fmt.Sprint(s.file.Number)
	if again := createdBefore(s, ks, table, keyspace); again > 0 {
		generation += fmt.Sprintf(".%d", again+1)
	}
	if folder != "" {
		generation += "@" + folder
	}
	return insertID(st.Text, tableID(ks+"."+table+"."+generation))
}

// createdBefore counts the statements before a step's that create the same table.
func createdBefore(s step, ks, table, keyspace string) int {
	n := 0
	for _, st := range s.file.Statements[:s.record.count()] {
		if k, t, ok := createdTable(st.Text, keyspace); ok && k == ks && t == table {
			n++
		}
	}
	return n
}

// createdTable is the table that a statement creates.
func createdTable(statement, keyspace string) (ks, table string, ok bool) {
	r := &lex.Reader{Words: lex.Words(statement)}
	if !r.Accept("CREATE") || named(r) != tableObject {
		return "", "", false
	}
	r.Accept("IF", "NOT", "EXISTS")
	ks, table = r.Qualified(keyspace)
	return ks, table, !r.Failed && r.Peek().Is("(")
}

// insertID adds the property ID to a CREATE TABLE that has none.
func insertID(statement string, id gocql.UUID) string {
	r := &lex.Reader{Words: lex.Words(statement)}
	for !r.Peek().Is("(") {
		r.At++
	}
	columns := *r
	if tableProperty(r, "ID") != "" {
		return statement
	}
	r = &columns
	r.Accept("(")
	for r.Skip(); r.Accept(","); r.Skip() {
	}
	if !r.Accept(")") {
		return statement
	}
	closing := r.Words[r.At-1].To
	property := fmt.Sprintf(" WITH ID = %s", id)
	if !r.Accept("WITH") {
		return statement[:closing] + property + statement[closing:]
	}
	with := r.Words[r.At-1].To
	return statement[:with] + strings.TrimPrefix(property, " WITH") + " AND" + statement[with:]
}
