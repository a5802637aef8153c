package values

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/testdata/golden/own"
	"github.com/cassaml/cassaml/codegen/testdata/golden/own/money"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// ownAccount returns an account with a value in every field.
func ownAccount() *own.Account {
	label := money.Label{Parts: [2]string{"a", "b"}}
	span := own.Span{From: 1, To: -2, Note: new("n"), Inner: own.Inner{Text: "t", Where: [2]float32{1, 2}}}
	five := money.Codes{Raw: "\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x05"}
	detail := own.Detail{Amount: money.Amount{Cents: 5}, Label: &label, Level: "-70000", Null: sql.Null[bool]{V: true, Valid: true},
		Vector: own.Embedding{3, 4}, Span: &span, Codes: five}
	return &own.Account{
		ID: 7, Label: label, Level: "-3", Amount: money.Amount{Cents: 1}, Maybe: &money.Amount{Cents: 2}, Name: label, Rank: "9", Of: "of",
		Amounts: []money.Amount{{Cents: 3}, {Cents: 4}}, Labels: []money.Label{label}, Levels: map[string]money.Level{"k": "12"},
		ByLabel: map[money.Label]string{label: "x"}, Ranks: map[money.Level]struct{}{"-128": {}},
		List: five, Set: five, Map: money.Codes{Raw: "\x00\x00\x00\x01\x00\x00\x00\x01k\x00\x00\x00\x04\x00\x00\x00\x00"},
		Frozen: money.Codes{Raw: "\x00\x00\x00\x00"}, Texts: money.Codes{Raw: "\x01a\x01b"},
		Null: sql.Null[int32]{Valid: true}, NullText: sql.Null[string]{Valid: true}, NullOwn: sql.Null[money.Amount]{V: money.Amount{Cents: 6}, Valid: true},
		NullUUID: sql.Null[gocql.UUID]{V: gocql.UUID{1}, Valid: true}, NullTime: sql.NullTime{Time: time.UnixMilli(-1).UTC(), Valid: true},
		Vector: [3]float32{1, -2, 3}, Named: &own.Embedding{1, 2}, Vectors: []own.Embedding{{1, 2}, {3, 4}}, ByVector: map[[2]float32]string{{1, 2}: "v"},
		Detail: detail, Details: []own.Detail{detail, {Null: sql.Null[bool]{Valid: true}, Span: &own.Span{}}}, Span: []own.Span{span, {}},
		Spans: map[own.Span]own.Span{{To: 5}: span}, Unique: map[own.Span]struct{}{{From: 1}: {}},
		Pair: money.Pair[int32, string]{First: 1, Second: "s"}, Others: []own.Box[money.Label]{{Content: label}},
	}
}

// literals are the same values as the server formats them.
var literals = map[string]string{
	"amount": "0.01", "maybe": "0.02", "name": `"a:b"`, "rank": "9", "of": `"of"`, "amounts": "[0.03, 0.04]", "labels": `["a:b"]`, "levels": `{"k": 12}`,
	"by_label": `{"a:b": "x"}`, "ranks": "[-128]", "list": "[5]", "set": "[5]", "map": `{"k": []}`, "frozen": "[]", "texts": `["a", "b"]`, "null": "0",
	"null_text": `""`, "null_own": "0.06", "null_time": `"1969-12-31 23:59:59.999Z"`, "vector": "[1.0, -2.0, 3.0]", "named": "[1.0, 2.0]",
	"vectors": "[[1.0, 2.0], [3.0, 4.0]]", "span": `[[1, -2, "n", ["t", [1.0, 2.0]]], [0, 0, null, ["", [0.0, 0.0]]]]`,
	"pair": `{"first": 1, "second": "s"}`, "others": `[{"content": "a:b"}]`,
	"detail": `{"amount": 0.05, "label": "a:b", "level": -70000, "null": true, "vector": [3.0, 4.0], "span": [1, -2, "n", ["t", [1.0, 2.0]]], "codes": [5]}`,
}

// Types that convert themselves, vectors, tuples, sql.Null and instances of generic types are written to the node, and have
// the CQL types there that the model declares.
func TestOwnTypes(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "vectors")
	session, s := modelKeyspace(t, "../../codegen/testdata/golden/own")
	store, err := own.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	want := ownAccount()
	require.NoError(t, store.Account.Insert(t.Context(), want))
	got, err := store.Account.Get(t.Context(), want.ID, want.Label, want.Level)
	require.NoError(t, err)
	require.Equal(t, want, got)
	for column, want := range literals {
		var text string
		require.NoError(t, session.Session.Query(`SELECT JSON "`+column+`" AS v FROM account`).Scan(&text))
		require.Equal(t, `{"v": `+want+`}`, text, column)
	}

	changed, err := store.Account.Update(t.Context(), want.ID, want.Label, want.Level, func(a *own.Account) error {
		a.Set.Raw = "\x00\x00\x00\x02\x00\x00\x00\x04\x00\x00\x00\x07\x00\x00\x00\x04\x00\x00\x00\x06"
		a.Named, a.Null, a.NullTime, a.Amount = nil, sql.Null[int32]{}, sql.NullTime{}, money.Amount{}
		a.Unique[own.Span{From: 2}] = struct{}{}
		return nil
	})
	require.NoError(t, err)
	got, err = store.Account.Get(t.Context(), want.ID, want.Label, want.Level)
	require.NoError(t, err)
	changed.Set.Raw = "\x00\x00\x00\x02\x00\x00\x00\x04\x00\x00\x00\x06\x00\x00\x00\x04\x00\x00\x00\x07"
	require.Equal(t, changed, got)
	requireInfos(t, session, s.Tables[0], store)
}

// requireInfos checks that MarshalCQL receives the type that the node sends to the driver for each column, and that all
// faults are listed.
func requireInfos(t *testing.T, session gocqlx.Session, table *schema.Table, store *own.Store) {
	t.Helper()
	row := make([]storetest.Raw, len(table.Columns))
	infos := map[string]string{}
	for i, c := range table.Ordered() {
		require.NoError(t, session.Session.Query(`SELECT "`+c.Name+`" FROM account`).Scan(&row[i]))
		infos[c.Attribute.GoName()] = fmt.Sprintf("%#v", row[i].Info)
	}
	bad := money.Codes{Raw: "info"}
	a := ownAccount()
	a.List, a.Set, a.Map, a.Frozen, a.Texts = bad, bad, bad, bad, bad
	a.Details[1].Codes = bad
	a.Span[1].Inner.Text = "\xff"
	a.NullText = sql.Null[string]{}
	var faults *mapper.ConstraintError
	require.ErrorAs(t, store.Account.Insert(t.Context(), a), &faults)
	var wanted []mapper.Violation
	for _, f := range []string{"List", "Set", "Map", "Frozen", "Texts"} {
		wanted = append(wanted, mapper.Violation{Path: f, Problem: "cannot be encoded: " + infos[f]})
	}
	require.ElementsMatch(t, append(wanted, mapper.Violation{Path: "NullText", Problem: "is required"},
		mapper.Violation{Path: "Details[1].Codes", Problem: "cannot be encoded: " + infos["List"]},
		mapper.Violation{Path: "Span[1].Inner.Text", Problem: "is not valid UTF-8"}), faults.Violations)
}
