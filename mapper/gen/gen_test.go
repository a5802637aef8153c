package gen_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

var ctx = context.Background()

var errTimeout = errors.New("timeout")

func unknown() error { return &store.Error{Outcome: store.Unknown, Err: errTimeout} }

func film() *Film { return &Film{Country: "BR", Year: 2002, Title: "Cidade de Deus", Released: start} }

func cliente() *Cliente {
	return &Cliente{ID: 1, Nome: "João", Veiculos: []Veiculo{{"ABC1234", "Azul"}, {"DEF5678", "Preto"}}}
}

func TestInsertIsOneWrite(t *testing.T) {
	d := &double{}
	s, l := open(t, d)
	require.NoError(t, s.Clientes.Insert(ctx, cliente()))
	require.NoError(t, s.Films.Insert(ctx, &Film{Country: "BR", Year: 1, Title: "x"}))
	require.Len(t, d.writes, 2)
	require.Len(t, d.writes[0].mutations, 3)
	require.Equal(t, mapper.LocalQuorum, d.writes[0].Consistency)
	require.Equal(t, int64(1_000_000), d.writes[0].Timestamp)
	require.Greater(t, d.writes[1].Timestamp, d.writes[0].Timestamp+1, "the clock is constant, the timestamps increase")
	r := l.requests[0]
	require.Equal(t, "Insert", r.Op)
	require.Equal(t, "Cliente", r.Aggregate)
	require.Equal(t, mapper.LoggedBatch, r.Batch)
	require.True(t, r.Batchlog)
	require.Equal(t, 1, r.Attempt)
	require.Equal(t, clientesTable.Insert, r.Statements[0].CQL)
	require.Equal(t, "veiculos", r.Statements[2].Table)
}

// A static column belongs to the partition: an Insert without a value for it does not write it.
func TestInsertLeavesStatics(t *testing.T) {
	d := &double{}
	s, _ := open(t, d)
	const language = 3
	require.NoError(t, s.Films.Insert(ctx, film()))
	require.False(t, d.writes[0].mutations[0].Write.Has(language))
	f := film()
	f.Language = "pt"
	require.NoError(t, s.Films.Insert(ctx, f))
	require.True(t, d.writes[1].mutations[0].Write.Has(language))
}

func TestRepeatsWithTheSameTimestamp(t *testing.T) {
	d := &double{answers: []error{unknown(), &store.Error{Outcome: store.NotSent, Err: errors.New("no connection")}}}
	s, l := open(t, d)
	require.NoError(t, s.Films.Insert(ctx, film()))
	require.Len(t, d.writes, 3)
	for i, w := range d.writes {
		require.Equal(t, int64(1_000_000), w.Timestamp)
		require.Equal(t, i+1, l.requests[i].Attempt)
	}
	require.ErrorIs(t, l.results[0].Err, errTimeout)
	require.NoError(t, l.results[2].Err)
}

// The same write of a list, sent twice at one timestamp, would have its elements twice.
func TestRepeatsAListLater(t *testing.T) {
	d := &double{answers: []error{unknown(), unknown()}}
	s, _ := open(t, d)
	require.NoError(t, s.Clientes.Insert(ctx, cliente()))
	require.NoError(t, s.Films.Insert(ctx, film()))
	var at []int64
	for _, w := range d.writes {
		at = append(at, w.Timestamp-1_000_000)
	}
	require.Equal(t, []int64{0, 2, 4, 8}, at, "the timestamps of the repeats are not used for other writes")
}

