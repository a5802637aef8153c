package node

import (
	"cmp"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/integration/bench/peer"
)

// The handwritten statements.
const (
	allColumns = "customer, placed, number, name, email, store, total, discount, paid, signature, address, items"
	updateCQL  = "UPDATE orders SET total = ? WHERE customer = ? AND placed = ? AND number = ?"
	getCQL     = "SELECT " + allColumns + " FROM orders WHERE customer = ? AND placed = ? AND number = ?"
	pageCQL    = "SELECT " + allColumns + " FROM orders WHERE customer = ?"
	firstCQL   = pageCQL + " LIMIT 1"
	eachCQL    = "SELECT " + allColumns + " FROM orders_by_store WHERE store = ? ORDER BY placed DESC LIMIT 5"
	mergeCQL   = "SELECT " + allColumns + " FROM orders_by_store WHERE store IN ? ORDER BY placed DESC LIMIT 20"
	values     = ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

// insertCQL has a statement for each of [order.Tables].
var insertCQL = [...]string{
	"INSERT INTO orders (" + allColumns + values,
	"INSERT INTO orders_by_email (email, customer, placed, number, name, store, total, discount, paid, signature, address, items" + values,
	"INSERT INTO orders_by_store (store, placed, customer, number, name, email, total, discount, paid, signature, address, items" + values,
	"INSERT INTO orders_by_number (number, customer, placed, name, email, store, total, discount, paid, signature, address, items" + values,
}

// exec sends a statement.
func (c *Client) exec(statement string, args ...any) error {
	q := c.session.Session.Query(statement, args...)
	defer q.Release()
	return q.Exec()
}

// byHand is gocql with handwritten statements, arguments and destinations.
type byHand struct{ *Client }

func (g byHand) insert(o *order.Order) measure.Op {
	v := peer.NewTagged(o)
	return func() error { return g.exec(insertCQL[0], v.Arguments(0)...) }
}

func (g byHand) update(o *order.Order) measure.Op {
	v := peer.NewTagged(o)
	return func() error {
		v.Total++
		return g.exec(updateCQL, v.Total, v.Customer, v.Placed, v.Number)
	}
}

func (g byHand) write4(o *order.Order) measure.Op {
	v := peer.NewTagged(o)
	return func() error {
		b := g.session.NewBatch(gocql.LoggedBatch)
		for i, statement := range insertCQL {
			b.Query(statement, v.Arguments(i)...)
		}
		return g.session.ExecuteBatch(b)
	}
}

func (g byHand) get(o *order.Order) measure.Op {
	return func() error { return g.readOne(getCQL, o.Customer, o.Placed, o.Number) }
}

// missing returns the reason why there is no row.
func missing(it *gocql.Iter) error {
	if err := it.Close(); err != nil {
		return err
	}
	return gocql.ErrNotFound
}

func (g byHand) first(o *order.Order) measure.Op {
	return func() error { return g.readOne(firstCQL, o.Customer) }
}

// readOne reads one row.
func (g byHand) readOne(statement string, args ...any) error {
	q := g.session.Session.Query(statement, args...)
	defer q.Release()
	it := q.Iter()
	var v peer.Tagged
	if !v.Scan(it) {
		return missing(it)
	}
	return it.Close()
}

func (g byHand) many(o *order.Order) measure.Op {
	got := make([]peer.Tagged, PageRows)
	return func() error {
		return inParallel(PageRows, func(i int) error {
			q := g.session.Session.Query(getCQL, o.Customer, o.Placed, i)
			defer q.Release()
			it := q.Iter()
			if !got[i].Scan(it) {
				return missing(it)
			}
			return it.Close()
		})
	}
}

// inParallel calls read with 0 to n-1 in 16 goroutines, and returns one of the errors.
func inParallel(n int, read func(int) error) error {
	next, errs := make(chan int), make(chan error, 16)
	for range cap(errs) {
		go func() {
			var err error
			for i := range next {
				err = cmp.Or(read(i), err)
			}
			errs <- err
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	var err error
	for range cap(errs) {
		err = cmp.Or(<-errs, err)
	}
	return err
}

func (g byHand) page(o *order.Order) measure.Op {
	return func() error { return scanned(g.session.Session.Query(pageCQL, o.Customer), PageRows) }
}

// merge cannot have pages: the server refuses them for IN with ORDER BY.
func (g byHand) merge(*order.Order) measure.Op {
	stores := mergedStores()
	return func() error { return scanned(g.session.Session.Query(mergeCQL, stores).PageSize(0), mergedRows) }
}

// scanned reads the rows of a query, whose number is want.
func scanned(q *gocql.Query, want int) error {
	defer q.Release()
	it := q.Iter()
	got := make([]peer.Tagged, it.NumRows())
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
