package gen_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// batch is a batch as the generator would write it, and a root whose Delete follows from its key: clients without their copies, with
// films as parts in a table of their own.
type batch struct {
	*gen.Batch
	Clientes gen.Writes[Cliente]
	Films    gen.Writes[Film]
	Sozinhos gen.WritesOver[Cliente]
	Partes   gen.WritesOver[VeiculoPorPlaca]
}

var sozinhoAggregate = gen.Link(gen.Aggregate{Root: &clientesTable, Parts: []*gen.Table{&partesTable}})

// partesTable is a table of parts of a client: its rows have the key of the client and a plate.
var partesTable = gen.Table{
	Name: "partes", Aggregate: "Parte", Partition: 1, Key: 2,
	Columns: []gen.Column{{Name: "id", CQL: "id", Field: "Cliente.ID", Type: "int"}, {Name: "placa", CQL: "placa", Field: "Placa", Kind: gen.ClusteringKey, Type: "text"}},
	Insert:  "INSERT INTO partes (id, placa) VALUES (?, ?) USING TIMESTAMP ? AND TTL ?",
	Delete:  "DELETE FROM partes USING TIMESTAMP ? WHERE id = ? AND placa = ?",
}

var parteCodec = gen.Codec[VeiculoPorPlaca]{Table: &partesTable, Encode: func(e *gen.Encoder, v *VeiculoPorPlaca) { e.Int(v.Cliente.ID); e.Text(v.Placa) }}

func batchOf(db *gen.DB) batch {
	b := gen.NewBatch(db)
	return batch{
		Batch:    b,
		Clientes: gen.WritesTo(b, gen.NewRoot(db, &clienteCodec, clienteAggregate)),
		Films:    gen.WritesTo(b, gen.NewRoot(db, &filmCodec, filmAggregate)),
		Sozinhos: gen.WritesOverTo(b, gen.NewRoot(db, &clienteCodec, sozinhoAggregate)),
		Partes:   gen.WritesOverTo(b, gen.NewRoot(db, &parteCodec, gen.Link(gen.Aggregate{Root: &partesTable}))),
	}
}

func id(v int32) *gen.Encoder {
	k := gen.NewKey()
	k.Int(v)
	return k
}

// batchOn returns a function that returns batches of a store on the double.
func batchOn(t *testing.T, d *double, c mapper.Config, o mapper.Options) func() batch {
	t.Helper()
	c.Now = func() time.Time { return start }
	db, err := gen.OpenStore(d, c, schema)
	require.NoError(t, err)
	return func() batch { return batchOf(db.With(o)) }
}

// All writes of a batch are one request at one timestamp. A value that is changed after it was added is written as it was.
func TestBatchIsOneWrite(t *testing.T) {
	d, l := &double{}, &log{}
	b := batchOn(t, d, mapper.Config{Tracer: l}, mapper.Options{})()
	v := cliente()
	b.Clientes.Insert(v)
	v.ID = 9
	next := film()
	next.Released = start.Add(time.Hour)
	b.Films.Change(film(), next)
	b.Sozinhos.Put(&Cliente{ID: 3, Nome: "Eva"})
	gen.AddDelete(b.Sozinhos.Writes, id(4))
	gen.AddColumn(b.Films, given(filmKey("BR", 1, "x"), start, (*gen.Encoder).Timestamp), "released", nil)
	require.Empty(t, d.writes)
	require.NoError(t, b.Run(ctx))
	require.Len(t, d.writes, 1)
	require.Empty(t, d.reads)
	require.Len(t, l.requests, 1)
	r := l.requests[0]
	require.Equal(t, []any{"Run", "Cliente", start.UnixMicro(), mapper.LoggedBatch, true, 8}, []any{r.Op, r.Aggregate, r.Timestamp, r.Batch, r.Batchlog, r.Partitions})
	var tables []string
	for _, m := range d.writes[0].mutations {
		tables = append(tables, m.Action.String()+" "+m.Table.Name)
	}
	require.Equal(t, []string{"put clientes", "put veiculos", "put veiculos", "put films", "put films_by_title", "put clientes", "delete clientes", "delete partes",
		"put films", "put films_by_title"}, tables)
	require.Equal(t, rowOf(t, &clienteCodec, cliente())[0], *d.writes[0].mutations[0].Cell(0))
}

