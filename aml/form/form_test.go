package form

import (
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// Each line is a type and its values in the order of a server. Bytes with an invalid length are first.
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
	pair := func(name string) ([]string, bool) { return []string{"text", "int"}, name == "My pair" }
	for cqlType, line := range orders {
		parsed, err := cqltype.Parse(cqlType)
		require.NoError(t, err)
		require.Equal(t, cqlType, parsed.String())
		f, err := Parse(cqlType, pair)
		require.NoError(t, err)
		compare := f.Compare
		var values [][]byte
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

// Each line is a type and values that a server treats as equal. The last one is the canonical encoding.
var equal = map[string]string{
	"frozen<tuple<decimal>>":             "00000005000000010a 000000050000000001",
	"frozen<list<decimal>>":              "00000001" + "00000005000000010a 00000001" + "000000050000000001",
	"frozen<map<int, decimal>>":          "00000001" + "0000000400000001" + "00000005000000010a 00000001" + "0000000400000001" + "000000050000000001",
	"varint":                             "000001 0001 01",
	"boolean":                            "ff 02 01",
	"float":                              "7fc00001 ffffffff 7f800001 7fc00000",
	"double":                             "7ff8000000000001 fff8000000000000 7ff0000000000001 7ff8000000000000",
	"vector<float, 2>":                   "3f8000007fc00001 3f8000007fc00000",
	"frozen<set<frozen<list<boolean>>>>": "00000001" + "00000009" + "00000001" + "00000001" + "07 00000001" + "00000009" + "00000001" + "00000001" + "01",
}

func TestCanonicalEncodings(t *testing.T) {
	for cqlType, line := range equal {
		f := Must(cqlType)
		require.True(t, f.Variants(), cqlType)
		texts := strings.Split(line, " ")
		want, err := hex.DecodeString(texts[len(texts)-1])
		require.NoError(t, err)
		for _, text := range texts {
			v, err := hex.DecodeString(text)
			require.NoError(t, err)
			require.Zero(t, f.Compare(v, want), "%s %s", cqlType, text)
			require.Equal(t, want, f.Canonical(v), "%s %s", cqlType, text)
		}
	}
}

// A decimal has one canonical encoding, independent of its scale. Zero has no scale.
func TestCanonicalDecimals(t *testing.T) {
	many := "00000000" + hex.EncodeToString(AppendVarint(nil, powerOfTen(100_001)))
	for from, want := range map[string]string{
		"0000000000":   "0000000000",
		"7fffffff00":   "0000000000",
		"8000000000":   "0000000000",
		"000000020000": "0000000000",
		"fffffffe01":   "fffffffe01",
		"fffffffe0a":   "fffffffd01",
		"11e1a3000a":   "11e1a2ff01",
		"800000000a":   "800000000a", // the smallest scale
		"800000010064": "80000000" + "0a",
		"00000002f6":   "00000001ff",
		many:           "fffe795f01",
		"":             "",
		"00000000":     "00000000",
		"0000":         "0000",
	} {
		v, err := hex.DecodeString(from)
		require.NoError(t, err)
		require.Equal(t, want, hex.EncodeToString(Must("decimal").Canonical(v)), from)
	}
	require.Nil(t, Must("decimal").Canonical(nil))
}

// Decimals with very different scales are compared without expansion.
func TestDecimalsOfFarScales(t *testing.T) {
	f := Must("decimal")
	tiny, huge, one := []byte{0x7f, 0xff, 0xff, 0xff, 1}, []byte{0x80, 0, 0, 0, 1}, []byte{0, 0, 0, 0, 1}
	require.Negative(t, f.Compare(tiny, one))
	require.Negative(t, f.Compare(one, huge))
	require.Negative(t, f.Compare(tiny, huge))
	require.Negative(t, f.Compare([]byte{0x80, 0, 0, 0, 0xff}, tiny))
}

// Bytes that are not a value of the type are returned unchanged.
func TestMalformedValuesStay(t *testing.T) {
	for cqlType, text := range map[string]string{
		"frozen<tuple<decimal, decimal>>": "00000005000000010a00000009", "frozen<set<decimal>>": "00000002000000050000000164000000ff",
		"frozen<map<int, decimal>>": "0000", "double": "7ff00000", "vector<float, 2>": "3f8000007f",
	} {
		v, err := hex.DecodeString(text)
		require.NoError(t, err)
		require.Equal(t, text, hex.EncodeToString(Must(cqlType).Canonical(v)), cqlType)
	}
}

func TestTypesThatAreNone(t *testing.T) {
	for _, text := range []string{"", "list<int", "unknown", "frozen<unknown>", "duration", `"int"`, "list"} {
		_, err := Parse(text, nil)
		require.Error(t, err, text)
	}
}

// Every native type that the server sorts has a form, and no other.
func TestFormsOfNativeTypes(t *testing.T) {
	var sorted []string
	for _, n := range cqltype.Natives() {
		if !n.Unordered {
			sorted = append(sorted, n.Name)
		}
	}
	require.ElementsMatch(t, sorted, slices.Collect(maps.Keys(natives)))
}
