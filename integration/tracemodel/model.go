// Package tracemodel is the model of a trace store: rows whose time to live a program sets when it starts.
package tracemodel

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../codegen/cmd/aml generate

// Span is an operation of a service, which is part of a trace.
type Span struct {
	aml.Aggregate `aml:"spans,ttl=$retention:172800"`

	Trace     gocql.UUID        `aml:"trace,identifier"`
	ID        int64             `aml:"id,discriminator"`
	Service   string            `aml:"service,required"`
	Operation string            `aml:"operation,required"`
	Tags      map[string]string `aml:"tags,max=100"`
	Logs      []Log             `aml:"logs,composition,max=1000"`
}

// Log is a line that an operation has written.
type Log struct {
	At   int64
	Text string
}

// SpanByService finds a span by its service, with its logs.
//
//aml:ignore AML902 a span is written once
type SpanByService struct {
	aml.Aggregate `aml:"spans_by_service,redundant=Span"`

	Service string     `aml:"service,identifier"`
	Trace   gocql.UUID `aml:"trace,discriminator"`
	ID      int64      `aml:"id,discriminator"`
	Logs    []Log      `aml:"logs,composition"`
}

// SpanByTag finds a span by one of its tags, for a day.
//
//aml:ignore AML902 a span is written once
type SpanByTag struct {
	aml.Aggregate `aml:"spans_by_tag,redundant=Span.Tags,ttl=$searchable:86400"`

	Tag   string     `aml:"tag,identifier,from=Span.Tags.$key"`
	Value string     `aml:"value,identifier,from=Span.Tags.$value"`
	Trace gocql.UUID `aml:"trace,discriminator,from=Span.Trace"`
	ID    int64      `aml:"id,discriminator,from=Span.ID"`
}
