package codec

import (
	"fmt"
	"slices"

	apache "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/integration/bench/peer"
	"github.com/cassaml/cassaml/mapper/driver/apachedriver"
	"github.com/cassaml/cassaml/mapper/gen"
)

// apacheDriver does the work of Apache's driver before and after the network.
type apacheDriver struct {
	tables    [][]apache.ColumnInfo                 // types of the root and its copies
	page, row *page[apache.Iter, apache.ColumnInfo] // pages of PageRows rows and of one
}

// newApacheDriver returns the driver with pages of a row.
func newApacheDriver(row []byte) (d apacheDriver, err error) {
	for _, t := range order.Tables() {
		d.tables = append(d.tables, apacheTypes(t))
	}
	if d.row, err = newPage[apache.Iter](d.tables[0], 1, slices.Clone(row)); err != nil {
		return d, err
	}
	d.page, err = newPage[apache.Iter](d.tables[0], PageRows, slices.Repeat(row, PageRows))
	return d, err
}

// apacheTypes returns the types of the columns of a table of orders, as columnTypes does for gocql.
func apacheTypes(table *gen.Table) []apache.ColumnInfo {
	field := func(name, cqlType string) apache.UDTField {
		return apache.UDTField{Name: name, Type: apachedriver.Info(cqlType)}
	}
	items := apachedriver.Info("list<int>").(apache.CollectionType)
	items.Elem = apache.UDTTypeInfo{Keyspace: "bench", Name: "line_item", Elements: []apache.UDTField{field("sku", "text"), field("quantity", "int"), field("price", "bigint"), field("note", "text")}}
	types := map[string]apache.TypeInfo{
		"address": apache.UDTTypeInfo{Keyspace: "bench", Name: "address", Elements: []apache.UDTField{field("street", "text"), field("city", "text"),
			field("zip", "int"), field("latitude", "double"), field("longitude", "double")}},
		"items": items,
	}
	for name, cqlType := range map[string]string{"customer": "uuid", "placed": "timestamp", "number": "int", "name": "text", "email": "text",
		"store": "int", "total": "bigint", "discount": "double", "paid": "boolean", "signature": "blob"} {
		types[name] = apachedriver.Info(cqlType)
	}
	columns := make([]apache.ColumnInfo, len(table.Columns))
	for i, c := range table.Columns {
		columns[i] = apache.ColumnInfo{Keyspace: "bench", Table: table.Name, Name: c.Name, TypeInfo: types[c.Name]}
	}
	return columns
}

// apacheStatement adds the arguments of a statement as Apache's driver does when it executes it.
func (f *frame) apacheStatement(columns []apache.ColumnInfo, args []any) error {
	if len(args) != len(columns) {
		return fmt.Errorf("codec: %d arguments for %d columns", len(args), len(columns))
	}
	for i, a := range args {
		if a == apache.UnsetValue {
			f.length(-2)
			continue
		}
		b, err := apache.Marshal(columns[i].TypeInfo, a)
		if err != nil {
			return fmt.Errorf("codec: column %s: %w", columns[i].Name, err)
		}
		f.prepared(b)
	}
	return nil
}

// cassamlApache is cassaml over Apache's driver.
type cassamlApache struct {
	order *order.Order
	using []apache.ColumnInfo // follow the columns of an Insert
	got   []*order.Order
}

func newCassamlApache() *cassamlApache {
	return &cassamlApache{order: order.Sample(), using: []apache.ColumnInfo{
		{Name: "[timestamp]", TypeInfo: apachedriver.Info("bigint")}, {Name: "[ttl]", TypeInfo: apachedriver.Info("int")},
	}}
}

func (c *cassamlApache) bind(d *driver) error {
	statements, err := order.Insert(apachedriver.Values, c.order, timestamp)
	if err != nil {
		return err
	}
	return c.send(d, statements)
}

func (c *cassamlApache) bindAll(d *driver) error {
	statements, err := order.InsertAll(apachedriver.Values, c.order, timestamp)
	if err != nil {
		return err
	}
	return c.send(d, statements)
}

func (c *cassamlApache) send(d *driver, statements []gen.Statement) error {
	for i, s := range statements {
		columns := len(d.apache.tables[i])
		if len(s.Args) != columns+len(c.using) {
			return fmt.Errorf("codec: %d arguments of %s", len(s.Args), s.CQL)
		}
		if err := d.frame.apacheStatement(d.apache.tables[i], s.Args[:columns]); err != nil {
			return err
		}
		if err := d.frame.apacheStatement(c.using, s.Args[columns:]); err != nil {
			return err
		}
	}
	return nil
}

func (c *cassamlApache) scan(d *driver) error {
	it := d.apache.page.open()
	got := make([]*order.Order, 0, it.NumRows())
	for o, err := range order.Scan(apachedriver.Values, apachedriver.Rows(it)) {
		if err != nil {
			return err
		}
		got = append(got, o)
	}
	c.got = got
	return nil
}

func (c *cassamlApache) get(d *driver) error {
	o, err := order.First(apachedriver.Values, apachedriver.Rows(d.apache.row.open()))
	if err != nil {
		return err
	}
	c.got = append(c.got[:0], o)
	return nil
}

func (c *cassamlApache) read() (all []order.Order) {
	for _, o := range c.got {
		all = append(all, *o)
	}
	return all
}

// byApache is Apache's driver with handwritten arguments and destinations.
type byApache struct {
	order *peer.Apache
	got   []peer.Apache
}

func (v *byApache) bind(d *driver) error {
	return d.frame.apacheStatement(d.apache.tables[0], v.order.Arguments(0))
}

func (v *byApache) bindAll(d *driver) error {
	for i, columns := range d.apache.tables {
		if err := d.frame.apacheStatement(columns, v.order.Arguments(i)); err != nil {
			return err
		}
	}
	return nil
}

func (v *byApache) scan(d *driver) error { return v.rows(d.apache.page.open()) }

func (v *byApache) get(d *driver) error { return v.rows(d.apache.row.open()) }

func (v *byApache) rows(it *apache.Iter) error {
	got := make([]peer.Apache, it.NumRows())
	for i := range got {
		if !got[i].Scan(it) {
			break
		}
	}
	v.got = got
	return it.Close()
}

func (v *byApache) read() (all []order.Order) {
	for i := range v.got {
		all = append(all, v.got[i].Order())
	}
	return all
}
