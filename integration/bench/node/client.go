package node

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/integration/bench/account"
	"github.com/cassaml/cassaml/integration/bench/match"
	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/migrate/folder"
)

// PageRows is the number of rows in the partition that is read.
const PageRows = 100

// Client is a session of each driver with the tables of package order in its keyspace.
type Client struct {
	session gocqlx.Session
	store   *order.Store
	alone   order.OrdersTable
	frames  *frames
	apache  *overApache

	accounts *account.Store // used by VersionedLoads
	matches  *match.Store   // used by PartLoads
}

// frames counts the frames that the server sends: one for each request.
type frames struct{ n atomic.Uint64 }

// ObserveFrameHeader counts a frame. The driver calls it.
func (f *frames) ObserveFrameHeader(context.Context, gocql.ObservedFrameHeader) { f.n.Add(1) }

// Connect opens a session, creates the tables and fills the partition that is read. It changes the configuration of the
// cluster to count frames.
func Connect(ctx context.Context, cluster *gocql.ClusterConfig) (*Client, error) {
	c := &Client{frames: &frames{}}
	cluster.FrameHeaderObserver = c.frames
	session, err := gocqlx.WrapSession(cluster.CreateSession())
	if err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	c.session = session
	if c.apache, err = newApache(cluster, c.frames); err != nil {
		session.Close()
		return nil, fmt.Errorf("node: %w", err)
	}
	if err := c.fill(ctx); err != nil {
		c.Close()
		return nil, fmt.Errorf("node: %w", err)
	}
	return c, nil
}

// Close closes the sessions.
func (c *Client) Close() {
	c.session.Close()
	c.apache.session.Close()
}

// create creates the tables of a schema.
func (c *Client) create(ctx context.Context, schema string) error {
	statements, err := folder.Split(schema)
	if err != nil {
		return err
	}
	for _, s := range statements {
		if err := c.session.ContextQuery(ctx, s.Text, nil).ExecRelease(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) fill(ctx context.Context) (err error) {
	if err := c.create(ctx, order.Schema); err != nil {
		return err
	}
	if c.store, err = order.Open(ctx, c.session, mapper.Config{}); err != nil {
		return err
	}
	c.alone = c.store.WithoutCopies()
	if err := c.apache.open(ctx); err != nil {
		return err
	}
	if err := c.fillMerged(ctx); err != nil {
		return err
	}
	for i := range int32(PageRows) {
		o := order.Sample()
		o.Number = i
		if err := c.alone.Insert(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// The partitions of merge, each of which has as many rows as are read, and the rows that are read.
const mergedPartitions, mergedRows = 10, 20

// eachRows is the number of rows of the first page that OfEach reads from each partition.
const eachRows = 1 + 2*mergedRows/mergedPartitions

// mergedStores returns the partition keys of merge.
func mergedStores() (stores []int32) {
	for i := range int32(mergedPartitions) {
		stores = append(stores, 9000+i)
	}
	return stores
}

// fillMerged writes the orders of the stores that merge reads. Their times alternate between the stores.
func (c *Client) fillMerged(ctx context.Context) error {
	for i, store := range mergedStores() {
		for n := range mergedRows {
			o := order.Sample()
			o.Customer[14], o.Customer[15] = byte(1+i), byte(n)
			o.Store, o.Placed = store, o.Placed.Add(time.Duration(n*mergedPartitions+i)*time.Second)
			if err := c.store.Orders.Insert(ctx, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// own returns the order of a worker, in a separate partition.
func own(worker int) *order.Order {
	o := order.Sample()
	o.Customer[15] = byte(100 + worker)
	o.Number = int32(worker)
	return o
}
