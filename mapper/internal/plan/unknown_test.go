package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// udt returns a UDT or tuple of texts; "-" is null.
func udt(members ...string) cell.Cell {
	c := cell.Cell{}
	for _, m := range members {
		v := cell.Cell(m)
		if m == "-" {
			v = nil
		}
		c = cell.AppendValue(c, v)
	}
	return c
}

// many returns a list, a set or, with per 2 and alternating keys and values, a map.
func many(per int, values ...cell.Cell) cell.Cell {
	c := cell.Cell(cell.AppendCount(nil, len(values)/per))
	for _, v := range values {
		c = cell.AppendValue(c, v)
	}
	return c
}

// Fields of a newer program in a UDT are kept if the value is still the one that was read.
func TestKeep(t *testing.T) {
	s := &plan.Schema{Types: []*descriptor.Type{
		{Name: "part", Fields: []descriptor.Field{{Name: "name", Type: "text"}, {Name: "color", Type: "text"}}},
		{Name: "Tool", Identity: []int{1}, Fields: []descriptor.Field{{Name: "kind", Type: "text"}, {Name: "serial", Type: "text"}}},
		{Name: "box", Fields: []descriptor.Field{{Name: "label", Type: "text"}, {Name: "parts", Type: "frozen<list<frozen<part>>>"}}},
	}}
	for name, c := range map[string]struct {
		cqlType         string
		read, now, want cell.Cell
	}{
		"one":                  {"part", udt("a", "b", "x", "y"), udt("a", "c"), udt("a", "c", "x", "y")},
		"one goes":             {"frozen<part>", udt("a", "b", "x"), nil, nil},
		"one comes":            {"part", nil, udt("a", "b"), udt("a", "b")},
		"all that is known":    {"part", udt("-", "-", "x"), udt("-", "-"), udt("-", "-", "x")},
		"another identity":     {`frozen<"Tool">`, udt("saw", "1", "x"), udt("saw", "2"), udt("saw", "2")},
		"the same identity":    {`frozen<"Tool">`, udt("saw", "1", "x"), udt("jack", "1"), udt("jack", "1", "x")},
		"list, moved":          {"list<frozen<part>>", many(1, udt("a", "b", "x"), udt("c", "d", "y")), many(1, udt("c", "d"), udt("e", "f"), udt("a", "b")), many(1, udt("c", "d", "y"), udt("e", "f"), udt("a", "b", "x"))},
		"list, changed":        {"list<frozen<part>>", many(1, udt("a", "b", "x")), many(1, udt("a", "c")), many(1, udt("a", "c"))},
		"list, by identity":    {`list<frozen<"Tool">>`, many(1, udt("saw", "1", "x"), udt("saw", "2", "y")), many(1, udt("saw", "2"), udt("jack", "1")), many(1, udt("saw", "2", "y"), udt("jack", "1", "x"))},
		"list, two equal":      {"list<frozen<part>>", many(1, udt("a", "b", "x"), udt("a", "b", "y")), many(1, udt("a", "b"), udt("a", "b")), many(1, udt("a", "b", "x"), udt("a", "b", "y"))},
		"list, one of two":     {"list<frozen<part>>", many(1, udt("a", "b", "x"), udt("a", "b", "y")), many(1, udt("a", "b")), many(1, udt("a", "b", "x"))},
		"list, one more":       {"list<frozen<part>>", many(1, udt("a", "b", "x")), many(1, udt("a", "b"), udt("a", "b")), many(1, udt("a", "b", "x"), udt("a", "b"))},
		"set, in new order":    {"set<frozen<part>>", many(1, udt("b", "b"), udt("a", "b", "x")), many(1, udt("a", "b"), udt("b", "b")), many(1, udt("a", "b", "x"), udt("b", "b"))},
		"map, by key":          {"map<text, frozen<part>>", many(2, cell.Cell("k"), udt("a", "b", "x")), many(2, cell.Cell("j"), udt("a", "b"), cell.Cell("k"), udt("c", "d")), many(2, cell.Cell("j"), udt("a", "b"), cell.Cell("k"), udt("c", "d", "x"))},
		"map, in the key":      {"map<frozen<part>, text>", many(2, udt("a", "b", "x"), cell.Cell("1")), many(2, udt("a", "b"), cell.Cell("2")), many(2, udt("a", "b", "x"), cell.Cell("2"))},
		"tuple":                {"frozen<tuple<text, frozen<part>>>", udt("t", string(udt("a", "b", "x"))), udt("u", string(udt("a", "c"))), udt("u", string(udt("a", "c", "x")))},
		"deep":                 {"list<frozen<box>>", many(1, udt("l", string(many(1, udt("a", "b", "x"))), "z")), many(1, udt("l", string(many(1, udt("a", "b"))))), many(1, udt("l", string(many(1, udt("a", "b", "x"))), "z"))},
		"deep, outer changed":  {"box", udt("l", string(many(1, udt("a", "b", "x")))), udt("m", string(many(1, udt("a", "b")))), udt("m", string(many(1, udt("a", "b", "x"))))},
		"null read as zero":    {"list<frozen<part>>", many(1, udt("-", "b", "x")), many(1, udt("", "b")), many(1, udt("", "b", "x"))},
		"written before":       {"list<frozen<part>>", many(1, udt("a")), many(1, udt("a", "")), many(1, udt("a", ""))},
		"nothing of a newer":   {"list<frozen<part>>", many(1, udt("a", "b")), many(1, udt("a", "b")), many(1, udt("a", "b"))},
		"no type of the model": {"list<text>", many(1, cell.Cell("a")), many(1, cell.Cell("b")), many(1, cell.Cell("b"))},
	} {
		table := &descriptor.Table{Name: "t", Key: 1, Columns: []descriptor.Column{{Type: "int"}, {Type: c.cqlType}}}
		row := cell.Row{nil, c.now}
		s.Keep((*plan.Table)(table), cell.Row{nil, c.read}, row)
		require.Equal(t, c.want, row[1], name)
	}
}
