package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/internal/migrating"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// DB is an open store: a session and its configuration. A copy is cheap and shares the clock. Each request of every operation goes through
// its methods, which add the limits, the clock, the caches and the tracer of the store: therefore it has more than 25.
type DB struct {
	session driver.Session
	Store   store.Store
	Config  mapper.Config // has no zero values
	clock   *store.Clock
	ahead   time.Duration // how far ahead of the clock the timestamp of options may be; negative: no limit
	Schema  *plan.Schema
	tokens  tokens
	recent  *recent // nil: no table has cache=
	// relations are the roots with checked references; nil: none.
	relations *Relations
	// lifetimes has the TTLs of Config.TTL; nil for none. It is a pointer, because copies of a DB share it.
	lifetimes *lifetimes
	grace     map[string]int // gc_grace_seconds of each table of the server; nil: the server's default
	unfilled  *unfilled      // the reverse tables without the rows of all references when the store was opened
	buckets   map[string]int // the buckets of the reverse tables of the server, which a later release may have increased
	// deadlines creates the contexts of calls; nil: each call has its own context, because the store can have been made for one call.
	deadlines *deadlines
	ttl       int   // the TTL of every write, in seconds; 0: the TTL of the tables
	at        int64 // the timestamp of every write; 0: from the clock
	reads     reads // options that apply to reads alone
	serial    bool  // reads see a conditional statement in flight
	verify    bool  // rows of redundant tables are compared with their roots
	Env       store.Environment
	broken    error // the error of invalid options; every call returns it
	// Admit returns an error if a write must not be sent. It is a function, because otherwise every package with a store
	// would compile the generic types in *watch.
	Admit func([]plan.Mutation) error
}

// Open opens a store on a session, which the caller owns and closes. It returns a *mapper.SchemaError with every table,
// column and UDT field that is missing in the session's keyspace or has a different type. Columns and fields of these tables
// and types that are not in the model are logged only, because in a rolling deploy an older replica must be able to start.
// Other tables are ignored: they belong to other packages that share the keyspace.
func Open(ctx context.Context, session driver.Session, config mapper.Config, schema *descriptor.Schema) (*DB, error) {
	cql := store.CQL{Session: session}
	db, err := OpenStore(cql, Migrated(ctx, config), schema)
	if err != nil {
		return nil, err
	}
	keyspace, err := cql.Inspect(ctx)
	if err != nil {
		return nil, err
	}
	if err := keyspace.VerifyServer(schema); err != nil {
		return nil, err
	}
	extra, err := keyspace.Verify(schema)
	if err != nil {
		return nil, AddMigrations(ctx, session, err)
	}
	if len(extra) > 0 {
		db.Config.Logger.InfoContext(ctx, "mapper: the keyspace has more than the model",
			slog.String("keyspace", keyspace.Name), slog.String("extra", strings.Join(extra, ", ")))
	}
	if differ := keyspace.Expiries(schema); len(differ) > 0 {
		db.Config.Logger.WarnContext(ctx, "mapper: rows that other programs write do not expire as in the model",
			slog.String("keyspace", keyspace.Name), slog.String("differences", strings.Join(differ, ", ")))
	}
	db.session, db.tokens.keyspace = session, keyspace.Name
	return db.watched(ctx, keyspace)
}

// AddMigrations adds the information of migrate.Up to a *mapper.SchemaError.
func AddMigrations(ctx context.Context, session driver.Session, err error) error {
	if e, ok := errors.AsType[*mapper.SchemaError](err); ok {
		e.Later, e.Unknown = migrating.LaterFiles(ctx), migrating.Unknown(session)
	}
	return err
}

// OpenBackend opens a store on a backend. The clock of the backend provides the timestamps unless config has a clock. config has
// at most one element; without one, the zero value is used. OpenBackend returns a *mapper.SchemaError if the tables of the backend
// differ from the model. The store's Session is closed.
func OpenBackend(ctx context.Context, backend store.Backend, schema *descriptor.Schema, config ...mapper.Config) (*DB, error) {
	var c mapper.Config
	switch len(config) {
	case 0:
	case 1:
		c = config[0]
	default:
		return nil, fmt.Errorf("mapper: %d configs, at most one is allowed", len(config))
	}
	if backend == nil {
		return nil, errors.New("mapper: the backend is nil: create one, for example with memory.New")
	}
	s, err := backend.Open(ctx, schema)
	if err != nil {
		return nil, err
	}
	shared := c.Now == nil
	if shared {
		c.Now = backend.Now
	}
	ahead := cmp.Or(c.MaxClockSkew, mapper.DefaultMaxClockSkew)
	if c.MaxClockSkew == 0 {
		c.MaxClockSkew = -1
	}
	db, err := OpenStore(s, c, schema)
	if err != nil {
		return nil, err
	}
	db.ahead = ahead
	if of, ok := s.(store.Filled); ok {
		tables, err := of.Unfilled(ctx)
		if err != nil {
			return nil, err
		}
		db.unfilled = &unfilled{tables: tables}
	}
	if shared {
		db.clock = backend.Clock()
	}
	return db.watched(ctx, nil)
}

