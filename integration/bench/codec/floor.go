package codec

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/order"
)

// floor is the lower limit of all mappers: it writes prepared bytes, and lets the driver locate the values of a row without
// decoding them.
type floor struct {
	row     [][]byte // has the order of the root's columns: the order of the copies costs the same
	ignored []any
	rows    int
}

func newFloor() (*floor, error) {
	row, err := order.Row(order.Sample())
	if err != nil {
		return nil, err
	}
	f := &floor{ignored: make([]any, len(row))}
	for _, c := range row {
		f.row = append(f.row, c)
	}
	return f, nil
}

func (f *floor) bind(d *driver) error {
	for _, b := range f.row {
		d.frame.prepared(b)
	}
	return nil
}

func (f *floor) bindAll(d *driver) error {
	for range d.tables {
		if err := f.bind(d); err != nil {
			return err
		}
	}
	return nil
}

func (f *floor) scan(it *gocql.Iter) error {
	f.rows = 0
	for it.Scan(f.ignored...) {
		f.rows++
	}
	return it.Close()
}

func (f *floor) get(it *gocql.Iter) error { return f.scan(it) }

func (f *floor) read() []order.Order { return make([]order.Order, f.rows) }
