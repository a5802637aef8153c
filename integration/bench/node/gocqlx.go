package node

import (
	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2/table"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/integration/bench/peer"
)

// byGocqlx is gocqlx with its tables.
type byGocqlx struct {
	*Client
	tables []*table.Table
	total  string // the UPDATE of it
	names  []string
}

func newGocqlx(c *Client) *byGocqlx {
	g := &byGocqlx{Client: c, tables: peer.Tables()}
	g.total, g.names = g.tables[0].Update("total")
	return g
}

func (g *byGocqlx) insert(o *order.Order) measure.Op {
	v := peer.NewGocqlx(o)
	return func() error { return g.tables[0].InsertQuery(g.session).BindStruct(v).ExecRelease() }
}

func (g *byGocqlx) update(o *order.Order) measure.Op {
	v := peer.NewGocqlx(o)
	return func() error {
		v.Total++
		return g.session.Query(g.total, g.names).BindStruct(v).ExecRelease()
	}
}

func (g *byGocqlx) write4(o *order.Order) measure.Op {
	v := peer.NewGocqlx(o)
	return func() error {
		b := g.session.NewBatch(gocql.LoggedBatch)
		for _, t := range g.tables {
			q := t.InsertQuery(g.session).BindStruct(v)
			if err := q.Err(); err != nil {
				return err
			}
			b.Query(q.Statement(), q.Values()...)
			q.Release()
		}
		return g.session.ExecuteBatch(b)
	}
}

func (g *byGocqlx) get(o *order.Order) measure.Op {
	k := peer.NewGocqlx(o)
	return func() error {
		var v peer.Gocqlx
		return g.tables[0].GetQuery(g.session).BindStruct(k).GetRelease(&v)
	}
}

func (g *byGocqlx) first(o *order.Order) measure.Op {
	k := peer.NewGocqlx(o)
	return func() error {
		var v peer.Gocqlx
		return g.session.Query(firstCQL, []string{"customer"}).BindStruct(k).GetRelease(&v)
	}
}

func (g *byGocqlx) many(o *order.Order) measure.Op {
	got := make([]peer.Gocqlx, PageRows)
	return func() error {
		return inParallel(PageRows, func(i int) error {
			k := peer.NewGocqlx(o)
			k.Number = int32(i)
			return g.tables[0].GetQuery(g.session).BindStruct(k).GetRelease(&got[i])
		})
	}
}

func (g *byGocqlx) merge(*order.Order) measure.Op {
	stores := mergedStores()
	return func() error {
		var got []peer.Gocqlx
		if err := g.session.Query(mergeCQL, []string{"store"}).Bind(stores).PageSize(0).SelectRelease(&got); err != nil {
			return err
		}
		return complete(len(got), mergedRows)
	}
}

func (g *byGocqlx) page(o *order.Order) measure.Op {
	k := peer.NewGocqlx(o)
	return func() error {
		var got []peer.Gocqlx
		if err := g.tables[0].SelectQuery(g.session).BindStruct(k).SelectRelease(&got); err != nil {
			return err
		}
		return complete(len(got), PageRows)
	}
}
