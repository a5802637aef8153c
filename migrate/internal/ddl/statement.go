package ddl

import (
	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/aml/schema"
)

// Statement is a statement that changes types, tables, indexes or views: a pointer to one of the structs below. Some have a Fault: the
// reason why the server refuses the statement although it can be parsed. The server checks for it only if there is something to do: if IF
// NOT EXISTS finds the object, it accepts the statement.
type Statement interface {
	// On returns the object that the statement creates, alters or drops.
	On() Target
}

// Target is the name of a type, table, index or view.
type Target struct {
	Keyspace string // "" for the keyspace of the session
	Name     string // "" for an index whose name the server chooses
}

// On returns the target.
func (t Target) On() Target { return t }

// CreateType is CREATE TYPE.
type CreateType struct {
	Target
	Type        *schema.UDT
	IfNotExists bool
	Fault       error
}

// AddField is ALTER TYPE … ADD.
type AddField struct {
	Target
	Field            *schema.Field
	IfExists         bool
	IfFieldNotExists bool
	Fault            error
}

// RenameFields is ALTER TYPE … RENAME.
type RenameFields struct {
	Target
	Names         []Rename
	IfExists      bool
	IfFieldExists bool
}

// Rename is an old name and a new one.
type Rename struct{ From, To string }

// DropType is DROP TYPE.
type DropType struct {
	Target
	IfExists bool
}

// CreateTable is CREATE TABLE.
type CreateTable struct {
	Target
	Table       *schema.Table // has no properties
	Properties  map[string]property.Value
	IfNotExists bool
	Closing     int // the offset after the parenthesis that ends the columns; 0 if it was not reached
	With        int // the offset after WITH; 0 without it
	Fault       error
}

// AddColumns is ALTER TABLE … ADD.
type AddColumns struct {
	Target
	Columns           []*schema.Column
	IfExists          bool
	IfColumnNotExists bool
	Fault             error
}

// DropColumns is ALTER TABLE … DROP.
type DropColumns struct {
	Target
	Columns        []string
	IfExists       bool
	IfColumnExists bool
}

// RenameColumns is ALTER TABLE … RENAME.
type RenameColumns struct {
	Target
	Names          []Rename
	IfExists       bool
	IfColumnExists bool
}

// SetProperties is ALTER TABLE … WITH, or ALTER … MASKED without properties.
type SetProperties struct {
	Target
	Properties map[string]property.Value
	IfExists   bool
}

// DropTable is DROP TABLE.
type DropTable struct {
	Target
	IfExists bool
}

// CreateIndex is CREATE [CUSTOM] INDEX.
type CreateIndex struct {
	Target
	Table       string
	Column      string
	Function    string // keys, values, entries or full; "" for the column itself
	More        bool   // it has more than one column
	Class       string // the result of indexname.Class; "" if the statement has none
	Options     map[string]string
	IfNotExists bool
}

// DropIndex is DROP INDEX.
type DropIndex struct {
	Target
	IfExists bool
}

// CreateView is CREATE MATERIALIZED VIEW. Its selection, key and properties are not parsed.
type CreateView struct {
	Target
	Base        string // the table
	IfNotExists bool
}

// DropView is DROP MATERIALIZED VIEW.
type DropView struct {
	Target
	IfExists bool
}
