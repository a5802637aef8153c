package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// Change is one change of a keyspace: one of the structs below. [CallFunc] and [Backfill] change data, not the schema.
type Change interface {
	// String returns the statement without a semicolon, or the directive with its comment sign.
	String() string
	// apply changes a keyspace as the server would.
	apply(k *catalog.Keyspace) error
}

// CreateType creates a user-defined type.
type CreateType struct {
	Type    *schema.UDT
	Written *schema.UDT // the same type, as the model declares it
}

// AddField adds a field to a user-defined type.
type AddField struct {
	Type  string
	Field *schema.Field
}

// RenameField renames a field of a user-defined type.
type RenameField struct{ Type, From, To string }

// DropType drops a user-defined type.
type DropType struct{ Type string }

// ShareType declares the fields that the model needs of a type that another folder creates and alters.
type ShareType struct {
	Type *schema.UDT
	From string // the package of that folder
}

// UnshareType declares that the model no longer uses a type of another folder.
type UnshareType struct{ Type string }

// CreateTable creates a table.
type CreateTable struct {
	Table   *schema.Table
	Written *schema.Table // the same table, as the model declares it
}

// AddColumn adds a column to a table.
type AddColumn struct {
	Table  string
	Column *schema.Column
}

// RenameColumn renames a column of a primary key.
type RenameColumn struct{ Table, From, To string }

// DropColumn drops a column.
type DropColumn struct{ Table, Column string }

// SetProperties sets properties of a table.
type SetProperties struct {
	Table      string
	Properties []schema.Property
}

// DropTable drops a table.
type DropTable struct{ Table string }

// CreateIndex creates an index.
type CreateIndex struct {
	Table *schema.Table
	Index *schema.Index
}

// DropIndex drops an index.
type DropIndex struct{ Index string }

// CallFunc calls a Go function.
type CallFunc struct{ Name string }

// Backfill fills a redundant table from its source.
type Backfill struct{ Table string }

// Fields names the fields of a type with which a redundant table is created or filled, if the type has more.
type Fields struct {
	Table string
	Type  *schema.UDT
}

func (c CreateType) String() string { return c.Written.CQL() }

func (c CreateType) apply(k *catalog.Keyspace) error {
	own := *c.Type
	own.Fields = slices.Clone(own.Fields)
	return k.Execute(&ddl.CreateType{Target: target(own.Name), Type: &own})
}

func (c AddField) String() string {
	return fmt.Sprintf("ALTER TYPE %s ADD %s %s", model.Quote(c.Type), model.Quote(c.Field.Name), c.Field.Type)
}

func (c AddField) apply(k *catalog.Keyspace) error {
	own := *c.Field
	return k.Execute(&ddl.AddField{Target: target(c.Type), Field: &own})
}

func (c RenameField) String() string {
	return fmt.Sprintf("ALTER TYPE %s RENAME %s TO %s", model.Quote(c.Type), model.Quote(c.From), model.Quote(c.To))
}

func (c RenameField) apply(k *catalog.Keyspace) error {
	return k.Execute(&ddl.RenameFields{Target: target(c.Type), Names: []ddl.Rename{{From: c.From, To: c.To}}})
}

func (c DropType) String() string { return "DROP TYPE " + model.Quote(c.Type) }

func (c DropType) apply(k *catalog.Keyspace) error {
	return k.Execute(&ddl.DropType{Target: target(c.Type)})
}

func (c ShareType) String() string {
	var fields []string
	for _, f := range c.Type.Fields {
		fields = append(fields, model.Quote(f.Name)+" "+f.Type.String())
	}
	return fmt.Sprintf("-- aml:shared %s (%s) from %s", model.Quote(c.Type.Name), strings.Join(fields, ", "), c.From)
}

func (c ShareType) apply(k *catalog.Keyspace) error {
	own := *c.Type
	return k.Share(&own, c.From)
}

func (c UnshareType) String() string { return "-- aml:unshared " + c.Type }

func (c UnshareType) apply(k *catalog.Keyspace) error { return DropType(c).apply(k) }

func (c CreateTable) String() string { return c.Written.CQL() }

func (c CreateTable) apply(k *catalog.Keyspace) error {
	own := *c.Table
	own.Indexes = nil // each index is a separate change
	return k.Execute(&ddl.CreateTable{Target: target(own.Name), Table: &own})
}

func (c AddColumn) String() string {
	static := ""
	if c.Column.Kind == schema.Static {
		static = " STATIC"
	}
	return fmt.Sprintf("ALTER TABLE %s ADD %s %s%s", model.Quote(c.Table), model.Quote(c.Column.Name), c.Column.Type, static)
}

func (c AddColumn) apply(k *catalog.Keyspace) error {
	own := *c.Column
	return k.Execute(&ddl.AddColumns{Target: target(c.Table), Columns: []*schema.Column{&own}})
}

func (c RenameColumn) String() string {
	return fmt.Sprintf("ALTER TABLE %s RENAME %s TO %s", model.Quote(c.Table), model.Quote(c.From), model.Quote(c.To))
}

func (c RenameColumn) apply(k *catalog.Keyspace) error {
	return k.Execute(&ddl.RenameColumns{Target: target(c.Table), Names: []ddl.Rename{{From: c.From, To: c.To}}})
}

func (c DropColumn) String() string {
	return fmt.Sprintf("ALTER TABLE %s DROP %s", model.Quote(c.Table), model.Quote(c.Column))
}

func (c DropColumn) apply(k *catalog.Keyspace) error {
	return k.Execute(&ddl.DropColumns{Target: target(c.Table), Columns: []string{c.Column}})
}

func (c SetProperties) String() string {
	var set []string
	for _, p := range c.Properties {
		set = append(set, p.Name+" = "+p.Value)
	}
	return fmt.Sprintf("ALTER TABLE %s WITH %s", model.Quote(c.Table), strings.Join(set, "\n    AND "))
}

func (c SetProperties) apply(k *catalog.Keyspace) error {
	return k.SetProperties(c.Table, c.Properties)
}

func (c DropTable) String() string { return "DROP TABLE " + model.Quote(c.Table) }

func (c DropTable) apply(k *catalog.Keyspace) error {
	return k.Execute(&ddl.DropTable{Target: target(c.Table)})
}

func (c CreateIndex) String() string { return c.Index.CQL(c.Table) }

func (c CreateIndex) apply(k *catalog.Keyspace) error { return k.AddIndex(c.Table.Name, c.Index) }

func (c DropIndex) String() string { return "DROP INDEX " + model.Quote(c.Index) }

func (c DropIndex) apply(k *catalog.Keyspace) error {
	return k.Execute(&ddl.DropIndex{Target: target(c.Index)})
}

func (c CallFunc) String() string { return "-- aml:func " + c.Name }

func (c CallFunc) apply(*catalog.Keyspace) error { return nil }

func (c Backfill) String() string { return "-- aml:backfill " + c.Table }

func (c Backfill) apply(*catalog.Keyspace) error { return nil }

func (c Fields) String() string {
	var names []string
	for _, name := range fieldNames(c.Type) {
		names = append(names, model.Quote(name))
	}
	return fmt.Sprintf("-- aml:fields %s %s (%s)", model.Quote(c.Table), model.Quote(c.Type.Name), strings.Join(names, ", "))
}

func (c Fields) apply(*catalog.Keyspace) error { return nil }

func target(name string) ddl.Target { return ddl.Target{Name: name} }

func fieldNames(u *schema.UDT) []string {
	var names []string
	for _, f := range u.Fields {
		names = append(names, f.Name)
	}
	return names
}
