package gen_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

// passer is a store whose clients can have a vehicle without a plate, which has no row in the redundant table.
type passer struct {
	*full
	alone      gen.Root[Cliente]
	bad        map[int32]bool
	checkpoint string
}

func newPasser(t *testing.T, clients int, bad func(int32) bool) *passer {
	t.Helper()
	p := &passer{full: newFull(t, 0, mapper.Options{}), bad: map[int32]bool{}}
	db, err := gen.OpenBackend(ctx, p.backend, schema, mapper.Config{Now: func() time.Time { return *p.now }})
	require.NoError(t, err)
	p.alone = gen.NewRoot(db, &clienteCodec, gen.Link(gen.Aggregate{Root: &clientesTable}))
	for id := range int32(clients) {
		p.put(id, bad(id))
	}
	return p
}

// put writes a client, and not its copies.
func (p *passer) put(id int32, bad bool) {
	p.t.Helper()
	v := &Cliente{ID: id, Nome: "Ana", Veiculos: []Veiculo{{fmt.Sprint(id, "a"), "azul"}}}
	if bad {
		v.Veiculos = append(v.Veiculos, Veiculo{"", "rosa"})
	}
	require.NoError(p.t, gen.Put(ctx, p.alone, v))
	p.bad[id] = bad
}

func (p *passer) badRows() (n int) {
	for _, bad := range p.bad {
		if bad {
			n++
		}
	}
	return n
}

// run fills the table after the last checkpoint, and counts the rows that it reads.
func (p *passer) run(c gen.FillConfig, stop func() error) (rows int, err error) {
	c.Read = func(n int) { rows += n }
	err = gen.Fill(ctx, p.Clientes.Root, "veiculos", c, p.checkpoint, func(m string) error {
		if err := stop(); err != nil {
			return err
		}
		p.checkpoint = m
		return nil
	})
	return rows, err
}

// requireFilled checks that the error has the rows that were skipped, and that the table has the copies of all others.
func (p *passer) requireFilled(err error, listed int) {
	p.t.Helper()
	want := map[string]bool{}
	for id, bad := range p.bad {
		if !bad {
			want[fmt.Sprintf("placa='%da'", id)] = true
		}
	}
	require.Equal(p.t, want, p.keys())
	n := p.badRows()
	if n == 0 {
		require.NoError(p.t, err)
		return
	}
	over, ok := err.(*mapper.RefusedRowsError)
	require.True(p.t, ok, "%v", err)
	require.Equal(p.t, n, over.Rows)
	require.Equal(p.t, "backfill of veiculos", over.Job)
	require.GreaterOrEqual(p.t, len(over.First), min(n, listed))
	for _, err := range over.First {
		constraint, ok := errors.AsType[*mapper.ConstraintError](err)
		require.True(p.t, ok)
		var id int32
		_, err := fmt.Sscanf(constraint.Key, "id=%d", &id)
		require.NoError(p.t, err)
		require.True(p.t, p.bad[id])
	}
}

func never() error { return nil }

// A backfill fills the copies of all rows except those whose copies cannot be written. It ends with an error that contains these rows. A later
// run reads only these rows again, and ends without an error when each has a valid value or is deleted.
func TestFillSkipsRows(t *testing.T) {
	p := newPasser(t, 40, func(id int32) bool { return id%10 == 3 })
	_, err := p.run(gen.FillConfig{PageSize: 7}, never)
	p.requireFilled(err, 4)
	require.ErrorContains(t, err, "mapper: backfill of veiculos: rows skipped: 4; give each a value that the model accepts (Put), or delete it, and run again\nCliente (clientes id=")
	require.ErrorContains(t, err, "Veiculos[1] implies a row of veiculos whose key placa is empty")

	rows, err := p.run(gen.FillConfig{}, never)
	p.requireFilled(err, 4)
	require.Equal(t, 4, rows, "only the rows that were skipped are read")
	*p.now = p.now.Add(time.Second)
	p.put(13, false)
	require.NoError(t, gen.Delete(ctx, p.alone, id(23)))
	delete(p.bad, 23)
	rows, err = p.run(gen.FillConfig{}, never)
	p.requireFilled(err, 2)
	require.Equal(t, 3, rows)
	p.put(3, false)
	p.put(33, false)
	_, err = p.run(gen.FillConfig{}, never)
	p.requireFilled(err, 0)
}

