package copydata

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// Each stamp has a separate statement, and expired values have none.
func TestStatements(t *testing.T) {
	c := &copying{layout: &layout{types: &catalog.Keyspace{Schema: schema.Schema{Types: []*schema.UDT{{Name: "home", Fields: []*schema.Field{{Name: "street"}, {Name: "Door"}}}}}}}}
	w := &writing{table: "new", key: []assignment{{"id", "K"}}, exists: stamp{at: 9}}
	one := func(of stamp) []stamp { return []stamp{of} }
	all := []struct {
		name, as string
		of       cells
	}{
		{"a", "text", cells{value: raw("a"), stamps: one(stamp{at: 9})}},
		{"b", "text", cells{value: raw("b"), stamps: one(stamp{at: 5, ttl: 60})}},
		{"over", "text", cells{value: raw("o"), stamps: one(stamp{at: 6, ttl: -1})}},
		{"key", "int", cells{value: raw("k")}},
		{"tags", "set<text>", cells{value: list32("p", "q", "r"), stamps: []stamp{{at: 5, ttl: 60}, {at: 9}, {at: 5, ttl: 60}}}},
		{"marks", "map<text, int>", cells{value: raw("\x00\x00\x00\x01" + string(form.Append(form.Append(nil, raw("k")), raw("v")))), stamps: one(stamp{at: 7})}},
		{"home", "home", cells{value: form.Append(form.Append(nil, raw("s")), raw("d")), stamps: []stamp{{at: 7}, {at: 8}}}},
		{"frozen", "frozen<set<text>>", cells{value: list32("z"), stamps: []stamp{{at: 3, ttl: 10}, {at: 4, ttl: 90}, none}}},
		{"kept", "frozen<set<text>>", cells{value: list32("y"), stamps: []stamp{{at: 4, ttl: 90}, {at: 3}}}},
	}
	columns := make([]column, len(all))
	for i, x := range all {
		as, err := ddl.ParseType(x.as)
		require.NoError(t, err)
		columns[i].to = &schema.Column{Name: x.name, Type: as, Kind: schema.Regular}
		w.slots = append(w.slots, c.slots(columns[i].to)...)
	}
	w.marker()
	slot := 0
	for i, of := range columns {
		require.NoError(t, c.add(w, of, all[i].of, slot))
		slot += len(c.slots(of.to))
	}
	const insert = "INSERT INTO new (id, a, b, over, key, frozen, kept) VALUES (?, ?, ?, ?, ?, ?, ?)"
	const update = `SET a = ?, b = ?, over = ?, key = ?, tags = tags + ?, marks = marks + ?, home.street = ?, home."Door" = ?, frozen = ?, kept = ? WHERE id = ?`
	var got []string
	for _, s := range w.statements() {
		got = append(got, strings.TrimSpace(s.text+" "+bound(s.args)))
	}
	require.Equal(t, []string{
		insert + ` USING TIMESTAMP ? K a _ _ k _ _ 9`,
		`UPDATE new USING TIMESTAMP ? ` + update + ` 9 a _ _ k [1 q] _ _ _ _ _ K`,
		`UPDATE new USING TIMESTAMP ? AND TTL ? ` + update + ` 5 60 _ b _ _ [2 p r] _ _ _ _ _ K`,
		`UPDATE new USING TIMESTAMP ? ` + update + ` 7 _ _ _ _ _ [1 k v] s _ _ _ K`,
		`UPDATE new USING TIMESTAMP ? ` + update + ` 8 _ _ _ _ _ _ _ d _ _ K`,
		`UPDATE new USING TIMESTAMP ? AND TTL ? ` + update + ` 4 90 _ _ _ _ _ _ _ _ [1 z] _ K`,
		`UPDATE new USING TIMESTAMP ? ` + update + ` 4 _ _ _ _ _ _ _ _ _ [1 y] K`,
	}, got)
}

// A row exists as long as the value that expires last, whether that is copied or not.
func TestLivesOfRows(t *testing.T) {
	copied := []column{{from: &schema.Column{Name: "a", Kind: schema.Regular}}, {from: &schema.Column{Name: "s", Kind: schema.Static}}}
	r := row{of: map[string]cells{"a": {stamps: []stamp{{at: 7, ttl: 4}}}, "s": {stamps: []stamp{{at: 9}}}}}
	require.Equal(t, stamp{at: 7, ttl: 4}, r.exists(copied))
	r.unseen = []stamp{none, {at: 3}}
	require.Equal(t, stamp{at: 7}, r.exists(copied))
	require.Equal(t, stamp{at: longAgo}, row{}.exists(copied))
}

// The size of a page follows from the page before: it grows for small rows and shrinks for large ones.
func TestPages(t *testing.T) {
	require.Equal(t, []int{80, 320, 1280, mostRows}, []int{nextPage(20, 2000), nextPage(80, 8000), nextPage(320, 32000), nextPage(1280, 128000)})
	require.Equal(t, 6, nextPage(20, 20*600<<10))
	require.Equal(t, 1, nextPage(1, 16<<20))
	require.Equal(t, firstPage, nextPage(0, 0), "a page can be empty")
}

