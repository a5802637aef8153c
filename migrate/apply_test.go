package migrate

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/cassaml/cassaml/internal/schemachange"
	"github.com/cassaml/cassaml/migrate/folder"
)

func TestWithID(t *testing.T) {
	sent := func(statements ...string) string {
		f := folder.File{Number: 7, Name: "0007_x.cql"}
		for _, s := range statements {
			f.Statements = append(f.Statements, folder.Statement{Text: s})
		}
		n := len(statements) - 1
		return withID(step{file: &f, record: record{applied: &n}}, "shop", "")
	}
	id := schemachange.TableID("shop.t.7").String()
	assert.Equal(t, "CREATE TABLE t (id int PRIMARY KEY) WITH ID = "+id, sent("CREATE TABLE t (id int PRIMARY KEY)"))
	assert.Equal(t, "create table IF NOT EXISTS T (a int, b map<int, text>, PRIMARY KEY ((a), b)) /* x */ with ID = "+id+" AND comment = ');'",
		sent("create table IF NOT EXISTS T (a int, b map<int, text>, PRIMARY KEY ((a), b)) /* x */ with comment = ');'"))
	assert.Equal(t, "CREATE TABLE t (id int) WITH ID = "+schemachange.TableID("shop.t.7.2").String(),
		sent("CREATE TABLE shop.t (id int)", "DROP TABLE t", "CREATE TABLE t (id int)"), "two tables of one name")
	assert.Contains(t, sent(`CREATE TABLE "Other"."T" (id int)`), schemachange.TableID("Other.T.7").String())
	for _, same := range []string{
		"CREATE TABLE t (id int) WITH comment = 'x' AND ID = " + id, "CREATE TABLE t (id int) WITH id='x'",
		"CREATE TYPE t (id int)", "INSERT INTO t (id) VALUES (1)", "CREATE TABLE t LIKE u", "CREATE TABLE t (id int", "DROP TABLE t",
	} {
		assert.Equal(t, same, sent(same))
	}
}
