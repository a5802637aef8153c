package migrate

import (
	"encoding/hex"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/gocql/gocql"
)

// rawCell keeps a value as it was received, whatever its type is.
type rawCell struct {
	info gocql.TypeInfo
	data []byte
}

// UnmarshalCQL implements [gocql.Unmarshaler].
func (c *rawCell) UnmarshalCQL(info gocql.TypeInfo, data []byte) error {
	c.info, c.data = info, slices.Clone(data)
	return nil
}

// cells is a row of the answer to a conditional statement, whose first column is [applied].
type cells struct {
	columns []gocql.ColumnInfo
	dest    []any
	values  [][]*rawCell // of each column; the driver gives a tuple element by element
}

func newCells(columns []gocql.ColumnInfo) cells {
	c := cells{columns: columns, values: make([][]*rawCell, len(columns))}
	for i, column := range columns {
		n := 1
		if tuple, ok := column.TypeInfo.(gocql.TupleTypeInfo); ok {
			n = len(tuple.Elems)
		}
		for range n {
			cell := &rawCell{}
			c.dest = append(c.dest, cell)
			c.values[i] = append(c.values[i], cell)
		}
	}
	return c
}

func (c cells) applied() bool { return slices.Equal(c.values[0][0].data, []byte{1}) }

// text shows some columns of the row, and … for others that have a value. It is "" where there is no row.
func (c cells) text(shown map[string]bool) string {
	var out []string
	more := false
	for i, value := range c.values {
		switch name := c.columns[i].Name; {
		case i == 0:
		case shown[name]:
			out = append(out, name+": "+literalOf(value))
		default:
			more = more || slices.ContainsFunc(value, func(cell *rawCell) bool { return cell.data != nil })
		}
	}
	if more {
		out = append(out, "…")
	}
	if len(out) == 0 {
		return ""
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func literalOf(value []*rawCell) string {
	if len(value) == 1 {
		return value[0].text()
	}
	var elements []string
	for _, cell := range value {
		elements = append(elements, cell.text())
	}
	return "(" + strings.Join(elements, ", ") + ")"
}

// text is the value as a literal of CQL, where its type is a simple one, else as a blob.
func (c *rawCell) text() string {
	if c.data == nil {
		return "null"
	}
	switch c.info.Type() {
	case gocql.TypeAscii, gocql.TypeText, gocql.TypeVarchar:
		return clipped("'" + strings.ReplaceAll(string(c.data), "'", "''") + "'")
	case gocql.TypeTinyInt, gocql.TypeSmallInt, gocql.TypeInt, gocql.TypeBigInt, gocql.TypeVarint:
		return clipped(integer(c.data).String())
	case gocql.TypeBoolean:
		return map[bool]string{true: "true", false: "false"}[slices.Equal(c.data, []byte{1})]
	case gocql.TypeUUID, gocql.TypeTimeUUID:
		if id, err := gocql.UUIDFromBytes(c.data); err == nil {
			return id.String()
		}
	case gocql.TypeTimestamp:
		return "'" + time.UnixMilli(integer(c.data).Int64()).UTC().Format("2006-01-02T15:04:05.000Z") + "'"
	}
	return clipped("0x" + hex.EncodeToString(c.data))
}

// integer reads a two's complement number, the most significant byte first.
func integer(data []byte) *big.Int {
	n := new(big.Int).SetBytes(data)
	if len(data) > 0 && data[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(data))))
	}
	return n
}

// clipped cuts a value to a length that fits a message.
func clipped(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