// Batches are limited in statements and bytes, and contain all statements.
func TestBatches(t *testing.T) {
	of := func(n, size int) []statement {
		return slices.Repeat([]statement{{args: []any{raw(strings.Repeat("x", size)), 1}}}, n)
	}
	var sizes []int
	for _, b := range batches(slices.Concat(of(250, 10), of(3, 6<<20), of(5, batchBytes/2))) {
		sizes = append(sizes, len(b))
	}
	require.Equal(t, []int{100, 100, 50, 1, 1, 1, 2, 2, 1}, sizes)
	require.Empty(t, batches(nil))
}

// list32 returns an encoded collection.
func list32(of ...string) raw {
	out := raw{0, 0, 0, byte(len(of))}
	for _, x := range of {
		out = form.Append(out, raw(x))
	}
	return out
}

// bound returns arguments as text, collections with their count and elements.
func bound(args []any) string {
	var out []string
	for _, a := range args {
		r, ok := a.(raw)
		switch {
		case a == any(unset{}):
			out = append(out, "_")
		case ok && len(r) > 4 && r[0] == 0:
			text := fmt.Sprint("[", r[3])
			for _, p := range elements(r) {
				text += " " + string(p)
			}
			out = append(out, text+"]")
		case ok:
			out = append(out, string(r))
		default:
			out = append(out, fmt.Sprint(a))
		}
	}
	return strings.Join(out, " ")
}

func TestStampsOfWhatIsRead(t *testing.T) {
	long, short := func(n byte) raw { return raw{0, 0, 0, 0, 0, 0, 0, n} }, func(n byte) raw { return raw{0, 0, 0, n} }
	require.Equal(t, []stamp{{at: 7}}, stamps(false, long(7), nil))
	require.Equal(t, []stamp{{}}, stamps(false, long(0), nil), "a time like any other")
	require.Equal(t, []stamp{{at: 7, ttl: 3}}, stamps(false, long(7), short(3)))
	require.Equal(t, []stamp{{at: 7, ttl: -1}}, stamps(false, long(7), short(0)), "in its last second it still expires")
	require.Empty(t, stamps(false, nil, nil))
	lists := func(of ...raw) raw {
		out := raw{0, 0, 0, byte(len(of))}
		for _, x := range of {
			out = form.Append(out, x)
		}
		return out
	}
	require.Equal(t, []stamp{{at: 7, ttl: 3}, none, {at: 8}}, stamps(true, lists(long(7), nil, long(8)), lists(short(3), nil, nil)))
	require.Empty(t, stamps(true, nil, nil))
}

// A list is written if there is none, and again only at a later time than earlier attempts of the same run.
func TestListsAreWrittenOnce(t *testing.T) {
	fail := errors.New("no answer")
	for _, c := range []struct {
		name   string
		has    []any // what each look gives
		send   []error
		times  []int64
		failed bool
	}{
		{"none is there", []any{false}, []error{nil}, []int64{5}, false},
		{"one is there", []any{true}, nil, nil, false},
		{"a write without an answer", []any{false, true}, []error{fail, nil}, []int64{5, 7}, false},
		{"a look without an answer, and one is there", []any{fail, true}, nil, nil, false},
		{"a look without an answer, and none is there", []any{fail, false}, []error{nil}, []int64{5}, false},
		{"no answers", []any{false, fail, true, false}, []error{fail, fail, fail}, []int64{5, 7, 9}, true},
	} {
		w := &writing{table: "new", key: []assignment{{"id", 1}}}
		var times []int64
		err := w.once(list{"l", raw("v"), stamp{at: 5}}, func() (bool, error) {
			next := c.has[0]
			c.has = c.has[1:]
			if err, ok := next.(error); ok {
				return false, err
			}
			return next.(bool), nil
		}, func(s statement) error {
			require.Equal(t, "UPDATE new USING TIMESTAMP ? SET l = ? WHERE id = ?", s.text)
			times = append(times, s.args[0].(int64))
			return c.send[len(times)-1]
		})
		require.Equal(t, c.times, times, c.name)
		require.Equal(t, c.failed, err != nil, c.name)
	}
}

// A key is written in the encoding that a store uses, whether it is copied or converted.
func TestKeysAreCanonical(t *testing.T) {
	decimal := driver.Type{ID: driver.TypeDecimal, Info: gocql.NewNativeType(4, gocql.TypeDecimal, "")}
	for _, v := range []any{raw{0, 0, 0, 2, 100}, inf.NewDec(10, 1)} {
		b, err := canonical{v, form.Must("decimal")}.encode(gocqldriver.Values, decimal)
		require.NoError(t, err)
		require.Equal(t, []byte{0, 0, 0, 0, 1}, b)
	}
	l := &layout{types: &catalog.Keyspace{Schema: schema.Schema{Types: []*schema.UDT{{Name: "price", Fields: []*schema.Field{{Name: "total", Type: &schema.Type{Name: "decimal"}}}}}}}}
	require.True(t, l.form(&schema.Column{Type: &schema.Type{Name: "price", UDT: true, Frozen: true}}).Variants())
	require.False(t, l.form(&schema.Column{Type: &schema.Type{Name: "text"}}).Variants())
}
