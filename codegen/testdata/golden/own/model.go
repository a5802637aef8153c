// Package own has types with conversion methods in every position, values that are nullable without a pointer, vectors, tuples
// and instances of generic types.
package own

import (
	"database/sql"

	"github.com/cassaml/cassaml/aml"
	"github.com/cassaml/cassaml/codegen/testdata/golden/own/money"
	"github.com/gocql/gocql"
)

// Account has each type as a key, a column, in collections, in a type and in a tuple.
type Account struct {
	aml.Aggregate

	ID       ID[Account]   `aml:",identifier"`
	Label    money.Label   `aml:",identifier,type=text,index"`
	Level    money.Level   `aml:",discriminator,type=smallint,desc,index"`
	Amount   money.Amount  `aml:",type=decimal"`
	Maybe    *money.Amount `aml:",type=decimal,index"`
	Name     money.Label   `aml:",type=ascii"`
	Rank     money.Level   `aml:",type=int"`
	Of       money.Of[Account]
	Amounts  []money.Amount           `aml:",type=decimal"`
	Labels   []money.Label            `aml:",type=text,unique,index"`
	Levels   map[string]money.Level   `aml:",type=bigint"`
	ByLabel  map[money.Label]string   `aml:",type='map<text, text>'"`
	Ranks    map[money.Level]struct{} `aml:",type=tinyint"`
	List     money.Codes              `aml:",type=list<int>"`
	Set      money.Codes              `aml:",type=set<int>"`
	Map      money.Codes              `aml:",type='map<text, frozen<list<int>>>'"`
	Frozen   money.Codes              `aml:",type=frozen<set<int>>"`
	Texts    money.Codes              `aml:",type='vector<text, 2>'"`
	Null     sql.Null[int32]
	NullText sql.Null[string]       `aml:",required"`
	NullOwn  sql.Null[money.Amount] `aml:",type=decimal,index"`
	NullUUID sql.Null[gocql.UUID]
	NullTime sql.NullTime `aml:",type=timestamp"`
	Vector   [3]float32
	Named    *Embedding `aml:",index"`
	Vectors  []Embedding
	ByVector map[[2]float32]string
	Detail   Detail                         `aml:",composition"`
	Details  []Detail                       `aml:",composition"`
	Span     []Span                         `aml:",type=tuple"`
	Spans    map[Span]Span                  `aml:",type=tuple"`
	Unique   map[Span]struct{}              `aml:",type=tuple"`
	Pair     money.Pair[int32, string]      `aml:",composition"`
	Pairs    []money.Pair[Span, *Embedding] `aml:"-"`
	Others   []Box[money.Label]             `aml:",composition"`
}

type (
	// ID is an identifier with its own type.
	ID[T any] int64
	// Embedding is a named vector.
	Embedding [2]float32
)

// Box is a generic value object of one text.
type Box[T any] struct {
	Content T `aml:",type=text"`
}

// Span is a tuple.
type Span struct {
	From, To int32
	Note     *string
	Inner    Inner `aml:",type=tuple"`
}

// Inner is a tuple in a tuple.
type Inner struct {
	Text  string
	Where [2]float32
}

// Detail has each type as a field.
type Detail struct {
	Amount money.Amount   `aml:",type=decimal"`
	Label  *money.Label   `aml:",type=text"`
	Level  money.Level    `aml:",type=varint"`
	Null   sql.Null[bool] `aml:",required"`
	Vector Embedding
	Span   *Span       `aml:",type=tuple"`
	Codes  money.Codes `aml:",type=list<int>"`
}
