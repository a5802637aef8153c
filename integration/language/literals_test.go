package language

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/internal/models"
)

// literals are literals of every kind, also those that only some types of their kind have.
var literals = []string{
	"'a'", "'é'", "'1970-01-02'", "'1970-01-02 03:04:05Z'", "'1970-01-02T03:04+01:00'", "'1970-02-30'", "'12:30:00'", "'12:30:00.5'", "'12:30'", "86400000000000", "'127.0.0.1'", "'::1'",
	"0", "-1", "200", "40000", "3000000000", "99999999999999999999", "1.5", "1e3", "NaN", "true", "0xcafe", "1h30m", "P1D",
	"6f1c2c52-64d1-11f0-9d0b-0242ac120002", "6f1c2c52-64d1-41f0-9d0b-0242ac120002", "[1]", "{1}", "{'a': 1}", "(1, 2)", "null",
}

// The check of queries accepts the literals that a node accepts for a column of each native type.
func TestLiteralsOfQueries(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "constants such as 0xcafe of a tinyint, which an older server refuses")
	p := models.Folders(t, "../../codegen/testdata/golden/every")[0]
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults))
	s := schema.New(m)
	session := cassandra.Tables(t, s.Statements()...)
	c := query.Checker{Model: m, Schema: s}
	for _, n := range cqltype.Natives() {
		table, column := columnOf(s, n.Name)
		if column == "" {
			continue // counter
		}
		for _, l := range literals {
			text := fmt.Sprintf("SELECT %s FROM %s WHERE %s = %s ALLOW FILTERING", column, table, column, l)
			err := session.Session.Query(text).Exec()
			if err != nil && strings.Contains(err.Error(), "Unsupported") {
				continue
			}
			if n.Name == "tinyint" && l == "0xcafe" || n.Name == "timestamp" && l == "'1970-02-30'" {
				require.NoError(t, err) // the check refuses a blob for a number, and a day that no month has
				continue
			}
			refused := slices.ContainsFunc(c.Check(text, query.InFile("", text))[0].Faults, func(d model.Diagnostic) bool { return d.Rule.Code == query.RuleValue.Code })
			assert.Equal(t, err != nil, refused, "%s = %s: %v", n.Name, l, err)
		}
	}
}

// columnOf returns a column of a native type outside the key, and its table.
func columnOf(s *schema.Schema, native string) (table, column string) {
	for _, t := range s.Tables {
		for _, c := range t.Columns {
			if c.Type.Name == native && !c.InKey() && c.Kind == schema.Regular && c.Attribute != nil {
				return model.Quote(t.Name), model.Quote(c.Name)
			}
		}
	}
	return "", ""
}
