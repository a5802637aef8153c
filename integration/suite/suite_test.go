package suite

import (
	"context"
	"errors"
	"testing"
	"time"

	apache "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

func TestMain(m *testing.M) { Main(m) }

// The requests of stores and migrations go over the chosen driver, and the session of gocql remains known.
func TestRequestsUseTheDriver(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	for _, own := range []gocqlx.Session{session, cassandra.SessionLike(t, session, func(c *gocql.ClusterConfig) { c.PageSize = 7 })} {
		s := gocqldriver.New(own)
		require.Equal(t, own.Query("", nil).Keyspace(), s.Keyspace())
		require.Same(t, own.Session, gocqldriver.Session(s).Session)
		err := s.Query(t.Context(), driver.Query{CQL: "SELECT key FROM system.local", Consistency: driver.Two}).Close()
		_, byGocql := errors.AsType[*gocql.RequestErrUnavailable](err)
		_, byApache := errors.AsType[*apache.RequestErrUnavailable](err)
		require.Equal(t, []bool{!OverApache(), OverApache()}, []bool{byGocql, byApache}, "%T", err)
	}
	if OverApache() {
		require.Panics(t, func() { gocqldriver.New(gocqlx.NewSession(new(gocql.Session))) })
	}
}

// A configuration is translated, and a field that is not is an error.
func TestNewCluster(t *testing.T) {
	c := gocql.NewCluster("a", "b")
	c.Keyspace, c.ProtoVersion, c.Consistency, c.PageSize, c.Timeout = "k", 4, gocql.LocalQuorum, 7, time.Minute
	c.SerialConsistency, c.RetryPolicy, c.Events.DisableSchemaEvents = gocql.LocalSerial, &gocql.SimpleRetryPolicy{NumRetries: 1}, true
	c.QueryObserver = observer{}
	a, err := newCluster(c)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, a.Hosts)
	require.Equal(t, []any{"k", 0, apache.LocalQuorum, apache.LocalSerial, 7, time.Minute, true},
		[]any{a.Keyspace, a.ProtoVersion, a.Consistency, a.SerialConsistency, a.PageSize, a.Timeout, a.Events.DisableSchemaEvents})
	require.Equal(t, apache.RetryNextHost, a.RetryPolicy.GetRetryType(errors.New("any")))
	require.NotNil(t, a.QueryObserver)
	c.ProtoVersion = 3
	a, err = newCluster(c)
	require.NoError(t, err)
	require.Equal(t, 3, a.ProtoVersion)
	c.CQLVersion = "4.0.0"
	_, err = newCluster(c)
	require.EqualError(t, err, "suite: CQLVersion of a gocql.ClusterConfig is not translated for Apache's driver: add it to newCluster")
}

type observer struct{}

func (observer) ObserveQuery(context.Context, gocql.ObservedQuery) {}
