package projection_test

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/aml/statement"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/integration/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/gen"
)

var nodeCases = flag.Int("projection-node-cases", 24, "the number of random sequences of writes on a node")

const (
	casesOnNode = 10 // for each model
	slack       = 30 // tolerance of an expiry in seconds: the node counts from the arrival of a write
)

// The same on a real server, which returns the write times of its cells.
func TestCopiesOnANodeEqualTheProjection(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	session := cassandra.Keyspace(t)
	from, tally := firstSeed(t), newTally()
	models := *nodeCases / casesOnNode
	t.Run("models", func(t *testing.T) {
		for shard := range 4 {
			t.Run(fmt.Sprint(shard), func(t *testing.T) {
				t.Parallel()
				for i := shard; i < models; i += 4 {
					draw := corpus.Projected
					if i%6 == 5 {
						draw = corpus.ProjectedPart
					}
					r := rand.New(rand.NewPCG(from, uint64(1_000_000+i)))
					onNode(t, session, drawn(t, r, fmt.Sprintf("m%d_", i), tally, draw), r, casesOnNode, tally)
				}
			})
		}
	})
	t.Log(tally)
	require.GreaterOrEqual(t, tally.n["schemas"], min(20, models))
	require.Equal(t, models*casesOnNode, tally.n["cases"])
}

// onNode runs some cases of one model, one after the other. Each deletes its rows at the end.
func onNode(t *testing.T, session gocqlx.Session, c *projection.Compiled, r *rand.Rand, cases int, tally *tally) {
	t.Helper()
	for _, statement := range c.Schema.Statements() {
		require.NoError(t, session.ExecStmt(statement), statement)
	}
	require.NoError(t, session.AwaitSchemaAgreement(t.Context()))
	tally.add("schemas", 1)
	clock := &projection.Clock{}
	db, err := gen.Open(t.Context(), gocqldriver.New(session), mapper.Config{Logger: slog.New(slog.DiscardHandler), Now: clock.Now, MaxClockSkew: -1}, c.Descriptors())
	require.NoError(t, err)
	s := projection.NewSession(c, db, r)
	s.Clock = clock
	compare := func() {
		t.Helper()
		differences, err := s.Differences(0, slack, func(x *projection.Table) ([]projection.Cell, error) { return nodeCells(t.Context(), session, x) })
		require.NoError(t, err)
		require.Empty(t, differences, "%s\n%s", s.Last, c.Source)
	}
	last := int64(0)
	at := func() int64 {
		last = max(time.Now().UnixMicro(), last+10)
		return last
	}
	for range cases {
		for range 3 + r.IntN(4) {
			require.NoError(t, s.Step(t.Context(), at()), c.Source)
			compare()
		}
		require.NoError(t, s.End(t.Context(), at))
		compare()
		tally.count(c, s)
	}
}

// raw is a value as the server sends it.
type raw []byte

// UnmarshalCQL copies the bytes.
func (r *raw) UnmarshalCQL(_ gocql.TypeInfo, b []byte) error {
	if *r = nil; b != nil {
		*r = append([]byte{}, b...)
	}
	return nil
}

// nodeCells reads all cells of a table with their write times.
func nodeCells(ctx context.Context, session gocqlx.Session, t *projection.Table) (out []projection.Cell, err error) {
	var names []string
	key := len(t.Key())
	columns := slices.Concat(t.Key(), t.Columns[len(t.PartitionKey)+len(t.Discriminators()):])
	for i, x := range columns {
		if names = append(names, model.Quote(x.Name)); i >= key {
			names = append(names, "WRITETIME("+model.Quote(x.Name)+")", "TTL("+model.Quote(x.Name)+")")
		}
	}
	read := "SELECT " + strings.Join(names, ", ") + " FROM " + t.Name
	if t.Descriptor.Statics {
		read += statement.OnePerPartition
	}
	it := session.Session.Query(read).WithContext(ctx).Iter()
	row, into := make([]raw, len(names)), make([]any, len(names))
	for i := range row {
		into[i] = &row[i]
	}
	statics := map[string]bool{}
	for it.Scan(into...) {
		whole, partition := keysOf(t, row)
		if row[key-1] != nil {
			out = append(out, projection.Cell{Key: whole})
		}
		for i, x := range columns[key:] {
			at := row[key+3*i:]
			in := whole
			if x.Kind == schema.Static {
				if in = partition; statics[partition+x.Name] {
					continue
				}
				statics[partition+x.Name] = true
			}
			out = append(out, cellsIn(x, in, at[0], at[1], at[2])...)
		}
	}
	return out, it.Close()
}

