package apachedriver

import (
	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/cassaml/cassaml/mapper/driver"
)

// rows is the result of a query. It is the driver's iterator, so that a query allocates nothing for it.
type rows gocql.Iter

// Rows returns the rows of an iterator of the driver.
func Rows(it *gocql.Iter) driver.Rows { return (*rows)(it) }

func (r *rows) iter() *gocql.Iter { return (*gocql.Iter)(r) }

// Scan sets the destinations from the next row.
func (r *rows) Scan(into ...any) bool { return r.iter().Scan(into...) }

// ScanMap adds the values of the next row to a map.
func (r *rows) ScanMap(into map[string]any) bool { return r.iter().MapScan(into) }

// SwitchesPage reports whether the next Scan reads the next page.
func (r *rows) SwitchesPage() bool { return r.iter().WillSwitchPage() }

// Count returns the number of rows of the page.
func (r *rows) Count() int { return r.iter().NumRows() }

// PageState returns the state of the next page.
func (r *rows) PageState() []byte { return r.iter().PageState() }

// Columns returns the number of columns.
func (r *rows) Columns() int { return len(r.iter().Columns()) }

// Column returns the name of a column.
func (r *rows) Column(i int) string { return r.iter().Columns()[i].Name }

// Types returns the columns with their types.
func (r *rows) Types() []driver.Column {
	all := r.iter().Columns()
	out := make([]driver.Column, len(all))
	for i, c := range all {
		out[i] = driver.Column{Keyspace: c.Keyspace, Table: c.Table, Name: c.Name, Type: newType(c.TypeInfo)}
	}
	return out
}

func newType(info gocql.TypeInfo) driver.Type {
	t := driver.Type{ID: driver.TypeID(info.Type()), Info: info}
	if tuple, ok := info.(gocql.TupleTypeInfo); ok {
		for _, e := range tuple.Elems {
			t.Elements = append(t.Elements, newType(e))
		}
	}
	return t
}

// Protocol returns 0: the driver does not show the version.
func (r *rows) Protocol() int { return 0 }

// Node returns the address of the node that answered.
func (r *rows) Node() string {
	if host := r.iter().Host(); host != nil {
		return host.ConnectAddressAndPort()
	}
	return ""
}

// Close ends the query.
func (r *rows) Close() error { return NewError(r.iter().Close()) }

// failed is the result of a query that was not sent.
type failed struct{ err error }

func (failed) Scan(...any) bool            { return false }
func (failed) ScanMap(map[string]any) bool { return false }
func (failed) SwitchesPage() bool          { return false }
func (failed) Count() int                  { return 0 }
func (failed) PageState() []byte           { return nil }
func (failed) Columns() int                { return 0 }
func (failed) Column(int) string           { return "" }
func (failed) Types() []driver.Column      { return nil }
func (failed) Protocol() int               { return 0 }
func (failed) Node() string                { return "" }
func (f failed) Close() error              { return f.err }
