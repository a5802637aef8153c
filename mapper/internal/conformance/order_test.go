package conformance

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// sorted has the types whose order is compared, each with a generator of values. Values with different bytes are never
// equal.
var sorted = []struct {
	cqlType string
	value   func(*rand.Rand) cell.Cell
}{
	{"ascii", func(r *rand.Rand) cell.Cell { return cell.Cell(fmt.Sprintf("%c", r.IntN(128))) }},
	{"text", func(r *rand.Rand) cell.Cell { return cell.Cell(string([]rune{rune(r.IntN(0xd000)), 'a'}[:r.IntN(3)])) }},
	{"blob", func(r *rand.Rand) cell.Cell { return octets(r, r.IntN(3)) }},
	{"tinyint", func(r *rand.Rand) cell.Cell { return octets(r, 1) }},
	{"smallint", func(r *rand.Rand) cell.Cell { return octets(r, 2) }},
	{"int", func(r *rand.Rand) cell.Cell { return octets(r, 4*min(1, r.IntN(9))) }},
	{"bigint", func(r *rand.Rand) cell.Cell { return octets(r, 8*min(1, r.IntN(9))) }},
	{"timestamp", func(r *rand.Rand) cell.Cell { return octets(r, 8) }},
	{"date", func(r *rand.Rand) cell.Cell { return octets(r, 4) }},
	{"time", func(r *rand.Rand) cell.Cell {
		return encoded(func(e *cell.Encoder) { e.Bigint(r.Int64N(int64(24 * time.Hour))) })
	}},
	{"boolean", func(r *rand.Rand) cell.Cell { return cell.Cell{0, 1}[r.IntN(2):][:1] }},
	{"float", func(r *rand.Rand) cell.Cell { return encoded(func(e *cell.Encoder) { e.Float(float32(double(r))) }) }},
	{"double", func(r *rand.Rand) cell.Cell { return encoded(func(e *cell.Encoder) { e.Double(double(r)) }) }},
	{"varint", func(r *rand.Rand) cell.Cell {
		return encoded(func(e *cell.Encoder) { e.Varint(whole(r)) })
	}},
	{"decimal", func(r *rand.Rand) cell.Cell {
		unscaled := new(big.Int).Add(new(big.Int).Mul(whole(r), big.NewInt(10)), big.NewInt(1)) // no two scales have an equal value
		return encoded(func(e *cell.Encoder) { e.Decimal(inf.NewDecBig(unscaled, inf.Scale(r.IntN(40)-20))) })
	}},
	{"inet", func(r *rand.Rand) cell.Cell { return octets(r, 4+12*r.IntN(2)) }},
	{"uuid", func(r *rand.Rand) cell.Cell { return uuid(r, byte(1+r.IntN(8))) }},
	{"timeuuid", func(r *rand.Rand) cell.Cell { return uuid(r, 1) }},
	{"frozen<conform_pair>", members},
	{"frozen<tuple<text, int>>", members},
	{"frozen<list<int>>", func(r *rand.Rand) cell.Cell { return ints(r, 1+r.IntN(3)) }},
	{"frozen<set<int>>", func(r *rand.Rand) cell.Cell { return ints(r, 1) }},
	{"frozen<map<int, text>>", func(r *rand.Rand) cell.Cell {
		return cell.AppendValue(cell.AppendValue(cell.AppendCount(nil, 1), octets(r, 4)), cell.Cell("x"))
	}},
}

func octets(r *rand.Rand, n int) cell.Cell {
	out := make(cell.Cell, n)
	for i := range out {
		out[i] = []byte{0, 1, 0x7f, 0x80, 0xff, byte(r.IntN(256))}[r.IntN(6)]
	}
	return out
}

func encoded(f func(*cell.Encoder)) cell.Cell {
	var e cell.Encoder
	f(&e)
	row, err := e.Cells(nil)
	if err != nil {
		panic(err) // every value above can be encoded
	}
	return row[0]
}

func double(r *rand.Rand) float64 {
	return []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, r.NormFloat64()}[r.IntN(8)]
}

func whole(r *rand.Rand) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(r.Int64N(1000)-500), uint(r.IntN(100)))
	return v.Add(v, big.NewInt(r.Int64N(3)-1))
}

func uuid(r *rand.Rand, version byte) cell.Cell {
	u := octets(r, 16)
	u[6], u[8] = u[6]&0x0f|version<<4, u[8]&0x3f|0x80
	return u
}

func members(r *rand.Rand) cell.Cell {
	var text, number cell.Cell
	if r.IntN(3) > 0 {
		text = cell.Cell("ab"[:r.IntN(3)])
	}
	if r.IntN(3) > 0 {
		number = octets(r, 4)
	}
	return cell.AppendValue(cell.AppendValue(nil, text), number)
}

func ints(r *rand.Rand, n int) cell.Cell {
	out := cell.AppendCount(nil, n)
	for range n {
		out = cell.AppendValue(out, octets(r, 4))
	}
	return out
}

// orderTable has a set of each type.
func orderTable() *plan.Table {
	t := plan.Table{Name: "conform_order", Aggregate: "Order", Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "p", Type: "int"}}}
	for i, s := range sorted {
		t.Columns = append(t.Columns, descriptor.Column{Name: fmt.Sprintf("c%d", i), Type: "set<" + s.cqlType + ">", Kind: projection.Regular, Cells: projection.Set})
	}
	return complete(t)
}

// OrderSchema is the CQL of the table that CheckOrder writes to, in addition to Schema.
func OrderSchema() string {
	t := orderTable()
	columns := []string{"p int PRIMARY KEY"}
	for _, c := range t.Columns[1:] {
		columns = append(columns, c.Name+" "+c.Type)
	}
	return "CREATE TABLE " + t.Name + " (" + strings.Join(columns, ", ") + ")"
}

// CheckOrder compares how the server and a memory backend sort random values of every type that a key can have.
func CheckOrder(ctx context.Context, session *gocql.Session, seed uint64, rows int) (*Report, error) {
	t := orderTable()
	backend := memory.New(memory.Config{})
	local, err := backend.Open(ctx, &descriptor.Schema{Types: []*descriptor.Type{pairType}, Tables: []*descriptor.Table{(*descriptor.Table)(t)}})
	if err != nil {
		return nil, err
	}
	c := &both{session: session, server: store.CQL{Session: gocqldriver.New(gocqlx.NewSession(session))}, backend: backend, local: local}
	r := &Report{Seed: seed}
	for i := range int32(rows) {
		a := &author{Rand: rand.New(rand.NewPCG(seed, uint64(i))), partition: i}
		m := []plan.Mutation{a.values(t)}
		w := store.Write{Timestamp: 1, Consistency: driver.LocalQuorum}
		r.Mutations++
		if err := c.Apply(ctx, m, w); err != nil {
			return r, fmt.Errorf("conformance: %w", err)
		}
		read, err := c.compareRead(ctx, r, store.Read{Table: t, Key: m[0].Row[:1]})
		if err != nil {
			return r, err
		}
		r.Rows += len(read)
	}
	return r, nil
}

// values puts a set of each type.
func (a *author) values(t *plan.Table) plan.Mutation {
	m := plan.Mutation{Table: t, Row: cell.Row{integer(int(a.partition))}}
	for i, s := range sorted {
		seen := map[string]bool{}
		for range 12 {
			seen[string(s.value(a.Rand))] = true
		}
		set := cell.AppendCount(nil, len(seen))
		for v := range seen {
			set = cell.AppendValue(set, cell.Cell(v))
		}
		m.Row = append(m.Row, set)
		m.Write.Add(i + 1)
	}
	return m
}
