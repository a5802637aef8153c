package node

import (
	"context"

	apache "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/integration/bench/peer"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/apachedriver"
)

// overApache is a session of Apache's driver, and a store on it.
type overApache struct {
	session *apache.Session
	store   *order.Store
}

// apacheFrames counts the frames of Apache's driver together with the frames of gocql.
type apacheFrames struct{ *frames }

// ObserveFrameHeader counts a frame. The driver calls it.
func (f apacheFrames) ObserveFrameHeader(context.Context, apache.ObservedFrameHeader) { f.n.Add(1) }

// newApache opens a session of Apache's driver with the options of a cluster, in version 5 of the protocol.
func newApache(like *gocql.ClusterConfig, counter *frames) (*overApache, error) {
	cluster := apache.NewCluster(like.Hosts...)
	cluster.Keyspace, cluster.Timeout, cluster.ConnectTimeout = like.Keyspace, like.Timeout, like.ConnectTimeout
	cluster.Consistency, cluster.NumConns = apache.Consistency(like.Consistency), like.NumConns
	cluster.WriteCoalesceWaitTime, cluster.MaxWaitSchemaAgreement = like.WriteCoalesceWaitTime, like.MaxWaitSchemaAgreement
	cluster.FrameHeaderObserver = apacheFrames{counter}
	session, err := cluster.CreateSession()
	return &overApache{session: session}, err
}

// open opens the store.
func (a *overApache) open(ctx context.Context) (err error) {
	a.store, err = order.OpenSession(ctx, apachedriver.New(a.session), mapper.Config{})
	return err
}

// cassamlOverApache calls the generated store on the session of Apache's driver.
func cassamlOverApache(c *Client) cassaml {
	return cassaml{&Client{store: c.apache.store, alone: c.apache.store.WithoutCopies()}}
}

// byApache is Apache's driver with handwritten statements, arguments and destinations.
type byApache struct{ session *apache.Session }

func (a byApache) insert(o *order.Order) measure.Op {
	v := peer.NewApache(o)
	return func() error { return a.session.Query(insertCQL[0], v.Arguments(0)...).Exec() }
}

func (a byApache) update(o *order.Order) measure.Op {
	v := peer.NewApache(o)
	return func() error {
		v.Total++
		return a.session.Query(updateCQL, v.Total, v.Customer, v.Placed, v.Number).Exec()
	}
}

func (a byApache) write4(o *order.Order) measure.Op {
	v := peer.NewApache(o)
	return func() error {
		b := a.session.Batch(apache.LoggedBatch)
		for i, statement := range insertCQL {
			b.Query(statement, v.Arguments(i)...)
		}
		return b.Exec()
	}
}

func (a byApache) get(o *order.Order) measure.Op {
	return a.read(1, getCQL, apache.UUID(o.Customer), o.Placed, o.Number)
}

func (a byApache) first(o *order.Order) measure.Op {
	return a.read(1, firstCQL, apache.UUID(o.Customer))
}

func (a byApache) page(o *order.Order) measure.Op {
	return a.read(PageRows, pageCQL, apache.UUID(o.Customer))
}

func (a byApache) many(o *order.Order) measure.Op {
	reads := make([]measure.Op, PageRows)
	for i := range reads {
		reads[i] = a.read(1, getCQL, apache.UUID(o.Customer), o.Placed, i)
	}
	return func() error { return inParallel(PageRows, func(i int) error { return reads[i]() }) }
}

func (a byApache) merge(*order.Order) measure.Op {
	stores := mergedStores()
	return func() error { return scannedByApache(a.session.Query(mergeCQL, stores).PageSize(0), mergedRows) }
}

// read reads the rows of a statement, whose number is want.
func (a byApache) read(want int, statement string, args ...any) measure.Op {
	return func() error { return scannedByApache(a.session.Query(statement, args...), want) }
}

// scannedByApache reads the rows of a query, whose number is want.
func scannedByApache(q *apache.Query, want int) error {
	it := q.Iter()
	got := make([]peer.Apache, it.NumRows())
	for i := range got {
		if !got[i].Scan(it) {
			break
		}
	}
	if err := it.Close(); err != nil {
		return err
	}
	return complete(len(got), want)
}
