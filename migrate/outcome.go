package migrate

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/internal/lex"
	"github.com/cassaml/cassaml/migrate/folder"
)

// notRun reports whether an error means that a statement was certainly not executed and will not be.
func notRun(err error, statement string) bool {
	return notApplied(err) || refused(err) || unsent(err) || unavailable(err) && checkedBefore(statement)
}

// notApplied reports whether the condition of a statement was false.
func notApplied(err error) bool {
	_, ok := errors.AsType[*notAppliedError](err)
	return ok
}

// unsent reports whether the driver returned an error before it sent anything.
func unsent(err error) bool {
	return errors.Is(err, gocql.ErrNoConnections) || errors.Is(err, gocql.ErrNoStreams) || errors.Is(err, gocql.ErrFrameTooBig)
}

// unavailable reports whether too few replicas are up for a statement.
func unavailable(err error) bool {
	e, ok := errors.AsType[gocql.RequestError](err)
	return ok && e.Code() == gocql.ErrCodeUnavailable
}

// checkedBefore reports whether a server that answers a statement with Unavailable has sent nothing to any replica. It checks the replicas
// before it writes a partition, but a conditional statement writes twice, and a statement with IN or an unlogged batch writes one partition
// after the other.
func checkedBefore(statement string) bool {
	words := lex.Words(statement)
	has := func(upper string) bool {
		return slices.ContainsFunc(words, func(w lex.Word) bool { return w.Is(upper) })
	}
	switch lex.UpperAt(words, 0) {
	case "TRUNCATE":
		return true
	case "INSERT", "UPDATE", "DELETE":
		return !has("IF") && !has("IN")
	case "BEGIN":
		return lex.UpperAt(words, 1) == "BATCH" && !has("IF")
	}
	return false
}

// notAppliedError reports a conditional statement whose condition was false and that no line -- aml:optional precedes.
type notAppliedError struct {
	Rows []string // what the server returned: {id: 1, version: 7}; values of the key and of the columns of conditions
}

func (e *notAppliedError) Error() string {
	rows := "the row does not exist"
	if len(e.Rows) > 0 {
		rows = "the row is " + strings.Join(e.Rows, ", ")
	}
	return "the condition is false, and nothing is written: " + rows + "; if this is intended, write -- aml:optional before the statement"
}

// unprepared returns the text of a statement in a form that the driver does not prepare. The driver prepares texts that begin with INSERT,
// UPDATE, DELETE or BEGIN, so each literal would be a separate prepared statement: they would evict those of running programs, and a
// statement that is larger than the server's cache would be prepared again and again.
func unprepared(statement string) string {
	switch (folder.Statement{Text: statement}).Verb() {
	case "INSERT", "UPDATE", "DELETE", "BEGIN":
		return "/**/" + statement
	}
	return statement
}

// finishExec reads the answer to a statement.
func (t *table) finishExec(ctx context.Context, statement string, rows *gocql.Iter) error {
	columns := rows.Columns()
	if len(columns) == 0 || columns[0].Name != "[applied]" {
		return rows.Close()
	}
	shown, err := t.shownColumns(ctx, statement, columns)
	if err != nil {
		_ = rows.Close() // the error of the read is the one to report
		return fmt.Errorf("read the columns of the key: %w", err)
	}
	applied := true
	var found []string
	for cells := newCells(columns); rows.Scan(cells.dest...); cells = newCells(columns) {
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

// shownColumns returns the columns whose values an error may contain: those of the primary key and those in a condition. Other columns may
// contain secrets that are not in the file.
func (t *table) shownColumns(ctx context.Context, statement string, columns []gocql.ColumnInfo) (map[string]bool, error) {
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
	all, err := t.schema(columns[0].Keyspace).Columns(ctx, columns[0].Table)
	for _, c := range all {
		shown[c.Name] = shown[c.Name] || c.Kind == "partition_key" || c.Kind == "clustering"
	}
	return shown, err
}

// rawCell has a value as it was received, of any type.
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
	values  [][]*rawCell // of each column; the driver returns a tuple element by element
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

// text returns some columns of the row as text, with … if others have a value. It is "" if there is no row.
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

// text returns the value as a literal of CQL if its type is a simple one, and as a blob otherwise.
func (c *rawCell) text() string {
	if c.data == nil {
		return "null"
	}
	switch c.info.Type() {
	case gocql.TypeAscii, gocql.TypeText, gocql.TypeVarchar:
		return clipped("'" + strings.ReplaceAll(string(c.data), "'", "''") + "'")
	case gocql.TypeTinyInt, gocql.TypeSmallInt, gocql.TypeInt, gocql.TypeBigInt, gocql.TypeVarint:
		return clipped(form.Varint(c.data).String())
	case gocql.TypeBoolean:
		return map[bool]string{true: "true", false: "false"}[slices.Equal(c.data, []byte{1})]
	case gocql.TypeUUID, gocql.TypeTimeUUID:
		if id, err := gocql.UUIDFromBytes(c.data); err == nil {
			return id.String()
		}
	case gocql.TypeTimestamp:
		return "'" + time.UnixMilli(form.Varint(c.data).Int64()).UTC().Format("2006-01-02T15:04:05.000Z") + "'"
	}
	return clipped("0x" + hex.EncodeToString(c.data))
}

// clipped shortens a value to a length that fits a message.
func clipped(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