// An empty batch, and one whose writes change nothing, send nothing. A batch runs once.
func TestBatchRunsOnce(t *testing.T) {
	d := &double{}
	open := batchOn(t, d, mapper.Config{}, mapper.Options{})
	b := open()
	require.NoError(t, b.Run(ctx))
	require.EqualError(t, b.Run(ctx), "mapper: Run: the batch has been run: create a new one")
	same := open()
	same.Films.Change(film(), film())
	require.NoError(t, same.Run(ctx))
	require.Empty(t, d.writes)
	closed := batchOf(nil)
	closed.Clientes.Insert(cliente())
	require.EqualError(t, closed.Run(ctx), "mapper: the store is not open: use the store that Open returned")
}

// The errors of all writes are returned together, and nothing is read or sent.
func TestBatchReturnsAllErrors(t *testing.T) {
	d := &double{}
	b := batchOn(t, d, mapper.Config{}, mapper.Options{})()
	b.Clientes.Insert(nil)
	b.Clientes.Insert(&Cliente{ID: 1, Nome: "Ana"})
	b.Clientes.Insert(&Cliente{ID: 2})
	b.Films.Change(film(), &Film{Country: "BR", Year: 1, Title: "x"})
	gen.AddDelete(b.Films, filmKey("", 1, "x"))
	gen.AddColumn(b.Films, given(filmKey("", 1, "x"), start, (*gen.Encoder).Timestamp), "released", nil)
	b.Clientes.Change(&Cliente{ID: 1, Nome: "Ana"}, &Cliente{ID: 1, Nome: "Bia"})
	err := b.Run(ctx)
	require.EqualError(t, err, `mapper: Insert Cliente (clientes): the value is a nil pointer
mapper: Insert Cliente (clientes id=2): Nome is required
mapper: Change Film (films country='BR', year=2002, title='Cidade de Deus'): the primary key of an aggregate cannot change: insert the value under its new key and delete the old one
mapper: Delete Film (films country='', year=1, title='x'): Country is empty, but is in the key
mapper: Set Film (films country='', year=1, title='x'): Country is empty, but is in the key
mapper: Change Cliente (clientes id=1): another write of the batch, Insert, writes the same row: use one write`)
	var broken *mapper.ConstraintError
	require.ErrorAs(t, err, &broken)
	require.ErrorIs(t, err, mapper.ErrKeyChanged)
	many := batchOn(t, d, mapper.Config{}, mapper.Options{})()
	for range 300 {
		many.Clientes.Insert(nil)
	}
	require.True(t, strings.HasSuffix(many.Run(ctx).Error(), ": the value is a nil pointer\nand 200 more"))
	require.Empty(t, d.writes)
}

// Two writes of a batch have one timestamp, so they must not write one row.
func TestBatchRefusesTwoWritesOfARow(t *testing.T) {
	const insertAna = "another write of the batch, Insert Cliente (clientes id=1), "
	english, french := film(), film()
	english.Language, french.Title, french.Language = "en", "Autre", "fr"
	for want, add := range map[string]func(b batch){
		"mapper: Put Cliente (clientes id=1): another write of the batch, Insert, writes the same row: use one write": func(b batch) {
			b.Clientes.Insert(ana())
			b.Sozinhos.Put(ana())
		},
		"mapper: Insert Cliente (clientes id=2): " + insertAna + "writes the same row of veiculos: placa='ABC'": func(b batch) {
			b.Clientes.Insert(ana())
			b.Clientes.Insert(bia())
		},
		"mapper: Insert Film (films country='BR', year=2002, title='Autre'): another write of the batch, Insert Film (films country='BR', year=2002, title='Cidade de Deus'), " +
			"writes another value of the static column language of films: country='BR'": func(b batch) {
			b.Films.Insert(english)
			b.Films.Insert(french)
		},
		"mapper: Insert Parte (partes id=1, placa='ABC'): another write of the batch, Delete Cliente (clientes id=1), writes or deletes the same row of partes: " +
			"id=1, placa='ABC'": func(b batch) {
			gen.AddDelete(b.Sozinhos.Writes, id(1))
			b.Partes.Insert(&VeiculoPorPlaca{Placa: "ABC", Cliente: Owner{1, "Ana"}})
		},
		"mapper: Delete Cliente (clientes id=1): another write of the batch, Put Parte (partes id=1, placa='ABC'), writes or deletes the same row of partes: " +
			"id=1, placa='ABC'": func(b batch) {
			b.Partes.Put(&VeiculoPorPlaca{Placa: "ABC", Cliente: Owner{1, "Ana"}})
			gen.AddDelete(b.Sozinhos.Writes, id(1))
		},
	} {
		d := &double{}
		b := batchOn(t, d, mapper.Config{}, mapper.Options{})()
		add(b)
		require.EqualError(t, b.Run(ctx), want)
		require.Empty(t, d.writes)
	}
}

