package gen_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/memory"
)

// full is a store in memory with rows in the root's table and empty redundant tables.
type full struct {
	*Store
	t           *testing.T
	now         *time.Time
	backend     *memory.Backend
	checkpoints []string // the saved ones
}

// newFull inserts clients like a program that has no redundant tables.
func newFull(t *testing.T, clients int, o mapper.Options) *full {
	t.Helper()
	now := start
	b := memory.New(memory.Config{Now: func() time.Time { return now }})
	db, err := gen.OpenBackend(ctx, b, schema)
	require.NoError(t, err)
	alone := gen.NewRoot(db.With(o), &clienteCodec, gen.Link(gen.Aggregate{Root: &clientesTable}))
	for n := range clients {
		v := &Cliente{ID: int32(n), Nome: "Ana", Veiculos: []Veiculo{{fmt.Sprint(n, "a"), "azul"}, {fmt.Sprint(n, "b"), "rosa"}}}
		require.NoError(t, gen.Insert(ctx, alone, v))
	}
	return &full{Store: newStore(db), t: t, now: &now, backend: b}
}

func (f *full) fill(c gen.FillConfig, from string) error {
	return gen.Fill(ctx, f.Clientes.Root, "veiculos", c, from, func(m string) error {
		f.checkpoints = append(f.checkpoints, m)
		return nil
	})
}

// keys returns the keys of the rows of the redundant table.
func (f *full) keys() map[string]bool {
	f.t.Helper()
	cells, err := f.backend.Cells("veiculos")
	require.NoError(f.t, err)
	out := map[string]bool{}
	for _, c := range cells {
		out[c.Key] = true
	}
	return out
}

// A checkpoint is saved after every page, and a run that continues from it skips exactly the rows before it.
func TestFillSavesAMarkAfterEveryPage(t *testing.T) {
	f := newFull(t, 7, mapper.Options{})
	require.NoError(t, f.fill(gen.FillConfig{PageSize: 3}, ""))
	require.Len(t, f.keys(), 14)
	require.Equal(t, []string{
		"clientes c78499982ae4e0cf", "clientes da1f26e0623f9efb", "clientes 7d0b904cfe1ca539",
	}, f.checkpoints, "the last partition of a page may go on in the next")

	f = newFull(t, 7, mapper.Options{})
	require.NoError(t, f.fill(gen.FillConfig{}, "clientes da1f26e0623f9efb"))
	require.Equal(t, map[string]bool{"placa='3a'": true, "placa='3b'": true, "placa='6a'": true, "placa='6b'": true}, f.keys())
}

// A page that cannot be read is read again from the last checkpoint; a failed write is repeated at its timestamp.
func TestFillRepeatsWhatFails(t *testing.T) {
	f := newFull(t, 4, mapper.Options{})
	asked := 0
	f.backend.Intercept(func(r memory.Request) memory.Outcome {
		asked++
		return []memory.Outcome{memory.Refused, memory.Done, memory.LostAnswer, memory.NotSent, memory.LostRequest, memory.Done}[asked%6]
	})
	require.NoError(t, f.fill(gen.FillConfig{PageSize: 1, Parallel: 1}, ""))
	f.backend.Intercept(nil)
	require.Len(t, f.keys(), 8)
}

// A permanent failure ends the backfill with an error that contains the position.
func TestFillEnds(t *testing.T) {
	for _, c := range []struct {
		write bool
		want  string
	}{
		{false, `mapper: backfill of veiculos: read clientes after the checkpoint "": memory: the query timed out`},
		{true, `mapper: backfill of veiculos: write VeiculoPorPlaca (veiculos placa='1a'): memory: the write timed out`},
	} {
		f := newFull(t, 2, mapper.Options{})
		asked := 0
		f.backend.Intercept(func(r memory.Request) memory.Outcome {
			if r.Write == c.write {
				asked++
				return memory.LostRequest
			}
			return memory.Done
		})
		require.ErrorContains(t, f.fill(gen.FillConfig{Parallel: 1}, ""), c.want)
		require.Equal(t, 4, asked)
		require.Empty(t, f.checkpoints)
	}

	f := newFull(t, 2, mapper.Options{})
	stop := errors.New("stop")
	err := gen.Fill(ctx, f.Clientes.Root, "veiculos", gen.FillConfig{PageSize: 1}, "", func(string) error { return stop })
	require.ErrorIs(t, err, stop)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	err = gen.Fill(ended, f.Clientes.Root, "veiculos", gen.FillConfig{}, "", func(string) error { return nil })
	require.ErrorIs(t, err, context.Canceled)
	require.EqualError(t, gen.Fill(ctx, f.Clientes.Root, "carros", gen.FillConfig{}, "", nil), "mapper: Cliente (clientes) has no redundant table carros")
}

// The number of concurrent writes reaches the limit, and never exceeds it.
func TestFillWritesSoManyAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFull(t, 40, mapper.Options{})
		var under atomic.Int32
		let := make(chan struct{})
		f.backend.Intercept(func(r memory.Request) memory.Outcome {
			if r.Write {
				under.Add(1)
				<-let
			}
			return memory.Done
		})
		ended := make(chan error)
		go func() { ended <- f.fill(gen.FillConfig{Parallel: 3}, "") }()
		synctest.Wait()
		require.Equal(t, int32(3), under.Load())
		close(let)
		require.NoError(t, <-ended)
		require.Equal(t, int32(80), under.Load())
		require.Len(t, f.keys(), 80)
	})
}

