// Package jaeger is the Cassandra storage of the Jaeger tracing backend as AML: spans are the only source of a trace, and all
// tables that find traces are derived from it.
//
// The tables are those of schema v004 of jaegertracing/jaeger, commit 8498073ff809b1a3923521920a9b1b017ea97ecf, file
// internal/storage/v1/cassandra/schema/v004-go-tmpl.cql.tmpl. The derivation of tables from others is that of
// internal/storage/v1/cassandra/spanstore/writer.go.
//
// All tables, columns, types, keys, orders and gc_grace_seconds are those of the original. Differences: the TTL and the compaction
// window, which are parameters of a template, have their defaults. The derivation of the links in dependencies_v2, which a job
// counts over all spans, and of its day, which is computed from its time, is not declared.
package jaeger

//go:generate go tool aml generate -schema

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

// Span is one operation of one service within a trace. It expires after two days (TTL). SpanHash distinguishes the client's and
// the server's half of a span, which share an ID.
type Span struct {
	aml.Aggregate `aml:"traces,ttl=172800,gc_grace=10800,with='compaction = {''class'': ''TimeWindowCompactionStrategy'', ''compaction_window_size'': ''1'', ''compaction_window_unit'': ''HOURS''} AND speculative_retry = ''NONE'''"`

	TraceID       []byte     `aml:"trace_id,identifier"`
	SpanID        int64      `aml:"span_id,discriminator"`
	SpanHash      int64      `aml:"span_hash,discriminator"`
	ParentID      int64      `aml:"parent_id"`
	OperationName string     `aml:"operation_name"`
	Flags         int32      `aml:"flags"`
	StartTime     int64      `aml:"start_time"` // microseconds since the epoch
	Duration      int64      `aml:"duration"`   // microseconds
	Tags          []KeyValue `aml:"tags,composition"`
	Logs          []Log      `aml:"logs,composition"`
	Refs          []SpanRef  `aml:"refs,composition"`
	Process       Process    `aml:"process,composition,final"`
}

// KeyValue is one tag. ValueType determines which of the values is in use.
type KeyValue struct {
	aml.ValueObject `aml:"keyvalue"`

	Key         string  `aml:"key"`
	ValueType   string  `aml:"value_type"`
	ValueString string  `aml:"value_string"`
	ValueBool   bool    `aml:"value_bool"`
	ValueLong   int64   `aml:"value_long"`
	ValueDouble float64 `aml:"value_double"`
	ValueBinary []byte  `aml:"value_binary"`
}

// Log is an event inside a span.
type Log struct {
	aml.ValueObject `aml:"log"`

	Timestamp int64      `aml:"ts"` // microseconds since the epoch
	Fields    []KeyValue `aml:"fields,composition"`
}

// SpanRef points from a span to another, possibly of another trace.
type SpanRef struct {
	aml.ValueObject `aml:"span_ref"`

	RefType string `aml:"ref_type"`
	TraceID []byte `aml:"trace_id"`
	SpanID  int64  `aml:"span_id"`
}

// Process is the process that produced the span.
type Process struct {
	aml.ValueObject `aml:"process"`

	ServiceName string     `aml:"service_name,required"`
	Tags        []KeyValue `aml:"tags,composition"`
}

// spanKindTag is the tag that holds the kind of a span.
const spanKindTag = "span.kind"

// Kind is client, server, producer, consumer or internal; empty if the span has no kind.
func (s Span) Kind() string {
	for _, t := range s.Tags {
		if t.Key == spanKindTag {
			return t.ValueString
		}
	}
	return ""
}

// Shard spreads the spans of one service over ten partitions.
func (s Span) Shard() int32 { return int32(uint64(s.SpanHash) % 10) }

// Hour is the start of the span rounded to the nearest full hour.
func (s Span) Hour() time.Time {
	return time.UnixMicro(s.StartTime).UTC().Round(time.Hour)
}

// DurationNames are the operation names under which the duration is found: the empty one and the span's.
func (s Span) DurationNames() []string { return []string{"", s.OperationName} }

// IndexedTag is a tag that a search can use.
type IndexedTag struct {
	TagKey   string
	TagValue string
}

// IndexedTags are the tags of the process, of the span and of its logs that a search can find: text that is not too
// long and is not JSON. Binary values are omitted.
func (s Span) IndexedTags() []IndexedTag {
	all := append(append([]KeyValue{}, s.Process.Tags...), s.Tags...)
	for _, l := range s.Logs {
		all = append(all, l.Fields...)
	}
	var found []IndexedTag
	for _, t := range all {
		if v := t.text(); t.ValueType != "binary" && searchable(t.Key) && searchable(v) && !isJSON(v) {
			found = append(found, IndexedTag{TagKey: t.Key, TagValue: v})
		}
	}
	return found
}

func (t KeyValue) text() string {
	switch t.ValueType {
	case "string":
		return t.ValueString
	case "bool":
		return strconv.FormatBool(t.ValueBool)
	case "int64":
		return strconv.FormatInt(t.ValueLong, 10)
	case "float64":
		return strconv.FormatFloat(t.ValueDouble, 'g', 10, 64)
	case "binary":
		return hex.EncodeToString(t.ValueBinary)
	}
	return "unknown type " + t.ValueType
}

func searchable(s string) bool { return len(s) < 256 && utf8.ValidString(s) }

func isJSON(s string) bool { return strings.HasPrefix(s, "{") && json.Valid([]byte(s)) }

// ServiceName is a service that has reported a span within the last two days.
type ServiceName struct {
	aml.Aggregate `aml:"service_names,redundant=Span,shared,ttl=172800,gc_grace=10800,with='speculative_retry = ''NONE'''"`

	ServiceName string `aml:"service_name,identifier,from=Span.Process.ServiceName"`
}

