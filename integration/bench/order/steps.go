package order

import (
	"context"
	"iter"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/gen"
)

// alone is the aggregate as it would be generated without copies.
var alone = gen.Link(gen.Aggregate{Root: ordersTable})

// Tables are the descriptors of the root and of its copies, in the order in which they are written.
func Tables() []*gen.Table {
	return []*gen.Table{ordersTable, ordersByEmailTable, ordersByStoreTable, ordersByNumberTable}
}

// WideTables are the descriptors of a shipment and of its parcels.
func WideTables() []*gen.Table { return []*gen.Table{shipmentsTable, parcelsByCodeTable} }

// OpenSession is Open for a session of any driver.
func OpenSession(ctx context.Context, session driver.Session, config mapper.Config) (*Store, error) {
	db, err := gen.Open(ctx, session, config, storeSchema)
	if err != nil {
		return nil, err
	}
	return newStore(db), nil
}

// Insert encodes, plans and binds the insert of an order, without its copies, for a driver.
func Insert(values driver.Values, o *Order, timestamp int64) ([]gen.Statement, error) {
	return insert(values, alone, ordersCodec, o, timestamp)
}

// InsertAll is Insert with the three copies.
func InsertAll(values driver.Values, o *Order, timestamp int64) ([]gen.Statement, error) {
	return insert(values, ordersAggregate, ordersCodec, o, timestamp)
}

// InsertWide encodes, plans and binds the insert of a shipment with a row for each parcel.
func InsertWide(values driver.Values, s *Shipment, timestamp int64) ([]gen.Statement, error) {
	return insert(values, shipmentsAggregate, shipmentsCodec, s, timestamp)
}

func insert[T any](values driver.Values, a *gen.Linked, c *gen.Codec[T], v *T, timestamp int64) ([]gen.Statement, error) {
	row, err := gen.EncodeRow(c, v)
	if err != nil {
		return nil, err
	}
	mutations, err := gen.Plan(a, nil, row)
	if err != nil {
		return nil, err
	}
	return gen.Bind(values, mutations, timestamp), nil
}

// Row encodes an order.
func Row(o *Order) (gen.Row, error) { return gen.EncodeRow(ordersCodec, o) }

// Plan plans a change of an order and its copies.
func Plan(old, new gen.Row) ([]gen.Mutation, error) { return gen.Plan(ordersAggregate, old, new) }

// First decodes the driver's first order.
func First(values driver.Values, rows driver.Rows) (*Order, error) {
	return gen.First(ordersCodec, values, rows)
}

// Scan decodes all orders of the driver.
func Scan(values driver.Values, rows driver.Rows) iter.Seq2[*Order, error] {
	return gen.Scan(ordersCodec, values, rows)
}

// WithoutCopies returns the root's table as it would be generated without copies.
func (s *Store) WithoutCopies() OrdersTable {
	return OrdersTable{gen.NewRoot(s.db, ordersCodec, alone)}
}