// The remaining TTL counts from a time before the page was read; a row whose TTL has expired is not written.
func TestFillOfWhatExpires(t *testing.T) {
	for passed, left := range map[time.Duration]int32{0: 9, 4 * time.Second: 5, 8500 * time.Millisecond: 1, 9 * time.Second: 0, time.Hour: 0} {
		f := newFull(t, 1, mapper.Options{TTL: 10 * time.Second})
		calls := 0
		db, err := gen.OpenBackend(ctx, f.backend, schema, mapper.Config{Now: func() time.Time {
			if calls++; calls > 2 { // after the page has begun
				return start.Add(passed)
			}
			return start
		}})
		require.NoError(t, err)
		err = gen.Fill(ctx, newStore(db).Clientes.Root, "veiculos", gen.FillConfig{Parallel: 1}, "", func(string) error { return nil })
		require.NoError(t, err)
		cells, err := f.backend.Cells("veiculos")
		require.NoError(t, err)
		require.Equal(t, left > 0, len(cells) > 0, passed)
		for _, c := range cells {
			require.Equal(t, left, c.TTL, passed)
		}
	}
}

// An Update of an aggregate whose redundant tables use a method keeps the fields that a newer program has added.
func TestUpdateWithAMethodKeepsUnknownFields(t *testing.T) {
	table := &gen.Table{Name: "carros", Aggregate: "Carro", Partition: 1, Key: 1, Computed: []string{"Letter()"},
		Columns: []gen.Column{
			{Name: "id", CQL: "id", Field: "ID", Kind: gen.PartitionKey, Type: "int"},
			{Name: "nome", CQL: "nome", Field: "Nome", Kind: gen.Regular, Type: "text"},
			{Name: "veiculo", CQL: "veiculo", Field: "Veiculo", Kind: gen.Regular, Type: "frozen<veiculo>", Of: "Veiculo"},
		}, Load: "load"}
	type carro struct {
		id      int32
		nome    string
		veiculo Veiculo
	}
	codec := &gen.Codec[carro]{Table: table,
		Encode: func(e *gen.Encoder, v *carro) {
			e.Int(v.id)
			e.Text(v.nome)
			gen.EncodeStruct(e, &v.veiculo, encodeVeiculo)
		},
		Compute: func(e *gen.Encoder, v *carro) { e.Text(v.nome[:1]) },
		Decode: func(d *gen.Decoder, v *carro) {
			v.id, v.nome = d.Int(), d.Text()
			gen.DecodeStruct(d, &v.veiculo, decodeVeiculo)
		},
	}
	byLetter := &gen.Table{Name: "by_letter", Aggregate: "CarroPorLetra", Partition: 1, Key: 2, Columns: []gen.Column{
		{Name: "letra", Kind: gen.PartitionKey, Type: "text"}, {Name: "id", Kind: gen.ClusteringKey, Type: "int"}}}
	a := gen.Link(gen.Aggregate{Root: table, Copies: []gen.Projection{{Table: byLetter, Columns: []uint16{3, 0}}}})

	newer := cell.AppendValue(cell.AppendValue(cell.AppendValue(nil, cell.Cell("A")), cell.Cell("azul")), cell.Cell("more"))
	d := &double{rows: []cell.Row{loaded(cell.Row{{0, 0, 0, 1}, cell.Cell("Ana"), newer}, 1, 5)}}
	db, err := gen.OpenStore(d, mapper.Config{}, schema)
	require.NoError(t, err)
	var key gen.Encoder
	key.Int(1)
	_, err = gen.Update(ctx, gen.NewRoot(db, codec, a), func(v *carro) error { v.nome, v.veiculo.Cor = "Eva", "azul"; return nil }, &key)
	require.NoError(t, err)
	require.Len(t, d.writes[0].mutations, 3, "the root, and the row of E instead of the row of A")
	require.Equal(t, newer, []byte(d.writes[0].mutations[0].Row[2]))
}

// A backfill keeps the fields that a newer program has added to a value that the copy stores in one piece.
func TestFillKeepsUnknownFields(t *testing.T) {
	newer := cell.Cell(cell.AppendCount(nil, 1))
	newer = cell.AppendValue(newer, cell.Cell("x"))
	newer = cell.AppendValue(newer, cell.AppendValue(cell.AppendValue(cell.AppendValue(nil, cell.Cell("Ana")), cell.Cell{7}), cell.Cell("more")))
	row := rowOf(t, &filmCodec, film())
	row[4] = newer
	at, none := cell.Cell{7: 5}, cell.Cell(cell.AppendCount(nil, 0))
	ats, lives := cell.AppendValue(cell.AppendCount(nil, 1), at), cell.AppendValue(cell.AppendCount(nil, 1), nil)
	row = append(row, nil, ats, none, none, at, nil, lives, none, none, nil, cell.Cell{1})
	d := &double{rows: []cell.Row{row}}
	s, _ := open(t, d)
	require.NoError(t, gen.Fill(ctx, s.Films.Root, "films_by_title", gen.FillConfig{}, "", func(string) error { return nil }))
	require.Equal(t, int64(5), d.writes[0].Timestamp)
	require.Equal(t, []cell.Cell{nil, newer, nil}, d.writes[0].mutations[1].Values)
}