func keysOf(t *projection.Table, row []raw) (whole, partition string) {
	var key []string
	for i, x := range t.Key() {
		switch {
		case row[i] == nil:
		case x.Attribute == nil:
			key = append(key, x.Name+"="+strconv.FormatBool(row[i][0] != 0))
		default:
			key = append(key, x.Name+"="+projection.KeyText(projection.Decode(x.Attribute.Type, row[i])))
		}
	}
	return strings.Join(key, ", "), strings.Join(key[:len(t.PartitionKey)], ", ")
}

// cellsIn splits a column into its cells.
func cellsIn(x *schema.Column, key string, value, written, ttl raw) (out []projection.Cell) {
	if value == nil {
		return nil
	}
	values, writes, ttls := [][]byte{value}, [][]byte{written}, [][]byte{ttl}
	paths := [][]byte{nil}
	types := func(int) *model.Type { return x.Attribute.Type }
	if x.Type.MultiCell() {
		values, paths = parts(x.Type, value)
		types = partTypes(x.Attribute.Type)
		writes, ttls = projection.Cut(written[4:]), projection.Cut(ttl[4:])
	}
	for i, v := range values {
		if v == nil {
			continue
		}
		c := projection.Cell{Key: key, Value: canonical(types(i), v), At: int64(binary.BigEndian.Uint64(writes[i]))}
		c.Column, c.Path, c.Static = x.Name, hex.EncodeToString(canonicalPath(x.Attribute.Type, paths[i])), x.Kind == schema.Static
		if ttls[i] != nil {
			c.Expires = time.Now().Unix() + int64(binary.BigEndian.Uint32(ttls[i]))
		}
		out = append(out, c)
	}
	return out
}

// canonical sorts the elements of sets and maps by their bytes. The server sorts them by their type.
func canonical(t *model.Type, b []byte) string {
	if t == nil {
		return string(b)
	}
	return string(projection.Encode(projection.Decode(t, b)))
}

// canonicalPath is canonical for an element of a set.
func canonicalPath(t *model.Type, b []byte) []byte {
	if t.Kind == model.Set {
		return []byte(canonical(t.Elem, b))
	}
	return b
}

// partTypes returns the types of the cells of a column, nil for empty ones.
func partTypes(t *model.Type) func(int) *model.Type {
	return func(i int) *model.Type {
		switch t.Kind {
		case model.Composed:
			return t.Object.Attributes[i].Type
		case model.Set:
			return nil
		}
		return t.Elem
	}
}

// parts returns the values and paths of a column with several cells.
func parts(t *schema.Type, value raw) (values, paths [][]byte) {
	switch {
	case t.UDT:
		values = projection.Cut(value)
		for i := range values {
			paths = append(paths, binary.BigEndian.AppendUint16(nil, uint16(i)))
		}
	case t.Name == "map":
		for all := projection.Cut(value[4:]); len(all) > 0; all = all[2:] {
			paths, values = append(paths, all[0]), append(values, all[1])
		}
	case t.Name == "set":
		paths = projection.Cut(value[4:])
		values = make([][]byte, len(paths))
		for i := range values {
			values[i] = []byte{}
		}
	default:
		values = projection.Cut(value[4:])
		for i := range values {
			paths = append(paths, binary.BigEndian.AppendUint64(nil, uint64(i)))
		}
	}
	return values, paths
}
