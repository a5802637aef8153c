// Package zipkin is the Cassandra storage of Zipkin as AML: a span is the source, and five tables are derived from it.
//
// The tables are those of openzipkin/zipkin, commit 878ce2a1fad54ca941d17fdcf2e1d924b148eb1f, files
// zipkin-storage/cassandra/src/main/resources/zipkin2-schema.cql and zipkin2-schema-indexes.cql. The derivation of
// tables from others is that of CassandraSpanConsumer.java in the same module.
//
// All tables, columns, types, keys, orders, TTLs and gc_grace_seconds are those of the original. Differences: two SASI indexes are
// storage-attached ones; the third, which splits a text at a delimiter, comments, and properties that Cassandra no longer has are
// omitted. The derivation of dependency, which a job sums over the spans of a day, and of two columns of span that are computed from
// other columns of their row, is not declared.
package zipkin

//go:generate go tool aml generate -schema

import (
	"net"
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

// Span is one operation within a trace. It expires after a week (TTL). ID and TimeID together are unique within the trace. TimeID has
// the time of the span and random bits.
type Span struct {
	aml.Aggregate `aml:"span,ttl=604800,gc_grace=3600,with='compaction = {''class'': ''TimeWindowCompactionStrategy''} AND speculative_retry = ''95percentile'''"`

	TraceID         string            `aml:"trace_id,identifier"` // the right 16 digits, unless ids are strict
	TimeID          gocql.UUID        `aml:"ts_uuid,discriminator,desc,type=timeuuid"`
	ID              string            `aml:"id,discriminator"`
	TraceIDHigh     *string           `aml:"trace_id_high"`
	ParentID        *string           `aml:"parent_id"`
	Kind            *string           `aml:"kind"`
	Name            *string           `aml:"span"`
	Timestamp       *int64            `aml:"ts"`       // microseconds since the epoch
	Duration        *int64            `aml:"duration"` // microseconds
	LocalEndpoint   *Endpoint         `aml:"l_ep,composition"`
	RemoteEndpoint  *Endpoint         `aml:"r_ep,composition"`
	Annotations     []Annotation      `aml:"annotations,composition"`
	Tags            map[string]string `aml:"tags"`
	Debug           *bool             `aml:"debug"`
	Shared          *bool             `aml:"shared"`
	LocalService    *string           `aml:"l_service,index"` // LocalEndpoint.Service, written by the service
	AnnotationQuery *string           `aml:"annotation_query"`
}

// Endpoint is the network address of one side of the call.
type Endpoint struct {
	aml.ValueObject `aml:"endpoint"`

	Service *string `aml:"service"`
	IPv4    net.IP  `aml:"ipv4"`
	IPv6    net.IP  `aml:"ipv6"`
	Port    int32   `aml:"port"`
}

// Annotation is an event inside a span.
type Annotation struct {
	aml.ValueObject `aml:"annotation"`

	Time  int64  `aml:"ts"` // microseconds since the epoch
	Value string `aml:"v"`
}

// Time is the start of the span in microseconds: its timestamp, or that of its first annotation with one, or 0.
func (s Span) Time() int64 {
	if s.Timestamp != nil && *s.Timestamp != 0 {
		return *s.Timestamp
	}
	for _, a := range s.Annotations {
		if a.Time > 0 {
			return a.Time
		}
	}
	return 0
}

// Day is the number of days since the epoch.
func (s Span) Day() int32 { return int32(s.Time() / (24 * time.Hour).Microseconds()) }

// Millis is the duration in whole milliseconds; nil if it is missing or shorter than one.
func (s Span) Millis() *int64 {
	if s.Duration == nil || *s.Duration < 1000 {
		return nil
	}
	ms := *s.Duration / 1000
	return &ms
}

// SpanName is the span's name; empty if it has none.
func (s Span) SpanName() string {
	if s.Name == nil {
		return ""
	}
	return *s.Name
}

// Searchable reports whether a search can find the span: its service and its time are known.
func (s Span) Searchable() bool {
	return s.LocalEndpoint != nil && s.LocalEndpoint.Service != nil && s.Time() != 0
}

// SearchNames are the names under which the span is found: its name and the empty one.
func (s Span) SearchNames() []string { return []string{s.SpanName(), ""} }

// CallsRemote reports whether both services are known.
func (s Span) CallsRemote() bool {
	return s.LocalEndpoint != nil && s.LocalEndpoint.Service != nil && s.RemoteEndpoint != nil && s.RemoteEndpoint.Service != nil
}

// RemoteSearchable reports whether a search can find the span by the service that it calls.
func (s Span) RemoteSearchable() bool { return s.Searchable() && s.CallsRemote() && s.SpanName() != "" }

// autocompleteKeys are the tags whose values a search form offers.
var autocompleteKeys = []string{"environment", "region"}

// OfferedTag is a tag whose value a search form offers.
type OfferedTag struct {
	Key   string
	Value string
}

// OfferedTags are the tags of the span that a search form offers.
func (s Span) OfferedTags() []OfferedTag {
	if !s.Searchable() || s.SpanName() == "" {
		return nil
	}
	var offered []OfferedTag
	for _, k := range autocompleteKeys {
		if v, ok := s.Tags[k]; ok {
			offered = append(offered, OfferedTag{Key: k, Value: v})
		}
	}
	return offered
}

// TraceByServiceSpan finds the traces of a day by service and span name, or by service only (with the empty name).
type TraceByServiceSpan struct {
	aml.Aggregate `aml:"trace_by_service_span,redundant=Span.SearchNames(),distinct,when=Span.Searchable(),ttl=259200,gc_grace=3600,with='compaction = {''class'': ''TimeWindowCompactionStrategy''} AND speculative_retry = ''95percentile'''"`

	Service  string     `aml:"service,identifier,from=Span.LocalEndpoint.Service"`
	Span     string     `aml:"span,identifier,from=Span.SearchNames().$value"`
	Bucket   int32      `aml:"bucket,identifier,from=Span.Day()"`
	TimeID   gocql.UUID `aml:"ts,discriminator,desc,type=timeuuid,from=Span.TimeID"`
	TraceID  string     `aml:"trace_id,from=Span.TraceID"`
	Duration *int64     `aml:"duration,index,from=Span.Millis()"`
}

// TraceByRemoteService finds the traces of a day by the service and the service that it called.
type TraceByRemoteService struct {
	aml.Aggregate `aml:"trace_by_service_remote_service,redundant=Span,distinct,when=Span.RemoteSearchable(),ttl=259200,gc_grace=3600,with='compaction = {''class'': ''TimeWindowCompactionStrategy''} AND speculative_retry = ''95percentile'''"`

	Service       string     `aml:"service,identifier,from=Span.LocalEndpoint.Service"`
	RemoteService string     `aml:"remote_service,identifier,from=Span.RemoteEndpoint.Service"`
	Bucket        int32      `aml:"bucket,identifier,from=Span.Day()"`
	TimeID        gocql.UUID `aml:"ts,discriminator,desc,type=timeuuid"`
	TraceID       string     `aml:"trace_id"`
}

// SpanByService is a span name that a service has used.
type SpanByService struct {
	aml.Aggregate `aml:"span_by_service,redundant=Span,shared,when=Span.LocalEndpoint.Service,ttl=259200,gc_grace=3600,with='compaction = {''class'': ''LeveledCompactionStrategy'', ''unchecked_tombstone_compaction'': ''true'', ''tombstone_threshold'': ''0.2''} AND caching = {''rows_per_partition'': ''ALL''} AND speculative_retry = ''95percentile'''"`

	Service string `aml:"service,identifier,from=Span.LocalEndpoint.Service"`
	Span    string `aml:"span,discriminator,from=Span.SpanName()"`
}

// RemoteServiceByService is a service that a service has called.
type RemoteServiceByService struct {
	aml.Aggregate `aml:"remote_service_by_service,redundant=Span,shared,when=Span.CallsRemote(),ttl=259200,gc_grace=3600,with='compaction = {''class'': ''LeveledCompactionStrategy'', ''unchecked_tombstone_compaction'': ''true'', ''tombstone_threshold'': ''0.2''} AND caching = {''rows_per_partition'': ''ALL''} AND speculative_retry = ''95percentile'''"`

	Service       string `aml:"service,identifier,from=Span.LocalEndpoint.Service"`
	RemoteService string `aml:"remote_service,discriminator,from=Span.RemoteEndpoint.Service"`
}

// AutocompleteTag is a value of one of the offered tags.
type AutocompleteTag struct {
	aml.Aggregate `aml:"autocomplete_tags,redundant=Span.OfferedTags(),shared,ttl=259200,gc_grace=3600,with='compaction = {''class'': ''LeveledCompactionStrategy'', ''unchecked_tombstone_compaction'': ''true'', ''tombstone_threshold'': ''0.2''} AND caching = {''rows_per_partition'': ''ALL''} AND speculative_retry = ''95percentile'''"`

	Key   string `aml:"key,identifier"`
	Value string `aml:"value,discriminator"`
}

// DependencyLink is the number of calls from one service to another in a day. A job computes it from the spans of the day.
type DependencyLink struct {
	aml.Aggregate `aml:"dependency,ttl=259200,gc_grace=3600,with='compaction = {''class'': ''LeveledCompactionStrategy'', ''unchecked_tombstone_compaction'': ''true'', ''tombstone_threshold'': ''0.2''}'"`

	Day    time.Time `aml:"day,identifier,type=date"`
	Parent string    `aml:"parent,discriminator"`
	Child  string    `aml:"child,discriminator"`
	Errors int64     `aml:"errors"`
	Calls  int64     `aml:"calls"`
}
