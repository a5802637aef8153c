package gen

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// DB is an open store: a session and how it is used. A copy is cheap and shares the clock.
type DB struct {
	session gocqlx.Session
	store   store.Store
	config  mapper.Config // without zero values
	clock   *clock
	schema  *Schema
}

// Open opens a store over a session, which the caller owns and closes. A *mapper.SchemaError lists every table,
// column and UDT field that the session's keyspace lacks or has with another type. What the keyspace has beyond
// the model is logged, because in a rolling deploy an older replica has to start.
func Open(ctx context.Context, session gocqlx.Session, config mapper.Config, schema *Schema) (*DB, error) {
	cql := store.CQL{Session: session.Session}
	db, err := openOn(cql, config, schema)
	if err != nil {
		return nil, err
	}
	keyspace, err := cql.Inspect(ctx)
	if err != nil {
		return nil, err
	}
	extra, err := keyspace.Verify(schema)
	if err != nil {
		return nil, err
	}
	if len(extra) > 0 {
		db.config.Logger.InfoContext(ctx, "mapper: the keyspace has more than the model",
			slog.String("keyspace", keyspace.Name), slog.String("extra", strings.Join(extra, ", ")))
	}
	db.session = session
	return db, nil
}

// openOn opens a store over any database.
func openOn(s store.Store, config mapper.Config, schema *Schema) (*DB, error) {
	config = withDefaults(config)
	if err := checkConsistency(config.Consistency); err != nil {
		return nil, err
	}
	return &DB{store: s, config: config, clock: &clock{now: config.Now}, schema: schema}, nil
}

func withDefaults(c mapper.Config) mapper.Config {
	if c.Consistency == gocql.Any {
		c.Consistency = gocql.LocalQuorum
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.BatchLimit == 0 {
		c.BatchLimit = mapper.DefaultBatchLimit
	}
	return c
}

// checkConsistency refuses levels that can lose a part of a batch: the batchlog forgets a batch when that many
// replicas have it.
func checkConsistency(c gocql.Consistency) error {
	switch c {
	case gocql.LocalQuorum, gocql.Quorum, gocql.EachQuorum, gocql.All:
		return nil
	}
	return fmt.Errorf("mapper: consistency %v: copies need at least LOCAL_QUORUM", c)
}

// Session gives back the session that the store was opened with.
func (db *DB) Session() gocqlx.Session { return db.session }

// With gives the same store under other options.
func (db *DB) With(o mapper.Options) (*DB, error) {
	other := *db
	if o.Consistency != gocql.Any {
		other.config.Consistency = o.Consistency
	}
	if err := checkConsistency(other.config.Consistency); err != nil {
		return nil, err
	}
	return &other, nil
}
