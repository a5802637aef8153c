// Package trace is the model of a trace store: rows whose TTL a program sets when it opens the store, spans that are larger
// than a batch, search indexes whose rows can be missing for a while, and names that many spans share.
package trace

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Span is an operation of a service, which is part of a trace.
type Span struct {
	aml.Aggregate `aml:"spans,large,ttl=$retention:172800"`

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

// LogByTime finds a line by its time.
//
//aml:ignore AML902 a span is written once
type LogByTime struct {
	aml.Aggregate `aml:"logs_by_time,redundant=Span.Logs"`

	At    int64      `aml:"at,identifier"`
	Trace gocql.UUID `aml:"trace,discriminator,from=Span.Trace"`
	ID    int64      `aml:"id,discriminator,from=Span.ID"`
	Line  int32      `aml:"line,discriminator,from=Span.Logs.$index"`
	Text  string     `aml:"text"`
}

// SpanByTag finds a span by one of its tags, for a day.
//
//aml:ignore AML902 a span is written once
type SpanByTag struct {
	aml.Aggregate `aml:"spans_by_tag,redundant=Span.Tags,unlogged,ttl=$searchable:86400"`

	Tag   string     `aml:"tag,identifier,from=Span.Tags.$key"`
	Value string     `aml:"value,identifier,from=Span.Tags.$value"`
	Trace gocql.UUID `aml:"trace,discriminator,from=Span.Trace"`
	ID    int64      `aml:"id,discriminator,from=Span.ID"`
}

// Operation is an operation of a service that a span has had.
type Operation struct {
	aml.Aggregate `aml:"operations,redundant=Span,shared,unlogged,cache=12h"`

	Service   string `aml:"service,identifier"`
	Operation string `aml:"operation,discriminator"`
}

// Monitor is a rule that watches spans.
type Monitor struct {
	aml.Aggregate `aml:"monitors"`

	ID      int64           `aml:"id,identifier"`
	Name    string          `aml:"name,required"`
	Words   map[string]bool `aml:"words,max=100"`
	Version int64           `aml:"version,version"`
}

// MonitorByName finds a monitor by its name.
type MonitorByName struct {
	aml.Aggregate `aml:"monitors_by_name,redundant=Monitor"`

	Name string `aml:"name,identifier"`
	ID   int64  `aml:"id,discriminator"`
}

// MonitorByWord finds a monitor by a word.
type MonitorByWord struct {
	aml.Aggregate `aml:"monitors_by_word,redundant=Monitor.Words,unlogged"`

	Word string `aml:"word,identifier,from=Monitor.Words.$key"`
	ID   int64  `aml:"id,discriminator,from=Monitor.ID"`
	On   bool   `aml:"on,from=Monitor.Words.$value"`
}

// Word is a word of any monitor.
type Word struct {
	aml.Aggregate `aml:"words,redundant=Monitor.Words,shared,cache=1h"`

	Word string `aml:"word,identifier,from=Monitor.Words.$key"`
}

// Board shows panels. Its rows do not expire, so that a change writes and deletes single panels of the copies.
type Board struct {
	aml.Aggregate `aml:"boards,large"`

	ID     int64             `aml:"id,identifier"`
	Owner  string            `aml:"owner,required"`
	Panels map[string]string `aml:"panels,max=100"`
	Links  map[string]string `aml:"links,max=100"`
}

// BoardByOwner finds a board by its owner, with its links.
//
//aml:ignore AML902 a board has one writer
type BoardByOwner struct {
	aml.Aggregate `aml:"boards_by_owner,redundant=Board"`

	Owner string            `aml:"owner,identifier"`
	ID    int64             `aml:"id,discriminator"`
	Links map[string]string `aml:"links"`
}

// BoardByPanel finds a board by a panel.
//
//aml:ignore AML902 a board has one writer
type BoardByPanel struct {
	aml.Aggregate `aml:"boards_by_panel,redundant=Board.Panels,unlogged"`

	Panel string `aml:"panel,identifier,from=Board.Panels.$key"`
	ID    int64  `aml:"id,discriminator,from=Board.ID"`
}

// Shape has a type with tuples, which is not frozen.
type Shape struct {
	aml.Aggregate `aml:"shapes"`

	ID    int32  `aml:"id,identifier"`
	Name  string `aml:"name,required"`
	Frame Frame  `aml:"frame,composition"`
}

// Frame is a rectangle with a label.
type Frame struct {
	From  Point  `aml:"'from',type=tuple"`
	To    *Point `aml:"to,type=tuple"`
	Label string `aml:"label"`
	Line  *Line  `aml:"line,type=tuple"`
}

// Point is a place in a plane.
type Point struct{ X, Y int32 }

// Line is a tuple with tuples.
type Line struct {
	Begin Point  `aml:",type=tuple"`
	End   *Point `aml:",type=tuple"`
	Names []string
}

// ShapeByName finds a shape by its name.
//
//aml:ignore AML902 a shape has one writer
type ShapeByName struct {
	aml.Aggregate `aml:"shapes_by_name,redundant=Shape"`

	Name  string `aml:"name,identifier"`
	ID    int32  `aml:"id,discriminator"`
	Frame Frame  `aml:"frame,composition"`
}
