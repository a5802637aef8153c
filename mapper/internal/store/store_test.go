package store

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// answer is an error of the server.
type answer int

func (a answer) Code() int       { return int(a) }
func (a answer) Message() string { return "answer" }
func (a answer) Error() string   { return "answer" }

func TestOutcome(t *testing.T) {
	for err, want := range map[error]Outcome{
		answer(gocql.ErrCodeUnavailable):                                    Refused,
		answer(gocql.ErrCodeInvalid):                                        Refused,
		answer(gocql.ErrCodeUnauthorized):                                   Refused,
		answer(gocql.ErrCodeWriteTimeout):                                   Unknown,
		answer(gocql.ErrCodeWriteFailure):                                   Unknown,
		answer(gocql.ErrCodeOverloaded):                                     Unknown,
		answer(gocql.ErrCodeServer):                                         Unknown,
		gocql.ErrNoConnections:                                              NotSent,
		fmt.Errorf("wrapped: %w", gocql.ErrNoStreams):                       NotSent,
		gocql.ErrSessionClosed:                                              Unsendable,
		gocql.MarshalError("no such type"):                                  Unsendable,
		errors.New("gocql: expected 8 values send got 6"):                   Unsendable,
		errors.New("gocql: batch statement 1 expected 8 values send got 6"): Unsendable,
		gocql.ErrTooManyStmts:                                               Unsendable,
		fmt.Errorf("wrapped: %w", gocql.ErrFrameTooBig):                     Unsendable,
		gocql.ErrTimeoutNoResponse:                                          Unknown,
		gocql.ErrConnectionClosed:                                           Unknown,
		&net.OpError{Op: "write", Err: io.EOF}:                              Unknown,
	} {
		var e *Error
		require.ErrorAs(t, classify(gocqldriver.NewError(err)), &e)
		require.Equal(t, want, e.Outcome, "%v", err)
		require.ErrorIs(t, e, err)
	}
	require.NoError(t, classify(nil))
}

var films = descriptor.Table{Name: "films", Partition: 1, Key: 2,
	Insert: "insert", InsertStatic: "insert static", Delete: "delete",
	Columns: []descriptor.Column{
		{Name: "country", Type: "text"},
		{Name: "year", Kind: projection.ClusteringKey, Type: "int", Desc: true},
		{Name: "language", Kind: projection.Static, Type: "set<text>", Cells: projection.Set, Update: "update language"},
		{Name: "title", Kind: projection.Regular, Type: "text"},
	}}

// sent returns arguments as the driver would send them: null, unset or bytes.
func sent(t *testing.T, args []any) (out []string) {
	for _, a := range args {
		if a == gocql.UnsetValue {
			out = append(out, "unset")
			continue
		}
		b, err := gocql.Marshal(gocql.NewNativeType(4, gocql.TypeBlob, ""), a)
		require.NoError(t, err)
		if b == nil {
			out = append(out, "null")
			continue
		}
		out = append(out, fmt.Sprintf("%x", b))
	}
	return out
}

func TestBind(t *testing.T) {
	row := cell.Row{cell.Cell("B"), {7}, nil, nil}
	var title, removed, language projection.Bits
	language.Add(2)
	title.Add(3)
	removed.Add(1)
	entries := Bind(gocqldriver.Values, []plan.Mutation{
		{Table: (*plan.Table)(&films), Row: row, Write: title},
		{Table: (*plan.Table)(&films), Row: row, Action: plan.Delete, Back: 1},
		{Table: (*plan.Table)(&films), Row: row, Action: plan.Update, Column: 2, Values: []cell.Cell{nil, {9}}, Write: removed},
		{Table: (*plan.Table)(&films), Row: row, Action: plan.PutStatic, Write: language, TTL: 60},
		{Table: (*plan.Table)(&films), Row: cell.Row{cell.Cell("B"), {7}, nil, {8}}, Write: title, One: new("insert title"), Column: 3, TTL: 60},
	}, Write{Timestamp: 0x102, Age: 9})
	require.Equal(t, "insert title", entries[4].CQL)
	require.Equal(t, []string{"42", "07", "08", "0000000000000102", "00000033"}, sent(t, entries[4].Args))
	require.Equal(t, "insert", entries[0].CQL)
	require.Equal(t, []string{"42", "07", "unset", "null", "0000000000000102", "00000000"}, sent(t, entries[0].Args))
	require.Equal(t, "delete", entries[1].CQL)
	require.Equal(t, []string{"0000000000000101", "42", "07"}, sent(t, entries[1].Args))
	require.Equal(t, "update language", entries[2].CQL)
	require.Equal(t, []string{"0000000000000102", "00000000", "unset", "09", "42"}, sent(t, entries[2].Args), "a static column has only the partition key")
	require.Equal(t, "insert static", entries[3].CQL)
	require.Equal(t, []string{"42", "null", "0000000000000102", "00000033"}, sent(t, entries[3].Args), "the TTL is the remaining one")
}

