package gen_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// All faults of a value are listed, each with its path of Go names.
func TestEveryFaultHasItsPath(t *testing.T) {
	s, _ := open(t, &double{})
	c := cliente()
	c.Nome = "\xff"
	c.Emails = []string{"a", "\xff", "b", "\xfe"}
	c.Veiculos = []Veiculo{{Placa: "\xff", Cor: "\xff"}, {Placa: "ok", Cor: "ok"}, {Placa: "ok2", Cor: "\xff"}}
	var faults *mapper.ConstraintError
	require.ErrorAs(t, s.Clientes.Insert(ctx, c), &faults)
	var paths []string
	for _, f := range faults.Violations {
		require.Equal(t, "is not valid UTF-8", f.Problem)
		paths = append(paths, f.Path)
	}
	require.Equal(t, []string{"Nome", "Emails[1]", "Emails[3]", "Veiculos[0].Placa", "Veiculos[0].Cor", "Veiculos[2].Cor"}, paths)

	f := &Film{Country: "BR", Year: 1, Title: "t", Cast: map[string]Role{"home": {Actor: "\xff"}}, Genres: map[string]struct{}{"\xff": {}}}
	require.ErrorAs(t, s.Films.Insert(ctx, f), &faults)
	require.Equal(t, []mapper.Violation{{Path: `Cast["home"].Actor`, Problem: "is not valid UTF-8"}, {Path: `Genres["\xff"]`, Problem: "is not valid UTF-8"}}, faults.Violations)
}

// Bytes that are not a value of their type are an error that contains their path.
func TestDecodeErrorHasAPath(t *testing.T) {
	vehicle := func(members ...cell.Cell) (c cell.Cell) {
		for _, m := range members {
			c = cell.AppendValue(c, m)
		}
		return c
	}
	list := func(n byte, elements ...cell.Cell) cell.Cell {
		return append(cell.Cell{0, 0, 0, n}, vehicle(elements...)...)
	}
	d := &double{}
	s, _ := open(t, d)
	for want, c := range map[string]struct {
		column int
		cell   cell.Cell
	}{
		"column id (ID) has a value of 2 bytes":                           {0, cell.Cell{1, 2}},
		"column emails (Emails[1]) ends within a value":                   {2, append(list(2, cell.Cell("a")), 0, 0, 0, 9)},
		"column emails (Emails) has a count greater than its bytes allow": {2, cell.Cell{0x7f, 0xff, 0xff, 0xff}},
		"column veiculos (Veiculos[1].Cor) ends within a value":           {4, list(2, vehicle(cell.Cell("p"), cell.Cell("c")), append(vehicle(cell.Cell("q")), 0, 0, 1, 0))},
		"column veiculos (Veiculos[0].2) ends within a value":             {4, list(1, append(vehicle(cell.Cell("p"), cell.Cell("c")), 0, 0, 1, 0))},
		"column veiculos (Veiculos) has bytes after its last element":     {4, list(1, vehicle(cell.Cell("p")), cell.Cell{})},
		"column telefones (Telefones[0]) ends within a value":             {3, append(list(1), 0, 0, 0, 9)},
		"column veiculos (Veiculos) ends before its last element":         {4, append(list(2, vehicle(cell.Cell("p"), cell.Cell("c"))), 0, 0)},
		"column veiculos (Veiculos[0].Placa) ends within a value":         {4, list(1, cell.Cell{0, 0, 0, 1})},
		"column telefones (Telefones) has a count greater than its bytes": {3, cell.Cell{0x80, 0, 0, 0}},
	} {
		row := rowOf(t, &clienteCodec, cliente())
		row[c.column] = c.cell
		d.rows = []cell.Row{row}
		_, err := s.Clientes.Get(ctx, 1)
		var broken *mapper.DecodeError
		require.ErrorAs(t, err, &broken, want)
		require.ErrorContains(t, err, want)
		require.Equal(t, "clientes", broken.Table)
		require.NotEmpty(t, broken.Path)
	}

	row := rowOf(t, &filmCodec, &Film{Country: "BR", Year: 1, Title: "t", Released: time.UnixMilli(1)})
	row[4] = cell.AppendValue(cell.AppendValue(cell.Cell{0, 0, 0, 1}, cell.Cell("home")), vehicle(cell.Cell("a"), cell.Cell{1, 2}))
	d.rows = []cell.Row{row}
	_, err := s.Films.Get(ctx, "BR", 1, "t")
	require.ErrorContains(t, err, `column cast (Cast["home"].Age) has a value of 2 bytes`)
	row[4] = append(cell.Cell{0, 0, 0, 1, 0, 0, 0, 9}, "too short"[:8]...)
	_, err = s.Films.Get(ctx, "BR", 1, "t")
	require.ErrorContains(t, err, `column cast (Cast[key 0]) ends within a value`)
}

// Update keeps the fields that a newer program has added after the known ones, and writes only the changes.
func TestUpdateKeepsUnknownFields(t *testing.T) {
	newer := func(placa, cor, dono string) cell.Cell {
		c := cell.AppendValue(cell.AppendValue(cell.Cell{}, cell.Cell(placa)), cell.Cell(cor))
		return cell.AppendValue(c, cell.Cell(dono))
	}
	list := func(elements ...cell.Cell) cell.Cell {
		c := cell.Cell(cell.AppendCount(nil, len(elements)))
		for _, e := range elements {
			c = cell.AppendValue(c, e)
		}
		return c
	}
	row := rowOf(t, &clienteCodec, &Cliente{ID: 1, Nome: "Ana"})
	row[4] = list(newer("A", "azul", "x"), newer("B", "preto", "y"))
	d := &double{rows: []cell.Row{loaded(row, 1, 5)}}
	s, _ := open(t, d)
	_, err := s.Clientes.Update(ctx, 1, func(c *Cliente) error { c.Nome = "Eva"; return nil })
	require.NoError(t, err)
	var name projection.Bits
	name.Add(1)
	require.Equal(t, name, d.writes[0].mutations[0].Write, "the vehicles have not changed")

	_, err = s.Clientes.Update(ctx, 1, func(c *Cliente) error { c.Veiculos = []Veiculo{{"C", "rosa"}, c.Veiculos[1]}; return nil })
	require.NoError(t, err)
	want := list(cell.AppendValue(cell.AppendValue(cell.Cell{}, cell.Cell("C")), cell.Cell("rosa")), newer("B", "preto", "y"))
	require.Equal(t, want, d.writes[1].mutations[0].Row[4])

	c := cliente()
	require.NoError(t, s.Clientes.Insert(ctx, c))
	require.Equal(t, rowOf(t, &clienteCodec, c)[4], d.writes[2].mutations[0].Row[4], "Insert writes only the values in the struct")
}
