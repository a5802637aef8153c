package memory

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Each line is a type and values of it as a server sorts them; bytes of a wrong length come first.
var orders = map[string]string{
	"text":                     " 61 6162 62 c3a9",
	"tinyint":                  " 80 ff 00 7f",
	"smallint":                 " 8000 ffff 0000 00ff 7fff",
	"bigint":                   " 8000000000000000 ffffffffffffffff 0000000000000000 7fffffffffffffff",
	"date":                     "00000000 7fffffff 80000000 ffffffff",
	"boolean":                  " 00 01",
	"float":                    " ff ff800000 bf800000 80000000 00000000 3f800000 7f800000 7fc00000",
	"double":                   " ff fff0000000000000 8000000000000000 0000000000000000 7ff0000000000000 7ff8000000000000",
	"varint":                   " ff00 80 ff 00 7f 0080 010000000000000000",
	"decimal":                  " 00 0000000080 00000001ff 0000000100 000000010b 0000000002 fffffffe01",
	"inet":                     " 01000000 20010db8000000000000000000000001 7f000001 ff000000",
	"uuid":                     " 00 ffffffff000010008000000000000000 00000000ffff1fff8000000000000000 00000000000040008000000000000000 ffffffff000040008000000000000000",
	"timeuuid":                 " 00 ffffffff000010008000000000000000 00000000ffff10008000000000000000 00000000ffff10008000000000000001 00000000ffff1000800000000000007f 00000000ffff10000000000000000000",
	"frozen<list<int>>":        " 00000000 00000001" + "00000004ffffffff 00000001" + "0000000400000001 00000002" + "0000000400000001" + "0000000400000000",
	"frozen<tuple<text, int>>": " ffffffffffffffff ffffffff00000004ffffffff ffffffff0000000400000001 0000000161ffffffff 000000016100000004ffffffff",
	`frozen<"My pair">`:        " ffffffff ffffffff00000004ffffffff 0000000161 000000016100000004ffffffff",
}

func TestOrders(t *testing.T) {
	u := udts{"My pair": []plan.Field{{Name: "a", Type: "text"}, {Name: "b", Type: "int"}}}
	for cqlType, line := range orders {
		parsed, err := parse(cqlType)
		require.NoError(t, err)
		require.Equal(t, cqlType, parsed.String())
		compare, err := u.order(parsed)
		require.NoError(t, err)
		var values []cell.Cell
		for _, text := range strings.Split(line, " ") {
			v, err := hex.DecodeString(text)
			require.NoError(t, err)
			values = append(values, v)
		}
		for i := range values {
			for j := range values {
				c := compare(values[i], values[j])
				require.Equal(t, i < j, c < 0, "%s %x %x", cqlType, values[i], values[j])
				require.Equal(t, i == j, c == 0, "%s %x %x", cqlType, values[i], values[j])
			}
		}
		backwards := slices.Clone(values)
		slices.Reverse(backwards)
		slices.SortFunc(backwards, compare)
		require.Equal(t, values, backwards, cqlType)
	}
}

func TestEqualValuesOfOtherBytes(t *testing.T) {
	for cqlType, pair := range map[string][2]cell.Cell{
		"decimal":                  {{0, 0, 0, 1, 10}, {0, 0, 0, 2, 100}}, // 1.0, 1.00
		"varint":                   {{1}, {0, 1}},
		"double":                   {{0x7f, 0xf8, 0, 0, 0, 0, 0, 0}, {0x7f, 0xf8, 0, 0, 0, 0, 0, 1}},
		"frozen<tuple<text, int>>": {{0, 0, 0, 1, 'a'}, {0, 0, 0, 1, 'a', 0xff, 0xff, 0xff, 0xff}},
	} {
		parsed, err := parse(cqlType)
		require.NoError(t, err)
		compare, err := udts{}.order(parsed)
		require.NoError(t, err)
		require.Zero(t, compare(pair[0], pair[1]), cqlType)
	}
}

func TestTypesThatAreNone(t *testing.T) {
	for _, text := range []string{"", "list<", "list<int", "list<int>>", "map<int,>", `"open`, "int int"} {
		_, err := parse(text)
		require.Error(t, err, text)
	}
	for _, text := range []string{"unknown", "frozen<unknown>", "duration", `"int"`, "list"} {
		parsed, err := parse(text)
		require.NoError(t, err)
		_, err = udts{}.order(parsed)
		require.Error(t, err, text)
	}
}
