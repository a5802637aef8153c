package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// one parses one valid statement.
func one[T syntax.Statement](t *testing.T, text string) T {
	t.Helper()
	statements, faults := syntax.Parse(text)
	require.Empty(t, faults, "%s", text)
	require.Len(t, statements, 1, "%s", text)
	s, ok := statements[0].(T)
	require.True(t, ok, "%T", statements[0])
	at := s.Place()
	require.Equal(t, strings.TrimRight(text, "; \n"), text[at.From:at.To])
	return s
}

func TestSelect(t *testing.T) {
	t.Parallel()
	text := `select json "Title", count(*), writetime(year) AS w, tags['a'].b from shop.Order
		where a = ? and b in (:x, 'it''s') and C contains key -1 and (d, e) >= (1, 2) and token(f) > token(?) and m['k'] = 0xCAFE and n in ?
		group by a, b order by d desc, e asc per partition limit 2 limit ? allow filtering;`
	s := one[*syntax.Select](t, text)
	assert.Equal(t, "Order", s.Table.Written)
	assert.Equal(t, "order", s.Table.Text)
	assert.Nil(t, s.Star)
	assert.NotNil(t, s.JSON)
	assert.Equal(t, "ALLOW FILTERING", strings.ToUpper(text[s.Filtering.From:s.Filtering.To]))
	assert.Equal(t, "Title", s.Columns[0].Column.Text)
	assert.True(t, s.Columns[1].Aggregates())
	assert.Equal(t, "year", s.Columns[2].Arguments[0].Column.Text)
	assert.Equal(t, "tags", s.Columns[3].Column.Text)
	var relations []string
	for _, r := range s.Where {
		relations = append(relations, fmt.Sprintf("%s %d %d %t %t", r.Operator, len(r.Columns), len(r.Values), r.List, r.Token))
	}
	assert.Equal(t, []string{
		"= 1 1 false false", "IN 1 2 true false", "CONTAINS KEY 1 1 false false", ">= 2 1 false false", "> 1 1 false true", "= 1 1 false false", "IN 1 1 false false",
	}, relations)
	assert.Equal(t, "it's", s.Where[1].Values[1].Text)
	assert.Equal(t, "c", s.Where[2].Columns[0].Text)
	assert.Equal(t, []syntax.Kind{syntax.Marker, syntax.Marker, syntax.Integer, syntax.Tuple, syntax.Function, syntax.Blob, syntax.Marker}, kinds(s))
	assert.Len(t, s.GroupBy, 2)
	assert.True(t, s.OrderBy[0].Descending)
	assert.False(t, s.OrderBy[1].Descending)
	assert.Equal(t, "2", s.PerPartition.Text)
	assert.Equal(t, syntax.Marker, s.Limit.Kind)
}

func kinds(s *syntax.Select) (out []syntax.Kind) {
	for _, r := range s.Where {
		out = append(out, r.Values[0].Kind)
	}
	return out
}

func TestLiterals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]syntax.Kind{
		"?": syntax.Marker, ":n": syntax.Marker, "'a'": syntax.String, "$$it's$$": syntax.String, "-12": syntax.Integer, "1.5e3": syntax.Float,
		"NaN": syntax.Float, "true": syntax.Boolean, "6F1c2c52-64d1-11f0-9d0b-0242ac120002": syntax.UUID, "0x": syntax.Blob, "1h30m": syntax.Duration,
		"null": syntax.Null, "[1, 2]": syntax.List, "{1, 2}": syntax.Set, "{'a': 1}": syntax.Map, "{street: 'a'}": syntax.UDT, "{}": syntax.Set,
		"(1, 'a')": syntax.Tuple, "now()": syntax.Function, "toTimestamp(now())": syntax.Function,
	} {
		s := one[*syntax.Select](t, "SELECT * FROM t WHERE a = "+text)
		v := s.Where[0].Values[0]
		assert.Equal(t, want, v.Kind, "%s", text)
		assert.Equal(t, len(text), v.To-v.From, "%s", text)
	}
}

func TestNear(t *testing.T) {
	t.Parallel()
	s := one[*syntax.Select](t, "SELECT distinct FROM photos ORDER BY v ANN OF [0.5, 1] LIMIT 3;")
	require.Len(t, s.OrderBy, 1)
	assert.Equal(t, syntax.List, s.OrderBy[0].Near.Kind)
	assert.Equal(t, "distinct", s.Columns[0].Column.Text)
	assert.Nil(t, s.Distinct)
}

