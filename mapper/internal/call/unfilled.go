package call

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// unfilled are the reverse tables that did not have the rows of all references when a store was opened. A table that has them all does not
// lose them, so the others are read again only while there are any.
type unfilled struct {
	mu     sync.Mutex
	tables map[string]bool
}

// CheckFilled returns a mapper.ErrUnfilled for a root with a table if a reverse table that a deletion of it reads does not have the rows of all
// references yet: a table of references to the root, or to the roots that are deleted with it.
func (db *DB) CheckFilled(ctx context.Context, table string) error {
	if db.unfilled == nil {
		return nil
	}
	db.unfilled.mu.Lock()
	defer db.unfilled.mu.Unlock()
	if db.unfilledHolder(table, map[string]bool{}) == nil {
		return nil
	}
	if s, ok := db.Store.(store.Filled); ok {
		now, err := s.Unfilled(ctx)
		if err != nil {
			return err
		}
		maps.DeleteFunc(db.unfilled.tables, func(name string, _ bool) bool { return !now[name] })
	}
	h := db.unfilledHolder(table, map[string]bool{})
	if h == nil {
		return nil
	}
	root := h.Codec.Table
	return fmt.Errorf("%w: table %s does not have the references of all rows of %s yet: repeat the call when the migration with -- aml:func %s has ended",
		mapper.ErrUnfilled, h.CheckedReference.Table.Name, root.Name, descriptor.ReferencesFunc(root.Name))
}

// unfilledHolder returns a reference whose reverse table does not have all rows, and which a deletion of a root reads; nil if there is none.
// seen has the tables of the roots that were visited.
func (db *DB) unfilledHolder(table string, seen map[string]bool) *Holder {
	if seen[table] || len(db.unfilled.tables) == 0 {
		return nil
	}
	seen[table] = true
	for _, h := range db.Holders(table) {
		if db.unfilled.tables[h.CheckedReference.Table.Name] {
			return &h
		}
		if h.OnDelete == descriptor.Cascade {
			if other := db.unfilledHolder(h.Codec.Table.Name, seen); other != nil {
				return other
			}
		}
	}
	return nil
}
