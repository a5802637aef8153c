package plan

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Projection is a projection with the properties that follow from its program.
type Projection struct {
	*descriptor.Projection

	Table *Table

	derived // set by Link
}

// Owned reports whether a row can be claimed by two roots and contains the key of the one that has it.
func (p *Projection) Owned() bool { return p.Distinct && p.SourceKey != nil }

// InOtherPartition reports whether the rows of a copy can be in another partition than their root.
func (p *Projection) InOtherPartition() bool { return p.elsewhere }

// errBroken is the error for a cell that a program cannot split. Encoders write no such cell.
var errBroken = errors.New("malformed cell")

// rows is the rows of a copy that follow from one row of the root.
type rows struct {
	cells   []cell.Cell
	width   int // cells per row: the columns, then, if needed, the key and value of the loop's element
	n       int
	skipped []int // the elements without a row, in order
}

// element returns the position of the element of row i.
func (r *rows) element(i int) int {
	for _, s := range r.skipped {
		if s <= i {
			i++
		}
	}
	return i
}

func (r *rows) row(i int) cell.Row {
	return cell.Row(r.cells[i*r.width : (i+1)*r.width : (i+1)*r.width])
}

// machine runs the program of one projection.
type machine struct {
	p    *Projection
	regs []cell.Cell
	made []byte // the bytes written by Make and places; cells are slices of it, so it only grows
	out  rows

	always bool // a row follows whether or not its conditions hold
}

// project returns the rows that follow from src, if any.
func (p *Projection) project(src cell.Row) (rows, error) {
	if src == nil {
		return rows{width: p.width()}, nil
	}
	return p.execute(src, false)
}

// execute returns the rows that follow from src. always ignores the conditions.
func (p *Projection) execute(src cell.Row, always bool) (rows, error) {
	m := machine{p: p, out: rows{width: p.width()}, always: always}
	if p.Loop == 0 && int(p.Ops[0].Src) < len(src) && src[p.Ops[0].Src] == nil {
		return m.out, nil // a loop over a null, without registers
	}
	m.regs = p.registers(src)
	if err := m.run(); err != nil {
		return m.out, fmt.Errorf("plan: project %s: %w", p.Table.Name, err)
	}
	return m.out, nil
}

// registers returns registers that begin with a row of the root. Without Ops nothing is written to them.
func (p *Projection) registers(src cell.Row) []cell.Cell {
	if len(p.Ops) == 0 {
		return src
	}
	out := make([]cell.Cell, p.Registers)
	copy(out, src)
	return out
}

func (p *Projection) width() int {
	if p.OwnCells {
		return len(p.Columns) + 2
	}
	return len(p.Columns)
}

func (m *machine) run() error {
	if m.p.Loop < 0 {
		m.reserve(1)
		_, err := m.row(m.p.Ops)
		return err
	}
	if more, err := m.steps(m.p.Ops[:m.p.Loop]); !more || err != nil {
		return err
	}
	op, rest := &m.p.Ops[m.p.Loop], m.p.Ops[m.p.Loop+1:]
	per := op.Code.Values()
	w, n := cell.Elements(m.regs[op.Src], per)
	m.reserve(n)
	for k := range n {
		for i := range per {
			m.regs[int(op.Dst)+i] = w.Next()
		}
		if op.Code == projection.Each && op.N == 2 {
			m.regs[op.Dst+1] = m.place(k)
		}
		given, err := m.row(rest)
		if err != nil {
			return err
		}
		if !given {
			m.out.skipped = append(m.out.skipped, k)
		}
	}
	if w.Broken() {
		return errBroken
	}
	return nil
}

// place returns the position of an element as a cell.
func (m *machine) place(k int) cell.Cell {
	from := len(m.made)
	m.made = binary.BigEndian.AppendUint32(m.made, uint32(k))
	return cell.Cell(m.made[from:len(m.made):len(m.made)])
}

func (m *machine) reserve(n int) { m.out.cells = make([]cell.Cell, 0, n*m.out.width) }

// row runs the remaining steps and adds the row, unless a step skips it.
func (m *machine) row(ops []projection.Op) (given bool, err error) {
	if more, err := m.steps(ops); !more || err != nil {
		return false, err
	}
	at := len(m.out.cells)
	m.out.cells = m.out.cells[:at+len(m.p.Columns)] // run has reserved the space
	cells, regs := m.out.cells[at:], m.regs
	for i, r := range m.p.Columns {
		cells[i] = regs[r]
	}
	for _, i := range m.p.canonical {
		c := &m.out.cells[at+int(i)]
		*c = m.p.Table.Columns[i].Form.Canonical(*c)
	}
	for _, i := range m.p.normalized {
		cells[i] = m.p.Table.Normal(int(i), cells[i])
	}
	if m.p.OwnCells {
		op := &m.p.Ops[m.p.Loop]
		var value cell.Cell
		if op.Code == projection.Entry {
			value = m.regs[op.Dst+1]
		}
		m.out.cells = append(m.out.cells, m.regs[op.Dst], value)
	}
	m.out.n++
	return true, nil
}

// steps runs steps and reports whether to continue.
func (m *machine) steps(ops []projection.Op) (more bool, err error) {
	for i := range ops {
		op := &ops[i]
		switch op.Code {
		case projection.Split:
			w := cell.Members(m.regs[op.Src])
			for k := range op.N {
				m.regs[op.Dst+k] = w.Next()
			}
			if w.Broken() {
				return false, errBroken
			}
		case projection.Need:
			if m.regs[op.Src] == nil && !m.always {
				return false, nil
			}
		case projection.NeedTrue:
			if c := m.regs[op.Src]; (len(c) != 1 || c[0] == 0) && !m.always {
				return false, nil
			}
		case projection.NeedOneOf:
			if c := m.regs[op.Src]; (c == nil || !slices.Contains(op.Values, string(c))) && !m.always {
				return false, nil
			}
		case projection.Make:
			m.regs[op.Dst] = m.assemble(op.Args)
		case projection.MakeIf:
			m.regs[op.Dst] = nil
			if m.regs[op.Src] != nil {
				m.regs[op.Dst] = m.assemble(op.Args)
			}
		}
	}
	return true, nil
}

func (m *machine) assemble(args []uint16) cell.Cell {
	from := len(m.made)
	for _, r := range args {
		m.made = cell.AppendValue(m.made, m.regs[r])
	}
	return cell.Cell(m.made[from:len(m.made):len(m.made)])
}
