package call

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// KeyWhere returns the primary key of the one row that a condition selects: the text after WHERE in a SELECT. It is an error if the
// condition selects no row, or several.
func (r Root) KeyWhere(ctx context.Context, condition string) (cell.Row, error) {
	session := r.DB.session
	if session == nil {
		return nil, errors.New("mapper: a condition needs a store on a session")
	}
	t := r.Codec.Table
	var names []string
	for _, c := range t.Columns[:t.Key] {
		names = append(names, c.CQL)
	}
	_, from, _ := strings.Cut(t.Select, " FROM ")
	q := driver.Query{
		CQL:         "SELECT " + strings.Join(names, ", ") + " FROM " + from + " WHERE " + condition,
		Consistency: r.DB.Config.Consistency, PageSize: 2, Metadata: true,
	}
	return oneKey(t.Name, condition, store.Scan(session, session.Query(ctx, q), t.Key))
}

// oneKey returns the only row of a query.
func oneKey(table, condition string, rows func(func(cell.Row, error) bool)) (key cell.Row, err error) {
	for row, err := range rows {
		switch {
		case err != nil:
			return nil, fmt.Errorf("mapper: %s WHERE %s: %w", table, condition, err)
		case key != nil:
			return nil, fmt.Errorf("mapper: %s WHERE %s selects several rows: add columns of the primary key, so that it selects one", table, condition)
		}
		key = slices.Clone(row)
	}
	if key == nil {
		return nil, fmt.Errorf("mapper: %s WHERE %s selects no row", table, condition)
	}
	return key, nil
}
