package carry

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Each stamp has a statement of its own, and what has lived its life has none.
func TestStatements(t *testing.T) {
	c := &copying{layout: &layout{types: &catalog.Keyspace{Schema: schema.Schema{Types: []*schema.UDT{{Name: "home", Fields: []*schema.Field{{Name: "street"}, {Name: "Door"}}}}}}}}
	w := &writing{table: "new", key: []assignment{{"id", "K"}}, exists: stamp{at: 9}}
	w.marker()
	one := func(of stamp) []stamp { return []stamp{of} }
	for _, x := range []struct {
		name, as string
		of       cells
	}{
		{"a", "text", cells{value: raw("a"), stamps: one(stamp{at: 9})}},
		{"b", "text", cells{value: raw("b"), stamps: one(stamp{at: 5, ttl: 60})}},
		{"over", "text", cells{value: raw("o"), stamps: one(stamp{at: 6, ttl: -1})}},
		{"key", "int", cells{value: raw("k")}},
		{"tags", "set<text>", cells{value: list32("p", "q", "r"), stamps: []stamp{{at: 5, ttl: 60}, {at: 9}, {at: 5, ttl: 60}}}},
		{"marks", "map<text, int>", cells{value: raw("\x00\x00\x00\x01" + string(appendPart(appendPart(nil, raw("k")), raw("v")))), stamps: one(stamp{at: 7})}},
		{"home", "home", cells{value: append(appendPart(nil, raw("s")), appendPart(nil, raw("d"))...), stamps: []stamp{{at: 7}, {at: 8}}}},
		{"frozen", "frozen<set<text>>", cells{value: list32("z"), stamps: []stamp{{at: 3, ttl: 10}, {at: 4, ttl: 90}, none}}},
		{"kept", "frozen<set<text>>", cells{value: list32("y"), stamps: []stamp{{at: 4, ttl: 90}, {at: 3}}}},
	} {
		as, err := catalog.ParseType(x.as)
		require.NoError(t, err)
		require.NoError(t, c.add(w, column{to: &schema.Column{Name: x.name, Type: as}}, x.of))
	}
	var got []string
	for _, s := range w.statements() {
		got = append(got, strings.TrimSpace(s.text+" "+bound(s.args)))
	}
	require.Equal(t, []string{
		`INSERT INTO new (id, a, key) VALUES (?, ?, ?) USING TIMESTAMP ? K a k 9`,
		`UPDATE new USING TIMESTAMP ? SET tags = tags + ? WHERE id = ? 9 [1 q] K`,
		`UPDATE new USING TIMESTAMP ? AND TTL ? SET b = ?, tags = tags + ? WHERE id = ? 5 60 b [2 p r] K`,
		`UPDATE new USING TIMESTAMP ? SET marks = marks + ?, home.street = ? WHERE id = ? 7 [1 k v] s K`,
		`UPDATE new USING TIMESTAMP ? SET home."Door" = ? WHERE id = ? 8 d K`,
		`UPDATE new USING TIMESTAMP ? AND TTL ? SET frozen = ? WHERE id = ? 4 90 [1 z] K`,
		`UPDATE new USING TIMESTAMP ? SET kept = ? WHERE id = ? 4 [1 y] K`,
	}, got)
}

// list32 is a collection of the protocol.
func list32(of ...string) raw {
	out := raw{0, 0, 0, byte(len(of))}
	for _, x := range of {
		out = appendPart(out, raw(x))
	}
	return out
}

// bound writes arguments, collections by their count and elements.
func bound(args []any) string {
	var out []string
	for _, a := range args {
		r, ok := a.(raw)
		switch {
		case ok && len(r) > 4 && r[0] == 0:
			parts, _ := parts(r[4:], -1)
			text := fmt.Sprint("[", r[3])
			for _, p := range parts {
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
	require.Equal(t, []stamp{{at: 7, ttl: -1}}, stamps(false, long(7), short(0)), "its last second is not for ever")
	require.Empty(t, stamps(false, nil, nil))
	lists := func(of ...raw) raw {
		out := raw{0, 0, 0, byte(len(of))}
		for _, x := range of {
			if x == nil {
				out = append(out, 0xff, 0xff, 0xff, 0xff)
			} else {
				out = appendPart(out, x)
			}
		}
		return out
	}
	require.Equal(t, []stamp{{at: 7, ttl: 3}, none, {at: 8}}, stamps(true, lists(long(7), nil, long(8)), lists(short(3), nil, nil)))
	require.Empty(t, stamps(true, nil, nil))
}

// A list is written where there is none, and again only above what this run itself may have written.
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
