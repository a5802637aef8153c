package simulation

import (
	"log/slog"
	"time"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
)

// This file contains what the generator would write for a versioned aggregate with a unique value and three redundant tables.

type customer struct {
	ID      int32
	Name    string
	City    string
	Email   string
	Plates  map[string]struct{}
	Version int64
}

const (
	customerID = iota
	customerName
	customerCity
	customerEmail
	customerPlates
	customerVersion
	customerPending
	customerAttempts
	customerDeleted
	customerColumns
)

var customersTable = &descriptor.Table{
	Name: "customers", Aggregate: "Customer", Partition: 1, Key: 1, Hidden: 3, Deleted: customerDeleted,
	Columns: []descriptor.Column{
		{Name: "id", CQL: "id", Field: "ID", Kind: projection.PartitionKey, Type: "int"},
		{Name: "name", CQL: "name", Field: "Name", Kind: projection.Regular, Type: "text"},
		{Name: "city", CQL: "city", Field: "City", Kind: projection.Regular, Type: "text"},
		{Name: "email", CQL: "email", Field: "Email", Kind: projection.Regular, Type: "text"},
		{Name: "plates", CQL: "plates", Field: "Plates", Kind: projection.Regular, Type: "set<text>", Cells: projection.Set},
		{Name: "version", CQL: "version", Field: "Version", Kind: projection.Regular, Type: "bigint"},
		{Name: "aml_pending", CQL: "aml_pending", Kind: projection.Regular, Type: "map<blob, bigint>", Cells: projection.Map},
		{Name: "aml_attempts", CQL: "aml_attempts", Kind: projection.Regular, Type: "frozen<list<uuid>>"},
		{Name: "aml_deleted", CQL: "aml_deleted", Kind: projection.Regular, Type: "boolean"},
	},
	Select: "SELECT id, name, city, email, plates, version, aml_pending, aml_attempts, aml_deleted FROM customers",
	Get:    "SELECT id, name, city, email, plates, version, aml_pending, aml_attempts, aml_deleted FROM customers WHERE id = ?",
}

var doneTable = &descriptor.Table{
	Name: "customers__sync", Aggregate: "Customer", Partition: 1, Key: 1,
	Columns: []descriptor.Column{
		{Name: "id", CQL: "id", Kind: projection.PartitionKey, Type: "int"},
		{Name: "aml_ver", CQL: "aml_ver", Kind: projection.Regular, Type: "bigint"},
	},
	Insert: "INSERT INTO customers__sync (id, aml_ver) VALUES (?, ?) USING TIMESTAMP ? AND TTL ?",
	Delete: "DELETE FROM customers__sync USING TIMESTAMP ? WHERE id = ?",
	Select: "SELECT id, aml_ver FROM customers__sync",
	Get:    "SELECT id, aml_ver FROM customers__sync WHERE id = ?",
}

var emailTable = &descriptor.Table{
	Name: "customers__email_unique", Aggregate: "Customer", Partition: 1, Key: 1,
	Columns: []descriptor.Column{
		{Name: "email", CQL: "email", Field: "Email", Kind: projection.PartitionKey, Type: "text"},
		{Name: "aml_owner_id", CQL: "aml_owner_id", Kind: projection.Regular, Type: "int"},
		{Name: "aml_at", CQL: "aml_at", Kind: projection.Regular, Type: "bigint"},
		{Name: "aml_floor", CQL: "aml_floor", Kind: projection.Regular, Type: "bigint"},
	},
	Select: "SELECT email, aml_owner_id, aml_at, aml_floor FROM customers__email_unique",
	Get:    "SELECT email, aml_owner_id, aml_at, aml_floor FROM customers__email_unique WHERE email = ?",
}

var vehiclesTable = &descriptor.Table{
	Name: "vehicles", Aggregate: "Vehicle", Partition: 1, Key: 2,
	Columns: []descriptor.Column{
		{Name: "plate", CQL: "plate", Field: "Plate", Kind: projection.PartitionKey, Type: "text"},
		{Name: "owner", CQL: "owner", Field: "Owner", Kind: projection.ClusteringKey, Type: "int"},
		{Name: "name", CQL: "name", Field: "Name", Kind: projection.Regular, Type: "text"},
		{Name: "city", CQL: "city", Field: "City", Kind: projection.Regular, Type: "text"},
	},
	Insert: "INSERT INTO vehicles (plate, owner, name, city) VALUES (?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?",
	Delete: "DELETE FROM vehicles USING TIMESTAMP ? WHERE plate = ? AND owner = ?",
	Select: "SELECT plate, owner, name, city FROM vehicles",
	Get:    "SELECT plate, owner, name, city FROM vehicles WHERE plate = ? AND owner = ?",
}

var byCityTable = &descriptor.Table{
	Name: "customers_by_city", Aggregate: "CustomerByCity", Partition: 1, Key: 2,
	Columns: []descriptor.Column{
		{Name: "city", CQL: "city", Field: "City", Kind: projection.PartitionKey, Type: "text"},
		{Name: "id", CQL: "id", Field: "ID", Kind: projection.ClusteringKey, Type: "int"},
		{Name: "name", CQL: "name", Field: "Name", Kind: projection.Regular, Type: "text"},
	},
	Insert: "INSERT INTO customers_by_city (city, id, name) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?",
	Delete: "DELETE FROM customers_by_city USING TIMESTAMP ? WHERE city = ? AND id = ?",
	Select: "SELECT city, id, name FROM customers_by_city",
	Get:    "SELECT city, id, name FROM customers_by_city WHERE city = ? AND id = ?",
}