// OperationName is an operation that a service has reported, by kind.
type OperationName struct {
	aml.Aggregate `aml:"operation_names_v2,redundant=Span,shared,ttl=172800,gc_grace=10800,with='speculative_retry = ''NONE'''"`

	ServiceName   string `aml:"service_name,identifier,from=Span.Process.ServiceName"`
	SpanKind      string `aml:"span_kind,discriminator,from=Span.Kind()"`
	OperationName string `aml:"operation_name,discriminator"`
}

// TraceByOperation finds the newest traces of an operation. Two spans that start in one microsecond share a row: the
// later write overwrites the earlier one, and a search misses that span.
type TraceByOperation struct {
	aml.Aggregate `aml:"service_operation_index,redundant=Span,shared,ttl=172800,gc_grace=10800,with='compaction = {''class'': ''TimeWindowCompactionStrategy'', ''compaction_window_size'': ''1'', ''compaction_window_unit'': ''HOURS''} AND speculative_retry = ''NONE'''"`

	ServiceName   string `aml:"service_name,identifier,from=Span.Process.ServiceName"`
	OperationName string `aml:"operation_name,identifier"`
	StartTime     int64  `aml:"start_time,discriminator,desc"`
	TraceID       []byte `aml:"trace_id"`
}

// TraceByService finds the newest traces of a service, spread over the shards of its name.
type TraceByService struct {
	aml.Aggregate `aml:"service_name_index,redundant=Span,shared,ttl=172800,gc_grace=10800,with='compaction = {''class'': ''TimeWindowCompactionStrategy'', ''compaction_window_size'': ''1'', ''compaction_window_unit'': ''HOURS''} AND speculative_retry = ''NONE'''"`

	ServiceName string `aml:"service_name,identifier,from=Span.Process.ServiceName"`
	Bucket      int32  `aml:"bucket,identifier,from=Span.Shard()"`
	StartTime   int64  `aml:"start_time,discriminator,desc"`
	TraceID     []byte `aml:"trace_id"`
}

// TraceByDuration finds the slowest traces of an hour, by service only (with the empty operation) and by operation.
type TraceByDuration struct {
	aml.Aggregate `aml:"duration_index,redundant=Span.DurationNames(),shared,ttl=172800,gc_grace=10800,with='compaction = {''class'': ''TimeWindowCompactionStrategy'', ''compaction_window_size'': ''1'', ''compaction_window_unit'': ''HOURS''} AND speculative_retry = ''NONE'''"`

	ServiceName   string    `aml:"service_name,identifier,from=Span.Process.ServiceName"`
	OperationName string    `aml:"operation_name,identifier,from=Span.DurationNames().$value"`
	Bucket        time.Time `aml:"bucket,identifier,from=Span.Hour()"`
	Duration      int64     `aml:"duration,discriminator,desc,from=Span.Duration"`
	StartTime     int64     `aml:"start_time,discriminator,desc,from=Span.StartTime"`
	TraceID       []byte    `aml:"trace_id,discriminator,from=Span.TraceID"`
}

// TraceByTag finds the newest traces with a tag.
type TraceByTag struct {
	aml.Aggregate `aml:"tag_index,redundant=Span.IndexedTags(),shared,ttl=172800,gc_grace=10800,with='compaction = {''class'': ''TimeWindowCompactionStrategy'', ''compaction_window_size'': ''1'', ''compaction_window_unit'': ''HOURS''} AND speculative_retry = ''NONE'''"`

	ServiceName string `aml:"service_name,identifier,from=Span.Process.ServiceName"`
	TagKey      string `aml:"tag_key,identifier"`
	TagValue    string `aml:"tag_value,identifier"`
	StartTime   int64  `aml:"start_time,discriminator,desc,from=Span.StartTime"`
	TraceID     []byte `aml:"trace_id,discriminator,from=Span.TraceID"`
	SpanID      int64  `aml:"span_id,discriminator,from=Span.SpanID"`
}

// Dependencies is the result of one run of the dependency job: the number of calls between services. The day is Day(Time).
type Dependencies struct {
	aml.Aggregate `aml:"dependencies_v2"`

	Day   time.Time    `aml:"ts_bucket,identifier"`
	Time  time.Time    `aml:"ts,discriminator,desc"`
	Links []Dependency `aml:"dependencies,composition"`
}

// Dependency is a call from one service to another.
type Dependency struct {
	aml.ValueObject `aml:"dependency"`

	Parent    string `aml:"parent"`
	Child     string `aml:"child"`
	CallCount int64  `aml:"call_count"`
	Source    string `aml:"source"`
}

// Day is the partition of the dependencies found at t.
func Day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// Throughput is the throughput of each operation at one collector, for adaptive sampling.
type Throughput struct {
	aml.Aggregate `aml:"operation_throughput"`

	Bucket     int32      `aml:"bucket,identifier"`
	Time       gocql.UUID `aml:"ts,discriminator,desc,type=timeuuid"`
	Throughput string     `aml:"throughput"`
}

// Probabilities is one computed set of sampling probabilities.
type Probabilities struct {
	aml.Aggregate `aml:"sampling_probabilities"`

	Bucket        int32      `aml:"bucket,identifier"`
	Time          gocql.UUID `aml:"ts,discriminator,desc,type=timeuuid"`
	Hostname      string     `aml:"hostname"`
	Probabilities string     `aml:"probabilities"`
}

// Lease is a lock that one collector has for a limited time.
type Lease struct {
	aml.Aggregate `aml:"leases"`

	Name  string `aml:"name,identifier"`
	Owner string `aml:"owner"`
}