func TestWrites(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"INSERT INTO shop.orders (id, total) VALUES (?, ?) IF NOT EXISTS":                  "INSERT orders [id total] true",
		"INSERT INTO orders JSON ?":                                                        "INSERT orders [] false",
		"UPDATE orders USING TTL 3 SET a = a + {'where': ?}, b['x'] = 1 WHERE id = ?":      "UPDATE orders [a b id] false",
		"update orders set a = ? where id = ? if version = ?":                              "UPDATE orders [a id] true",
		"DELETE a, b['x'] FROM orders USING TIMESTAMP ? WHERE id = ? AND n > ? IF EXISTS;": "DELETE orders [a b id n] true",
		"DELETE FROM Order WHERE id = ?":                                                   "DELETE Order [id] false",
		"TRUNCATE TABLE orders":                                                            "TRUNCATE orders [] false",
	} {
		assert.Equal(t, want, writeText(one[*syntax.Write](t, text)), "%s", text)
	}
	b := one[*syntax.Batch](t, "BEGIN UNLOGGED BATCH USING TIMESTAMP 1 INSERT INTO a (x) VALUES (1); UPDATE b SET y = 1 WHERE x = 1 DELETE FROM c WHERE x = 1; APPLY BATCH;")
	var got []string
	for _, w := range b.Writes {
		got = append(got, writeText(w))
	}
	assert.Equal(t, []string{"INSERT a [x] false", "UPDATE b [y x] false", "DELETE c [x] false"}, got)
	assert.Equal(t, "CREATE", one[*syntax.Other](t, "CREATE TABLE t (a int PRIMARY KEY);").Verb)
}

func writeText(w *syntax.Write) string {
	var columns []string
	for _, c := range w.Columns {
		columns = append(columns, c.Text)
	}
	return fmt.Sprint(w.Verb, " ", w.Table.Written, " ", columns, " ", w.Conditional)
}

// Every statement with an error is reported once, and the others are parsed.
func TestErrors(t *testing.T) {
	t.Parallel()
	text := strings.Join([]string{
		"-- the first is valid", "SELECT * FROM a;", "SELECT FROM b;", "SELECT * FROM c WHERE x;", "SELECT * FROM d WHERE x = ", "SELECT * FROM e;",
		"SELEC * FROM f;", "SELECT * FROM g LIMIT 0;", "SELECT * FROM h WHERE x = 1 OR y = 2;", "BEGIN BATCH", "  SELECT * FROM i;", "  INSERT INTO j (a) VALUES (1);",
		"APPLY BATCH;", "SELECT * FROM k WHERE order = 1;", "SELECT * FROM l WHERE x IN (1 2);", "SELECT * FROM m;", "SELECT * FROM n WHERE x = 'open;", "SELECT * FROM o;",
	}, "\n")
	statements, faults := syntax.Parse(text)
	var tables, got []string
	for _, s := range statements {
		tables = append(tables, s.(*syntax.Select).Table.Text)
	}
	for _, f := range faults {
		line, column := syntax.Positions(text)(f.Offset)
		got = append(got, fmt.Sprintf("%d:%d: %s", line, column, f.Reason))
	}
	assert.Equal(t, []string{"a", "e", "m"}, tables)
	assert.Equal(t, []string{
		"3:8: FROM is a keyword of CQL: write it in quotes",
		"4:24: want an operator, such as = or IN, found the end",
		"6:1: want a value, found SELECT",
		"7:1: want a statement, found SELEC",
		"8:23: want a number of rows, from 1 to 2147483647, or a marker",
		"9:29: unexpected OR",
		"11:3: want INSERT, UPDATE, DELETE or APPLY BATCH, found SELECT",
		"14:23: order is a keyword of CQL: write it in quotes",
		"15:31: want , or ), found 2",
		"17:27: string is not closed",
	}, got)
}

// Values and functions that are nested too deep are an error. Without a limit, a file of 1 MB would exhaust the stack, which ends a
// program.
func TestDepth(t *testing.T) {
	t.Parallel()
	for before, after := range map[string]string{"[": "]", "(": ")", "{": "}", "{1:": "}", "f(": ")"} {
		for _, text := range []string{"SELECT a FROM b WHERE c = %s1%s", "SELECT %s1%s FROM b"} {
			if before == "(" && strings.HasPrefix(text, "SELECT %s") {
				continue // not a value there
			}
			deep := func(n int) string { return fmt.Sprintf(text, strings.Repeat(before, n), strings.Repeat(after, n)) }
			one[*syntax.Select](t, deep(100))
			_, faults := syntax.Parse(deep(300))
			require.NotEmpty(t, faults)
			require.Equal(t, "values and functions are nested more than 200 deep", faults[0].Reason)
		}
	}
}

// Any text is parsed without a panic and in finite time, and every place is in the text.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"SELECT a FROM b WHERE c IN (1, [2], {3: 4}) ORDER BY d ANN OF ? LIMIT 1; INSERT INTO a (b) VALUES (1)", "BEGIN BATCH DELETE a FROM b WHERE c = 1 APPLY BATCH", "SELECT (", "select CAST(a AS", "UPDATE a SET b = 'x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		statements, faults := syntax.Parse(text)
		for _, s := range statements {
			at := s.Place()
			require.True(t, 0 <= at.From && at.From < at.To && at.To <= len(text), "%v", at)
		}
		for _, e := range faults {
			require.True(t, 0 <= e.Offset && e.Offset <= len(text))
		}
	})
}
