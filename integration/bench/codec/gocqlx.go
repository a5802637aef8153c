package codec

import (
	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/scylladb/gocqlx/v2/table"

	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/integration/bench/peer"
)

// byGocqlx binds and scans structs with gocqlx.
type byGocqlx struct {
	order  *peer.Gocqlx
	tables []*table.Table
	query  *gocql.Query // a session has a pool of them
	got    []peer.Gocqlx
	one    *peer.Gocqlx
}

func newGocqlx() *byGocqlx {
	return &byGocqlx{order: peer.NewGocqlx(order.Sample()), tables: peer.Tables(), query: new(gocql.Query)}
}

func (v *byGocqlx) bind(d *driver) error { return v.insert(d, 0) }

func (v *byGocqlx) bindAll(d *driver) error {
	for i := range v.tables {
		if err := v.insert(d, i); err != nil {
			return err
		}
	}
	return nil
}

// insert is InsertQuery(session).BindStruct(order), and the part of Exec before the request is sent.
func (v *byGocqlx) insert(d *driver, i int) error {
	_, names := v.tables[i].Insert()
	q := &gocqlx.Queryx{Query: v.query, Names: names, Mapper: gocqlx.DefaultMapper} // created like by Session.Query
	if err := q.BindStruct(v.order).Err(); err != nil {
		return err
	}
	return d.frame.statement(d.tables[i], q.Query.Values())
}

func (v *byGocqlx) scan(it *gocql.Iter) error {
	v.got = nil
	return rows(it).Select(&v.got)
}

func (v *byGocqlx) get(it *gocql.Iter) error {
	v.one = new(peer.Gocqlx)
	return rows(it).Get(v.one)
}

// rows returns the same as Queryx.Iter for an iterator of the driver.
func rows(it *gocql.Iter) *gocqlx.Iterx { return &gocqlx.Iterx{Iter: it, Mapper: gocqlx.DefaultMapper} }

func (v *byGocqlx) read() (all []order.Order) {
	got := v.got
	if v.one != nil {
		got = []peer.Gocqlx{*v.one}
	}
	for i := range got {
		all = append(all, got[i].Order())
	}
	return all
}