// Writes that agree on what they share are accepted: a static value, and a row of a shared copy, which is sent once.
func TestBatchSharesRows(t *testing.T) {
	d := &double{}
	open := batchOn(t, d, mapper.Config{}, mapper.Options{})
	one, two := film(), film()
	two.Title, one.Language, two.Language = "Autre", "pt", "pt"
	b := open()
	b.Films.Insert(one)
	b.Films.Insert(two)
	require.NoError(t, b.Run(ctx))

	db, err := gen.OpenStore(d, mapper.Config{}, schema)
	require.NoError(t, err)
	shared := gen.NewRoot(db, &filmCodec, gen.Link(gen.Aggregate{Root: &filmsTable, Copies: []gen.Projection{
		{Table: &languagesTable, Columns: []uint16{3, 7}, Shared: true}}}))
	labels := gen.NewBatch(db)
	gen.WritesTo(labels, shared).Insert(one)
	gen.WritesTo(labels, shared).Insert(two)
	require.NoError(t, labels.Run(ctx))
	require.Len(t, d.writes[1].mutations, 3)

	two.Released = start.Add(time.Hour)
	differ := gen.NewBatch(db)
	gen.WritesTo(differ, shared).Insert(one)
	gen.WritesTo(differ, shared).Insert(two)
	require.ErrorContains(t, differ.Run(ctx), "writes the same row of languages: language='pt'")
	require.Len(t, d.writes, 2)
}

// languagesTable has a row for each language.
var languagesTable = gen.Table{Name: "languages", Aggregate: "Language", Partition: 1, Key: 1,
	Columns: []gen.Column{{Name: "language", CQL: "language", Field: "Language", Type: "text"}, {Name: "released", CQL: "released", Kind: gen.Regular, Type: "timestamp"}},
	Insert:  "INSERT INTO languages (language, released) VALUES (?, ?) USING TIMESTAMP ? AND TTL ?"}

// A vehicle that moves to another client in one batch belongs to the new one, also if its row is newer than the clock.
func TestBatchMovesARow(t *testing.T) {
	c := newClaimed(t)
	c.insert(t, ana())
	ahead := c.vehicles(mapper.Options{Timestamp: start.UnixMicro() + 5_000})
	require.NoError(t, gen.Insert(ctx, ahead, &VeiculoPorPlaca{Placa: "ABC", Cor: "green", Cliente: Owner{1, "Ana"}}))
	b := batchOf(c.db)
	b.Clientes.Insert(bia())
	b.Clientes.Change(ana(), &Cliente{ID: 1, Nome: "Ana"})
	require.NoError(t, b.Run(ctx))
	v, err := c.Veiculos.Get(ctx, "ABC")
	require.NoError(t, err)
	require.Equal(t, &VeiculoPorPlaca{Placa: "ABC", Cor: "blue", Cliente: Owner{2, "Bia"}}, v)
	require.Empty(t, c.owner(t, "XYZ"))
}

// The delete of a row that moves is not sent: the insert writes all of its columns.
func TestBatchInsertReplacesADelete(t *testing.T) {
	d := &double{}
	b := batchOn(t, d, mapper.Config{}, mapper.Options{})()
	b.Clientes.Change(ana(), &Cliente{ID: 1, Nome: "Ana"})
	b.Clientes.Insert(bia())
	require.NoError(t, b.Run(ctx))
	require.Len(t, d.reads, 2)
	var deleted []string
	for _, m := range d.writes[0].mutations {
		if m.Action == plan.Delete {
			deleted = append(deleted, string(*m.Cell(0)))
		}
	}
	require.Equal(t, []string{"XYZ"}, deleted)

	d.readErr = errTimeout
	failed := batchOn(t, d, mapper.Config{}, mapper.Options{})()
	failed.Clientes.Change(ana(), &Cliente{ID: 1, Nome: "Ana"})
	require.EqualError(t, failed.Run(ctx), "mapper: Change Cliente (clientes id=1): timeout")
	require.Len(t, d.writes, 1)
}