func TestOutcomes(t *testing.T) {
	refused := &store.Error{Outcome: store.Refused, Err: errors.New("invalid")}
	notSent := &store.Error{Outcome: store.NotSent, Err: errors.New("no connection")}
	unsendable := &store.Error{Outcome: store.Unsendable, Err: gocql.MarshalError("no such type")}
	for name, c := range map[string]struct {
		answers []error
		writes  int
		unknown bool
		want    string
	}{
		"unsendable":             {[]error{unsendable}, 1, false, "no such type"},
		"unknown, then not sent": {[]error{unknown(), unsendable}, 2, true, "timeout"},
		"refused":                {[]error{refused}, 1, false, "mapper: Insert Film (films country='BR', year=2002, title='Cidade de Deus'): invalid"},
		"not sent":               {[]error{notSent, notSent, notSent, notSent}, 4, false, "no connection"},
		"unknown":                {[]error{unknown(), unknown(), unknown(), unknown()}, 4, true, "outcome unknown, repeating the call is safe: timeout"},
		"unknown, then refused":  {[]error{unknown(), refused}, 2, true, "timeout"},
		"unknown, then no host":  {[]error{unknown(), notSent, notSent, notSent}, 4, true, "timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &double{answers: c.answers}
			s, _ := open(t, d)
			err := s.Films.Insert(ctx, film())
			require.ErrorContains(t, err, c.want)
			require.Len(t, d.writes, c.writes)
			var outcome *mapper.UnknownOutcomeError
			require.Equal(t, c.unknown, errors.As(err, &outcome))
			if c.unknown {
				require.ErrorIs(t, err, errTimeout)
				require.True(t, outcome.Repeatable)
			}
		})
	}
}

// The context ends during the pause before the second attempt. The time of a bubble passes only then.
func TestAnEndedContextEndsTheRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &double{answers: []error{unknown(), unknown(), unknown(), unknown()}}
		s, _ := open(t, d)
		short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		defer cancel()
		var outcome *mapper.UnknownOutcomeError
		require.ErrorAs(t, s.Films.Insert(short, film()), &outcome)
		require.Len(t, d.writes, 1)
		require.ErrorIs(t, s.Films.Insert(short, film()), context.DeadlineExceeded)
		require.Len(t, d.writes, 1, "nothing is sent after the context has ended")
	})
}

func TestUpdateWritesAboveWhatItRead(t *testing.T) {
	d := &double{rows: []cell.Row{loaded(rowOf(t, &filmCodec, film()), 3, 5_000_000)}}
	s, l := open(t, d)
	got, err := s.Films.Update(ctx, "BR", 2002, "Cidade de Deus", func(f *Film) error {
		f.Genres = map[string]struct{}{"crime": {}}
		return nil
	})
	require.NoError(t, err)
	require.Contains(t, got.Genres, "crime")
	require.Equal(t, filmsTable.Load, d.reads[0].Statement())
	require.Equal(t, int64(5_000_002), d.writes[0].Timestamp)
	require.Equal(t, filmsTable.Columns[5].Update, d.writes[0].mutations[0].Statement())
	require.Equal(t, []string{"Update", "Update"}, []string{l.requests[0].Op, l.requests[1].Op})
	require.Equal(t, 1, l.results[0].Rows)

	_, err = s.Films.Update(ctx, "BR", 2002, "Cidade de Deus", func(*Film) error { return nil })
	require.NoError(t, err)
	require.Len(t, d.writes, 1, "nothing changed, nothing is sent")
}