// If there are more of these rows than a checkpoint contains, a later run reads the rest of the table when one of the first is valid.
func TestFillSkipsManyRows(t *testing.T) {
	p := newPasser(t, 300, func(id int32) bool { return id%2 == 0 })
	_, err := p.run(gen.FillConfig{}, never)
	p.requireFilled(err, 100)
	require.ErrorContains(t, err, "\nand 140 more")
	rows, err := p.run(gen.FillConfig{}, never)
	p.requireFilled(err, 100)
	require.Equal(t, 100, rows)
	*p.now = p.now.Add(time.Second)
	for id := range int32(300) {
		if id%4 == 0 {
			p.put(id, false)
		}
	}
	_, err = p.run(gen.FillConfig{}, never)
	p.requireFilled(err, 75)
	require.NotContains(t, p.checkpoint, " 0 ")
}

// A backfill that is stopped after any checkpoint, and whose reads fail, has the same result.
func TestFillSkipsRowsWhenItContinues(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) { interruptedFill(t, seed) })
	}
}

// interruptedFill fills the table of random rows with random interruptions.
func interruptedFill(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 32))
	share := r.IntN(3)
	p := newPasser(t, 1+r.IntN(150), func(int32) bool { return r.IntN(3) < share })
	stop := errors.New("stop")
	var err error
	for rounds := 1 + r.IntN(4); rounds > 0; rounds-- {
		lost := 0
		p.backend.Intercept(func(q memory.Request) memory.Outcome {
			if lost++; q.Write || lost%3 == 0 || r.IntN(4) > 0 {
				return memory.Done
			}
			return memory.LostAnswer
		})
		for {
			_, err = p.run(gen.FillConfig{PageSize: 1 + r.IntN(20), Parallel: 1}, func() error {
				if r.IntN(6) == 0 {
					return stop
				}
				return nil
			})
			if !errors.Is(err, stop) {
				break
			}
		}
		p.backend.Intercept(nil)
		if err != nil {
			require.IsType(t, &mapper.RefusedRowsError{}, err, "seed %d", seed)
		}
		p.requireFilled(err, 0)
		if err == nil {
			break
		}
		*p.now = p.now.Add(time.Second)
		for id := range int32(len(p.bad)) {
			if p.bad[id] && r.IntN(3) == 0 {
				p.put(id, false)
			}
		}
		p.requireFilledLater(r)
	}
}

// requireFilledLater fills until the rows that are valid now are filled.
func (p *passer) requireFilledLater(r *rand.Rand) {
	p.t.Helper()
	for range 300 {
		_, err := p.run(gen.FillConfig{PageSize: 1 + r.IntN(20), Parallel: 1}, never)
		var over *mapper.RefusedRowsError
		if !errors.As(err, &over) {
			require.NoError(p.t, err)
		}
		if (over == nil && p.badRows() == 0) || (over != nil && over.Rows == p.badRows()) {
			p.requireFilled(err, 0)
			return
		}
	}
	require.Fail(p.t, "the rows are not filled")
}

// A checkpoint that this package has not written is refused.
func TestFillRefusesDamagedCheckpoints(t *testing.T) {
	f := newFull(t, 2, mapper.Options{})
	for from, why := range map[string]string{
		"carros end refused c78499982ae4e0cf 0":                    "does not belong to table clientes",
		"clientes end refused c784 0":                              "is damaged: use an empty checkpoint to begin again",
		"clientes end refused c78499982ae4e0cf":                    "is damaged",
		"clientes end refused c78499982ae4e0cf -1":                 "is damaged",
		"clientes end refused ":                                    "is damaged",
		"clientes 0x refused c78499982ae4e0cf 0":                   "has no position after the name of the table",
		"clientes end":                                             "has no position after the name of the table",
		"clientes end refused 7d0b904cfe1ca539,c78499982ae4e0cf 0": "is damaged",
	} {
		require.ErrorContains(t, f.fill(gen.FillConfig{}, from), why, from)
	}
}
