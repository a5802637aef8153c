package gen

import (
	"context"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// OpenStore opens a store over a test double.
var OpenStore = openStore

// OpenWatched opens a store over a test double and watches it.
func OpenWatched(ctx context.Context, s store.Store, config mapper.Config, schema *Schema, k *store.Keyspace) (*DB, error) {
	db, err := openStore(s, config, schema)
	if err != nil {
		return nil, err
	}
	return db.watched(ctx, k)
}