func TestUpdateEndsWithTheCallersError(t *testing.T) {
	d := &double{rows: []cell.Row{loaded(rowOf(t, &filmCodec, film()), 3, 1)}}
	s, _ := open(t, d)
	_, err := s.Films.Update(ctx, "BR", 2002, "x", func(*Film) error { return errTimeout })
	require.Equal(t, errTimeout, err)
	_, err = s.Films.Update(ctx, "BR", 2002, "x", func(f *Film) error { f.Year = 1; return nil })
	require.ErrorIs(t, err, mapper.ErrKeyChanged)
	require.ErrorIs(t, s.Films.Change(ctx, film(), &Film{Country: "BR", Year: 1, Title: "x"}), mapper.ErrKeyChanged)
	d.answers = []error{unknown(), unknown(), unknown(), unknown()}
	_, err = s.Films.Update(ctx, "BR", 2002, "x", func(f *Film) error { f.Released = time.Time{}; return nil })
	require.ErrorContains(t, err, "read before repeating the call")
	d.rows = nil
	_, err = s.Films.Update(ctx, "BR", 2002, "x", func(*Film) error { return nil })
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

func TestDelete(t *testing.T) {
	d := &double{rows: []cell.Row{loaded(rowOf(t, &clienteCodec, cliente()), 1, 5_000_000)}}
	s, _ := open(t, d)
	require.NoError(t, s.Clientes.Delete(ctx, 1))
	require.Len(t, d.writes[0].mutations, 3)
	require.Equal(t, int64(5_000_002), d.writes[0].Timestamp)
	d.rows = nil
	require.NoError(t, s.Clientes.Delete(ctx, 1))
	require.Len(t, d.writes, 1, "a row that does not exist is not deleted")

	db, err := gen.OpenStore(d, mapper.Config{}, schema)
	require.NoError(t, err)
	alone := gen.NewRoot(db, &filmCodec, gen.Link(gen.Aggregate{Root: &filmsTable}))
	reads := len(d.reads)
	require.NoError(t, gen.Delete(ctx, alone, filmKey("BR", 1, "x")))
	require.Len(t, d.reads, reads, "without copies nothing is read")
	require.Equal(t, plan.Delete, d.writes[1].mutations[0].Action)

	shared := gen.NewRoot(db, &filmCodec, gen.Link(gen.Aggregate{Root: &filmsTable, Copies: []gen.Projection{
		{Table: &filmsByTitleTable, Columns: []uint16{2, 0, 1, 5, 4, 7}, Shared: true}}}))
	require.NoError(t, gen.Delete(ctx, shared, filmKey("BR", 1, "x")))
	require.Len(t, d.reads, reads, "shared rows stay, so nothing is read for them")
	require.Len(t, d.writes[2].mutations, 1)
}

// An error that the function of Update returns is returned unchanged: other goroutines can have it. Those of the store name the operation.
func TestErrorsNameTheOperation(t *testing.T) {
	s, _ := open(t, &double{rows: []cell.Row{loaded(rowOf(t, &clienteCodec, cliente()), 1, 1_000_000)}})
	own := &mapper.ConstraintError{Aggregate: "Cliente", Table: "clientes"}
	_, err := s.Clientes.Update(ctx, 1, func(*Cliente) error { return own })
	require.ErrorIs(t, err, own)
	require.Empty(t, own.Operation)
	_, err = s.Clientes.Update(ctx, 1, func(c *Cliente) error { c.Nome = ""; return nil })
	var constraint *mapper.ConstraintError
	require.ErrorAs(t, err, &constraint)
	require.Equal(t, "Update", constraint.Operation)
}

func TestConstraintsAreListedTogether(t *testing.T) {
	d := &double{}
	s, _ := open(t, d)
	err := s.Clientes.Insert(ctx, &Cliente{ID: 2, Veiculos: []Veiculo{{"", "x"}, {"a", ""}, {"a", "z"}}})
	var c *mapper.ConstraintError
	require.ErrorAs(t, err, &c)
	require.Equal(t, &mapper.ConstraintError{Operation: "Insert", Aggregate: "Cliente", Table: "clientes", Key: "id=2", Violations: []mapper.Violation{
		{Path: "Nome", Problem: "is required"},
		{Path: "Veiculos[1].Cor", Problem: "is required"},
		{Path: "Veiculos[0]", Problem: "implies a row of veiculos whose key placa is empty"},
		{Path: "Veiculos[2]", Problem: "and Veiculos[1] imply different rows of veiculos with the key placa='a'"},
	}}, c)
	err = s.Clientes.Change(ctx, cliente(), &Cliente{ID: 1, Nome: "x", Veiculos: []Veiculo{{"\xff", "y"}}})
	require.EqualError(t, err, "mapper: Change Cliente (clientes id=1): Veiculos[0].Placa is not valid UTF-8")
	require.Empty(t, d.writes)
}

// An error contains the key of the row if the key can be encoded, even if other columns cannot.
func TestConstraintErrorNamesTheRow(t *testing.T) {
	s, _ := open(t, &double{})
	c := &Cliente{ID: 7, Nome: "\xff"}
	f := &Film{Country: "BR", Year: 1, Title: "t", Language: "\xff"}
	for want, err := range map[string]error{
		"id=7":                               s.Clientes.Put(ctx, c),
		"country='BR', year=1, title='t'":    s.Films.Insert(ctx, f),
		"country='BR', year=2002, title='x'": gen.SetColumn(ctx, s.Films.Root, given(filmKey("BR", 2002, "x"), time.Unix(1<<60, 0), (*gen.Encoder).Timestamp), "released", nil),
		"":                                   s.Films.Insert(ctx, &Film{Country: "BR", Title: "\xff"}),
	} {
		var broken *mapper.ConstraintError
		require.ErrorAs(t, err, &broken)
		require.Equal(t, want, broken.Key)
	}
}

func TestTooLarge(t *testing.T) {
	d := &double{}
	s, _ := open(t, d)
	c := cliente()
	c.Nome = string(make([]byte, 20<<10))
	var large *mapper.BatchTooLargeError
	require.ErrorAs(t, s.Clientes.Insert(ctx, c), &large)
	require.Equal(t, mapper.DefaultBatchLimit, large.Limit)
	require.Greater(t, large.Bytes, 60<<10)
	require.EqualError(t, large, fmt.Sprintf("mapper: Insert Cliente (clientes id=1): the write has %d bytes, the limit is 51200: mark the aggregate as large, which allows several batches, store less in one aggregate (max= bounds a collection), or set Config.BatchLimit to batch_size_fail_threshold of the servers", large.Bytes))
	c.Veiculos = nil
	c.Nome = string(make([]byte, 200<<10))
	require.NoError(t, s.Clientes.Insert(ctx, c), "a write to one partition has no such limit")
	require.Len(t, d.writes, 1)
}

func TestGet(t *testing.T) {
	d := &double{rows: []cell.Row{rowOf(t, &clienteCodec, cliente())}}
	s, l := open(t, d)
	got, err := s.Clientes.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, cliente(), got)
	require.Equal(t, store.Read{Table: (*plan.Table)(&clientesTable), Key: cell.Row{{0, 0, 0, 1}}, Consistency: driver.LocalQuorum}, d.reads[0])
	require.Equal(t, []mapper.Statement{{CQL: clientesTable.Get, Table: "clientes", Bytes: 4}}, l.requests[0].Statements)

	d.rows[0][4] = cell.Cell{0, 0, 0, 9, 1}
	_, err = s.Clientes.Get(ctx, 1)
	require.EqualError(t, err, "mapper: Cliente (clientes id=1): column veiculos (Veiculos) has a count greater than its bytes allow")
	d.rows, d.readErr = nil, errTimeout
	_, err = s.Clientes.Get(ctx, 1)
	require.EqualError(t, err, "mapper: Get Cliente (clientes id=1): timeout")
	require.ErrorIs(t, err, errTimeout)
	d.readErr = nil
	_, err = s.Clientes.Get(ctx, 1)
	require.EqualError(t, err, "mapper: Get Cliente (clientes id=1): not found")
	_, err = s.Veiculos.Get(ctx, "")
	require.EqualError(t, err, "mapper: Get VeiculoPorPlaca (veiculos placa=''): Placa is empty, but is in the key")
}

