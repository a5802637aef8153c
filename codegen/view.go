package codegen

import (
	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/describe"
)

// view is the complete file as the templates print it: every name, type and statement is chosen.
type view struct {
	Package     string
	Recorded    string // the line that names the package of the model; "" if the store is in it
	Driver      *driver
	Standard    []Import
	Others      []Import
	Store       string
	Open        string
	OpenBackend string
	New         string
	Batch       string // "" if no table can be written in a batch
	Backfills   string
	Schema      string
	Literal     string       // the descriptor of the schema
	Relations   string       // the relations of the Related tables
	Tables      []*tableView // the tables as a store sees them
	Whole       []*tableView // the tables that are two of Tables: a root and the part in its table
	Views       []*tableView
	Functions   []Function
	Infos       []variable // CQL types, for the users' own codecs
	Unchanged   []structView
	Basics      []variable // named types that are stored as a type of Go
	Constants   []variable // constants of conditions and of enums

	names *names
}

// viewer builds the views of the tables.
type viewer struct {
	schema   *schema.Schema
	names    *names
	imports  *imports
	codecs   *codecs
	store    *describe.Store
	keyTypes map[*model.Aggregate]keysView

	partitionTypes map[*model.Aggregate]partitionType
	// The functions of keys from a clustering column on.
	keysets map[keyset]string
}

// tableView is one table: its statements, its type with the public methods, and its descriptor.
type tableView struct {
	Name          string // CQL
	Key           keyView
	Field         string // the field of the store
	Struct        string // Go type of a row
	Type          string // "" if only the mapper uses the table
	Doc           string
	Iter          string         // the name of package iter in the file
	Methods       methodDocs     // set for a root
	Versioned     *versionedView // set for a versioned root
	Guarded       *guardedView   // set for a part of a versioned root
	Counters      *countersView  // set for a table of counters
	Batch         *batchView     // set for a table whose writes a batch can have
	Descriptor    descriptorView
	Codec         *codecView     // nil if only the mapper uses the table
	Aggregate     *aggregateView // set for a root
	Linked        *aggregateView // Aggregate, or the aggregate of a part of a versioned root that has redundant tables
	Metadata      *metadataView  // set for a table that applications read, except a view
	Sets          []setView
	Indexes       []indexView
	Query         *queryView
	StaticColumns *staticsView
	References    referencesView
	Copies        []copiesView
	Parts         []partView // set for a root

	source  *schema.Table
	holders []*schema.CheckedReference // the references of other roots to it
	view    *schema.View               // set for some columns of another table
}

// keyView is the primary key of a table, and the parameters of a method that has it.
type keyView struct {
	Text   string   // (a, b | c desc)
	Params string   // id gocql.UUID, year int32
	Args   string   // id, year
	Encode []string // writes the parameters into k
	Known  string   // the parameter of Reconcile after the key
	Many   keysView // the parameter of a method that has several keys
}

// descriptorView is the descriptor of a table, with the statements that it names.
type descriptorView struct {
	Name       string
	Literal    string
	Statements []statementView

	value *descriptor.Table
}

// codecView is the names of the codec of a table and of its functions; "" for a function that it does not have.
type codecView struct {
	Name    string
	Encode  string
	Decode  string
	Check   string
	Compute string
	// ComputeKey calls the methods that Delete needs.
	ComputeKey string
	Copy       string
	Remaining  string
	Source     *tableView // the table of the root; set for a redundant table
}

// aggregateView is the descriptor of an aggregate.
type aggregateView struct {
	Name, Literal string
	About         []string // a comment for each of its copies
}

// metadataView describes a table to gocqlx. The names of columns are Go strings: "id", "year".
type metadataView struct{ Name, Columns, PartKey, SortKey string }

// referencesView is the methods that follow the references in the rows of a table, and the methods that read the rows that refer to it.
type referencesView struct {
	Follows   []followView
	Referring []referringView
}

// statementView is a constant with a statement.
type statementView struct{ Name, CQL, text string }

// copiesView is a projection of a root.
type copiesView struct {
	*descriptor.Projection

	Name  string
	Owned bool
}

// keysView is the type of a primary key in the methods that have several: the Go type of the only column, or a struct.
type keysView struct {
	Type   string     // gocql.UUID, OrdersKey
	Fields []keyField // the fields of the struct; nil if another table, of which the table is a view, has it, or if there is one column
	Doc    string     // the comment of the struct
	Encode string     // a function that returns the encoder of a key: t.key
}

type keyField struct{ Name, Type string }

// staticsView is the struct of the static columns of a partition, and the method that reads it.
type staticsView struct {
	Type   string // ItemsStatics
	Doc    string
	Fields []keyField
	Decode string // function name
	Params string // the partition key
	Encode []string
}

// setView is a method that writes one column without reading the row.
type setView struct {
	Name   string
	Doc    string
	Params string   // id gocql.UUID, name string
	Encode []string // writes the value after the key, in k
	Check  []string // adds the errors of the value to f
	Call   string   // the function of package gen
	What   string   // its argument before the values, with a comma: gen.AddElement,
	Column string   // its name, as a Go string, and the arguments after it
	Broken string   // the last argument of Call: f, nil, or "" for none
	Once   bool     // the write is sent once

	partition bool // the method has the partition key, not the complete one

	keyOf func(table string) string // the call that encodes the key; without Encode also the value
}