// byEmailTable has one row for each email. Of two roots that have the email one after the other, the later one has the row.
var byEmailTable = &descriptor.Table{
	Name: "customers_by_email", Aggregate: "CustomerByEmail", Partition: 1, Key: 1,
	Columns: []descriptor.Column{
		{Name: "email", CQL: "email", Field: "Email", Kind: projection.PartitionKey, Type: "text"},
		{Name: "id", CQL: "id", Field: "ID", Kind: projection.Regular, Type: "int"},
		{Name: "name", CQL: "name", Field: "Name", Kind: projection.Regular, Type: "text"},
	},
	Insert: "INSERT INTO customers_by_email (email, id, name) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?",
	Delete: "DELETE FROM customers_by_email USING TIMESTAMP ? WHERE email = ?",
	Select: "SELECT email, id, name FROM customers_by_email",
	Get:    "SELECT email, id, name FROM customers_by_email WHERE email = ?",
}

var customersAggregate = plan.Link(descriptor.Aggregate{
	Root: customersTable,
	Copies: []descriptor.Projection{
		{Table: vehiclesTable, Ops: []projection.Op{{Code: projection.Each, Src: customerPlates, Dst: customerColumns}},
			Columns: []uint16{customerColumns, customerID, customerName, customerCity}, SourceKey: []projection.Place{{Column: 1, Field: -1}}},
		{Table: byCityTable, Ops: []projection.Op{{Code: projection.Need, Src: customerCity}},
			Columns: []uint16{customerCity, customerID, customerName}, SourceKey: []projection.Place{{Column: 1, Field: -1}}},
		{Table: byEmailTable, Ops: []projection.Op{{Code: projection.Need, Src: customerEmail}},
			Columns: []uint16{customerEmail, customerID, customerName}, SourceKey: []projection.Place{{Column: 1, Field: -1}}, ByUnique: 1, ByColumns: []uint16{0}},
	},
	Versioning: &descriptor.Versioning{
		Version: customerVersion, Pending: customerPending, Attempts: customerAttempts, Deleted: customerDeleted,
		Insert: "INSERT INTO customers (id, name, city, email, plates, version, aml_pending, aml_attempts, aml_deleted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) IF NOT EXISTS",
		Save: "UPDATE customers SET name = ?, city = ?, email = ?, plates = ?, version = ?, aml_pending = ?, aml_attempts = ?, aml_deleted = ? " +
			"WHERE id = ? IF version = ?",
		Change: "UPDATE customers SET name = ?, city = ?, email = ?, plates = ?, version = ?, aml_attempts = ?, aml_deleted = ?, " +
			"aml_pending = aml_pending + ?, aml_pending = aml_pending - ? WHERE id = ? IF version = ?",
		Done: doneTable,
		Uniques: []descriptor.Unique{{
			Table: emailTable, Field: "Email", Of: descriptor.Projection{Columns: []uint16{customerEmail}},
			Insert: "INSERT INTO customers__email_unique (email, aml_owner_id, aml_at, aml_floor) VALUES (?, ?, ?, ?) IF NOT EXISTS",
			Update: "UPDATE customers__email_unique SET aml_owner_id = ?, aml_at = ?, aml_floor = ? WHERE email = ? IF aml_owner_id = ? AND aml_at = ? AND aml_floor = ?",
		}},
	},
})

var customersSchema = &descriptor.Schema{
	Tables:     []*descriptor.Table{customersTable, doneTable, emailTable, vehiclesTable, byCityTable, byEmailTable},
	Aggregates: []*descriptor.Aggregate{customersAggregate.Aggregate},
}

// customerCodec encodes customers.
type customerCodec struct{}

func text(e *cell.Encoder, s string) {
	if s == "" {
		e.Null()
	} else {
		e.Text(s)
	}
}

func (customerCodec) ComputeAny(*cell.Encoder, any)    {}
func (customerCodec) ComputeKeyAny(*cell.Encoder, any) {}

func (customerCodec) EncodeAny(e *cell.Encoder, v any) {
	c, ok := v.(*customer)
	if !ok {
		c = new(customer)
	}
	e.Int(c.ID)
	text(e, c.Name)
	text(e, c.City)
	text(e, c.Email)
	cell.EncodeSet(e, c.Plates, (*cell.Encoder).Text)
	e.Bigint(c.Version)
}

func (customerCodec) DecodeAny(d *cell.Decoder) any {
	c := new(customer)
	c.ID, c.Name, c.City, c.Email = d.Int(), d.Text(), d.Text(), d.Text()
	c.Plates = cell.DecodeSet(d, (*cell.Decoder).Text)
	c.Version = d.Bigint()
	return c
}

func (customerCodec) CheckAny(any) []mapper.Violation { return nil }

func (customerCodec) VersionAny(v any) *int64         { return &v.(*customer).Version }
func (customerCodec) CopyAny(any, any)                {}
func (customerCodec) RemainingAny(any) *time.Duration { panic("no table has the field") }

// customers opens the root's table on a database.
func customers(db *call.DB) save.Versioned {
	codec := new(call.Codec).Start((*plan.Table)(customersTable), customerCodec{}, nil, true)
	return save.NewVersioned(call.NewReader(db, codec), customersAggregate)
}

func customerKey(id int32) *cell.Encoder {
	e := new(cell.Encoder)
	e.Int(id)
	return e
}

var discardLogger = slog.New(slog.DiscardHandler)
