package catalog

import "github.com/cassaml/cassaml/aml/schema"

// Statement is a statement that changes types, tables or indexes: one of the structs below. The fault that some have is why
// the server refuses them although they can be read. It looks for it only when there is something to do: where IF EXISTS finds
// nothing, or IF NOT EXISTS something, the statement is taken with its fault.
type Statement interface {
	// apply changes a keyspace as the server would. What the server would refuse is an error.
	apply(k *Keyspace) error
}

// CreateType is CREATE TYPE.
type CreateType struct {
	Type        *schema.UDT
	IfNotExists bool

	fault error // why the server refuses it when there is something to do
}

// AddField is ALTER TYPE … ADD.
type AddField struct {
	Type             string
	Field            *schema.Field
	IfExists         bool
	IfFieldNotExists bool

	fault error // why the server refuses it when there is something to do
}

// RenameFields is ALTER TYPE … RENAME.
type RenameFields struct {
	Type          string
	Names         []Rename
	IfExists      bool
	IfFieldExists bool
}

// Rename is an old name and a new one.
type Rename struct{ From, To string }

// DropType is DROP TYPE.
type DropType struct {
	Name     string
	IfExists bool
}

// CreateTable is CREATE TABLE.
type CreateTable struct {
	Table       *schema.Table
	IfNotExists bool

	fault error // why the server refuses it when there is something to do
}

// AddColumns is ALTER TABLE … ADD.
type AddColumns struct {
	Table             string
	Columns           []*schema.Column
	IfExists          bool
	IfColumnNotExists bool

	fault error // why the server refuses it when there is something to do
}

// DropColumns is ALTER TABLE … DROP.
type DropColumns struct {
	Table          string
	Columns        []string
	IfExists       bool
	IfColumnExists bool
}

// RenameColumns is ALTER TABLE … RENAME.
type RenameColumns struct {
	Table          string
	Names          []Rename
	IfExists       bool
	IfColumnExists bool
}

// SetOptions is ALTER TABLE … WITH. The values are in the canonical form, see [Value].
type SetOptions struct {
	Table    string
	Options  map[string]string
	IfExists bool
}

// DropTable is DROP TABLE.
type DropTable struct {
	Name     string
	IfExists bool
}

// CreateIndex is CREATE [CUSTOM] INDEX. Without a name the server makes one of the table and the column.
type CreateIndex struct {
	Table       string
	Name        string
	IfNotExists bool

	spec  indexSpec}

// DropIndex is DROP INDEX.
type DropIndex struct {
	Name     string
	IfExists bool
}

// CreateView is CREATE MATERIALIZED VIEW. What it selects, its key and its properties are not read.
type CreateView struct {
	Name        string
	Base        string // the table
	IfNotExists bool
}

// DropView is DROP MATERIALIZED VIEW.
type DropView struct {
	Name     string
	IfExists bool
}

// Elsewhere is a statement that names a keyspace, and changes nothing in the one at hand: which one that is, the statements
// of a folder do not know.
type Elsewhere struct{ Keyspace string }
