package schemachange

import (
	"crypto/sha1"
	"errors"

	"github.com/gocql/gocql"
)

// TableID derives the id of a table from a text (a version 5 UUID). Nodes that create the same name at the same time thus create one table.
func TableID(text string) gocql.UUID {
	space := gocql.UUID{0x3f, 0x1d, 0x0c, 0x52, 0x6a, 0x7e, 0x4b, 0x0e, 0x9c, 0x41, 0x5d, 0x2b, 0x88, 0xe0, 0x17, 0xa6}
	sum := sha1.Sum(append(space.Bytes(), text...))
	id := gocql.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return id
}

// TableMissing reports whether the error of a query can mean that its table does not exist. While a node creates a table, it knows the name
// before it can read the table, and returns a server error ("Unknown CF"). Both codes have other meanings, too.
func TableMissing(err error) bool {
	e, ok := errors.AsType[gocql.RequestError](err)
	return ok && (e.Code() == gocql.ErrCodeInvalid || e.Code() == gocql.ErrCodeServer)
}
