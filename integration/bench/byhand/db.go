// Package byhand has stores for the designs of clients and their vehicles that Araújo (2025) compares, written with gocql and without a mapper. They have
// the methods of the generated stores that the operations of the comparison call, and send as many requests with as many statements, so that the
// difference is the work of the mapper: it plans the statements, encodes and decodes, gives each write a timestamp, and reads the timestamps of the rows that it
// changes.
package byhand

import (
	"context"

	"github.com/gocql/gocql"
)

// DB sends statements by a session.
type DB struct{ Session *gocql.Session }

// Statement is a statement with its values.
type Statement struct {
	Text   string
	Values []any
}

// S returns a statement.
func S(text string, values ...any) Statement { return Statement{text, values} }

// Exec executes a statement.
func (db DB) Exec(ctx context.Context, s Statement) error {
	return db.Session.Query(s.Text, s.Values...).WithContext(ctx).Exec()
}

// Batch executes statements as one logged batch.
func (db DB) Batch(ctx context.Context, all []Statement) error {
	b := db.Session.NewBatch(gocql.LoggedBatch).WithContext(ctx)
	for _, s := range all {
		b.Query(s.Text, s.Values...)
	}
	return db.Session.ExecuteBatch(b)
}

// Row reads the columns of one row.
func (db DB) Row(ctx context.Context, s Statement, to ...any) error {
	return db.Session.Query(s.Text, s.Values...).WithContext(ctx).Scan(to...)
}
