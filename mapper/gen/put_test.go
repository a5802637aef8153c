package gen_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// A Put of an existing row writes the differences, at a timestamp above the row's, and moves the rows of the copies.
func TestPutOverARow(t *testing.T) {
	old := film()
	old.Language = "pt"
	ahead := start.UnixMicro() + 1000
	d := &double{rows: []cell.Row{loaded(rowOf(t, &filmCodec, old), filmsTable.Key, ahead)}}
	s, _ := open(t, d)
	next := film()
	next.Cast = map[string]Role{"Zé": {Actor: "Leandro"}}
	require.NoError(t, s.Films.Put(ctx, next))
	require.Len(t, d.writes, 1)
	require.Equal(t, ahead+2, d.writes[0].Timestamp)
	var actions []string
	for _, m := range d.writes[0].mutations {
		actions = append(actions, m.Action.String()+" "+m.Table.Name)
	}
	require.Equal(t, []string{"update films", "put films_by_actor", "update films_by_title"}, actions,
		"the static language has no value in the struct and stays")
}

// A Put of a row that does not exist inserts it.
func TestPutOfANewRow(t *testing.T) {
	d := &double{}
	s, _ := open(t, d)
	require.NoError(t, s.Films.Put(ctx, film()))
	require.Len(t, d.reads, 1)
	require.Len(t, d.writes[0].mutations, 2)
	require.EqualError(t, s.Films.Put(ctx, nil), "mapper: Put Film (films): the value is a nil pointer")
	require.EqualError(t, s.Films.Put(ctx, &Film{Year: 1, Title: "x"}), "mapper: Put Film (films country='', year=1, title='x'): Country is empty, but is in the key")
	require.Len(t, d.writes, 1)
}

// If a Put finds no row, there is nothing to delete: absent values stay unset in the root and in every copy.
func TestPutOfANewRowWritesNoNulls(t *testing.T) {
	d := &double{}
	s, _ := open(t, d)
	require.NoError(t, s.Films.Put(ctx, &Film{Country: "BR", Year: 2002, Title: "x"}))
	require.NotEmpty(t, d.writes[0].mutations)
	for _, m := range d.writes[0].mutations {
		for i := m.Table.Key; i < len(m.Table.Columns); i++ {
			require.Equal(t, *m.Cell(i) != nil, m.Write.Has(i), "%s.%s", m.Table.Name, m.Table.Columns[i].Name)
		}
	}
}

// Without copies, a Put is one statement without a read: absent values are deleted.
func TestPutWithoutCopies(t *testing.T) {
	d := &double{}
	db, err := gen.OpenStore(d, mapper.Config{Now: func() time.Time { return start }}, schema)
	require.NoError(t, err)
	alone := gen.NewRoot(db, &filmCodec, gen.Link(gen.Aggregate{Root: &filmsTable}))
	require.NoError(t, gen.Put(ctx, alone, &Film{Country: "BR", Year: 2002, Title: "x"}))
	require.Empty(t, d.reads)
	m := d.writes[0].mutations[0]
	for i := filmsTable.Key; i < len(filmsTable.Columns); i++ {
		require.Equal(t, filmsTable.Columns[i].Kind == projection.Regular, m.Write.Has(i), filmsTable.Columns[i].Name)
	}
}

func TestSetColumn(t *testing.T) {
	d := &double{}
	s, l := open(t, d)
	set := func(key *gen.Encoder, released time.Time, check func(*gen.Faults, time.Time)) error {
		f := &gen.Faults{}
		check(f, released)
		return gen.SetColumn(ctx, s.Films.Root, given(key, released, (*gen.Encoder).Timestamp), "released", f)
	}
	free := func(*gen.Faults, time.Time) {}
	require.NoError(t, set(filmKey("BR", 2002, "x"), start, free))
	require.Empty(t, d.reads)
	m := d.writes[0].mutations
	require.Len(t, m, 2)
	require.Equal(t, 1, m[0].Write.Len())
	require.Equal(t, "Set", l.requests[0].Op)
	require.NoError(t, set(filmKey("BR", 2002, "x"), time.Time{}, free), "an absent value is deleted")

	required := func(f *gen.Faults, v time.Time) { f.Required("Released", !v.IsZero()) }
	require.EqualError(t, set(filmKey("BR", 2002, "x"), time.Time{}, required),
		"mapper: Set Film (films country='BR', year=2002, title='x'): Released is required")
	require.EqualError(t, set(filmKey("", 2002, "x"), start, free), "mapper: Set Film (films country='', year=2002, title='x'): Country is empty, but is in the key")
	require.EqualError(t, set(filmKey("BR", 2002, "x"), time.Unix(1<<60, 0), free), "mapper: Set Film (films country='BR', year=2002, title='x'): Released is outside the range of a timestamp")
	err := gen.SetColumn(ctx, newStore(withTTL(t, d)).Films.Root, given(filmKey("BR", 2002, "x"), start, (*gen.Encoder).Timestamp), "released", nil)
	require.EqualError(t, err, "mapper: Set Film (films country='BR', year=2002, title='x'): a write with a TTL writes the whole row: use Update or Put")
	require.Len(t, d.writes, 2)
}

