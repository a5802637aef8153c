package suite

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	apache "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/gocql/gocql"
)

// translated are the fields of gocql.ClusterConfig that newCluster passes on. The time in which writes are collected and the logger are not:
// the default of Apache's driver is used.
var translated = []string{
	"Hosts", "Keyspace", "ProtoVersion", "Timeout", "ConnectTimeout", "WriteTimeout", "NumConns", "Consistency", "SerialConsistency",
	"RetryPolicy", "PageSize", "ReconnectInterval", "MaxWaitSchemaAgreement", "MaxPreparedStmts", "DisableInitialHostLookup", "QueryObserver",
	"BatchObserver", "DefaultIdempotence", "DefaultTimestamp", "WriteCoalesceWaitTime", "Dialer", "Events", "Logger",
}

// newCluster returns a configuration of Apache's driver like one of gocql. It returns an error for a field that it does not translate.
func newCluster(c *gocql.ClusterConfig) (*apache.ClusterConfig, error) {
	have, usual := reflect.ValueOf(*c), reflect.ValueOf(*gocql.NewCluster())
	for i := range have.NumField() {
		field := have.Type().Field(i)
		if field.IsExported() && !slices.Contains(translated, field.Name) && !reflect.DeepEqual(have.Field(i).Interface(), usual.Field(i).Interface()) {
			return nil, fmt.Errorf("suite: %s of a gocql.ClusterConfig is not translated for Apache's driver: add it to newCluster", field.Name)
		}
	}
	a := apache.NewCluster(c.Hosts...)
	a.Keyspace, a.ProtoVersion = c.Keyspace, protocol(c)
	a.Timeout, a.ConnectTimeout, a.WriteTimeout = c.Timeout, c.ConnectTimeout, c.WriteTimeout
	a.NumConns, a.PageSize, a.MaxPreparedStmts = c.NumConns, c.PageSize, c.MaxPreparedStmts
	a.Consistency, a.SerialConsistency = apache.Consistency(c.Consistency), apache.Consistency(c.SerialConsistency)
	a.ReconnectInterval, a.MaxWaitSchemaAgreement = c.ReconnectInterval, c.MaxWaitSchemaAgreement
	a.DisableInitialHostLookup, a.WriteCoalesceWaitTime = c.DisableInitialHostLookup, c.WriteCoalesceWaitTime
	a.DefaultIdempotence, a.DefaultTimestamp = c.DefaultIdempotence, c.DefaultTimestamp
	a.Events.DisableNodeStatusEvents = c.Events.DisableNodeStatusEvents
	a.Events.DisableTopologyEvents = c.Events.DisableTopologyEvents
	a.Events.DisableSchemaEvents = c.Events.DisableSchemaEvents
	if c.Dialer != nil {
		a.Dialer = c.Dialer
	}
	if c.RetryPolicy != nil {
		a.RetryPolicy = policy{c.RetryPolicy}
	}
	if c.QueryObserver != nil {
		a.QueryObserver = queryObserver{c.QueryObserver}
	}
	if c.BatchObserver != nil {
		a.BatchObserver = batchObserver{c.BatchObserver}
	}
	return a, nil
}

// protocol returns the version of the native protocol: version 4 of a configuration is the default of gocql, and becomes the default of
// Apache's driver, unless the connections change frames, which are different in version 5.
func protocol(c *gocql.ClusterConfig) int {
	if c.ProtoVersion == 4 && c.Dialer == nil {
		return 0
	}
	return c.ProtoVersion
}

// policy is a retry policy of gocql for Apache's driver.
type policy struct{ own gocql.RetryPolicy }

// Attempt implements apache.RetryPolicy.
func (p policy) Attempt(q apache.RetryableQuery) bool { return p.own.Attempt(retryable{q}) }

// GetRetryType implements apache.RetryPolicy.
func (p policy) GetRetryType(err error) apache.RetryType {
	return apache.RetryType(p.own.GetRetryType(err))
}

// retryable is a query of Apache's driver for a policy of gocql.
type retryable struct{ apache.RetryableQuery }

// SetConsistency implements gocql.RetryableQuery.
func (r retryable) SetConsistency(c gocql.Consistency) {
	r.RetryableQuery.SetConsistency(apache.Consistency(c))
}

// GetConsistency implements gocql.RetryableQuery.
func (r retryable) GetConsistency() gocql.Consistency {
	return gocql.Consistency(r.RetryableQuery.GetConsistency())
}

// queryObserver passes observed queries to an observer of gocql.
type queryObserver struct{ own gocql.QueryObserver }

// ObserveQuery implements apache.QueryObserver.
func (o queryObserver) ObserveQuery(ctx context.Context, q apache.ObservedQuery) {
	o.own.ObserveQuery(ctx, gocql.ObservedQuery{Keyspace: q.Keyspace, Statement: q.Statement, Values: q.Values, Start: q.Start, End: q.End, Rows: q.Rows, Err: q.Err, Attempt: q.Attempt})
}

// batchObserver passes observed batches to an observer of gocql.
type batchObserver struct{ own gocql.BatchObserver }

// ObserveBatch implements apache.BatchObserver.
func (o batchObserver) ObserveBatch(ctx context.Context, b apache.ObservedBatch) {
	o.own.ObserveBatch(ctx, gocql.ObservedBatch{Keyspace: b.Keyspace, Statements: b.Statements, Values: b.Values, Start: b.Start, End: b.End, Err: b.Err, Attempt: b.Attempt})
}
