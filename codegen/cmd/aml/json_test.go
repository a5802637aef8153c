package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The JSON of an explanation has the same statements as the text, in the same order.
func TestExplainJSONHasTheStatementsOfTheText(t *testing.T) {
	folders := []string{"../../../integration/models/stock", "../../testdata/golden/hotel"}
	var text, lines, faults bytes.Buffer
	require.Zero(t, run(t.Context(), append([]string{"explain"}, folders...), &text, &faults), &faults)
	require.Zero(t, run(t.Context(), append([]string{"explain", "-json"}, folders...), &lines, &faults), &faults)

	statement := regexp.MustCompile(`^ +((?:SELECT|INSERT|UPDATE|DELETE) .*?)(?:  -- .*)?$`)
	want := map[string]bool{}
	for line := range strings.Lines(text.String()) {
		if m := statement.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			want[m[1]] = true
		}
	}
	require.NotEmpty(t, want)
	got := map[string]bool{}
	for in := bufio.NewReader(&lines); ; {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 {
			require.Error(t, err)
			break
		}
		var value any
		require.NoError(t, json.Unmarshal(line, &value))
		statements(value, got)
	}
	require.Equal(t, want, got)
}

// statements collects the texts of statements in a value of JSON.
func statements(value any, to map[string]bool) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			statements(one, to)
		}
	case map[string]any:
		for key, one := range v {
			if text, ok := one.(string); ok && key == "cql" {
				to[text] = true
			}
			statements(one, to)
		}
	}
}