func withTTL(t *testing.T, d *double) *gen.DB {
	db, err := gen.OpenStore(d, mapper.Config{}, schema)
	require.NoError(t, err)
	return db.With(mapper.Options{TTL: time.Minute})
}

// A shared row and a static value do not expire together with a row of the root.
func TestTTLOfWhatIsShared(t *testing.T) {
	d := &double{}
	db := withTTL(t, d)
	f := film()
	f.Language = "pt"
	require.EqualError(t, newStore(db).Films.Insert(ctx, f), "mapper: Insert Film (films country='BR', year=2002, title='Cidade de Deus'): "+
		"mapper.Options.TTL would make Film.Language expire, which is static: it belongs to all rows of the partition")
	shared := gen.NewRoot(db, &filmCodec, gen.Link(gen.Aggregate{Root: &filmsTable, Copies: []gen.Projection{
		{Table: &filmsByTitleTable, Columns: []uint16{2, 0, 1, 5, 4, 7}, Shared: true}}}))
	require.EqualError(t, gen.Put(ctx, shared, film()), "mapper: Put Film (films country='BR', year=2002, title='Cidade de Deus'): "+
		"mapper.Options.TTL would make a row of FilmByTitle (films_by_title) expire, which is shared with other rows of films")
	require.Empty(t, d.writes)
	require.NoError(t, newStore(db).Films.Insert(ctx, film()))
	require.NoError(t, gen.Delete(ctx, shared, filmKey("BR", 2002, "x")))
	require.Len(t, d.writes, 2)
}

// A repeated write expires at the same time as the first attempt, and is not sent after that time.
func TestTTLCountsFromTheTimestamp(t *testing.T) {
	d := &double{answers: []error{unknown(), unknown(), unknown()}}
	now := start
	db, err := gen.OpenStore(d, mapper.Config{Now: func() time.Time { now = now.Add(20 * time.Second); return now }}, schema)
	require.NoError(t, err)
	err = newStore(db.With(mapper.Options{TTL: time.Minute})).Films.Insert(ctx, film())
	var outcome *mapper.UnknownOutcomeError
	require.ErrorAs(t, err, &outcome, "nothing is left to send, and the first attempts may have been executed")
	var ages []int64
	for _, w := range d.writes {
		require.Equal(t, d.writes[0].Timestamp, w.Timestamp)
		require.EqualValues(t, 60, w.mutations[0].TTL)
		ages = append(ages, w.Age)
	}
	require.Equal(t, []int64{20, 40}, ages)

	late := gen.NewRoot(db.With(mapper.Options{TTL: time.Minute, Timestamp: 1}), &filmCodec, gen.Link(gen.Aggregate{Root: &filmsTable}))
	require.EqualError(t, gen.Insert(ctx, late, film()),
		"mapper: Insert Film (films country='BR', year=2002, title='Cidade de Deus'): its TTL has expired")
	require.Len(t, d.writes, 2)
}

// A batch that the server warns about is reported to the tracer; no message contains a secret value.
func TestLargeAndSecret(t *testing.T) {
	d := &double{answers: []error{&store.Error{Outcome: store.Refused, Err: errTimeout}}}
	l := &log{}
	secret := filmsTable
	secret.Columns = append([]gen.Column(nil), filmsTable.Columns...)
	secret.Columns[2].Secret = true
	db, err := gen.OpenStore(d, mapper.Config{Tracer: l, BatchWarning: 100}, schema)
	require.NoError(t, err)
	codec := &gen.Codec[Film]{Table: &secret, Encode: encodeFilm}
	a := gen.Link(gen.Aggregate{Root: &secret, Copies: []gen.Projection{{Table: &filmsByTitleTable, Columns: []uint16{2, 0, 1, 5, 4, 7}}}})
	err = gen.Insert(ctx, gen.NewRoot(db, codec, a), film())
	require.EqualError(t, err, "mapper: Insert Film (films country='BR', year=2002, title=…): timeout")
	require.True(t, l.requests[0].Large)

	secret.Columns[4].Secret = true
	broken := film()
	broken.Cast = map[string]Role{"a]\xff": {Actor: "x"}}
	err = gen.Insert(ctx, gen.NewRoot(db, codec, a), broken)
	require.EqualError(t, err, "mapper: Insert Film (films country='BR', year=2002, title=…): Cast[…] is not valid UTF-8")
}
