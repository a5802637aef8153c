package simulation

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/memory"
)

// plainTable is the table of customers of the release before they had versions.
var plainTable = &descriptor.Table{
	Name: "customers", Aggregate: "Customer", Partition: 1, Key: 1,
	Columns: customersTable.Columns[:customerVersion],
	Insert:  "INSERT INTO customers (id, name, city, email, plates) VALUES (?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?",
	Delete:  "DELETE FROM customers USING TIMESTAMP ? WHERE id = ?",
	Select:  "SELECT id, name, city, email, plates FROM customers",
	Get:     "SELECT id, name, city, email, plates FROM customers WHERE id = ?",
}

var plainAggregate = plan.Link(descriptor.Aggregate{Root: plainTable, Copies: slices.Clone(customersAggregate.Aggregate.Copies)})

// plainCodec encodes customers without versions.
type plainCodec struct{ customerCodec }

func (plainCodec) ComputeAny(*cell.Encoder, any)    {}
func (plainCodec) ComputeKeyAny(*cell.Encoder, any) {}

func (plainCodec) EncodeAny(e *cell.Encoder, v any) {
	c, ok := v.(*customer)
	if !ok {
		c = new(customer)
	}
	e.Int(c.ID)
	text(e, c.Name)
	text(e, c.City)
	text(e, c.Email)
	cell.EncodeSet(e, c.Plates, (*cell.Encoder).Text)
}

func (plainCodec) DecodeAny(d *cell.Decoder) any {
	c := new(customer)
	c.ID, c.Name, c.City, c.Email = d.Int(), d.Text(), d.Text(), d.Text()
	c.Plates = cell.DecodeSet(d, (*cell.Decoder).Text)
	return c
}

// upgrade is a backend whose rows were written without versions.
type upgrade struct {
	t       *testing.T
	backend *memory.Backend
	plain   call.Root
	saved   []string // checkpoints
}

// upgraded returns a backend with a clock that tests control; a store of the release before can still write it.
func upgraded(t *testing.T) *upgrade {
	t.Helper()
	backend := memory.New(memory.Config{})
	schema := &descriptor.Schema{Tables: []*descriptor.Table{plainTable, vehiclesTable, byCityTable, byEmailTable}, Aggregates: []*descriptor.Aggregate{plainAggregate.Aggregate}}
	db, err := call.OpenBackend(t.Context(), backend, schema)
	require.NoError(t, err)
	codec := new(call.Codec).Start((*plan.Table)(plainTable), plainCodec{}, nil, true)
	return &upgrade{t: t, backend: backend, plain: call.NewRoot(call.NewReader(db, codec), plainAggregate)}
}

func (u *upgrade) insert(in ...*customer) {
	u.t.Helper()
	for _, c := range in {
		require.NoError(u.t, u.plain.Insert(u.t.Context(), c))
	}
}

// versioned opens a store of the release with versions.
func (u *upgrade) versioned() save.Versioned {
	u.t.Helper()
	db, err := call.OpenBackend(u.t.Context(), u.backend, customersSchema, mapper.Config{MaxClockSkew: time.Second})
	require.NoError(u.t, err)
	return customers(db)
}

// cells returns the cells of the tables.
func (u *upgrade) cells(tables ...string) (out []memory.Cell) {
	u.t.Helper()
	for _, table := range tables {
		cells, err := u.backend.Cells(table)
		require.NoError(u.t, err)
		out = append(out, cells...)
	}
	return out
}

// A store reads a null version as 0, and saves the row on the condition that it is still null. It claims the unique values that the
// row has.
func TestARowWithoutAVersionIsSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		for id := range int32(5) {
			u.insert(&customer{ID: id, Name: "Ana", Email: fmt.Sprint(id), City: "Recife"})
		}
		time.Sleep(time.Second)
		ctx, table := t.Context(), u.versioned()
		rename := func(v any) error { v.(*customer).Name = "Bia"; return nil }
		_, err := table.Update(ctx, rename, customerKey(0))
		require.NoError(t, err)
		require.NoError(t, table.Put(ctx, &customer{ID: 1, Email: "1"}))
		require.NoError(t, table.Delete(ctx, customerKey(2)))
		require.NoError(t, table.DeleteAt(ctx, customerKey(3), 0))
		old := get(t, table, 4)
		require.Zero(t, old.Version)
		other, changed := *old, *old
		changed.Name = "Bia"
		require.NoError(t, table.Change(ctx, old, &changed))
		require.ErrorIs(t, table.Change(ctx, old, &other), mapper.ErrConflict, "the row has a version now")
		require.ErrorIs(t, table.Change(ctx, &customer{ID: 9}, &customer{ID: 9, Name: "Eva"}), mapper.ErrConflict, "there is no row")
		require.ErrorIs(t, table.Insert(ctx, &customer{ID: 4}), mapper.ErrExists)
		for id, deleted := range []bool{false, false, true, true, false} {
			v, err := table.Get(ctx, customerKey(int32(id)))
			if deleted {
				require.ErrorIs(t, err, mapper.ErrNotFound)
				continue
			}
			require.NoError(t, err)
			require.NotZero(t, v.(*customer).Version)
			var duplicate *mapper.DuplicateError
			require.ErrorAs(t, table.Insert(ctx, &customer{ID: 9, Email: fmt.Sprint(id)}), &duplicate)
		}
	})
}
