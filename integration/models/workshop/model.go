// Package workshop is the model for tests of the runtime with a real Cassandra: it has every construct that the mapper
// writes and reads, in as few tables as possible.
package workshop

import (
	"math/big"
	"net"
	"net/netip"
	"time"

	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Job is a piece of work that a site does for a client: the source of all tables named after jobs, tools and parts.
type Job struct {
	aml.Aggregate `aml:"jobs"`

	Site   string     `aml:"site,identifier"`
	Year   int16      `aml:"year,identifier"`
	Opened time.Time  `aml:"opened,discriminator,desc"`
	ID     gocql.UUID `aml:"id,discriminator" db:"id"`

	Title  string            `aml:"title,required"`
	Due    time.Time         `aml:"due,type=date"`
	Hours  float64           `aml:"hours"`
	Budget *inf.Dec          `aml:"budget"`
	Level  *int32            `aml:"level"`
	Sketch []byte            `aml:"sketch"`
	Worker *Person           `aml:"worker,composition"`
	Place  Place             `aml:"place,composition,final"`
	Tools  []Tool            `aml:"tools,composition"`
	Parts  map[string]Part   `aml:"parts,composition"`
	Tags   []string          `aml:"tags,unique"`
	Notes  []string          `aml:"notes"`
	Shifts map[string][]int8 `aml:"shifts,final"`
}

// Person does a job. Each field is a separate cell.
type Person struct {
	aml.ValueObject `aml:"person"`

	Name  string    `aml:"name" cql:"name"`
	Phone *string   `aml:"phone" cql:"phone"`
	Born  time.Time `aml:"born,type=date" cql:"born"`
}

// Place is the place of a job. It is written as one cell.
type Place struct {
	aml.ValueObject `aml:"place"`

	Street string   `aml:"street" cql:"street"`
	Door   *int32   `aml:"door" cql:"door"`
	Codes  []string `aml:"codes" cql:"codes"`
}

// Tool is lent to a job.
type Tool struct {
	aml.ValueObject `aml:"tool"`

	Serial string    `aml:"serial,required" cql:"serial"`
	Bought time.Time `aml:"bought,type=date" cql:"bought"`
	Kind   string    `aml:"kind" cql:"kind"`
}

// Part is fitted in a job.
type Part struct {
	aml.ValueObject `aml:"part"`

	Maker string `aml:"maker,required" cql:"maker"`
	Price *int64 `aml:"price" cql:"price"`
}

// JobByTitle finds a job by another key.
type JobByTitle struct {
	aml.Aggregate `aml:"jobs_by_title,redundant=Job"`

	Title  string     `aml:"title,identifier"`
	Opened time.Time  `aml:"opened,discriminator,desc"`
	Site   string     `aml:"site,discriminator"`
	Year   int16      `aml:"year,discriminator"`
	ID     gocql.UUID `aml:"id,discriminator"`

	Budget *inf.Dec        `aml:"budget"`
	Level  *int32          `aml:"level"`
	Worker *Person         `aml:"worker,composition"`
	Place  Place           `aml:"place,composition,final"`
	Parts  map[string]Part `aml:"parts,composition"`
	Tags   []string        `aml:"tags,unique"`
	Notes  []string        `aml:"notes"`
}

// JobByDue is in the partition of the job itself.
type JobByDue struct {
	aml.Aggregate `aml:"jobs_by_due,redundant=Job"`

	Site   string     `aml:"site,identifier"`
	Year   int16      `aml:"year,identifier"`
	Due    time.Time  `aml:"due,discriminator,type=date"`
	Opened time.Time  `aml:"opened,discriminator"`
	ID     gocql.UUID `aml:"id,discriminator"`

	Phone *string   `aml:"phone,from=Job.Worker.Phone"`
	Born  time.Time `aml:"born,from=Job.Worker.Born,type=date"`
}

// ToolBySerial has a row for every tool that is lent. A tool is lent to one job at a time, as distinct declares.
type ToolBySerial struct {
	aml.Aggregate `aml:"tools_by_serial,redundant=Job.Tools,distinct"`

	Serial string    `aml:"serial,identifier"`
	Bought time.Time `aml:"bought,discriminator,desc,type=date"`
	Kind   string    `aml:"kind"`
	Holder Holder    `aml:"holder,composition,from=Job"`
}

// Holder is the part of a job that the row of a tool contains.
type Holder struct {
	aml.ValueObject `aml:"holder"`

	Site   string
	Year   int16
	Opened time.Time
	ID     gocql.UUID
	Title  string
	Worker *Person `aml:",composition"`
}

// PartByNumber has a row for every part of every job.
type PartByNumber struct {
	aml.Aggregate `aml:"parts_by_number,redundant=Job.Parts"`

	Number string     `aml:"number,identifier,from=Job.Parts.$key"`
	Site   string     `aml:"site,discriminator,from=Job.Site"`
	Year   int16      `aml:"year,discriminator,from=Job.Year"`
	Opened time.Time  `aml:"opened,discriminator,from=Job.Opened"`
	ID     gocql.UUID `aml:"id,discriminator,from=Job.ID"`

	Maker string  `aml:"maker"`
	Price *int64  `aml:"price"`
	Hours float64 `aml:"hours,from=Job.Hours"`
}

// JobByTag has a row for every tag of every job.
type JobByTag struct {
	aml.Aggregate `aml:"jobs_by_tag,redundant=Job.Tags"`

	Tag    string     `aml:"tag,identifier,from=Job.Tags.$value"`
	Site   string     `aml:"site,discriminator,from=Job.Site"`
	Year   int16      `aml:"year,discriminator,from=Job.Year"`
	Opened time.Time  `aml:"opened,discriminator,from=Job.Opened"`
	ID     gocql.UUID `aml:"id,discriminator,from=Job.ID"`

	Title string `aml:"title,from=Job.Title"`
}

// Sample has a value of every native type, and no copies.
type Sample struct {
	aml.Aggregate `aml:"samples"`

	ID int32 `aml:"id,identifier"`

	Boolean   bool           `aml:"boolean"`
	Tinyint   int8           `aml:"tinyint"`
	Smallint  int16          `aml:"smallint"`
	Int       int32          `aml:"int"`
	Bigint    int64          `aml:"bigint"`
	Count     int            `aml:"count"`
	Float     float32        `aml:"float"`
	Double    float64        `aml:"double"`
	Text      string         `aml:"text"`
	ASCII     string         `aml:"ascii,type=ascii"`
	Blob      []byte         `aml:"blob"`
	Timestamp time.Time      `aml:"timestamp"`
	Date      time.Time      `aml:"date,type=date"`
	Clock     time.Time      `aml:"clock,type=time"`
	Time      time.Duration  `aml:"time,type=time"`
	Duration  gocql.Duration `aml:"duration"`
	UUID      gocql.UUID     `aml:"uuid"`
	TimeUUID  gocql.UUID     `aml:"timeuuid,type=timeuuid"`
	Inet      net.IP         `aml:"inet"`
	Addr      netip.Addr     `aml:"addr"`
	Varint    *big.Int       `aml:"varint"`
	Decimal   *inf.Dec       `aml:"decimal"`

	MaybeText *string    `aml:"maybe_text"`
	MaybeInt  *int32     `aml:"maybe_int"`
	MaybeTime *time.Time `aml:"maybe_time"`
}
