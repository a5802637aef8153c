package schemachange

import (
	"github.com/google/uuid"

	"github.com/cassaml/cassaml/mapper/driver"
)

// space is the namespace of the IDs of tables.
var space = uuid.MustParse("3f1d0c52-6a7e-4b0e-9c41-5d2b88e017a6")

// TableID derives the id of a table from a text (a version 5 UUID). Nodes that create the same name at the same time thus create one table.
func TableID(text string) uuid.UUID { return uuid.NewSHA1(space, []byte(text)) }

// TableMissing reports whether the error of a query can mean that its table does not exist. While a node creates a table, it knows the name
// before it can read the table, and returns a server error ("Unknown CF"). Both codes have other meanings, too.
func TableMissing(err error) bool {
	code, answered := driver.Code(err)
	return answered && (code == driver.CodeInvalid || code == driver.CodeServer)
}