// indexView is the method that reads with an index.
type indexView struct {
	Name      string // ByTags
	Doc       string
	Param     string // the parameter of the method: v string
	Result    string // gen.Found[Photo]
	Arguments string // the arguments after the query: "title", gen.Key(v, gen.EncodeText)
	Function  string // gen.Find
	InOf      bool   // the rows of one partition have the method as well
}

// queryView is the query of a partition: a chain of types, each of which can only restrict the next clustering column.
type queryView struct {
	Params string
	Encode []string
	Type   string // the result of Of
	Rows   string // all rows of the partition, as a value of Type
	Doc    string
	States []*stateView
	Each   *eachView

	rows bool // they can be deleted
	of   queryType
}

// stateView is one of the types of a query.
type stateView struct {
	Type     string
	Doc      string
	Embedded string
	Methods  []methodView
	Finders  []indexView // the methods that read with an index
	Key      *keyFunctionView
}

// keyFunctionView is the function that encodes the values of the methods that compare all clustering columns from one on. The methods of
// all queries of these columns call it, because their number is large if a key has many columns.
type keyFunctionView struct {
	Name, Params string
	Encode       []string // writes the values into k
}

// keyset identifies the clustering columns of an aggregate from one on.
type keyset struct {
	of    *model.Aggregate
	first int
}

// methodView restricts one column or several. Doc follows its name.
type methodView struct {
	Name, Doc, Params, Result, Call string
}

// queryType is the type of a query. A type that can restrict a column embeds the type that can only bound it from above, which
// embeds the plain query.
type queryType struct {
	name  string
	inner *queryType
}

// value returns a plain query as a value of the type.
func (q queryType) value(plain string) string {
	if q.inner == nil {
		return plain
	}
	return q.name + "{" + q.inner.value(plain) + "}"
}

// eachView is the method that reads several partitions.
type eachView struct {
	Keys   keysView
	Encode []string // writes a key into k
	Rows   string   // the result, as in queryView
	Doc    string
}

// partitionType is the struct of the partition keys of a table, with the fields of one.
type partitionType struct {
	Type string
	args []string
}

// partView is a part of a root.
type partView struct {
	Field     string // the field of the store
	Method    string // the method that reads the root with the part
	Doc       string
	Struct    string
	Codec     string
	Aggregate string
	Separate  bool // the rows are in a separate table
	Copied    bool // it has copies
}

// followView is a reference in the rows of a table, and the methods that follow it.
type followView struct {
	Reference string // the variable with its descriptor
	Field     string // Author, Family[]
	Target    string // the Go type of the root
	Codec     string // the codec of the target
	Secret    bool
	Key       string // the name of the function that writes the primary key of a row
	Targets   string // the name of the function that writes the keys of the targets

	Method  string // FollowAuthor
	Doc     string
	Several bool   // one row can have several targets
	All     string // FollowAuthors; "" if one row can have several targets
	AllDoc  string
}

// referringView is a method that reads the rows that refer to a root.
type referringView struct {
	Method string // PapersByAuthor
	Doc    string
	Result string
	Query  string // the value of the result for v
}

// batchView is the writes of a plain root or part that a batch can have: the writes that do not read.
type batchView struct {
	Type string // CustomersBatch
	Doc  string
	Base string // the embedded type: Writes, or WritesOver with Put
}

// countersView is a table of counters.
type countersView struct {
	Type   string   // the argument of Add: RatingsDelta
	Fields []string // Number
	Param  string   // the parameter of Add: delta
	Doc    string   // the comment of the type
	Add    string   // the comment of the method
}

// guardedView describes the writes of the rows of a part of a versioned root. They are written only in the function of the root's
// Update, and by its InsertWith, Delete and DeleteAt.
type guardedView struct {
	Type   string // BidParts
	Params string // the clustering key
	Encode []string
	Root   string       // the field of the store with the root
	States []*stateView // the types that select the rows to delete
}

// versionedView describes the methods of a versioned root.
type versionedView struct {
	Uniques []uniqueView
	Part    *tableView // the part in its table; nil: none
	Parts   string     // the type with the parts of one row: AuctionParts
	With    *withView  // set with a part
	Param   string     // the parameter of DeleteAt after the key
	Field   string     // the function that returns the address of the field with the version
}

// withView is the method that reads rows of the part of a versioned root together with the root.
type withView struct {
	Method string // OfWithBid
	Doc    string
	Type   string // the result
	Rows   string // all rows of the part, as a value of Type
	Table  string // the descriptor of the columns that are read
	States []*stateView

	descriptor *descriptor.Table
}

// uniqueView describes the unique values of a field or of a group of fields.
type uniqueView struct {
	Field string // Email
	GetBy getByView
}

// getByView is the method that reads a root by a unique value, or by a group of them.
type getByView struct {
	Method string // GetByEmail
	Doc    string
	Params string
	Encode []string
}

// methodDocs are the comments of a root's methods: the requests of each, the atomic part, and the errors.
type methodDocs struct {
	Insert, Put, Change, Update, Delete string
	Import                              string // set for a plain root
	DeleteAt, Upsert, InsertOrGet       string // set for a versioned root
	InsertWith                          string // set for a versioned root with a part
	Reconcile                           string // set for a root with redundant tables or unique values
}

// structView is a struct with all its fields, as they were when the file was generated.
type structView struct {
	Name   string // includes its package and type arguments
	Fields []fieldsView
}

// fieldsView are fields of one type and with one tag. A field without a name is embedded.
type fieldsView struct {
	Names string // A, B
	Type  string
	Tag   string // a Go literal; "" for none
}
