package codec

import (
	"fmt"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/order"
)

// cassaml is this project: the generated codec, the planner, the binding of cells.
type cassaml struct {
	order *order.Order
	using []gocql.ColumnInfo // behind the columns of an Insert
	got   []*order.Order
}

func newCassaml() *cassaml {
	return &cassaml{order: order.Sample(), using: []gocql.ColumnInfo{
		{Name: "[timestamp]", TypeInfo: native(gocql.TypeBigInt)}, {Name: "[ttl]", TypeInfo: native(gocql.TypeInt)},
	}}
}

func (c *cassaml) bind(d *driver) error {
	statements, err := order.Insert(c.order, timestamp)
	if err != nil {
		return err
	}
	return c.send(d, statements)
}

func (c *cassaml) bindAll(d *driver) error {
	statements, err := order.InsertAll(c.order, timestamp)
	if err != nil {
		return err
	}
	return c.send(d, statements)
}

// send adds the arguments of one Insert for each of the first tables.
func (c *cassaml) send(d *driver, statements []gocql.BatchEntry) error {
	for i, s := range statements {
		columns := len(d.tables[i])
		if len(s.Args) != columns+len(c.using) {
			return fmt.Errorf("codec: %d arguments of %s", len(s.Args), s.Stmt)
		}
		if err := d.frame.statement(d.tables[i], s.Args[:columns]); err != nil {
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
	for o, err := range order.Scan(it) {
		if err != nil {
			return err
		}
		got = append(got, o)
	}
	c.got = got
	return nil
}

func (c *cassaml) get(it *gocql.Iter) error {
	o, err := order.First(it)
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