func TestQueryStatements(t *testing.T) {
	films := `SELECT country, year, title, language, "cast", genres, score, released FROM films WHERE country = ?`
	d := &double{}
	s, _ := open(t, d)
	for _, c := range []struct {
		q    gen.Query[Film]
		want string
		args int
	}{
		{s.Films.Of("BR").Query, films, 1},
		{s.Films.Of("BR").YearFrom(1).YearBefore(2).Reverse().Limit(3).PageSize(50), films + " AND year >= ? AND year < ? ORDER BY year ASC, title DESC LIMIT ?", 4},
		{s.Films.Of("BR").Year(1).TitleAfter("x"), films + " AND year = ? AND title > ?", 3},
		{gen.Bound(s.Films.Of("BR").Query, gen.AtMost, gen.Key(7, (*gen.Encoder).Int)), films + " AND year <= ?", 2},
	} {
		for range c.q.All(ctx) {
			t.Fatal("no rows")
		}
		last := d.reads[len(d.reads)-1]
		require.Equal(t, c.want, last.Statement())
		require.Len(t, last.Args(), c.args)
	}
	require.Equal(t, 50, d.reads[1].PageSize)
	require.Equal(t, cell.Cell{0, 0, 0, 3}, d.reads[1].Args()[3])
}

// A bound with a higher precision than its column is above the value that it is truncated to.
func TestBoundsFinerThanTheColumn(t *testing.T) {
	d := &double{}
	s, _ := open(t, d)
	at := time.UnixMilli(1).Add(time.Microsecond)
	q := s.Films.Of("BR").Query
	for _, c := range []struct {
		q    gen.Query[Film]
		want string
	}{
		{gen.Bound(q, gen.AtLeast, gen.Key(time.UnixMilli(1), (*gen.Encoder).Timestamp)), "year >= ?"},
		{gen.Bound(q, gen.AtLeast, gen.Key(at, (*gen.Encoder).Timestamp)), "year > ?"},
		{gen.Bound(q, gen.MoreThan, gen.Key(at, (*gen.Encoder).Timestamp)), "year > ?"},
		{gen.Bound(q, gen.AtMost, gen.Key(at, (*gen.Encoder).Timestamp)), "year <= ?"},
		{gen.Bound(q, gen.LessThan, gen.Key(at, (*gen.Encoder).Timestamp)), "year <= ?"},
		{gen.Bound(q, gen.LessThan, gen.Key(time.UnixMilli(1), (*gen.Encoder).Timestamp)), "year < ?"},
		{gen.Bound(q, gen.AtLeast, gen.Key(time.Unix(7200, 0).UTC(), (*gen.Encoder).Date)), "year > ?"},
		{gen.Bound(q, gen.AtLeast, gen.Key(time.Unix(86400, 0).UTC(), (*gen.Encoder).Date)), "year >= ?"},
		{gen.Bound(q, gen.AtLeast, gen.Key(time.Unix(7200, 0).In(time.FixedZone("", -7200)), (*gen.Encoder).Date)), "year >= ?"},
	} {
		for range c.q.All(ctx) {
			t.Fatal("no rows")
		}
		statement := d.reads[len(d.reads)-1].Statement()
		require.True(t, strings.HasSuffix(statement, " AND "+c.want), "%s %s", statement, c.want)
	}
}

