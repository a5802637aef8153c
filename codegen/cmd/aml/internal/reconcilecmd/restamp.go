package reconcilecmd

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
)

// selection matches the value of -restamp: the name of a table, as in a statement, and a condition.
var selection = regexp.MustCompile(`(?is)^\s*("(?:[^"]|"")+"|\w+)\s+where\s+(.*\S)\s*$`)

// newRestamp reads the values of -restamp and -above.
func newRestamp(s *schema.Schema, row, above string) (*program.Restamp, error) {
	m := selection.FindStringSubmatch(row)
	if m == nil {
		return nil, fmt.Errorf("-restamp %q: write it as 'TABLE WHERE CONDITION', such as 'customers WHERE id = 5'", row)
	}
	r := &program.Restamp{Table: tableName(m[1]), Condition: m[2]}
	if err := checkRoot(s, "restamp", r.Table); err != nil {
		return nil, err
	}
	if plain := func(t *schema.Table) bool { return t.Name == r.Table && t.Versioning == nil }; !slices.ContainsFunc(s.Tables, plain) {
		return nil, fmt.Errorf("-restamp: %s has a version, which is the write time of its redundant rows: use -tables %[1]s instead", r.Table)
	}
	if above == "" {
		return r, nil
	}
	var err error
	r.Above, err = microseconds(above)
	return r, err
}

// tableName returns the name of a table in a statement as it is stored.
func tableName(cql string) string {
	if quoted, ok := strings.CutPrefix(cql, `"`); ok {
		return strings.ReplaceAll(strings.TrimSuffix(quoted, `"`), `""`, `"`)
	}
	return strings.ToLower(cql)
}

// microseconds reads the value of -above.
func microseconds(text string) (int64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 {
		return n, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || at.UnixMicro() <= 0 {
		return 0, fmt.Errorf("-above %s: use a time such as 2026-11-22T18:30:00Z, or microseconds since 1970", text)
	}
	return at.UnixMicro(), nil
}
