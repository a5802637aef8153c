package migrate

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/internal/lex"
	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/mapper/driver"
)

// readAnswer reads the answer to a statement.
func readAnswer(ctx context.Context, statement string, rows driver.Rows, t *table) error {
	if rows.Columns() == 0 || rows.Column(0) != driver.Applied {
		return rows.Close()
	}
	columns := rows.Types()
	shown, err := shownColumns(ctx, statement, columns, t.schema(columns[0].Keyspace))
	if err != nil {
		_ = rows.Close() // the error of the read is the one to report
		return fmt.Errorf("read the columns of the key: %w", err)
	}
	applied := true
	var found []string
	for cells := newCells(t.session, columns); rows.Scan(cells.dest...); cells = newCells(t.session, columns) {
		applied = applied && cells.applied()
		if row := cells.text(shown); row != "" && len(found) < maxRows {
			found = append(found, row)
		}
	}
	if err := rows.Close(); err != nil || applied {
		return err
	}
	return &notAppliedError{Rows: found}
}

// maxRows is the maximum number of rows that the error of a conditional batch contains.
const maxRows = 3

// shownColumns returns the columns whose values an error may contain: the primary key and the columns in a condition. Other columns may
// contain secrets that are not in the file.
func shownColumns(ctx context.Context, statement string, columns []driver.Column, schema systemschema.Reader) (map[string]bool, error) {
	shown := map[string]bool{}
	condition := false
	for i, words := 0, lex.Words(statement); i < len(words); i++ {
		switch words[i].Upper {
		case "IF":
			condition = true
		case "INSERT", "UPDATE", "DELETE", "APPLY":
			condition = false
		}
		if condition && words[i].IsName() {
			shown[(&lex.Reader{Words: words[i:]}).Identifier()] = true
		}
	}
	all, err := schema.Columns(ctx, columns[0].Table)
	for _, c := range all {
		shown[c.Name] = shown[c.Name] || c.Kind == "partition_key" || c.Kind == "clustering"
	}
	return shown, err
}

// rawCell has a value as it was received, of any type.
type rawCell struct {
	id   driver.TypeID
	data []byte
}

// text returns the value as a literal of CQL if its type is a simple one, and as a blob otherwise.
func (c *rawCell) text() string {
	if c.data == nil {
		return "null"
	}
	switch c.id {
	case driver.TypeASCII, driver.TypeText, driver.TypeVarchar:
		return clipped("'" + strings.ReplaceAll(string(c.data), "'", "''") + "'")
	case driver.TypeTinyInt, driver.TypeSmallInt, driver.TypeInt, driver.TypeBigInt, driver.TypeVarint:
		return clipped(form.Varint(c.data).String())
	case driver.TypeBoolean:
		return map[bool]string{true: "true", false: "false"}[slices.Equal(c.data, []byte{1})]
	case driver.TypeUUID, driver.TypeTimeUUID:
		if id, err := uuid.FromBytes(c.data); err == nil {
			return id.String()
		}
	case driver.TypeTimestamp:
		return "'" + time.UnixMilli(form.Varint(c.data).Int64()).UTC().Format("2006-01-02T15:04:05.000Z") + "'"
	}
	return clipped("0x" + hex.EncodeToString(c.data))
}

// cells is a row of the answer to a conditional statement, whose first column is [applied].
type cells struct {
	columns []driver.Column
	dest    []any
	values  [][]*rawCell // one list for each column; the driver returns a tuple element by element
}

func (c cells) applied() bool { return slices.Equal(c.values[0][0].data, []byte{1}) }

// text returns some columns of the row as text, with … if others have a value. It is "" if there is no row.
func (c cells) text(shown map[string]bool) string {
	var out []string
	more := false
	for i, value := range c.values {
		switch name := c.columns[i].Name; {
		case i == 0:
		case shown[name]:
			out = append(out, name+": "+formatLiteral(value))
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

func newCells(values driver.Values, columns []driver.Column) cells {
	c := cells{columns: columns, values: make([][]*rawCell, len(columns))}
	for i, column := range columns {
		types := []driver.Type{column.Type}
		if column.Type.ID == driver.TypeTuple {
			types = column.Type.Elements
		}
		for _, t := range types {
			cell := &rawCell{id: t.ID}
			c.dest = append(c.dest, values.Value(&cell.data))
			c.values[i] = append(c.values[i], cell)
		}
	}
	return c
}

func formatLiteral(value []*rawCell) string {
	if len(value) == 1 {
		return value[0].text()
	}
	var elements []string
	for _, cell := range value {
		elements = append(elements, cell.text())
	}
	return "(" + strings.Join(elements, ", ") + ")"
}

// clipped shortens a value to a length that fits a message.
func clipped(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
