package codegen_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/testdata/golden/own"
	"github.com/cassaml/cassaml/codegen/testdata/golden/own/money"
	"github.com/cassaml/cassaml/mapper/gen"
)

func valid[T any](v T) sql.Null[T] { return sql.Null[T]{V: v, Valid: true} }

// full is an account with a value in every field.
func full() *own.Account {
	label := money.Label{Parts: [2]string{"a", "b"}}
	span := own.Span{From: 1, To: -2, Note: new("n"), Inner: own.Inner{Text: "t", Where: [2]float32{1, 2}}}
	detail := own.Detail{Amount: money.Amount{Cents: 5}, Label: &label, Level: "-70000", Null: valid(true), Vector: own.Embedding{3, 4}, Span: &span,
		Codes: money.Codes{Raw: "\x00\x00\x00\x00"}}
	return &own.Account{
		ID: 7, Label: label, Level: "-3", Amount: money.Amount{Cents: 1}, Maybe: &money.Amount{Cents: 2}, Name: label, Rank: "9", Of: "of",
		Amounts: []money.Amount{{Cents: 3}, {Cents: 4}}, Labels: []money.Label{label}, Levels: map[string]money.Level{"k": "12"},
		ByLabel: map[money.Label]string{label: "x"}, Ranks: map[money.Level]struct{}{"-128": {}},
		List: money.Codes{Raw: "\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x09"}, Set: money.Codes{Raw: "\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x09"},
		Map:    money.Codes{Raw: "\x00\x00\x00\x01\x00\x00\x00\x01k\x00\x00\x00\x04\x00\x00\x00\x00"},
		Frozen: money.Codes{Raw: "\x00\x00\x00\x00"}, Texts: money.Codes{Raw: "\x01a\x01b"},
		Null: valid(int32(0)), NullText: valid(""), NullOwn: valid(money.Amount{Cents: 6}), NullUUID: valid(gocql.UUID{1}),
		NullTime: sql.NullTime{Time: time.UnixMilli(-1).UTC(), Valid: true},
		Vector:   [3]float32{1, -0, 3}, Named: &own.Embedding{1, 2}, Vectors: []own.Embedding{{1, 2}, {3, 4}}, ByVector: map[[2]float32]string{{1, 2}: "v"},
		Detail: detail, Details: []own.Detail{detail, {}}, Span: []own.Span{span, {}}, Spans: map[own.Span]own.Span{{To: 5}: span}, Unique: map[own.Span]struct{}{{From: 1}: {}},
		Pair: money.Pair[int32, string]{First: 1, Second: "s"}, Others: []own.Box[money.Label]{{Content: label}},
	}
}

func encode(t *testing.T, v *own.Account) [][]byte {
	t.Helper()
	var e gen.Encoder
	own.AccountCodec.Encode(&e, v)
	row, err := e.Cells(nil)
	require.NoError(t, err)
	out := make([][]byte, len(row))
	for i, c := range row {
		out[i] = c
	}
	return out
}

func decode(t *testing.T, v *own.Account, row [][]byte) {
	t.Helper()
	var e gen.Encoder
	for _, c := range row {
		e.Blob(c)
	}
	cells, err := e.Cells(nil)
	require.NoError(t, err)
	var d gen.Decoder
	d.Row(cells)
	own.AccountCodec.Decode(&d, v)
	require.NoError(t, d.Err())
}

// Every struct is decoded to an equal value, even into a struct with another row.
func TestOwnTypesRoundTrip(t *testing.T) {
	var got own.Account
	for _, v := range []*own.Account{full(), {Level: "1", Rank: "2", Labels: []money.Label{}}, full()} {
		decode(t, &got, encode(t, v))
		require.Equal(t, v, &got)
	}
}

// The bytes of columns for which the driver has no type.
func TestBytesOfOwnTypes(t *testing.T) {
	columns := map[string][]byte{}
	for i, c := range encode(t, full()) {
		columns[own.AccountCodec.Table.Columns[i].Name] = c
	}
	require.Equal(t, []byte("a:b"), columns["label"])
	require.Equal(t, []byte{0xff, 0xfd}, columns["level"])
	require.Equal(t, []byte{0, 0, 0, 2, 1}, columns["amount"])
	require.Equal(t, []byte{0x3f, 0x80, 0, 0, 0, 0, 0, 0, 0x40, 0x40, 0, 0}, columns["vector"])
	require.Equal(t, []byte{0, 0, 0, 1, 0, 0, 0, 8, 0x3f, 0x80, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 1, 'v'}, columns["by_vector"])
	empty := encode(t, &own.Account{})
	for i, c := range own.AccountCodec.Table.Columns {
		switch c.Name {
		case "level", "amount", "maybe", "rank", "amounts", "list", "set", "texts", "null", "null_text", "null_time", "named", "spans":
			require.Nil(t, empty[i], c.Name)
		case "vector":
			require.Len(t, empty[i], 12)
		case "of":
			require.NotNil(t, empty[i])
		}
	}
}
