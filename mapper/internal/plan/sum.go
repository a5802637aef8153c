package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Valid returns the rows of a copy that follow from a row of the root, without the cells of the loop's element, as a save writes them:
// each key once. The row of the root includes the computed values; nil has no rows. If the root cannot be projected, the error is a
// *[FaultError].
func (a *Aggregate) Valid(c *Projection, root cell.Row) (out []cell.Row, err error) {
	given, err := c.project(root)
	if err != nil {
		return nil, err
	}
	p := planner{a: a, new: root}
	found := newFinder(&given, c.Table.Key)
	for i := range given.n {
		if p.checkRow(c, &given, i, &found) {
			out = append(out, given.row(i)[:len(c.Columns):len(c.Columns)])
		}
	}
	return out, p.faulty()
}

// Hasher returns hashes of the rows of a copy. Rows with the same hash are equal for [Schema.PlanRepair]: their sets and maps can have
// another order, and their UDTs fewer fields. Rows that are equal only because one has null instead of a zero value, or
// fields of a UDT that this program does not have, have different hashes. Its methods can be called by several goroutines.
type Hasher struct {
	schema *Schema
	table  *Table
	seed   []byte
	types  []*cqltype.Type // set for columns whose values can have several encodings
}

// NewHasher returns a hasher of the rows of the table of a copy. Hashes of two seeds do not depend on each other.
func (s *Schema) NewHasher(t *Table, seed []byte) *Hasher {
	h := &Hasher{schema: s, table: t, seed: seed, types: make([]*cqltype.Type, len(t.Columns))}
	for i := range h.types {
		if c := parseType(t.Columns[i].Type); len(c.Args) > 0 || c.IsUDT() {
			h.types[i] = c
		}
	}
	return h
}

// RowHash is the hash of a row: of its key, and of the whole row.
type RowHash struct{ Key, Row uint64 }

// Hash returns the hash of a row. It does not change the row.
func (h *Hasher) Hash(row cell.Row) RowHash {
	row = slices.Clone(row[:len(h.table.Columns)])
	h.table.Normalize(row)
	var storage [512]byte
	b := append(storage[:0], h.seed...)
	var out RowHash
	for i, c := range row {
		if i == h.table.Key {
			out.Key = sum(b)
		}
		if h.types[i] != nil {
			c = h.schema.keep(h.types[i], c, c)
		}
		b = cell.AppendValue(b, c)
	}
	if out.Row = sum(b); len(row) == h.table.Key {
		out.Key = out.Row
	}
	return out
}

func sum(b []byte) uint64 {
	h := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(h[:])
}
