package plan

import (
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Code is what a step of a program does.
type Code uint8

// The steps of a program. A program has at most one Each or Entry.
const (
	Split  Code = iota // Dst … Dst+N-1 = the members of the UDT or tuple in Src; missing ones, and those of null, are null
	Make               // Dst = a UDT or tuple of Args, never null
	MakeIf             // Dst = a UDT or tuple of Args, null when Src is null
	Each               // the rest runs for every element of the list or set in Src: Dst = the element
	Entry              // the rest runs for every entry of the map in Src: Dst = the key, Dst+1 = the value
)

// Op is one step of a program.
type Op struct {
	Code Code
	Src  uint16   // the register read
	Dst  uint16   // the first register written
	N    uint16   // Split: how many registers are written
	Args []uint16 // Make, MakeIf: the registers that become the members
}

// Projection says which rows of a copy follow from one row of the root. Registers 0, 1, … are the cells of
// the root's row; without Ops a copy is the root under another key. Each register is written once.
type Projection struct {
	Table   *Table
	Ops     []Op
	Columns []uint16 // the register of each column of Table

	derived // by Link
}

// errBroken is a cell that a program cannot take apart. Encoders write no such cell.
var errBroken = errors.New("malformed cell")

// rows is the rows of a copy that one row of the root gives.
type rows struct {
	cells []cell.Cell
	width int // cells per row: the columns, then, when they matter, the key and value of the loop's element
	n     int
}

func (r *rows) at(i int) cell.Row {
	return cell.Row(r.cells[i*r.width : (i+1)*r.width : (i+1)*r.width])
}

// machine runs the program of one projection.
type machine struct {
	p    *Projection
	regs []cell.Cell
	made []byte // what Make wrote; cells are cut from it, so it only grows
	out  rows
}

// project gives the rows that src gives; none for no row.
func (p *Projection) project(src cell.Row) (rows, error) {
	m := machine{p: p, out: rows{width: p.width()}}
	if src == nil {
		return m.out, nil
	}
	var storage [32]cell.Cell
	m.regs = storage[:]
	if p.registers > len(storage) {
		m.regs = make([]cell.Cell, p.registers)
	}
	copy(m.regs, src)
	if err := m.run(); err != nil {
		return m.out, fmt.Errorf("plan: project %s: %w", p.Table.Name, err)
	}
	return m.out, nil
}

func (p *Projection) width() int {
	if p.elements {
		return len(p.Columns) + 2
	}
	return len(p.Columns)
}

func (m *machine) run() error {
	if m.p.loop < 0 {
		m.reserve(1)
		return m.row(m.p.Ops)
	}
	if err := m.steps(m.p.Ops[:m.p.loop]); err != nil {
		return err
	}
	op, rest := &m.p.Ops[m.p.loop], m.p.Ops[m.p.loop+1:]
	per := op.Code.values()
	w, n := cell.Elements(m.regs[op.Src], per)
	m.reserve(n)
	for range n {
		for i := range per {
			m.regs[int(op.Dst)+i] = w.Next()
		}
		if err := m.row(rest); err != nil {
			return err
		}
	}
	if w.Broken() {
		return errBroken
	}
	return nil
}

// values is how many registers an element of the loop fills.
func (c Code) values() int {
	if c == Entry {
		return 2
	}
	return 1
}

func (m *machine) reserve(n int) { m.out.cells = make([]cell.Cell, 0, n*m.out.width) }

// row runs the steps that are left and adds the row.
func (m *machine) row(ops []Op) error {
	if err := m.steps(ops); err != nil {
		return err
	}
	for _, r := range m.p.Columns {
		m.out.cells = append(m.out.cells, m.regs[r])
	}
	if m.p.elements {
		op := &m.p.Ops[m.p.loop]
		var value cell.Cell
		if op.Code == Entry {
			value = m.regs[op.Dst+1]
		}
		m.out.cells = append(m.out.cells, m.regs[op.Dst], value)
	}
	m.out.n++
	return nil
}

func (m *machine) steps(ops []Op) error {
	for i := range ops {
		op := &ops[i]
		switch op.Code {
		case Split:
			w := cell.Members(m.regs[op.Src])
			for k := range op.N {
				m.regs[op.Dst+k] = w.Next()
			}
			if w.Broken() {
				return errBroken
			}
		case Make:
			m.regs[op.Dst] = m.assemble(op.Args)
		case MakeIf:
			m.regs[op.Dst] = nil
			if m.regs[op.Src] != nil {
				m.regs[op.Dst] = m.assemble(op.Args)
			}
		}
	}
	return nil
}

func (m *machine) assemble(args []uint16) cell.Cell {
	from := len(m.made)
	for _, r := range args {
		m.made = cell.AppendValue(m.made, m.regs[r])
	}
	return cell.Cell(m.made[from:len(m.made):len(m.made)])
}
