package codec

import (
	"fmt"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/gen"
)

// cassaml is this project: the generated codec, the planner, the binding of cells.
type cassaml struct {
	order    *order.Order
	shipment *order.Shipment
	using    []gocql.ColumnInfo // follow the columns of an Insert
	got      []*order.Order
}

func newCassaml() *cassaml {
	return &cassaml{order: order.Sample(), shipment: order.Wide(), using: []gocql.ColumnInfo{
		{Name: "[timestamp]", TypeInfo: native(gocql.TypeBigInt)}, {Name: "[ttl]", TypeInfo: native(gocql.TypeInt)},
	}}
}

func (c *cassaml) bind(d *driver) error {
	statements, err := order.Insert(gocqldriver.Values, c.order, timestamp)
	if err != nil {
		return err
	}
	return c.send(d, d.tables, statements)
}

func (c *cassaml) bindAll(d *driver) error {
	statements, err := order.InsertAll(gocqldriver.Values, c.order, timestamp)
	if err != nil {
		return err
	}
	return c.send(d, d.tables, statements)
}

// wide adds the arguments of the INSERTs of a shipment and of its parcels.
func (c *cassaml) wide(d *driver) error {
	statements, err := order.InsertWide(gocqldriver.Values, c.shipment, timestamp)
	if err != nil {
		return err
	}
	return c.send(d, d.wide, statements)
}

// send adds the arguments of one INSERT for each of the first tables.
func (c *cassaml) send(d *driver, tables [][]gocql.ColumnInfo, statements []gen.Statement) error {
	for i, s := range statements {
		columns := len(tables[i])
		if len(s.Args) != columns+len(c.using) {
			return fmt.Errorf("codec: %d arguments of %s", len(s.Args), s.CQL)
		}
		if err := d.frame.statement(tables[i], s.Args[:columns]); err != nil {
			return err
		}
		if err := d.frame.statement(c.using, s.Args[columns:]); err != nil {
			return err
		}
	}
	return nil
}

func (c *cassaml) scan(it *gocql.Iter) error {
	got := make([]*order.Order, 0, it.NumRows())
	for o, err := range order.Scan(gocqldriver.Values, gocqldriver.Rows(it)) {
		if err != nil {
			return err
		}
		got = append(got, o)
	}
	c.got = got
	return nil
}

func (c *cassaml) get(it *gocql.Iter) error {
	o, err := order.First(gocqldriver.Values, gocqldriver.Rows(it))
	if err != nil {
		return err
	}
	c.got = append(c.got[:0], o)
	return nil
}

func (c *cassaml) read() (all []order.Order) {
	for _, o := range c.got {
		all = append(all, *o)
	}
	return all
}
