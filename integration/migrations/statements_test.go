package migrations

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// statements generates statements on types, tables and indexes with few names, so that they affect the same objects: valid
// ones, and ones with one fault. A seed determines them.
type statements struct {
	*rand.Rand
	now *catalog.Keyspace // the existing objects, which most statements are about
}

func choose[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// maybe returns a text once in a number of calls.
func (g statements) maybe(in int, text string) string {
	if g.IntN(in) == 0 {
		return text
	}
	return ""
}

// there returns the name of an existing object, or sometimes, or if there is none, another name.
func there[T any](g statements, of []T, name func(T) string, other string) string {
	if len(of) == 0 || g.IntN(8) == 0 {
		return other
	}
	return model.Quote(name(choose(g.Rand, of...)))
}

func (g statements) newTable() string { return choose(g.Rand, "t0", "t1", "t2", `"T2"`, "T0") }
func (g statements) newUDT() string   { return choose(g.Rand, "u0", "u1", "u2", `"U2"`, "key") }
func (g statements) newColumn() string {
	return choose(g.Rand, "a", "b", "c", "d", "e", "f", `"G h"`, "key", "A")
}
func (g statements) newIndex() string { return choose(g.Rand, "i0", "i1", "i2", `"I2"`) }

func (g statements) table() string {
	return there(g, g.now.Tables, func(t *schema.Table) string { return t.Name }, g.newTable())
}

func (g statements) udt() string {
	return there(g, g.now.Types, func(u *schema.UDT) string { return u.Name }, g.newUDT())
}

// column returns a column of a table.
func (g statements) column(table string) string {
	for _, t := range g.now.Tables {
		if model.Quote(t.Name) == table {
			return there(g, t.Columns, func(c *schema.Column) string { return c.Name }, g.newColumn())
		}
	}
	return g.newColumn()
}

// field returns a field of a type.
func (g statements) field(udt string) string {
	for _, u := range g.now.Types {
		if model.Quote(u.Name) == udt {
			return there(g, u.Fields, func(f *schema.Field) string { return f.Name }, g.newColumn())
		}
	}
	return g.newColumn()
}

func (g statements) index() string {
	var all []*schema.Index
	for _, t := range g.now.Tables {
		all = append(all, t.Indexes...)
	}
	return there(g, all, func(i *schema.Index) string { return i.Name }, g.newIndex())
}

func (g statements) exists() string { return g.maybe(6, "IF EXISTS ") }
func (g statements) unless() string { return g.maybe(6, "IF NOT EXISTS ") }

// next returns a statement, one in four with a change in it. The query of a view is not checked, so views are not changed.
func (g statements) next() string {
	s := g.valid()
	if !strings.HasPrefix(s, "CREATE MATERIALIZED") && g.IntN(4) == 0 {
		s = g.mutated(s)
	}
	return s
}

func (g statements) valid() string {
	switch n := g.IntN(20); {
	case n < 4:
		return g.createTable()
	case n < 6:
		return "CREATE TYPE " + g.unless() + g.newUDT() + " (" + g.list(3, func() string { return g.newColumn() + " " + g.kind(2) }) + g.maybe(20, ",") + ")"
	case n < 10:
		return g.alterTable()
	case n < 12:
		return "ALTER TABLE " + g.exists() + g.table() + " WITH " + g.properties()
	case n < 14:
		return g.alterType()
	case n < 17:
		return g.createIndex()
	case n < 18:
		return "DROP INDEX " + g.exists() + g.index()
	}
	return choose(g.Rand, "DROP TYPE "+g.exists()+g.udt(), "DROP TABLE "+g.exists()+g.table(), g.view(), "DROP MATERIALIZED VIEW "+g.exists()+"v0")
}

func (g statements) list(most int, one func() string) string {
	var out []string
	for range 1 + g.IntN(most) {
		out = append(out, one())
	}
	return strings.Join(out, ", ")
}

var natives = strings.Fields("ascii bigint blob boolean date decimal double duration float inet int smallint text time timestamp timeuuid tinyint uuid varchar varint")

// kind returns a type of at most the given depth.
func (g statements) kind(deep int) string {
	if deep == 0 || g.IntN(3) > 0 {
		switch g.IntN(12) {
		case 0:
			return g.rare()
		case 1, 2:
			return "frozen<" + g.udt() + ">"
		case 3:
			return g.udt()
		}
		return choose(g.Rand, choose(g.Rand, natives...), "int", "text")
	}
	switch g.IntN(6) {
	case 0:
		return g.frozen("map<" + g.inner(deep-1) + ", " + g.inner(deep-1) + ">")
	case 1:
		return g.frozen("tuple<" + g.list(3, func() string { return g.kind(deep - 1) }) + ">")
	case 2:
		return g.frozen(fmt.Sprintf("vector<%s, %d>", choose(g.Rand, choose(g.Rand, natives...), "float"), g.IntN(4)))
	}
	return g.frozen(choose(g.Rand, "list", "set") + "<" + g.inner(deep-1) + ">")
}

// inner returns a type inside another, usually valid there.
func (g statements) inner(deep int) string {
	t := g.kind(deep)
	if first := tokens.FindString(t); g.IntN(6) > 0 && first != "frozen" && !slices.Contains(natives, first) {
		return "frozen<" + t + ">"
	}
	return t
}

func (g statements) rare() string {
	return choose(g.Rand, "int", "text", "uuid", "blob", "counter", "frozen<varchar>", "LIST<Int>", "u0", "nowhere", "list<counter>", "frozen<list<list<int>>>")
}

func (g statements) frozen(t string) string {
	if g.IntN(2) == 0 {
		return "frozen<" + t + ">"
	}
	return t
}

func (g statements) createTable() string {
	head := "CREATE TABLE " + g.unless() + g.newTable() + " ("
	if g.IntN(5) == 0 {
		return head + "id int PRIMARY KEY, " + g.list(2, func() string { return g.newColumn() + " counter" }) + ")" + g.with()
	}
	columns := []string{"id " + choose(g.Rand, "int", "text", g.inner(1)), "k " + choose(g.Rand, "int", "text", g.inner(1)), "l int"}
	static := choose(g.Rand, "", " STATIC")
	for _, name := range []string{"a", "b", "c", "d", `"G h"`}[:g.IntN(6)] {
		columns = append(columns, name+" "+g.kind(2)+g.maybe(4, static))
	}
	key := choose(g.Rand, "id", "(id)", "id, k", "id, k", "id, k, l", "id, k, l", "(id, k), l", "(id, k, l)", "k, id", "id, "+g.newColumn())
	order := g.maybe(4, choose(g.Rand, "k DESC", "k ASC", "k DESC, l ASC", "l DESC", "k", "l desc, k DESC"))
	with := g.with()
	if order != "" {
		with = " WITH CLUSTERING ORDER BY (" + order + ")" + strings.Replace(with, " WITH", " AND", 1)
	}
	return head + strings.Join(columns, ", ") + g.maybe(12, ", "+g.newColumn()+" int") + ", PRIMARY KEY (" + key + ")" + g.maybe(20, ",") + ")" + with
}

func (g statements) with() string {
	if g.IntN(3) > 0 {
		return ""
	}
	return " WITH " + g.properties()
}

func (g statements) alterTable() string {
	table := g.table()
	head := "ALTER TABLE " + g.exists() + table
	old := func() string { return g.column(table) }
	switch g.IntN(8) {
	case 0:
		return head + " DROP " + g.exists() + choose(g.Rand, old(), "("+g.list(3, old)+")") + g.maybe(8, " USING TIMESTAMP "+choose(g.Rand, "1", "-5", "1e3", "'1'"))
	case 1, 2:
		return head + " DROP " + old()
	case 3:
		return head + " RENAME " + g.exists() + choose(g.Rand, "id TO key", "key TO id", "k TO a", "a TO k", "id TO x AND x TO id", "id TO x AND k TO x", "k TO k",
			"k TO a AND k TO m", "m TO k", old()+" TO "+g.newColumn(), old()+" TO "+old())
	case 4:
		return head + " ADD " + g.unless() + "(" + g.list(3, func() string { return g.newColumn() + " " + g.kind(2) + g.maybe(5, " STATIC") }) + ")"
	}
	return head + " ADD " + g.unless() + g.newColumn() + " " + choose(g.Rand, "int", "counter", "text", g.kind(2), g.kind(2)) + g.maybe(5, " STATIC")
}

func (g statements) alterType() string {
	udt := g.udt()
	head := "ALTER TYPE " + g.exists() + udt
	if g.IntN(2) == 0 {
		return head + " ADD " + g.unless() + g.newColumn() + " " + g.kind(2)
	}
	return head + " RENAME " + g.exists() + choose(g.Rand, "a TO b AND b TO a", "a TO c", "c TO a AND c TO b", g.field(udt)+" TO "+g.newColumn(), g.field(udt)+" TO "+g.field(udt))
}

func (g statements) createIndex() string {
	table := g.table()
	name := choose(g.Rand, "", g.newIndex()+" ")
	target := choose(g.Rand, g.column(table), g.column(table), "id", "k", choose(g.Rand, "keys", "VALUES", "entries", "full", "full", "other")+"("+g.column(table)+")")
	class := g.maybe(2, " USING "+choose(g.Rand, "'sai'", "'SAI'", "'StorageAttachedIndex'", "'org.apache.cassandra.index.sai.StorageAttachedIndex'",
		"'legacy_local_table'", "'LEGACY_local_table'", "'none'", "'SASIIndex'", "sai", "'org.apache.cassandra.index.sasi.SASIIndex'"))
	options := ""
	if !strings.Contains(class, "sasi.") { // the meaning of its options is not known
		options = g.maybe(4, " WITH OPTIONS = "+choose(g.Rand, "{}", "{'case_sensitive': false}", "{'normalize': 'yes'}", "{'ascii': 'true', 'normalize': true}",
			"{'similarity_function': 'dot_product'}", "{'similarity_function': 'x'}", "{'optimize_for': 'recall'}", "{'construction_beam_width': 5}", "{'target': 'a'}", "{'x': 'y'}"))
	}
	return "CREATE " + g.maybe(4, "CUSTOM ") + "INDEX " + g.unless() + name + "ON " + table + " (" + target + ")" + class + options
}

func (g statements) view() string {
	key := choose(g.Rand, "id", "id, k", "k, id", "(id, k), l", "a, id, k", "a, id")
	where := "id IS NOT NULL"
	for _, c := range []string{"k", "l", "a"} {
		if regexp.MustCompile(`\b` + c + `\b`).MatchString(key) {
			where += " AND " + c + " IS NOT NULL"
		}
	}
	selected := regexp.MustCompile(`[()]`).ReplaceAllString(key, "")
	return "CREATE MATERIALIZED VIEW " + g.unless() + "v0 AS SELECT " + selected + " FROM " + g.table() + " WHERE " + where + " PRIMARY KEY (" + key + ")"
}