// OpenWatched opens a store on any database and watches it. keyspace is the inspected schema.
func OpenWatched(ctx context.Context, s store.Store, config mapper.Config, schema *descriptor.Schema, keyspace *store.Keyspace) (*DB, error) {
	db, err := OpenStore(s, Migrated(ctx, config), schema)
	if err != nil {
		return nil, err
	}
	return db.watched(ctx, keyspace)
}

// Migrated returns the configuration of a store that is opened with a context. In a function of a migration, the default of its serial
// consistency is the level of the services.
func Migrated(ctx context.Context, c mapper.Config) mapper.Config {
	c.SerialConsistency = cmp.Or(c.SerialConsistency, migrating.Serial(ctx))
	return c
}

// watched starts to watch the database, and returns db.
func (db *DB) watched(ctx context.Context, keyspace *store.Keyspace) (*DB, error) {
	if keyspace != nil {
		db.grace, db.buckets, db.unfilled = keyspace.GCGrace(), keyspace.Buckets(), &unfilled{tables: keyspace.Unfilled()}
	}
	w, err := newWatch(ctx, db, keyspace)
	if err != nil {
		return nil, err
	}
	db.Admit = w.admit
	return db, nil
}

// OpenStore opens a store on any database.
func OpenStore(s store.Store, config mapper.Config, schema *descriptor.Schema) (*DB, error) {
	config = withDefaults(config)
	if err := cmp.Or(checkConsistency(config.Consistency), checkSizes(config)); err != nil {
		return nil, fmt.Errorf("mapper: %w", err)
	}
	tokens, err := newTokens(config.TokenKey)
	if err != nil {
		return nil, fmt.Errorf("mapper: %w", err)
	}
	lifetimes, err := newLifetimes(schema, config.TTL)
	if err != nil {
		return nil, fmt.Errorf("mapper: %w", err)
	}
	recent, err := newRecent(schema, config.SharedCache)
	if err != nil {
		return nil, err
	}
	return &DB{Store: s, Config: config, clock: store.NewClock(config.Now, config.MaxClockSkew), ahead: config.MaxClockSkew, Schema: (*plan.Schema)(schema), tokens: tokens,
		lifetimes: lifetimes, deadlines: new(deadlines), recent: recent, Env: newEnvironment(s), Admit: (*watch)(nil).admit}, nil
}