// A batch over several partitions has a limit in bytes, and every batch has one of statements.
func TestBatchLimits(t *testing.T) {
	d := &double{}
	b := batchOn(t, d, mapper.Config{BatchLimit: 300}, mapper.Options{})()
	b.Clientes.Insert(&Cliente{ID: 1, Nome: "Ana"})
	b.Films.Insert(film())
	b.Partes.Put(&VeiculoPorPlaca{Placa: "ABC", Cliente: Owner{1, "Ana"}})
	err := b.Run(ctx)
	var large *mapper.BatchTooLargeError
	require.ErrorAs(t, err, &large)
	require.Equal(t, 3, large.Writes)
	require.Greater(t, large.Bytes, large.Limit)
	require.ErrorContains(t, err, "mapper: Run Cliente (clientes id=1) and 2 more writes: the write has ")
	require.ErrorContains(t, err, "the limit is 300: use several batches, or set Config.BatchLimit")

	many := batchOn(t, d, mapper.Config{BatchLimit: 1 << 30}, mapper.Options{})()
	for i := range int32(1 << 16) {
		many.Sozinhos.Put(&Cliente{ID: i, Nome: "x"})
	}
	require.EqualError(t, many.Run(ctx), "mapper: Run Cliente (clientes id=0) and 65535 more writes: 65536 statements, a batch has at most 65535")
	require.Empty(t, d.writes)
}

// A batch of unknown outcome is repeated at the same timestamp. The error names the first write and their number, and the same writes can
// be run again in a new batch.
func TestBatchOfUnknownOutcome(t *testing.T) {
	d := &double{answers: []error{unknown(), unknown(), unknown(), unknown(), &store.Error{Outcome: store.Refused, Err: errTimeout}}}
	open := batchOn(t, d, mapper.Config{}, mapper.Options{Timestamp: 7})
	b := open()
	b.Partes.Insert(&VeiculoPorPlaca{Placa: "ABC", Cliente: Owner{1, "Ana"}})
	b.Partes.Insert(&VeiculoPorPlaca{Placa: "XYZ", Cliente: Owner{1, "Ana"}})
	err := b.Run(ctx)
	require.EqualError(t, err, "mapper: Run Parte (partes id=1, placa='ABC') and 1 more write: outcome unknown, repeating the call is safe: timeout")
	var outcome *mapper.UnknownOutcomeError
	require.ErrorAs(t, err, &outcome)
	require.Equal(t, 2, outcome.Writes)
	require.Len(t, d.writes, 4)
	require.Equal(t, int64(7), d.writes[3].Timestamp)

	refused := open()
	refused.Partes.Insert(&VeiculoPorPlaca{Placa: "ABC", Cliente: Owner{1, "Ana"}})
	require.EqualError(t, refused.Run(ctx), "mapper: Run Parte (partes id=1, placa='ABC'): timeout")
}

// The options of the store apply to a batch as to a single write.
func TestBatchOptions(t *testing.T) {
	d := &double{}
	for want, c := range map[string]struct {
		options mapper.Options
		add     func(batch)
	}{
		"mapper: Run: mapper.Options.Serial is for reads":        {mapper.Options{Serial: true}, func(b batch) {}},
		"mapper: Run: mapper.Options.Verified is for reads":      {mapper.Options{Verified: true}, func(b batch) {}},
		"mapper: Run: the timeout -1ns is below 0":               {mapper.Options{Timeout: -1}, func(b batch) { b.Clientes.Insert(ana()) }},
		"mapper: Insert Cliente (clientes id=1): " + stampedText: {mapper.Options{Timestamp: 7}, func(b batch) { b.Clientes.Insert(ana()) }},
		"mapper: Set Film (films country='BR', year=1, title='x'): " + setTTL: {mapper.Options{TTL: time.Minute}, func(b batch) {
			gen.AddColumn(b.Films, given(filmKey("BR", 1, "x"), start, (*gen.Encoder).Timestamp), "released", nil)
		}},
	} {
		b := batchOn(t, d, mapper.Config{}, c.options)()
		c.add(b)
		require.EqualError(t, b.Run(ctx), want)
	}
	require.Empty(t, d.writes)
	b := batchOn(t, d, mapper.Config{}, mapper.Options{TTL: time.Minute})()
	b.Partes.Put(&VeiculoPorPlaca{Placa: "ABC", Cliente: Owner{1, "Ana"}})
	require.NoError(t, b.Run(ctx))
	require.EqualValues(t, 60, d.writes[0].mutations[0].TTL)

	ended, cancel := context.WithCancel(ctx)
	cancel()
	late := batchOn(t, d, mapper.Config{}, mapper.Options{})()
	late.Partes.Put(&VeiculoPorPlaca{Placa: "ABC", Cliente: Owner{1, "Ana"}})
	require.EqualError(t, late.Run(ended), "mapper: Run Parte (partes id=1, placa='ABC'): context canceled")
}

const (
	stampedText = "mapper.Options.Timestamp is not supported where there are redundant tables or lists that are not frozen: use Import"
	setTTL      = "a write with a TTL writes the whole row: use Update or Put"
)
