package gen

import (
	"context"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// V2 is referred to by generated files, so that a file of an incompatible generator does not compile with this package.
const V2 = true

// Values and rows.
type (
	Encoder = cell.Encoder // writes the values of a row or a UDT
	Decoder = cell.Decoder // reads the values of a row or a UDT

	Alternative = cell.Alternative // a member of a group in which at most one has a value
	Form        = cell.Form        // how Cassandra compares the values of a type
)

// Descriptors.
type (
	Schema           = descriptor.Schema
	Type             = descriptor.Type
	Field            = descriptor.Field
	Table            = descriptor.Table
	Column           = descriptor.Column
	Kind             = projection.Kind
	Cells            = projection.Cells
	Aggregate        = descriptor.Aggregate
	Projection       = descriptor.Projection
	Versioning       = descriptor.Versioning
	Copied           = descriptor.Copied
	CopiedField      = descriptor.CopiedField
	PartWrites       = descriptor.PartWrites
	Unique           = descriptor.Unique
	CheckedReference = descriptor.CheckedReference
	Step             = descriptor.Step
	Place            = projection.Place
	Op               = projection.Op
	Code             = projection.Code
	Reads            = projection.Reads
	Constant         = descriptor.Constant
	Index            = descriptor.Index
	Lifetime         = descriptor.Lifetime
	Lookup           = projection.Lookup
)

// Linked is an aggregate with the dependencies of its projections: which cells of its copies depend on which cells of the root.
type Linked = plan.Aggregate

// Link returns a linked aggregate.
func Link(a Aggregate) *Linked { return plan.Link(a) }

// The kinds of columns.
const (
	PartitionKey  = projection.PartitionKey
	ClusteringKey = projection.ClusteringKey
	Static        = projection.Static
	Regular       = projection.Regular
)

// How the value of a column is stored in cells.
const (
	Single = projection.Single
	List   = projection.List
	Set    = projection.Set
	Map    = projection.Map
	UDT    = projection.UDT
)

// The codes of the operations of a projection.
const (
	Split  = projection.Split
	Make   = projection.Make
	MakeIf = projection.MakeIf
	Each   = projection.Each
	Entry  = projection.Entry

	Need     = projection.Need
	NeedTrue = projection.NeedTrue

	NeedOneOf = projection.NeedOneOf
)

// The effects of a deletion of the target on a root that refers to it.
const (
	Restrict = descriptor.Restrict
	Cascade  = descriptor.Cascade
	Clear    = descriptor.Clear
	Keep     = descriptor.Keep
)

// How an index finds rows.
const (
	Equals   = projection.Equals
	Contains = projection.Contains
	Near     = projection.Near
)

// Session is a session of a driver.
type Session = driver.Session

// DB is an open store: a session and its configuration. A copy is cheap and shares the clock.
type DB = call.DB

// Backend is a database other than Cassandra that a store can be opened on. Package memory has one.
type Backend = store.Backend

// Open opens a store on a session, which the caller owns and closes. It returns a *mapper.SchemaError with every table, column
// and UDT field that is missing in the session's keyspace or has a different type.
func Open(ctx context.Context, session driver.Session, config mapper.Config, schema *Schema) (*DB, error) {
	return call.Open(ctx, session, config, schema)
}

// OpenBackend opens a store on a backend. The clock of the backend provides the timestamps unless config has a clock. config has
// at most one element; without one, the zero value is used.
func OpenBackend(ctx context.Context, backend Backend, schema *Schema, config ...mapper.Config) (*DB, error) {
	return call.OpenBackend(ctx, backend, schema, config...)
}

// MustForm returns the form of a type in which each UDT is written as a tuple.
func MustForm(cqlType string) *Form { return form.Must(cqlType) }

// NewKey returns an encoder for a key, with enough room for most keys.
func NewKey() *Encoder {
	k := &struct {
		e    Encoder
		room [96]byte
	}{}
	k.e.Use(k.room[:])
	return &k.e
}

// Key returns an encoder that contains v.
func Key[T any](v T, encode func(*Encoder, T)) *Encoder {
	k := NewKey()
	encode(k, v)
	return k
}

// EncodeStruct writes a UDT with f; nil is null.
func EncodeStruct[T any](e *Encoder, v *T, f func(*Encoder, *T)) { cell.EncodeStruct(e, v, f) }

// EncodeNullable writes the value that v points to with f; nil is null.
func EncodeNullable[T any](e *Encoder, v *T, f func(*Encoder, T)) { cell.EncodeNullable(e, v, f) }

// EncodeList writes a list; nil is null.
func EncodeList[S ~[]T, T any](e *Encoder, v S, f func(*Encoder, T)) { cell.EncodeList(e, v, f) }

// EncodeStructs writes a list of UDTs; nil is null.
func EncodeStructs[S ~[]T, T any](e *Encoder, v S, f func(*Encoder, *T)) {
	cell.EncodeStructs(e, v, f)
}

// EncodeUnique writes a set from a slice; nil is null, two equal elements are a fault.
func EncodeUnique[S ~[]T, T any](e *Encoder, v S, f func(*Encoder, T), of ...*Form) {
	cell.EncodeUnique(e, v, f, of...)
}

// EncodeUniqueStructs writes a set of UDTs from a slice; nil is null, two equal elements are a fault.
func EncodeUniqueStructs[S ~[]T, T any](e *Encoder, v S, f func(*Encoder, *T), of ...*Form) {
	cell.EncodeUniqueStructs(e, v, f, of...)
}

// EncodeSet writes a set; nil is null.
func EncodeSet[M ~map[T]struct{}, T comparable](e *Encoder, v M, f func(*Encoder, T), of ...*Form) {
	cell.EncodeSet(e, v, f, of...)
}

// EncodeMap writes a map; nil is null.
func EncodeMap[M ~map[K]V, K comparable, V any](e *Encoder, v M, key func(*Encoder, K), value func(*Encoder, V), of ...*Form) {
	cell.EncodeMap(e, v, key, value, of...)
}

// EncodeQualified writes a slice of structs as a map whose keys are their qualifiers; nil is null.
func EncodeQualified[S ~[]T, T any](e *Encoder, v S, key, value func(*Encoder, *T), of ...*Form) {
	cell.EncodeQualified(e, v, key, value, of...)
}

// DecodeQualified reads the values of a map of structs; null is nil.
func DecodeQualified[T any](d *Decoder, f func(*Decoder, *T)) []T { return cell.DecodeQualified(d, f) }

// AppendValue writes the value v after the values of k, and returns k.
func AppendValue[T any](k *Encoder, v T, f func(*Encoder, T)) *Encoder {
	f(k, v)
	return k
}

// AppendList writes the list v after the values of k, and returns k.
func AppendList[S ~[]T, T any](k *Encoder, v S, f func(*Encoder, T)) *Encoder {
	EncodeList(k, v, f)
	return k
}

// AppendUnique writes a set from the slice v after the values of k, and returns k.
func AppendUnique[S ~[]T, T any](k *Encoder, v S, f func(*Encoder, T)) *Encoder {
	EncodeUnique(k, v, f)
	return k
}

// AppendOne writes a collection with the one element v after the values of k, and returns k.
func AppendOne[T any](k *Encoder, v T, f func(*Encoder, T)) *Encoder {
	EncodeList(k, []T{v}, f)
	return k
}

// EncodeEntryKey writes a map with one entry without a value.
func EncodeEntryKey[K any](e *Encoder, k K, key func(*Encoder, K)) { cell.EncodeEntryKey(e, k, key) }

// EncodeMapOfStructs writes a map whose values are UDTs; nil is null.
func EncodeMapOfStructs[M ~map[K]V, K comparable, V any](e *Encoder, v M, key func(*Encoder, K), value func(*Encoder, *V), of ...*Form) {
	cell.EncodeMapOfStructs(e, v, key, value, of...)
}

// DecodeStruct reads a UDT with f into v; null sets v to its zero value.
func DecodeStruct[T any](d *Decoder, v *T, f func(*Decoder, *T)) { cell.DecodeStruct(d, v, f) }

// DecodePointer reads a UDT with f; null is nil.
func DecodePointer[T any](d *Decoder, f func(*Decoder, *T)) *T { return cell.DecodePointer(d, f) }

// DecodeNullable reads a value with f; null is nil.
func DecodeNullable[T any](d *Decoder, f func(*Decoder) T) *T { return cell.DecodeNullable(d, f) }

// DecodeList reads a list, or a set as a slice; null is nil, empty is not.
func DecodeList[T any](d *Decoder, f func(*Decoder) T) []T { return cell.DecodeList(d, f) }

// DecodeStructs reads a list or set of UDTs; null is nil, empty is not.
func DecodeStructs[T any](d *Decoder, f func(*Decoder, *T)) []T { return cell.DecodeStructs(d, f) }

// DecodeSet reads a set; null is nil, empty is not.
func DecodeSet[T comparable](d *Decoder, f func(*Decoder) T) map[T]struct{} {
	return cell.DecodeSet(d, f)
}

// DecodeMap reads a map; null is nil, empty is not.
func DecodeMap[K comparable, V any](d *Decoder, key func(*Decoder) K, value func(*Decoder) V) map[K]V {
	return cell.DecodeMap(d, key, value)
}

// DecodeMapOfStructs reads a map whose values are UDTs; null is nil, empty is not.
func DecodeMapOfStructs[K comparable, V any](d *Decoder, key func(*Decoder) K, value func(*Decoder, *V)) map[K]V {
	return cell.DecodeMapOfStructs(d, key, value)
}