func withDefaults(c mapper.Config) mapper.Config {
	if c.Consistency == driver.Any {
		c.Consistency = driver.LocalQuorum
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.MaxClockSkew == 0 {
		c.MaxClockSkew = mapper.DefaultMaxClockSkew
	}
	if c.Timeout == 0 {
		c.Timeout = mapper.DefaultTimeout
	}
	if c.SerialConsistency == 0 {
		c.SerialConsistency = driver.Serial
	}
	if c.Lease == 0 {
		c.Lease = min(mapper.DefaultLease, c.Timeout/2)
	}
	if c.FanOutInline == 0 {
		c.FanOutInline = mapper.DefaultFanOutInline
	}
	if c.SharedCache == 0 {
		c.SharedCache = mapper.DefaultSharedCache
	}
	if c.BatchWarning == 0 {
		c.BatchWarning = mapper.DefaultBatchWarning
	}
	if c.BatchLimit == 0 {
		c.BatchLimit = mapper.DefaultBatchLimit
	}
	return c
}

// maxTimeout is half of the smallest gc_grace_seconds that Open accepts. No request may be sent later: its writes could appear after
// the tombstones that hide them have been purged.
const maxTimeout = 30 * time.Minute

// checkConsistency refuses levels below a quorum, also for reads: an Update plans its write from the row that it reads, and the
// batchlog deletes a batch as soon as that many replicas have it.
func checkConsistency(c driver.Consistency) error {
	switch c {
	case driver.LocalQuorum, driver.Quorum, driver.EachQuorum, driver.All:
		return nil
	}
	return fmt.Errorf("consistency %v can be less than a quorum, and an Update would plan from a row without the last write: use LOCAL_QUORUM, QUORUM, EACH_QUORUM or ALL", c)
}

// checkSizes refuses negative sizes and durations.
func checkSizes(c mapper.Config) error {
	switch {
	case c.BatchWarning < 0:
		return fmt.Errorf("Config.BatchWarning is %d bytes: use 1 or more, or 0 for %d", c.BatchWarning, mapper.DefaultBatchWarning)
	case c.BatchLimit < 0:
		return fmt.Errorf("Config.BatchLimit is %d bytes: use 1 or more, or 0 for %d", c.BatchLimit, mapper.DefaultBatchLimit)
	case c.SharedCache < 0:
		return fmt.Errorf("Config.SharedCache is %d rows: use 1 or more, or 0 for %d", c.SharedCache, mapper.DefaultSharedCache)
	case c.Timeout < 0:
		return fmt.Errorf("Config.Timeout is %v: use more than 0, or 0 for %v", c.Timeout, mapper.DefaultTimeout)
	case c.Timeout > maxTimeout:
		return fmt.Errorf("Config.Timeout is %v: use at most %v", c.Timeout, maxTimeout)
	case c.Lease < 0:
		return fmt.Errorf("Config.Lease is %v: use more than 0, or 0 for %v", c.Lease, mapper.DefaultLease)
	case c.Lease >= c.Timeout:
		return fmt.Errorf("Config.Lease is %v, and Config.Timeout is %v: use a shorter lease, because a call would end before it", c.Lease, c.Timeout)
	case c.SerialConsistency != driver.Serial && c.SerialConsistency != driver.LocalSerial:
		return fmt.Errorf("Config.SerialConsistency is %v: use mapper.Serial or mapper.LocalSerial", c.SerialConsistency)
	}
	return nil
}

// Session returns the session of the store; nil for a store on a backend.
func (db *DB) Session() driver.Session {
	if db == nil {
		return nil
	}
	return db.session
}

// With returns the same store with other options. If the options are invalid, every call of the returned store fails, so that
// a chain of calls has one place for errors.
func (db *DB) With(o mapper.Options) *DB {
	if db == nil {
		return nil
	}
	other := *db
	if o.Consistency != driver.Any {
		other.Config.Consistency = o.Consistency
	}
	if o.Timeout != 0 {
		other.Config.Timeout, other.deadlines = o.Timeout, nil
	}
	if o.TTL != 0 {
		other.ttl = int(o.TTL / time.Second)
	}
	if o.Timestamp != 0 {
		other.at = o.Timestamp
	}
	if o.ReadConsistency != driver.Any {
		other.reads.consistency = o.ReadConsistency
	}
	if o.SpeculativeDelay != 0 {
		other.reads.speculate = o.SpeculativeDelay
	}
	other.serial, other.verify = other.serial || o.Serial, other.verify || o.Verified
	other.broken = cmp.Or(db.broken, other.reads.check(other.serial), checkConsistency(other.Config.Consistency), checkTTL(o.TTL), checkTimeout(o.Timeout), db.checkTimestamp(o.Timestamp))
	return &other
}

// CheckRepair returns the reason why the store cannot repair rows with its options, or nil.
func (db *DB) CheckRepair() error {
	switch {
	case db.broken != nil:
		return db.broken
	case db.ttl != 0 || db.at != 0:
		return errors.New("mapper.Options.TTL and Options.Timestamp are not supported: repairs have the times of the rows that they derive from")
	case db.serial || db.verify:
		return errors.New("mapper.Options.Serial and Options.Verified are not supported: use the store without these options")
	}
	return nil
}

// maxTTL is the longest time to live that Cassandra accepts: 20 years.
const maxTTL = 20 * 365 * 24 * time.Hour

func checkTTL(ttl time.Duration) error {
	if ttl < 0 || ttl > maxTTL || ttl%time.Second != 0 {
		return fmt.Errorf("the TTL %v is not a whole number of seconds between 1 s and 20 years", ttl)
	}
	return nil
}

func checkTimeout(d time.Duration) error {
	switch {
	case d < 0:
		return fmt.Errorf("the timeout %v is below 0", d)
	case d > maxTimeout:
		return fmt.Errorf("the timeout %v is above %v", d, maxTimeout)
	}
	return nil
}

// checkTimestamp refuses values that are not a time in microseconds. Values from 1e14 (in 1973) to 1e17 are accepted. Values
// below 1e9 are accepted too, because they are not a plausible time in another unit: a small timestamp is useful for a write that
// every other write replaces.
func (db *DB) checkTimestamp(at int64) error {
	unit := ""
	switch {
	case at < 0:
		return fmt.Errorf("the timestamp %d is before 1970", at)
	case at >= 1e17:
		unit = "nanoseconds: use UnixMicro, or divide it by 1000"
	case at >= 1e14:
	case at >= 1e11:
		unit = "milliseconds: use UnixMicro, or multiply it by 1000"
	case at >= 1e9:
		unit = "seconds: use UnixMicro, or multiply it by 1000000"
	}
	if unit != "" {
		return fmt.Errorf("the timestamp %d of the options is not in microseconds since 1970, by its size it is in %s", at, unit)
	}
	if limit := db.ahead; limit >= 0 && at > db.Config.Now().Add(limit).UnixMicro() {
		return fmt.Errorf("the timestamp %d of the options is more than %v, Config.MaxClockSkew, ahead of the clock: it would hide later writes", at, limit)
	}
	return nil
}
