package gen_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/memory"
)

// importing is a store in memory whose clock is far ahead of the imported values.
type importing struct {
	*claimed
	t       *testing.T
	backend *memory.Backend
}

func newImporting(t *testing.T) *importing {
	t.Helper()
	i := &importing{&claimed{now: time.UnixMicro(1_700_000_000_000_000)}, t, nil}
	i.backend = memory.New(memory.Config{Now: func() time.Time { return i.now }})
	db, err := gen.OpenBackend(ctx, i.backend, schema)
	require.NoError(t, err)
	i.Store, i.db = newStore(db), db
	return i
}

// at returns the store with the timestamp of an import.
func (i *importing) at(at int64) *Store { return newStore(i.db.With(mapper.Options{Timestamp: at})) }

// imports imports a client.
func (i *importing) imports(at int64, v *Cliente) bool {
	i.t.Helper()
	written, err := i.at(at).Clientes.Import(ctx, v)
	require.NoError(i.t, err)
	return written
}

// state returns the client, or nil if it does not exist, and the keys of all rows of the copy.
func (i *importing) state() (*Cliente, []string) {
	i.t.Helper()
	v, err := i.Clientes.Get(ctx, 1)
	if err != nil {
		require.ErrorIs(i.t, err, mapper.ErrNotFound)
	}
	cells, err := i.backend.Cells("veiculos")
	require.NoError(i.t, err)
	var plates []string
	for _, c := range cells {
		if c.Column == "" {
			plates = append(plates, c.Key)
		}
	}
	return v, plates
}

func with(emails ...string) *Cliente {
	return &Cliente{ID: 1, Nome: "Ana", Emails: emails, Veiculos: []Veiculo{blue}}
}

// The latest value wins in any order of imports, even if it equals an earlier one, and no value is imported twice.
func TestImportInAnyOrder(t *testing.T) {
	first, second, third := with("a"), with("b"), with("a")
	second.Veiculos = []Veiculo{red}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		i, latest := newImporting(t), -1
		for _, n := range append(order, order...) {
			require.Equal(t, n > latest, i.imports(int64(100+n), []*Cliente{first, second, third}[n]), "%v: %d", order, n)
			latest = max(latest, n)
		}
		v, plates := i.state()
		require.Equal(t, third, v, order)
		require.Equal(t, []string{"placa='ABC'"}, plates, order)
	}
}

// The changes that concurrent writers make after the time of an import stay.
func TestImportBesideLiveWriters(t *testing.T) {
	i := newImporting(t)
	live := with("live")
	live.Veiculos = nil
	require.NoError(t, i.Clientes.Put(ctx, live))
	require.False(t, i.imports(100, with("old")))
	v, plates := i.state()
	require.Equal(t, live, v)
	require.Empty(t, plates)

	require.NoError(t, i.Clientes.Delete(ctx, 1))
	require.False(t, i.imports(100, with("old")), "the row has been deleted since")
	v, plates = i.state()
	require.Nil(t, v)
	require.Empty(t, plates)

	i.now = i.now.Add(time.Second)
	require.True(t, i.imports(i.now.UnixMicro(), with("new")))
	v, plates = i.state()
	require.Equal(t, with("new"), v)
	require.Equal(t, []string{"placa='ABC'"}, plates)
}

// A write between the read and the write of an import leaves only rows of copies that follow from its own row.
func TestImportThatIsOvertaken(t *testing.T) {
	for name, overtake := range map[string]func(*importing) (plates []string){
		"Put": func(i *importing) []string {
			live := with("live")
			live.Veiculos = []Veiculo{red}
			require.NoError(t, i.Clientes.Put(ctx, live))
			return []string{"placa='XYZ'"}
		},
		"Delete": func(i *importing) []string {
			require.NoError(t, i.Clientes.Put(ctx, with("live")))
			require.NoError(t, i.Clientes.Delete(ctx, 1))
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := newImporting(t)
			var want []string
			i.backend.Intercept(func(r memory.Request) memory.Outcome {
				if r.Write {
					i.backend.Intercept(nil)
					want = overtake(i)
				}
				return memory.Done
			})
			written := i.imports(100, with("old"))
			v, plates := i.state()
			require.Equal(t, want, plates)
			require.Equal(t, v != nil, written)
		})
	}
}

// An import writes all columns, absent fields as null, except static columns, which belong to other rows too.
func TestImportWritesTheWholeRow(t *testing.T) {
	i := newImporting(t)
	f := film()
	f.Language, f.Genres = "pt", map[string]struct{}{"crime": {}}
	require.NoError(t, i.Films.Insert(ctx, &Film{Country: "BR", Year: 1, Title: "x", Language: "es"}))
	written, err := i.at(100).Films.Import(ctx, f)
	require.NoError(t, err)
	require.True(t, written, "the later language was written with another row")
	written, err = i.at(200).Films.Import(ctx, film())
	require.NoError(t, err)
	require.True(t, written)
	got, err := i.Films.Get(ctx, "BR", 2002, "Cidade de Deus")
	require.NoError(t, err)
	require.Empty(t, got.Genres)
	require.Equal(t, "es", got.Language)
	for v, err := range i.FilmsByTitle.Of(f.Title).All(ctx) {
		require.NoError(t, err)
		require.Empty(t, v.Genres)
	}
}

