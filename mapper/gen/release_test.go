package gen_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/memory"
)

// claimed is a store in memory with a copy whose rows several roots can claim.
type claimed struct {
	*Store
	db  *gen.DB
	now time.Time
}

func newClaimed(t *testing.T) *claimed {
	t.Helper()
	c := &claimed{now: start}
	db, err := gen.OpenBackend(ctx, memory.New(memory.Config{Now: func() time.Time { return c.now }}), schema)
	require.NoError(t, err)
	c.Store, c.db = newStore(db), db
	return c
}

// vehicles returns the copy as a root, so that a test can write it like another program.
func (c *claimed) vehicles(o mapper.Options) gen.Root[VeiculoPorPlaca] {
	return gen.NewRoot(c.db.With(o), &veiculoPorPlacaCodec, gen.Link(gen.Aggregate{Root: &veiculosTable}))
}

// owner returns the name of the owner of a vehicle, or "" if the vehicle does not exist.
func (c *claimed) owner(t *testing.T, plate string) string {
	t.Helper()
	v, err := c.Veiculos.Get(ctx, plate)
	if err != nil {
		require.ErrorIs(t, err, mapper.ErrNotFound)
		return ""
	}
	return v.Cliente.Nome
}

func (c *claimed) insert(t *testing.T, v *Cliente) *Cliente {
	t.Helper()
	require.NoError(t, c.Clientes.Insert(ctx, v))
	return v
}

var blue, red = Veiculo{"ABC", "blue"}, Veiculo{"XYZ", "red"}

func ana() *Cliente { return &Cliente{ID: 1, Nome: "Ana", Veiculos: []Veiculo{blue, red}} }

func bia() *Cliente { return &Cliente{ID: 2, Nome: "Bia", Veiculos: []Veiculo{blue}} }

// ways are the writes by which a root can give up its vehicles.
var ways = map[string]func(*claimed) error{
	"Update": func(c *claimed) error {
		_, err := c.Clientes.Update(ctx, 1, func(v *Cliente) error { v.Veiculos = nil; return nil })
		return err
	},
	"Change": func(c *claimed) error {
		after := ana()
		after.Veiculos = nil
		return c.Clientes.Change(ctx, ana(), after)
	},
	"Put":    func(c *claimed) error { return c.Clientes.Put(ctx, &Cliente{ID: 1, Nome: "Ana"}) },
	"Delete": func(c *claimed) error { return c.Clientes.Delete(ctx, 1) },
}

// A program writes the new owner of a vehicle first, and then removes the vehicle from the old owner, so that it is never lost.
// The second write keeps the row of the new owner.
func TestARowThatAnotherRootClaimsStays(t *testing.T) {
	for name, leave := range ways {
		t.Run(name, func(t *testing.T) {
			c := newClaimed(t)
			c.insert(t, ana())
			c.insert(t, bia())
			require.NoError(t, leave(c))
			require.Equal(t, "Bia", c.owner(t, "ABC"))
			require.Empty(t, c.owner(t, "XYZ"), "no other root has claimed it")
		})
	}
}

// A released row is deleted at a timestamp above its write times, even if the clock of another program was ahead.
func TestARowThatLeavesIsDeletedAboveItsWriteTime(t *testing.T) {
	for name, leave := range ways {
		t.Run(name, func(t *testing.T) {
			c := newClaimed(t)
			c.insert(t, ana())
			ahead := c.vehicles(mapper.Options{Timestamp: start.UnixMicro() + 5_000})
			require.NoError(t, gen.Insert(ctx, ahead, &VeiculoPorPlaca{Placa: "ABC", Cor: "green", Cliente: Owner{1, "Ana"}}))
			require.NoError(t, leave(c))
			require.Empty(t, c.owner(t, "ABC"))
		})
	}
}