// A query can be restricted in several ways.
func TestQueriesDoNotShareRestrictions(t *testing.T) {
	d := &double{}
	s, _ := open(t, d)
	base := s.Films.Of("BR").Year(1)
	a, b := base.TitleAfter("a"), gen.Equal(base.Query, gen.Key("b", (*gen.Encoder).Text))
	for range a.All(ctx) {
		t.Fatal("no rows")
	}
	for range b.All(ctx) {
		t.Fatal("no rows")
	}
	require.Equal(t, cell.Cell("a"), d.reads[0].Args()[2])
	require.Equal(t, cell.Cell("b"), d.reads[1].Args()[2])
}

func TestAll(t *testing.T) {
	static := make(cell.Row, 8)
	static[0], static[3] = cell.Cell("BR"), cell.Cell("pt")
	second := film()
	second.Title = "Outro"
	d := &double{rows: []cell.Row{static, rowOf(t, &filmCodec, film()), rowOf(t, &filmCodec, second)}, readErr: errTimeout}
	s, l := open(t, d)
	var titles []string
	var last error
	for f, err := range s.Films.Of("BR").All(ctx) {
		if last = err; err == nil {
			titles = append(titles, f.Title)
		}
	}
	require.Equal(t, []string{"Cidade de Deus", "Outro"}, titles)
	require.EqualError(t, last, "mapper: All Film (films country='BR'): timeout")
	ended := l.results[0]
	require.Equal(t, mapper.RequestResult{Request: l.requests[0], Duration: ended.Duration, Err: errTimeout, Rows: 2}, ended)
	for range s.Films.Of("BR").All(ctx) {
		break
	}
	require.Equal(t, 1, l.results[1].Rows)
	require.NoError(t, l.results[1].Err)
}

func TestFaultsInAQuery(t *testing.T) {
	d := &double{}
	s, _ := open(t, d)
	for want, q := range map[string]gen.Query[Film]{
		"mapper: All Film (films country=''): Country is empty, but is in the key":        s.Films.Of("").Query,
		"mapper: All Film (films): Country is not valid UTF-8":                            s.Films.Of("\xff").Year(1).TitleAfter("x"),
		"mapper: All Film (films country='BR', year=1): Title is not valid UTF-8":         s.Films.Of("BR").Year(1).TitleAfter("\xff"),
		"mapper: All Film (films country='BR', year=1): Title is null, but is in the key": gen.Equal(s.Films.Of("BR").Year(1).Query, gen.Key(time.Time{}, (*gen.Encoder).Timestamp)),
	} {
		n := 0
		for f, err := range q.All(ctx) {
			require.Nil(t, f)
			require.EqualError(t, err, want)
			n++
		}
		require.Equal(t, 1, n)
	}
	require.Empty(t, d.reads)
}