// Writes that do not read the row are refused at a timestamp of the options if they would leave wrong copies or double a list.
func TestTimestampOfTheOptions(t *testing.T) {
	d := &double{rows: []cell.Row{loaded(rowOf(t, &filmCodec, film()), filmsTable.Key, 1000)}}
	db, err := gen.OpenStore(d, mapper.Config{}, schema)
	require.NoError(t, err)
	at := db.With(mapper.Options{Timestamp: 1000})
	s := newStore(at)
	const refused = ": mapper.Options.Timestamp is not supported where there are redundant tables or lists that are not frozen: use Import"
	require.EqualError(t, s.Films.Insert(ctx, film()), "mapper: Insert Film (films country='BR', year=2002, title='Cidade de Deus')"+refused)
	require.ErrorContains(t, s.Films.Put(ctx, film()), refused)
	require.ErrorContains(t, s.Films.Change(ctx, film(), film()), refused)
	require.ErrorContains(t, gen.SetColumn(ctx, s.Films.Root, given(filmKey("BR", 2002, "x"), start, (*gen.Encoder).Timestamp), "released", nil), refused)
	list := gen.NewRoot(at, &clienteCodec, gen.Link(gen.Aggregate{Root: &clientesTable}))
	require.ErrorContains(t, gen.Insert(ctx, list, ana()), refused)
	_, err = s.Films.Update(ctx, "BR", 2002, "Cidade de Deus", func(f *Film) error { f.Genres = map[string]struct{}{"crime": {}}; return nil })
	require.ErrorContains(t, err, "is not above the row's, which was written at 1000")
	_, err = newStore(db).Films.Import(ctx, film())
	require.ErrorContains(t, err, "mapper.Options.Timestamp is not set")
	_, err = s.Films.Import(ctx, nil)
	require.ErrorContains(t, err, "the value is a nil pointer")
	require.Empty(t, d.writes)

	plain := gen.NewRoot(at, &filmCodec, gen.Link(gen.Aggregate{Root: &filmsTable}))
	require.NoError(t, gen.Insert(ctx, plain, film()))
	require.EqualValues(t, 1000, d.writes[0].Timestamp)
}

// An import that is overtaken by a concurrent write, and ends before it has read the row again, leaves no rows of copies after it
// is repeated.
func TestImportAgainAfterALiveWriter(t *testing.T) {
	i := newImporting(t)
	live := with("live")
	live.Veiculos = []Veiculo{red}
	short, cancel := context.WithCancel(ctx)
	i.backend.Intercept(func(r memory.Request) memory.Outcome {
		if r.Write {
			i.backend.Intercept(nil)
			require.NoError(t, i.Clientes.Put(ctx, live))
			cancel()
		}
		return memory.Done
	})
	_, err := i.at(100).Clientes.Import(short, with("old"))
	require.ErrorContains(t, err, "import it again")
	_, plates := i.state()
	require.Equal(t, []string{"placa='ABC'", "placa='XYZ'"}, plates)
	require.False(t, i.imports(100, with("old")))
	v, plates := i.state()
	require.Equal(t, live, v)
	require.Equal(t, []string{"placa='XYZ'"}, plates)
}

// An import that is not written does not change the rows of other roots, even if they are older.
func TestImportLeavesTheRowsOfOthers(t *testing.T) {
	i := newImporting(t)
	other := with("other")
	other.ID = 2
	require.True(t, i.imports(50, other))
	live := with("live")
	live.Veiculos = nil
	require.NoError(t, i.Clientes.Put(ctx, live))
	require.False(t, i.imports(100, with("old")))
	_, plates := i.state()
	require.Equal(t, []string{"placa='ABC'"}, plates)
}

// After an unknown outcome an import can be repeated, except with a list that is not frozen: at one timestamp its elements would be
// written twice.
func TestRepeatedImports(t *testing.T) {
	d := &double{answers: []error{unknown(), unknown(), unknown(), unknown(), unknown(), unknown(), unknown(), unknown()}}
	db, err := gen.OpenStore(d, mapper.Config{}, schema)
	require.NoError(t, err)
	s := newStore(db.With(mapper.Options{Timestamp: 1000}))
	var outcome *mapper.UnknownOutcomeError
	_, err = s.Films.Import(ctx, film())
	require.ErrorAs(t, err, &outcome)
	require.True(t, outcome.Repeatable)
	_, err = s.Clientes.Import(ctx, with("a"))
	require.ErrorAs(t, err, &outcome)
	require.False(t, outcome.Repeatable)
}

// The TTL of an import counts from its timestamp, and an expired one is an error.
func TestImportThatExpires(t *testing.T) {
	i := newImporting(t)
	imports := func(age time.Duration) (bool, error) {
		s := newStore(i.db.With(mapper.Options{Timestamp: i.now.Add(-age).UnixMicro(), TTL: time.Hour}))
		return s.Clientes.Import(ctx, &Cliente{ID: 1, Nome: "Ana"})
	}
	written, err := imports(2 * time.Hour)
	require.ErrorContains(t, err, "its TTL has expired")
	require.False(t, written)
	v, _ := i.state()
	require.Nil(t, v)

	written, err = imports(30 * time.Minute)
	require.NoError(t, err)
	require.True(t, written)
	v, _ = i.state()
	require.NotNil(t, v)
	i.now = i.now.Add(31 * time.Minute)
	v, _ = i.state()
	require.Nil(t, v)
}
