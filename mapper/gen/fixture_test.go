package gen_test

import (
	"context"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// This file contains what the generator would write for two aggregates: clients, whose vehicles are also separate rows
// with the owner embedded, and films with a clustering key, a static column, a map, a set and UDTs.

type Cliente struct {
	ID        int32
	Nome      string
	Emails    []string
	Telefones map[string]struct{}
	Veiculos  []Veiculo
}

type Veiculo struct{ Placa, Cor string }

type VeiculoPorPlaca struct {
	Placa, Cor string
	Cliente    Owner
}

type Owner struct {
	ID   int32
	Nome string
}

type Film struct {
	Country  string
	Year     int32
	Title    string
	Language string // static
	Cast     map[string]Role
	Genres   map[string]struct{}
	Score    *Score // a UDT that is not frozen
	Released time.Time
}

type Role struct {
	Actor string
	Age   int8
}

type Score struct {
	Stars float64
	Votes *int64
}

type FilmByActor struct {
	Actor   string
	Country string
	Year    int32
	Title   string
	Name    string
	Age     int8
	Score   *Score
}

type FilmByTitle struct {
	Title    string
	Country  string
	Year     int32
	Genres   map[string]struct{}
	Cast     map[string]Role
	Released time.Time
}

var schema = &gen.Schema{
	Types: []*gen.Type{
		{Name: "veiculo", Of: "Veiculo", Fields: []gen.Field{{Name: "placa", Type: "text", Go: "Placa"}, {Name: "cor", Type: "text", Go: "Cor"}}},
		{Name: "cliente", Of: "Proprietario", Fields: []gen.Field{{Name: "id", Type: "int", Go: "ID"}, {Name: "nome", Type: "text", Go: "Nome"}}},
		{Name: "role", Of: "Role", Fields: []gen.Field{{Name: "actor", Type: "text", Go: "Actor"}, {Name: "age", Type: "tinyint", Go: "Age"}}},
		{Name: "score", Of: "Score", Fields: []gen.Field{{Name: "stars", Type: "double", Go: "Stars"}, {Name: "votes", Type: "bigint", Go: "Votes"}}},
	},
	Tables: []*gen.Table{&clientesTable, &veiculosTable, &filmsTable, &filmsByActorTable, &filmsByTitleTable},
}

var clientesTable = gen.Table{
	Name: "clientes", Aggregate: "Cliente", Partition: 1, Key: 1,
	Columns: []gen.Column{
		{Name: "id", CQL: "id", Field: "ID", Kind: gen.PartitionKey, Type: "int"},
		{Name: "nome", CQL: "nome", Field: "Nome", Kind: gen.Regular, Type: "text"},
		{Name: "emails", CQL: "emails", Field: "Emails", Kind: gen.Regular, Type: "list<text>", Cells: gen.List},
		{Name: "telefones", CQL: "telefones", Field: "Telefones", Kind: gen.Regular, Type: "set<text>", Cells: gen.Set,
			Update: "UPDATE clientes USING TIMESTAMP ? AND TTL ? SET telefones = telefones + ?, telefones = telefones - ? WHERE id = ?"},
		{Name: "veiculos", CQL: "veiculos", Field: "Veiculos", Kind: gen.Regular, Type: "list<frozen<veiculo>>", Cells: gen.List, Of: "Veiculo"},
	},
	Insert: "INSERT INTO clientes (id, nome, emails, telefones, veiculos) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?",
	Delete: "DELETE FROM clientes USING TIMESTAMP ? WHERE id = ?",
	Select: "SELECT id, nome, emails, telefones, veiculos FROM clientes",
	Get:    "SELECT id, nome, emails, telefones, veiculos FROM clientes WHERE id = ?",
	Load: "SELECT id, nome, emails, telefones, veiculos, WRITETIME(nome), MAXWRITETIME(emails), MAXWRITETIME(telefones), " +
		"MAXWRITETIME(veiculos) FROM clientes WHERE id = ?",
}

var veiculosTable = gen.Table{
	Name: "veiculos", Aggregate: "VeiculoPorPlaca", Partition: 1, Key: 1,
	Columns: []gen.Column{
		{Name: "placa", CQL: "placa", Field: "Placa", Kind: gen.PartitionKey, Type: "text"},
		{Name: "cor", CQL: "cor", Field: "Cor", Kind: gen.Regular, Type: "text"},
		{Name: "cliente", CQL: "cliente", Field: "Cliente", Kind: gen.Regular, Type: "cliente", Cells: gen.UDT, Fields: 2, Of: "Proprietario",
			Update: "UPDATE veiculos USING TIMESTAMP ? AND TTL ? SET cliente.id = ?, cliente.nome = ? WHERE placa = ?"},
	},
	Insert: "INSERT INTO veiculos (placa, cor, cliente) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?",
	Delete: "DELETE FROM veiculos USING TIMESTAMP ? WHERE placa = ?",
	Select: "SELECT placa, cor, cliente FROM veiculos",
	Get:    "SELECT placa, cor, cliente FROM veiculos WHERE placa = ?",
	Load:   "SELECT placa, cor, cliente, WRITETIME(cor), MAXWRITETIME(cliente) FROM veiculos WHERE placa = ?",
}

var filmsTable = gen.Table{
	Name: "films", Aggregate: "Film", Partition: 1, Key: 3,
	Columns: []gen.Column{
		{Name: "country", CQL: "country", Field: "Country", Kind: gen.PartitionKey, Type: "text"},
		{Name: "year", CQL: "year", Field: "Year", Kind: gen.ClusteringKey, Type: "int", Desc: true},
		{Name: "title", CQL: "title", Field: "Title", Kind: gen.ClusteringKey, Type: "text"},
		{Name: "language", CQL: "language", Field: "Language", Kind: gen.Static, Type: "text"},
		{Name: "cast", CQL: `"cast"`, Field: "Cast", Kind: gen.Regular, Type: "map<text, frozen<role>>", Cells: gen.Map, Of: "Role",
			Update: `UPDATE films USING TIMESTAMP ? AND TTL ? SET "cast" = "cast" + ?, "cast" = "cast" - ? WHERE country = ? AND year = ? AND title = ?`},
		{Name: "genres", CQL: "genres", Field: "Genres", Kind: gen.Regular, Type: "set<text>", Cells: gen.Set,
			Update: "UPDATE films USING TIMESTAMP ? AND TTL ? SET genres = genres + ?, genres = genres - ? WHERE country = ? AND year = ? AND title = ?"},
		{Name: "score", CQL: "score", Field: "Score", Kind: gen.Regular, Type: "score", Cells: gen.UDT, Fields: 2, Of: "Score",
			Update: "UPDATE films USING TIMESTAMP ? AND TTL ? SET score.stars = ?, score.votes = ? WHERE country = ? AND year = ? AND title = ?"},
		{Name: "released", CQL: "released", Field: "Released", Kind: gen.Regular, Type: "timestamp"},
	},
	Insert: `INSERT INTO films (country, year, title, language, "cast", genres, score, released) VALUES (?, ?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?`,
	Delete: "DELETE FROM films USING TIMESTAMP ? WHERE country = ? AND year = ? AND title = ?",
	Select: `SELECT country, year, title, language, "cast", genres, score, released FROM films`,
	Get:    `SELECT country, year, title, language, "cast", genres, score, released FROM films WHERE country = ? AND year = ? AND title = ?`,
	Load: `SELECT country, year, title, language, "cast", genres, score, released, WRITETIME(language), MAXWRITETIME("cast"), MAXWRITETIME(genres),
		MAXWRITETIME(score), WRITETIME(released) FROM films WHERE country = ? AND year = ? AND title = ?`,
	Reversed: " ORDER BY year ASC, title DESC",
}

var filmsByActorTable = gen.Table{
	Name: "films_by_actor", Aggregate: "FilmByActor", Partition: 1, Key: 5,
	Columns: []gen.Column{
		{Name: "actor", CQL: "actor", Field: "Actor", Kind: gen.PartitionKey, Type: "text"},
		{Name: "country", CQL: "country", Field: "Country", Kind: gen.ClusteringKey, Type: "text"},
		{Name: "year", CQL: "year", Field: "Year", Kind: gen.ClusteringKey, Type: "int"},
		{Name: "title", CQL: "title", Field: "Title", Kind: gen.ClusteringKey, Type: "text"},
		{Name: "name", CQL: "name", Field: "Name", Kind: gen.ClusteringKey, Type: "text"},
		{Name: "age", CQL: "age", Field: "Age", Kind: gen.Regular, Type: "tinyint"},
		{Name: "score", CQL: "score", Field: "Score", Kind: gen.Regular, Type: "score", Cells: gen.UDT, Fields: 2, Of: "Score",
			Update: "UPDATE films_by_actor USING TIMESTAMP ? AND TTL ? SET score.stars = ?, score.votes = ? WHERE actor = ? AND country = ? AND year = ? AND title = ? AND name = ?"},
	},
	Insert:   "INSERT INTO films_by_actor (actor, country, year, title, name, age, score) VALUES (?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?",
	Delete:   "DELETE FROM films_by_actor USING TIMESTAMP ? WHERE actor = ? AND country = ? AND year = ? AND title = ? AND name = ?",
	Select:   "SELECT actor, country, year, title, name, age, score FROM films_by_actor",
	Get:      "SELECT actor, country, year, title, name, age, score FROM films_by_actor WHERE actor = ? AND country = ? AND year = ? AND title = ? AND name = ?",
	Reversed: " ORDER BY country DESC, year DESC, title DESC, name DESC",
}

var filmsByTitleTable = gen.Table{
	Name: "films_by_title", Aggregate: "FilmByTitle", Partition: 1, Key: 3,
	Columns: []gen.Column{
		{Name: "title", CQL: "title", Field: "Title", Kind: gen.PartitionKey, Type: "text"},
		{Name: "country", CQL: "country", Field: "Country", Kind: gen.ClusteringKey, Type: "text"},
		{Name: "year", CQL: "year", Field: "Year", Kind: gen.ClusteringKey, Type: "int"},
		{Name: "genres", CQL: "genres", Field: "Genres", Kind: gen.Regular, Type: "set<text>", Cells: gen.Set,
			Update: "UPDATE films_by_title USING TIMESTAMP ? AND TTL ? SET genres = genres + ?, genres = genres - ? WHERE title = ? AND country = ? AND year = ?"},
		{Name: "cast", CQL: `"cast"`, Field: "Cast", Kind: gen.Regular, Type: "map<text, frozen<role>>", Cells: gen.Map, Of: "Role",
			Update: `UPDATE films_by_title USING TIMESTAMP ? AND TTL ? SET "cast" = "cast" + ?, "cast" = "cast" - ? WHERE title = ? AND country = ? AND year = ?`},
		{Name: "released", CQL: "released", Field: "Released", Kind: gen.Regular, Type: "timestamp"},
	},
	Insert:   `INSERT INTO films_by_title (title, country, year, genres, "cast", released) VALUES (?, ?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?`,
	Delete:   "DELETE FROM films_by_title USING TIMESTAMP ? WHERE title = ? AND country = ? AND year = ?",
	Select:   `SELECT title, country, year, genres, "cast", released FROM films_by_title`,
	Get:      `SELECT title, country, year, genres, "cast", released FROM films_by_title WHERE title = ? AND country = ? AND year = ?`,
	Reversed: " ORDER BY country DESC, year DESC",
}

var clienteAggregate = gen.Link(gen.Aggregate{
	Root: &clientesTable,
	Copies: []gen.Projection{{
		Table: &veiculosTable,
		Ops: []gen.Op{
			{Code: gen.Make, Dst: 5, Args: []uint16{0, 1}}, // 5 cliente
			{Code: gen.Each, Src: 4, Dst: 6},               // 6 a vehicle
			{Code: gen.Split, Src: 6, Dst: 7, N: 2},        // 7 placa, 8 cor
		},
		Columns:   []uint16{7, 8, 5},
		Distinct:  true,
		SourceKey: []gen.Place{{Column: 2, Field: 0}},
	}},
})

var filmAggregate = gen.Link(gen.Aggregate{
	Root: &filmsTable,
	Copies: []gen.Projection{
		{
			Table: &filmsByActorTable,
			Ops: []gen.Op{
				{Code: gen.Entry, Src: 4, Dst: 8},        // 8 name, 9 role
				{Code: gen.Split, Src: 9, Dst: 10, N: 2}, // 10 actor, 11 age
			},
			Columns: []uint16{10, 0, 1, 2, 8, 11, 6},
		},
		{Table: &filmsByTitleTable, Columns: []uint16{2, 0, 1, 5, 4, 7}},
	},
})

var clienteCodec = gen.Codec[Cliente]{Table: &clientesTable, Encode: encodeCliente, Decode: decodeCliente, Check: checkCliente}

func encodeCliente(e *gen.Encoder, v *Cliente) {
	e.Int(v.ID)
	e.Text(v.Nome)
	gen.EncodeList(e, v.Emails, (*gen.Encoder).Text)
	gen.EncodeSet(e, v.Telefones, (*gen.Encoder).Text)
	gen.EncodeStructs(e, v.Veiculos, encodeVeiculo)
}

func decodeCliente(d *gen.Decoder, v *Cliente) {
	v.ID = d.Int()
	v.Nome = d.Text()
	v.Emails = gen.DecodeList(d, (*gen.Decoder).Text)
	v.Telefones = gen.DecodeSet(d, (*gen.Decoder).Text)
	v.Veiculos = gen.DecodeStructs(d, decodeVeiculo)
}

func checkCliente(f *gen.Faults, v *Cliente) {
	f.Required("Nome", v.Nome != "")
	gen.CheckStructs(f, "Veiculos", v.Veiculos, checkVeiculo)
}

func encodeVeiculo(e *gen.Encoder, v *Veiculo) { e.Text(v.Placa); e.Text(v.Cor) }
func decodeVeiculo(d *gen.Decoder, v *Veiculo) { v.Placa = d.Text(); v.Cor = d.Text() }
func checkVeiculo(f *gen.Faults, v *Veiculo)   { f.Required("Cor", v.Cor != "") }

var veiculoPorPlacaCodec = gen.Codec[VeiculoPorPlaca]{Table: &veiculosTable, Encode: encodeVeiculoPorPlaca, Decode: decodeVeiculoPorPlaca}

func encodeVeiculoPorPlaca(e *gen.Encoder, v *VeiculoPorPlaca) {
	e.Text(v.Placa)
	e.Text(v.Cor)
	gen.EncodeStruct(e, &v.Cliente, encodeOwner)
}

func decodeVeiculoPorPlaca(d *gen.Decoder, v *VeiculoPorPlaca) {
	v.Placa = d.Text()
	v.Cor = d.Text()
	gen.DecodeStruct(d, &v.Cliente, decodeOwner)
}

func encodeOwner(e *gen.Encoder, v *Owner) { e.Int(v.ID); e.Text(v.Nome) }
func decodeOwner(d *gen.Decoder, v *Owner) { v.ID = d.Int(); v.Nome = d.Text() }

var filmCodec = gen.Codec[Film]{Table: &filmsTable, Encode: encodeFilm, Decode: decodeFilm}

func encodeFilm(e *gen.Encoder, v *Film) {
	e.Text(v.Country)
	e.Int(v.Year)
	e.Text(v.Title)
	e.Text(v.Language)
	gen.EncodeMapOfStructs(e, v.Cast, (*gen.Encoder).Text, encodeRole)
	gen.EncodeSet(e, v.Genres, (*gen.Encoder).Text)
	gen.EncodeStruct(e, v.Score, encodeScore)
	e.Timestamp(v.Released)
}

func decodeFilm(d *gen.Decoder, v *Film) {
	v.Country = d.Text()
	v.Year = d.Int()
	v.Title = d.Text()
	v.Language = d.Text()
	v.Cast = gen.DecodeMapOfStructs(d, (*gen.Decoder).Text, decodeRole)
	v.Genres = gen.DecodeSet(d, (*gen.Decoder).Text)
	v.Score = gen.DecodePointer(d, decodeScore)
	v.Released = d.Timestamp()
}

func encodeRole(e *gen.Encoder, v *Role) { e.Text(v.Actor); e.Tinyint(v.Age) }
func decodeRole(d *gen.Decoder, v *Role) { v.Actor = d.Text(); v.Age = d.Tinyint() }

func encodeScore(e *gen.Encoder, v *Score) {
	e.Double(v.Stars)
	gen.EncodeNullable(e, v.Votes, (*gen.Encoder).Bigint)
}

func decodeScore(d *gen.Decoder, v *Score) {
	v.Stars = d.Double()
	v.Votes = gen.DecodeNullable(d, (*gen.Decoder).Bigint)
}

var filmByActorCodec = gen.Codec[FilmByActor]{Table: &filmsByActorTable, Encode: encodeFilmByActor, Decode: decodeFilmByActor}

func encodeFilmByActor(e *gen.Encoder, v *FilmByActor) {
	e.Text(v.Actor)
	e.Text(v.Country)
	e.Int(v.Year)
	e.Text(v.Title)
	e.Text(v.Name)
	e.Tinyint(v.Age)
	gen.EncodeStruct(e, v.Score, encodeScore)
}

func decodeFilmByActor(d *gen.Decoder, v *FilmByActor) {
	v.Actor = d.Text()
	v.Country = d.Text()
	v.Year = d.Int()
	v.Title = d.Text()
	v.Name = d.Text()
	v.Age = d.Tinyint()
	v.Score = gen.DecodePointer(d, decodeScore)
}

var filmByTitleCodec = gen.Codec[FilmByTitle]{Table: &filmsByTitleTable, Encode: encodeFilmByTitle, Decode: decodeFilmByTitle}

func encodeFilmByTitle(e *gen.Encoder, v *FilmByTitle) {
	e.Text(v.Title)
	e.Text(v.Country)
	e.Int(v.Year)
	gen.EncodeSet(e, v.Genres, (*gen.Encoder).Text)
	gen.EncodeMapOfStructs(e, v.Cast, (*gen.Encoder).Text, encodeRole)
	e.Timestamp(v.Released)
}

func decodeFilmByTitle(d *gen.Decoder, v *FilmByTitle) {
	v.Title = d.Text()
	v.Country = d.Text()
	v.Year = d.Int()
	v.Genres = gen.DecodeSet(d, (*gen.Decoder).Text)
	v.Cast = gen.DecodeMapOfStructs(d, (*gen.Decoder).Text, decodeRole)
	v.Released = d.Timestamp()
}

type ClientesTable struct{ gen.Root[Cliente] }

func (t ClientesTable) Insert(ctx context.Context, v *Cliente) error {
	return gen.Insert(ctx, t.Root, v)
}

func (t ClientesTable) Put(ctx context.Context, v *Cliente) error { return gen.Put(ctx, t.Root, v) }

func (t ClientesTable) Change(ctx context.Context, old, new *Cliente) error {
	return gen.Change(ctx, t.Root, old, new)
}

func (t ClientesTable) Import(ctx context.Context, v *Cliente) (bool, error) {
	return gen.Import(ctx, t.Root, v)
}

func (t ClientesTable) Get(ctx context.Context, id int32) (*Cliente, error) {
	var k gen.Encoder
	k.Int(id)
	return gen.Get(ctx, t.Reader, &k)
}

func (t ClientesTable) Update(ctx context.Context, id int32, change func(*Cliente) error) (*Cliente, error) {
	var k gen.Encoder
	k.Int(id)
	return gen.Update(ctx, t.Root, change, &k)
}

func (t ClientesTable) Delete(ctx context.Context, id int32) error {
	var k gen.Encoder
	k.Int(id)
	return gen.Delete(ctx, t.Root, &k)
}

type VeiculosTable struct{ gen.Reader[VeiculoPorPlaca] }

func (t VeiculosTable) Get(ctx context.Context, placa string) (*VeiculoPorPlaca, error) {
	var k gen.Encoder
	k.Text(placa)
	return gen.Get(ctx, t.Reader, &k)
}

type FilmsTable struct{ gen.Root[Film] }

func (t FilmsTable) Insert(ctx context.Context, v *Film) error { return gen.Insert(ctx, t.Root, v) }

func (t FilmsTable) Put(ctx context.Context, v *Film) error { return gen.Put(ctx, t.Root, v) }

func (t FilmsTable) Change(ctx context.Context, old, new *Film) error {
	return gen.Change(ctx, t.Root, old, new)
}

func (t FilmsTable) Import(ctx context.Context, v *Film) (bool, error) {
	return gen.Import(ctx, t.Root, v)
}

func filmKey(country string, year int32, title string) *gen.Encoder {
	var k gen.Encoder
	k.Text(country)
	k.Int(year)
	k.Text(title)
	return &k
}

func (t FilmsTable) Get(ctx context.Context, country string, year int32, title string) (*Film, error) {
	return gen.Get(ctx, t.Reader, filmKey(country, year, title))
}

func (t FilmsTable) Update(ctx context.Context, country string, year int32, title string, change func(*Film) error) (*Film, error) {
	return gen.Update(ctx, t.Root, change, filmKey(country, year, title))
}

func (t FilmsTable) Delete(ctx context.Context, country string, year int32, title string) error {
	return gen.Delete(ctx, t.Root, filmKey(country, year, title))
}

// given appends v to the values in k.
func given[V any](k *gen.Encoder, v V, encode func(*gen.Encoder, V)) *gen.Encoder {
	encode(k, v)
	return k
}

func (t FilmsTable) Of(country string) FilmsQuery {
	var k gen.Encoder
	k.Text(country)
	return FilmsQuery{gen.Where(t.Reader, &k)}
}

type FilmsQuery struct{ gen.Query[Film] }

func (q FilmsQuery) Year(v int32) FilmsYearQuery {
	return FilmsYearQuery{gen.Equal(q.Query, gen.Key(v, (*gen.Encoder).Int))}
}

func (q FilmsQuery) YearFrom(v int32) FilmsYearRange {
	return FilmsYearRange{gen.Bound(q.Query, gen.AtLeast, gen.Key(v, (*gen.Encoder).Int))}
}

type FilmsYearRange struct{ gen.Query[Film] }

func (q FilmsYearRange) YearBefore(v int32) FilmsYearRange {
	return FilmsYearRange{gen.Bound(q.Query, gen.LessThan, gen.Key(v, (*gen.Encoder).Int))}
}

type FilmsYearQuery struct{ gen.Query[Film] }

func (q FilmsYearQuery) TitleAfter(v string) gen.Query[Film] {
	return gen.Bound(q.Query, gen.MoreThan, gen.Key(v, (*gen.Encoder).Text))
}

type FilmsByActorTable struct{ gen.Reader[FilmByActor] }

func (t FilmsByActorTable) Of(actor string) gen.Query[FilmByActor] {
	var k gen.Encoder
	k.Text(actor)
	return gen.Where(t.Reader, &k)
}

type FilmsByTitleTable struct{ gen.Reader[FilmByTitle] }

func (t FilmsByTitleTable) Of(title string) gen.Query[FilmByTitle] {
	var k gen.Encoder
	k.Text(title)
	return gen.Where(t.Reader, &k)
}

type Store struct {
	db           *gen.DB
	Clientes     ClientesTable
	Veiculos     VeiculosTable
	Films        FilmsTable
	FilmsByActor FilmsByActorTable
	FilmsByTitle FilmsByTitleTable
}

func newStore(db *gen.DB) *Store {
	return &Store{
		db:           db,
		Clientes:     ClientesTable{gen.NewRoot(db, &clienteCodec, clienteAggregate)},
		Veiculos:     VeiculosTable{gen.NewReader(db, &veiculoPorPlacaCodec)},
		Films:        FilmsTable{gen.NewRoot(db, &filmCodec, filmAggregate)},
		FilmsByActor: FilmsByActorTable{gen.NewReader(db, &filmByActorCodec)},
		FilmsByTitle: FilmsByTitleTable{gen.NewReader(db, &filmByTitleCodec)},
	}
}

// log is a tracer that records requests and results.
type log struct {
	requests []mapper.Request
	results  []mapper.RequestResult
}

func (l *log) Start(ctx context.Context, r mapper.Request) context.Context {
	l.requests = append(l.requests, r)
	return ctx
}

func (l *log) End(_ context.Context, r mapper.RequestResult) { l.results = append(l.results, r) }
