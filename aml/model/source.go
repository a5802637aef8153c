package model

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// Package contains the structs and tags of one Go package as the loader reads them, before any rule is applied.
type Package struct {
	Path    string         // import path
	Name    string         // package name
	Dir     string         // folder of its files
	Doc     string         // its doc comment; here, and in Struct and Field, the text without comment markers and directives
	Structs []*Struct      // those with a marker, in source order
	Others  []*Struct      // roots of imported packages, which associations can refer to
	Ignores []Ignore       // comments that silence warnings
	Names   map[string]Pos // package-level declarations of the package's own files
}

// Ignore is a comment //aml:ignore CODE reason. It silences the warnings of that code from line From to line To of its file.
type Ignore struct {
	Pos    Pos
	Code   string
	Reason string
	From   int
	To     int
	Unread bool // it has another spelling, and is refused
}

// Marker is the type of package aml that a struct embeds.
type Marker int

// The markers. A struct without one is a plain struct.
const (
	Plain Marker = iota
	AggregateMarker
	EntityMarker
	ValueObjectMarker
)

// Struct is a Go struct type.
type Struct struct {
	Name    string // Go name, with its type arguments
	Path    string // import path of its package
	Pkg     string // name of its package
	Pos     Pos
	Doc     string   // its doc comment; "" for a struct of another package
	Generic bool     // it has type parameters
	Spelled Spelling // the spelling in another file; nil if it is not declared in Go
	Whole   []DeclaredField
	Marker  Marker
	Tag     Literal // the marker's tag

	Misplaced []Misplaced // markers that are not embedded in the struct itself, by value, which are refused
	Again     []Pos       // the markers after the first, which a struct must not have
	Fields    []*Field
	Methods   []*Method
}

// Spelling returns the text of a Go type. Qualify returns the name by which the file knows a package; "" for its own.
type Spelling func(qualify func(path, name string) string) string

// DeclaredField is a field of a struct as Go declares it, also if it is not part of the model.
type DeclaredField struct {
	Name     string
	Path     string // import path of the package that declares it
	Type     Spelling
	Tag      string // the whole struct tag
	Embedded bool
	Exported bool
}

// Misplaced is a marker that is not embedded in its struct by value.
type Misplaced struct {
	Pos   Pos
	Field string
	Kind  MisplacedKind
}

// MisplacedKind is the way in which a marker is misplaced.
type MisplacedKind int

// The kinds.
const (
	MarkerPointer    MisplacedKind = iota // a pointer to it is embedded
	MarkerField                           // it is the type of a named field
	MarkerOfEmbedded                      // an embedded struct has it
	MarkerOfUntagged                      // an embedded struct of a struct without any tag has it
)

// Method is a method of a struct or of a pointer to it.
type Method struct {
	Name    string
	Pos     Pos
	Params  int
	Results []*GoType
	Reads   *Reads // nil: it counts as reading every field
}

// Reads has the fields of its struct that a method reads.
type Reads struct {
	Paths      [][]string // the Go names from the struct to each field, through embedded structs
	Everything string     // why it counts as reading every field; "" if it reads only those
}