func TestConsistency(t *testing.T) {
	_, err := gen.OpenStore(&double{}, mapper.Config{Consistency: driver.One}, schema)
	require.EqualError(t, err, "mapper: consistency ONE can be less than a quorum, and an Update would plan from a row without the last write: use LOCAL_QUORUM, QUORUM, EACH_QUORUM or ALL")
	d := &double{}
	db, err := gen.OpenStore(d, mapper.Config{}, schema)
	require.NoError(t, err)
	require.NoError(t, newStore(db.With(mapper.Options{Consistency: driver.All})).Films.Insert(ctx, film()))
	require.Equal(t, mapper.All, d.writes[0].Consistency)
}

// With invalid options every call fails, and nothing is sent.
func TestOptionsThatCannotBe(t *testing.T) {
	for want, o := range map[string]mapper.Options{
		"consistency TWO can be less than a quorum, and an Update would plan from a row without the last write: use LOCAL_QUORUM, QUORUM, EACH_QUORUM or ALL": {Consistency: driver.Two},
		"the TTL 1.5s is not a whole number of seconds between 1 s and 20 years":                                                                              {TTL: 1500 * time.Millisecond},
		"the TTL -1s is not a whole number of seconds between 1 s and 20 years":                                                                               {TTL: -time.Second},
		"the timestamp -1 is before 1970": {Timestamp: -1},
		"the timestamp 1795312345678 of the options is not in microseconds since 1970, by its size it is in milliseconds: use UnixMicro":      {Timestamp: 1795312345678},
		"the timestamp 1795312345678000000 of the options is not in microseconds since 1970, by its size it is in nanoseconds: use UnixMicro": {Timestamp: 1795312345678e6},
		"the timestamp 1795312345 of the options is not in microseconds since 1970, by its size it is in seconds: use UnixMicro":              {Timestamp: 1795312345},
		"is more than 1s, Config.MaxClockSkew, ahead of the clock: it would hide later writes":                                                {Timestamp: time.Now().Add(time.Minute).UnixMicro()},
	} {
		d := &double{}
		db, err := gen.OpenStore(d, mapper.Config{}, schema)
		require.NoError(t, err)
		s := newStore(db.With(o).With(mapper.Options{}))
		require.ErrorContains(t, s.Films.Insert(ctx, film()), want)
		_, err = s.Clientes.Get(ctx, 1)
		require.ErrorContains(t, err, want)
		for _, err := range s.Films.Of("BR").All(ctx) {
			require.ErrorContains(t, err, want)
		}
		require.Empty(t, d.writes)
		require.Empty(t, d.reads)
	}
}

func TestFaultPaths(t *testing.T) {
	check := func(f *gen.Faults, v *Veiculo) { f.Required("Cor", v.Cor != "") }
	d := &double{}
	db, err := gen.OpenStore(d, mapper.Config{}, schema)
	require.NoError(t, err)
	broken := func(f *gen.Faults, c *Cliente) {
		gen.CheckStruct(f, "None", nil, check)
		gen.CheckStruct(f, "One", &Veiculo{}, func(f *gen.Faults, v *Veiculo) {
			gen.CheckStructs(f, "Many", []Veiculo{{"", "x"}, {}}, check)
		})
		gen.CheckMap(f, "ByName", map[string]Veiculo{"home": {}}, check)
		gen.CheckMap(f, "ByNumber", map[int32]Veiculo{7: {}}, check)
	}
	codec := &gen.Codec[Cliente]{Table: &clientesTable, Encode: encodeCliente, Check: broken}
	err = gen.Insert(ctx, gen.NewRoot(db, codec, clienteAggregate), cliente())
	require.EqualError(t, err, `mapper: Insert Cliente (clientes id=1): One.Many[1].Cor is required; ByName["home"].Cor is required; ByNumber[7].Cor is required`)
}

func TestNilValues(t *testing.T) {
	d := &double{}
	s, _ := open(t, d)
	require.EqualError(t, s.Clientes.Insert(ctx, nil), "mapper: Insert Cliente (clientes): the value is a nil pointer")
	_, err := s.Clientes.Update(ctx, 1, nil)
	require.EqualError(t, err, "mapper: Update Cliente (clientes): the function is nil")
	require.EqualError(t, s.Clientes.Change(ctx, nil, cliente()), "mapper: Change Cliente (clientes): the value is a nil pointer")
	require.EqualError(t, s.Clientes.Change(ctx, cliente(), nil), "mapper: Change Cliente (clientes): the value is a nil pointer")
	require.Empty(t, d.writes)
}
