package codec

import (
	"slices"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/integration/bench/peer"
)

// PageRows is the number of rows in the page of a scan.
const PageRows = 100

// Again is cassaml measured a second time, for an A/A comparison.
const Again = "cassaml-again"

// timestamp is the timestamp of every write, in microseconds since 1970.
const timestamp = 1_790_000_000_000_000

// variant is one implementation of each work. It keeps the values that it reads, so that the compiler cannot remove a read.
type variant interface {
	bind(d *driver) error
	bindAll(d *driver) error
	scan(d *driver) error
	get(d *driver) error
	read() []order.Order // result of the last scan or get
}

// ofGocql is a variant that reads from an iterator of gocql.
type ofGocql interface {
	bind(d *driver) error
	bindAll(d *driver) error
	scan(it *gocql.Iter) error
	get(it *gocql.Iter) error
	read() []order.Order
}

// overGocql is a variant over gocql.
type overGocql struct{ ofGocql }

func (v overGocql) scan(d *driver) error { return v.ofGocql.scan(d.page.open()) }
func (v overGocql) get(d *driver) error  { return v.ofGocql.get(d.row.open()) }

// driver does the work of the drivers before and after the network.
type driver struct {
	tables    [][]gocql.ColumnInfo // types of the root and its copies
	wide      [][]gocql.ColumnInfo // types of a shipment and of the rows of its parcels
	frame     frame
	page, row *page[gocql.Iter, gocql.ColumnInfo] // pages of PageRows rows and of one

	apache apacheDriver
}

func newDriver() (*driver, error) {
	d := &driver{}
	for _, t := range order.Tables() {
		columns, err := columnTypes(t)
		if err != nil {
			return nil, err
		}
		d.tables = append(d.tables, columns)
	}
	if err := d.widen(); err != nil {
		return nil, err
	}
	row, err := order.Row(order.Sample())
	if err != nil {
		return nil, err
	}
	for _, c := range row {
		d.frame.prepared(c)
	}
	if d.row, err = newPage[gocql.Iter](d.tables[0], 1, slices.Clone(d.frame.bytes)); err != nil {
		return nil, err
	}
	if d.page, err = newPage[gocql.Iter](d.tables[0], PageRows, slices.Repeat(d.frame.bytes, PageRows)); err != nil {
		return nil, err
	}
	d.apache, err = newApacheDriver(d.frame.bytes)
	return d, err
}

// widen sets the tables of a wide shipment.
func (d *driver) widen() error {
	for i, t := range order.WideTables() {
		columns, err := columnTypes(t)
		if err != nil {
			return err
		}
		rows := 1
		if i > 0 {
			rows = order.Rows
		}
		d.wide = append(d.wide, slices.Repeat([][]gocql.ColumnInfo{columns}, rows)...)
	}
	return nil
}

// Cases returns all cases that are measured without a server.
func Cases() ([]measure.Case, error) {
	d, err := newDriver()
	if err != nil {
		return nil, err
	}
	var cases []measure.Case
	for _, work := range works {
		all, err := variants()
		if err != nil {
			return nil, err
		}
		for _, v := range all {
			cases = append(cases, measure.Case{Work: work.name, Variant: v.name, Items: work.items, Run: func() error { return work.run(v.variant, d) }})
		}
	}
	plans, err := planCases()
	return slices.Concat(cases, wideCases(d), plans), err
}

// named is a variant with its published name.
type named struct {
	name string
	variant
}

func variants() ([]named, error) {
	floor, err := newFloor()
	o := order.Sample()
	return []named{
		{"cassaml", overGocql{newCassaml()}}, {Again, overGocql{newCassaml()}}, {"gocqlx", overGocql{newGocqlx()}},
		{"gocql", overGocql{newHandwritten(peer.NewTagged(o))}}, {"gocql-udt", overGocql{newHandwritten(peer.NewMarshalled(o))}},
		{"floor", overGocql{floor}}, {"cassaml-apache", newCassamlApache()}, {"apache", &byApache{order: peer.NewApache(o)}},
	}, err
}

// work is an operation of all variants.
type work struct {
	name  string
	items int // operations in a run
	run   func(variant, *driver) error
}

// works are the works of every variant.
var works = []work{
	{"bind", 1, func(v variant, d *driver) error { d.frame.reset(); return v.bind(d) }},
	{"bind4", 1, func(v variant, d *driver) error { d.frame.reset(); return v.bindAll(d) }},
	{"scan", PageRows, func(v variant, d *driver) error { return v.scan(d) }},
	{"get", 1, func(v variant, d *driver) error { return v.get(d) }},
}
