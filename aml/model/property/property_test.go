package property_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model/property"
)

func ExampleCheck() {
	window := map[string]string{"class": "TimeWindowCompactionStrategy", "compaction_window_unit": "YEARS"}
	for _, f := range property.Check("compaction", property.Value{Entries: window}) {
		fmt.Println(f.What)
	}
	// Output: invalid compaction_window_unit "YEARS" of TimeWindowCompactionStrategy: use MINUTES or HOURS or DAYS
}

// A replay distinguishes values that a server cannot read from values that are out of range.
func TestRangesAndFormsAreDistinguished(t *testing.T) {
	for _, c := range []struct {
		name, text string
		ranged     bool
	}{
		{"gc_grace_seconds", "-1", true},
		{"gc_grace_seconds", "1e4", false},
		{"crc_check_chance", "1.5", true},
		{"crc_check_chance", "x", false},
		{"cdc", "maybe", false},
		{"read_repair", "5", false},
	} {
		faults := property.Check(c.name, property.Value{Text: c.text})
		require.Len(t, faults, 1, "%s = %s", c.name, c.text)
		require.Equal(t, c.ranged, faults[0].Range, "%s = %s", c.name, c.text)
	}
}

// Every invalid entry is reported.
func TestEveryEntryIsJudged(t *testing.T) {
	faults := property.Check("compaction", property.Value{Entries: map[string]string{
		"class": "LeveledCompactionStrategy", "enabled": "no", "fanout_size": "3", "provide_overlapping_tombstones": "x",
	}})
	require.Len(t, faults, 2)
	require.Equal(t, "enabled", faults[0].Entry)
	require.Equal(t, "provide_overlapping_tombstones", faults[1].Entry)
}

// Values that only some servers accept are marked as local: a model, which is for every server, refuses them.
func TestLocalFaultsAreMarked(t *testing.T) {
	for name, v := range map[string]property.Value{
		"memtable":    {Text: "trie"},
		"auto_repair": {Entries: map[string]string{}},
		"compaction":  {Entries: map[string]string{"class": "org.example.Mine", "x": "y"}},
		"compression": {Entries: map[string]string{"class": "org.example.Mine"}},
	} {
		faults := property.Check(name, v)
		require.Len(t, faults, 1, name)
		require.True(t, faults[0].Local, name)
	}
	for _, name := range []string{"compaction", "compression"} {
		faults := property.Check(name, property.Value{Entries: map[string]string{"class": "org.apache.cassandra.Mine"}})
		require.Len(t, faults, 1, name)
		require.False(t, faults[0].Local, name)
	}
}

func TestMapsAndTextsAreDistinguished(t *testing.T) {
	require.Equal(t, []property.Fault{{What: "caching must be a map: {'key': 'value', …}"}}, property.Check("caching", property.Value{Text: "ALL"}))
	require.Equal(t, []property.Fault{{What: "comment must not be a map"}}, property.Check("comment", property.Value{Entries: map[string]string{}}))
	require.Empty(t, property.Check("no_property", property.Value{Text: "x"}))
}

func TestIndexOptionsFitWhatIsIndexed(t *testing.T) {
	text, vector := property.Indexed{Text: true}, property.Indexed{Vector: 3, Key: true}
	for _, c := range []struct {
		of          property.Indexed
		name, value string
		want        string
	}{
		{text, "case_sensitive", "FALSE", ""},
		{text, "normalize", "yes", "normalize must be true or false"},
		{text, "nothing", "true", "nothing is not an option of an index"},
		{text, "optimize_for", "RECALL", "optimize_for is an option for vectors only"},
		{property.Indexed{}, "ascii", "true", "ascii is an option for text only"},
		{property.Indexed{Text: true, Key: true}, "ascii", "true", "an index on a key column does not have the option ascii"},
		{vector, "optimize_for", "recall", ""},
		{vector, "optimize_for", "SPEED", "optimize_for must be LATENCY or RECALL"},
		{vector, "similarity_function", "dot_product", ""},
		{vector, "similarity_function", "SINE", "similarity_function must be COSINE, DOT_PRODUCT or EUCLIDEAN"},
		{property.Indexed{Vector: 1}, "similarity_function", "cosine", "a vector of one element has no angle"},
		{property.Indexed{Vector: 1}, "optimize_for", "RECALL", "a vector of one element has no angle: add similarity_function=EUCLIDEAN"},
		{property.Indexed{Vector: 1}, "similarity_function", "EUCLIDEAN", ""},
	} {
		require.Equal(t, c.want, c.of.Check(map[string]string{c.name: c.value}), "%+v", c)
	}
}