func TestBindThroughAProjection(t *testing.T) {
	a := plan.Link(descriptor.Aggregate{Root: &films, Copies: []descriptor.Projection{{Table: &descriptor.Table{Partition: 1, Key: 2,
		Columns: []descriptor.Column{{Name: "year"}, {Name: "country"}, {Name: "title", Kind: projection.Regular}}}, Columns: []uint16{1, 0, 3}}}})
	mutations, err := plan.Plan(a, plan.Change{New: cell.Row{cell.Cell("B"), {7}, nil, {8}}})
	require.NoError(t, err)
	require.Equal(t, []string{"07", "42", "08", "0000000000000005", "00000000"}, sent(t, Bind(gocqldriver.Values, mutations, Write{Timestamp: 5})[1].Args))
}

func keyspace() *Keyspace {
	return &Keyspace{Name: "shop",
		Tables: map[string]map[string]Column{"films": {
			"country":  {"partition_key", 0, "text", "none"},
			"year":     {"clustering", 0, "int", "desc"},
			"language": {"static", -1, "set<text>", "none"},
			"title":    {"regular", -1, "text", "none"},
		}},
		Types: map[string][]descriptor.Field{"role": {{Name: "actor", Type: "text"}, {Name: "age", Type: "int"}}},
	}
}

func TestVerify(t *testing.T) {
	role := descriptor.Type{Name: "role", Fields: []descriptor.Field{{Name: "actor", Type: "text"}, {Name: "age", Type: "int"}}}
	want := &descriptor.Schema{Types: []*descriptor.Type{&role}, Tables: []*descriptor.Table{&films}}
	for name, c := range map[string]struct {
		change func(*Keyspace)
		faults []string
		extra  []string
	}{
		"equal": {func(*Keyspace) {}, nil, nil},
		"more": {func(k *Keyspace) {
			k.Tables["later"] = map[string]Column{"id": {"partition_key", 0, "int", "none"}}
			k.Tables["films"]["later"] = Column{"regular", -1, "int", "none"}
			k.Types["role"] = append(k.Types["role"], descriptor.Field{Name: "later", Type: "int"})
			k.Types["later"] = nil
		}, nil, []string{"column films.later", "type role.later"}},
		"less": {func(k *Keyspace) {
			delete(k.Tables["films"], "title")
			k.Types["role"] = k.Types["role"][:1]
		}, []string{"type role.age is missing", "table films.title is missing"}, nil},
		"nothing": {func(k *Keyspace) { *k = Keyspace{Name: "shop"} }, []string{"type role is missing", "table films is missing"}, nil},
		"other": {func(k *Keyspace) {
			k.Tables["films"]["title"] = Column{"regular", -1, "int", "none"}
			k.Tables["films"]["language"] = Column{"regular", -1, "set<text>", "none"}
			k.Tables["films"]["year"] = Column{"clustering", 0, "int", "asc"}
			k.Tables["films"]["month"] = Column{"clustering", 1, "int", "asc"}
			k.Types["role"][0], k.Types["role"][1] = k.Types["role"][1], k.Types["role"][0]
		}, []string{
			"type role.actor is age int, not actor text",
			"type role.age is actor text, not age int",
			"table films.year is int, clustering 0 asc, not int, clustering 0 desc",
			"table films.language is set<text>, not set<text>, static",
			"table films.title is int, not text",
			"table films.month is int, clustering 1 asc, not outside the key",
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			k := keyspace()
			c.change(k)
			extra, err := k.Verify(want)
			require.Equal(t, c.extra, extra)
			if c.faults == nil {
				require.NoError(t, err)
				return
			}
			var schema *mapper.SchemaError
			require.ErrorAs(t, err, &schema)
			require.Equal(t, "shop", schema.Keyspace)
			var got []string
			for _, f := range schema.Faults {
				got = append(got, f.String())
			}
			require.Equal(t, c.faults, got)
		})
	}
}

// Servers that have accepted a conditional statement can lack the replicas for its commit: then it can still be applied.
func TestConditionalStatementsThatAreNotCommitted(t *testing.T) {
	for consistency, want := range map[driver.Consistency]Outcome{
		driver.Serial: Refused, driver.LocalSerial: Refused,
		driver.Quorum: Unknown, driver.LocalQuorum: Unknown, driver.EachQuorum: Unknown, driver.All: Unknown,
	} {
		var e *Error
		answer := &driver.Error{Class: driver.Answered, Code: driver.CodeUnavailable, Consistency: consistency, Err: errors.New("too few replicas")}
		require.ErrorAs(t, classifyCAS(fmt.Errorf("the answer: %w", answer)), &e)
		require.Equal(t, want, e.Outcome, consistency)
		require.ErrorIs(t, e, answer)
	}
	require.NoError(t, classifyCAS(nil))
}
