package values

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/testdata/golden/every"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// modelKeyspace returns a session in a separate keyspace with the tables of a package.
func modelKeyspace(t *testing.T, dir string) (gocqlx.Session, *schema.Schema) {
	t.Helper()
	p, err := load.Load(t.Context(), dir)
	require.NoError(t, err)
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), faults)
	s := schema.New(m)
	session := cassandra.Keyspace(t)
	for _, statement := range s.Statements() {
		require.NoError(t, session.ExecStmt(statement), statement)
	}
	return session, s
}

// everyTable is a table of package every.
type everyTable struct {
	make   func() any
	insert func(v any) error
	get    func(v any) (any, error)
}

func everyTables(t *testing.T, s *every.Store) map[string]everyTable {
	ctx := t.Context()
	return map[string]everyTable{
		"columns": {func() any { return &every.Columns{} }, func(v any) error { return s.Columns.Insert(ctx, v.(*every.Columns)) },
			func(v any) (any, error) { return s.Columns.Get(ctx, v.(*every.Columns).ID) }},
		"pointers": {func() any { return &every.Pointers{} }, func(v any) error { return s.Pointers.Insert(ctx, v.(*every.Pointers)) },
			func(v any) (any, error) { return s.Pointers.Get(ctx, v.(*every.Pointers).ID) }},
		"lists": {func() any { return &every.Lists{} }, func(v any) error { return s.Lists.Insert(ctx, v.(*every.Lists)) },
			func(v any) (any, error) { return s.Lists.Get(ctx, v.(*every.Lists).ID) }},
		"sets": {func() any { return &every.Sets{} }, func(v any) error { return s.Sets.Insert(ctx, v.(*every.Sets)) },
			func(v any) (any, error) { return s.Sets.Get(ctx, v.(*every.Sets).ID) }},
		"maps": {func() any { return &every.Maps{} }, func(v any) error { return s.Maps.Insert(ctx, v.(*every.Maps)) },
			func(v any) (any, error) { return s.Maps.Get(ctx, v.(*every.Maps).ID) }},
		"keys": {func() any { return &every.Keys{} }, func(v any) error { return s.Keys.Insert(ctx, v.(*every.Keys)) },
			func(v any) (any, error) {
				k := v.(*every.Keys)
				return s.Keys.Get(ctx, k.Bool, k.Int8, k.Int16, k.Int32, k.Int64, k.Int, k.Float32, k.Float64, k.Text, k.ASCII, k.Blob, k.Timestamp, k.Date,
					k.ClockTime, k.Time, k.UUID, k.TimeUUID, k.IP, k.Addr, k.Varint, k.Decimal, k.List, k.Object)
			}},
	}
}

// Random values of every type in every position are written to the node and read back unchanged, and the node has the bytes
// that the driver itself would write.
func TestAgreement(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "columns that are not frozen, and vectors")
	session, s := modelKeyspace(t, "../../codegen/testdata/golden/every")
	store, err := every.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	for name, table := range everyTables(t, store) {
		columns := s.Tables[slices.IndexFunc(s.Tables, func(x *schema.Table) bool { return x.Name == name })]
		t.Run(name, func(t *testing.T) { table.agree(t, session, columns) })
	}
}

func (table everyTable) agree(t *testing.T, session gocqlx.Session, of *schema.Table) {
	id := int64(0)
	rapid.Check(t, func(t *rapid.T) {
		v := table.make()
		for _, c := range of.Ordered() {
			field(v, c).Set(random{t: t, key: c.Attribute.Key}.value(c.Attribute.Type, c.Attribute.Key, c.Type.Frozen))
		}
		if f := reflect.ValueOf(v).Elem().FieldByName("ID"); f.IsValid() {
			id++
			f.SetInt(id)
		}
		require.NoError(t, table.insert(v))
		got, err := table.get(v)
		require.NoError(t, err)
		raw := rawRow(t, session, of, func(c *schema.Column) any { return plain(c.Attribute.Type, field(v, c)) })
		for i, c := range of.Ordered() {
			require.Equal(t, spelled(c.Attribute.Type, field(v, c)), spelled(c.Attribute.Type, field(got, c)), c.Name)
			var want []byte // the driver rejects a nil UDT
			if x := plain(c.Attribute.Type, field(v, c)); x != nil {
				want, err = gocql.Marshal(raw[i].Info, x)
				require.NoError(t, err, c.Name)
			}
			require.Equal(t, ordered(c.Type, want), ordered(c.Type, raw[i].Bytes), c.Name)
		}
	})
}

// field returns the Go field of a column.
func field(v any, c *schema.Column) reflect.Value {
	return reflect.ValueOf(v).Elem().FieldByName(c.Attribute.GoName())
}

// rawRow reads a row by the key that the driver encodes. driven returns its columns.
func rawRow(t require.TestingT, session gocqlx.Session, of *schema.Table, driven func(*schema.Column) any) []storetest.Raw {
	var names, where []string
	var key []any
	row := make([]storetest.Raw, len(of.Columns))
	var into []any
	for i, c := range of.Ordered() {
		names, into = append(names, model.Quote(c.Name)), append(into, &row[i])
		if c.Attribute.Key {
			where, key = append(where, model.Quote(c.Name)+" = ?"), append(key, driven(c))
		}
	}
	q := session.Session.Query("SELECT "+strings.Join(names, ", ")+" FROM "+of.Name+" WHERE "+strings.Join(where, " AND "), key...)
	require.NoError(t, q.Scan(into...))
	return row
}

// ordered sorts unordered values: the elements of sets and the entries of maps, at any depth.
func ordered(t *schema.Type, b []byte) []byte {
	per := 1
	switch t.Name {
	case "map":
		per = 2
	case "list", "set":
	default:
		return b
	}
	if len(b) < 4 {
		return b
	}
	var elements [][]byte
	for rest := b[4:]; len(rest) > 0; {
		var e []byte
		for i := range per {
			n := 4 + int(binary.BigEndian.Uint32(rest))
			value := ordered(t.Args[i], rest[4:n])
			e = append(binary.BigEndian.AppendUint32(e, uint32(len(value))), value...)
			rest = rest[n:]
		}
		elements = append(elements, e)
	}
	if t.Name != "list" {
		slices.SortFunc(elements, bytes.Compare)
	}
	return append(slices.Clone(b[:4]), bytes.Join(elements, nil)...)
}