// method finds a method by its name; nil for none.
func (s *Struct) method(name string) *Method {
	for _, m := range s.Methods {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// Field is a field of a Go struct other than the marker.
type Field struct {
	Name     string
	Pos      Pos
	Doc      string // the comment before it, or at the end of its line
	Type     *GoType
	Tag      Literal
	Embedded bool
	Exported bool
	Bound    bool // its type depends on a type argument of a generic struct
}

// leftOut reports whether the field is not part of the model.
func (f *Field) leftOut() bool { return f.Name == "_" || strings.TrimSpace(f.Tag.Text) == "-" }

// field finds a field by its Go name, also in embedded structs; nil for none.
func (s *Struct) field(name string) *Field {
	for _, f := range s.Fields {
		if f.Name == name {
			return f
		}
	}
	for _, f := range s.Fields {
		if f.Embedded && f.Type.Kind == StructKind {
			if found := f.Type.Struct.field(name); found != nil {
				return found
			}
		}
	}
	return nil
}

// Literal is the text of an aml tag and the position of its first character. If the tag is quoted with escapes, the position
// is the position of the whole tag, and Exact is false.
type Literal struct {
	Text   string
	Pos    Pos
	Exact  bool
	Found  bool
	Broken bool   // the struct tag contains aml, but reflect.StructTag cannot read it
	Twice  bool   // the struct tag has the key aml more than once
	Key    string // the key if it is aml in another case, which is refused
}

// GoKind classifies a Go type.
type GoKind int

// The kinds of Go types. Named library types with a separate CQL type come before their underlying kinds.
const (
	Unsupported GoKind = iota
	Bool
	Int
	Int8
	Int16
	Int32
	Int64
	Float32
	Float64
	String
	Bytes
	Time        // time.Time
	GoDuration  // time.Duration
	CQLDuration // gocql.Duration
	UUID        // gocql.UUID
	IP          // net.IP
	Addr        // netip.Addr
	BigInt      // *big.Int
	InfDec      // *inf.Dec
	Pointer
	Slice
	Map
	StructKind
	EmptyStruct // struct{}, the value of a map that is a set
	Array
	SQLNull // sql.Null[T]: Elem is T

	Uint8 // CQL has no type for the kinds from this one to Complex
	Uint16
	Uint32
	Uint64 // also uint
	Complex
	Interface
	NoData  // a channel, a function, an address
	CType   // a type of cgo
	TooDeep // it was not read completely
)

// goTypes are the Go types of native types, as package cqltype spells them.
var goTypes = map[GoKind]string{
	Bool: "bool", Int: "int", Int8: "int8", Int16: "int16", Int32: "int32", Int64: "int64", Float32: "float32", Float64: "float64",
	String: "string", Bytes: "[]byte", Time: "time.Time", GoDuration: "time.Duration", CQLDuration: "gocql.Duration", UUID: "gocql.UUID",
	IP: "net.IP", Addr: "netip.Addr", BigInt: "*big.Int", InfDec: "*inf.Dec",
}

// Native returns the Go type of the kind, as package cqltype spells it; "" if no native type is stored as it.
func (k GoKind) Native() string { return goTypes[k] }

// native returns the Go type of the kind in its default native type; the zero value if no native type is stored as it.
func (k GoKind) native() cqltype.Go {
	g, _ := cqltype.GoType(k.Native())
	return g
}

// ParseGoKind returns the kind of a Go type in the spelling of package cqltype; [Unsupported] for any other text.
func ParseGoKind(goType string) GoKind {
	for k, text := range goTypes {
		if text == goType {
			return k
		}
	}
	return Unsupported
}

// GoType describes the properties of a Go type that the language uses.
type GoType struct {
	Kind   GoKind
	Named  *GoName  // nil for an unnamed type
	Over   []string // the import paths of the types over which a type of the package is defined: the path of gocql for type ID gocql.UUID
	Text   string   // the Go source, for messages
	Elem   *GoType  // Pointer, Slice, Map
	Key    *GoType  // Map
	Len    int      // Array
	Struct *Struct  // StructKind

	Constants []Constant // the constants that its package declares with this type: texts, integers and booleans

	// Methods of the type, or of a pointer to it.
	CQLMarshaler  bool      // MarshalCQL and UnmarshalCQL
	CQLInfo       [2]string // the import paths of the types that MarshalCQL and UnmarshalCQL take; "" without one
	TextMarshaler bool      // MarshalText and UnmarshalText
	Valuer        bool      // Value and Scan, of package database/sql
}

// GoName is the name of a defined type.
type GoName struct {
	Path string // import path; "" for a predeclared type
	Pkg  string // package name
	Name string
	Args []*GoType // type arguments
}

// Pos is a place in a source file; Line and Col count from 1, Col in bytes.
type Pos struct {
	File string
	Line int
	Col  int
}

// String returns file:line:col.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// add returns the position n bytes later on the same line.
func (p Pos) add(n int) Pos { p.Col += n; return p }

// Constant is a value of a text, an integer or a boolean that the model declares.
type Constant struct {
	Name  string // the Go constant; "" for none
	Value string // the text, the decimal number, or true or false
}

// visit is a struct that is being read, and the field of it that has been reached; nil for none.
type visit struct {
	of    *Struct
	field *Field
}

// instance reports whether the struct is a generic one with its type arguments.
func (s *Struct) instance() bool { return strings.Contains(s.Name, "[") && !s.Generic }