// An absent row is deleted too, because a write of unknown outcome can still add it; so is a row without an owner.
func TestAnAbsentRowIsDeleted(t *testing.T) {
	for name, leave := range ways {
		t.Run(name, func(t *testing.T) {
			c := newClaimed(t)
			c.insert(t, ana())
			vehicles := c.vehicles(mapper.Options{})
			require.NoError(t, gen.Delete(ctx, vehicles, text("ABC")))
			require.NoError(t, gen.SetColumn(ctx, vehicles, given(text("XYZ"), nil, func(e *gen.Encoder, v *Owner) { gen.EncodeStruct(e, v, encodeOwner) }), "cliente", nil))
			c.now = c.now.Add(time.Second)
			require.NoError(t, leave(c))
			late := c.vehicles(mapper.Options{Timestamp: start.UnixMicro() + 1000})
			require.NoError(t, gen.Insert(ctx, late, &VeiculoPorPlaca{Placa: "ABC", Cor: "blue", Cliente: Owner{1, "Ana"}}), "the late write")
			for _, plate := range []string{"ABC", "XYZ"} {
				_, err := c.Veiculos.Get(ctx, plate)
				require.ErrorIs(t, err, mapper.ErrNotFound, plate)
			}
		})
	}
}

func text(v string) *gen.Encoder {
	k := gen.NewKey()
	k.Text(v)
	return k
}

// Each row to release is read once, at the store's consistency, before the write; without such rows nothing is read.
func TestRowsThatLeaveAreRead(t *testing.T) {
	d, l := &double{}, &log{}
	db, err := gen.OpenStore(d, mapper.Config{Tracer: l, Consistency: driver.EachQuorum}, schema)
	require.NoError(t, err)
	clients := newStore(db).Clientes
	one := ana()
	one.Veiculos = one.Veiculos[:1]
	require.NoError(t, clients.Change(ctx, one, ana()))
	require.Empty(t, d.reads)
	require.NoError(t, clients.Change(ctx, ana(), one))
	require.Len(t, d.reads, 1)
	require.Equal(t, "SELECT placa, cor, cliente, WRITETIME(cor), MAXWRITETIME(cliente) FROM veiculos WHERE placa = ?", d.reads[0].Statement())
	require.Equal(t, cell.Row{cell.Cell("XYZ")}, d.reads[0].Args())
	require.Equal(t, mapper.EachQuorum, d.reads[0].Consistency)
	require.Equal(t, []string{"Cliente", "VeiculoPorPlaca", "Cliente"}, []string{l.requests[0].Aggregate, l.requests[1].Aggregate, l.requests[2].Aggregate})
	require.Len(t, d.writes, 2)

	d.readErr = errTimeout
	require.EqualError(t, clients.Change(ctx, ana(), one), "mapper: Change Cliente (clientes id=1): timeout")
	require.Len(t, d.writes, 2, "nothing is written if the check fails")
}

// A new row of a distinct copy has no values of its former owner: absent values are written as null.
func TestARowThatAppearsIsWrittenWhole(t *testing.T) {
	table := filmsByTitleTable
	table.Key, table.Columns = 1, append([]gen.Column(nil), filmsByTitleTable.Columns...)
	for i := 1; i < len(table.Columns); i++ {
		table.Columns[i].Kind = gen.Regular
	}
	d := &double{}
	db, err := gen.OpenStore(d, mapper.Config{}, schema)
	require.NoError(t, err)
	a := gen.Link(gen.Aggregate{Root: &filmsTable, Copies: []gen.Projection{{Table: &table, Columns: []uint16{2, 0, 1, 5, 4, 7}, Distinct: true,
		SourceKey: []gen.Place{{Column: 1, Field: -1}, {Column: 2, Field: -1}, {Column: 0, Field: -1}}}}})
	require.NoError(t, gen.Insert(ctx, gen.NewRoot(db, &filmCodec, a), &Film{Country: "BR", Year: 2002, Title: "x"}))
	m := d.writes[0].mutations[1]
	require.Equal(t, len(table.Columns)-1, m.Write.Len())
	require.Equal(t, 0, d.writes[0].mutations[0].Write.Len(), "no other root writes the root's row")
}
