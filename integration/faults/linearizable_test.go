package faults

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The checker accepts and rejects short histories. The calls begin at 0, 1, 2 and so on, and end just before the given time.
func TestLinearizable(t *testing.T) {
	t.Parallel()
	get := func(ended int64, read *entry) *call {
		if read == nil {
			return &call{record: record{Op: "Get", Result: absent}, ended: ended}
		}
		return &call{record: record{Op: "Get", Read: read, Result: succeeded}, ended: ended}
	}
	by := func(ended int64, nick string, read *entry) *call {
		c := get(ended, read)
		c.Op, c.New.Nick = "GetBy", nick
		return c
	}
	row := func(nick, note string, version int64) *entry { return &entry{nick, "blue", note, version} }
	write := func(ended int64, op string, id int32, read, new *entry, r result) *call {
		c := &call{record: record{Op: op, ID: id, Read: read, Result: r}, ended: ended, gaveUp: ended}
		if new != nil {
			c.New = *new
		}
		return c
	}
	a, b, c := row("ana", "a", 10), row("", "b", 20), row("eva", "c", 30)
	const never = 1 << 40
	for _, x := range []struct {
		name  string
		ok    bool
		calls []*call
	}{
		{"one after the other", true, []*call{write(1, "Insert", 0, nil, a, succeeded), write(2, "Update", 0, a, b, succeeded), get(3, b), write(4, "DeleteAt", 0, b, nil, succeeded), get(5, nil)}},
		{"a read of an older row", false, []*call{write(1, "Insert", 0, nil, a, succeeded), write(2, "Update", 0, a, b, succeeded), get(3, a)}},
		{"a read during the save", true, []*call{write(1, "Insert", 0, nil, a, succeeded), write(9, "Update", 0, a, b, succeeded), get(4, a)}},
		{"an older row after a newer one", false, []*call{write(1, "Insert", 0, nil, a, succeeded), write(9, "Update", 0, a, b, succeeded), get(3, b), get(4, a)}},
		{"a lost update", false, []*call{write(1, "Insert", 0, nil, a, succeeded), write(9, "Update", 0, a, b, succeeded), write(9, "Update", 0, a, c, succeeded)}},
		{"a change of an older row", false, []*call{write(1, "Insert", 0, nil, a, succeeded), write(2, "Put", 0, nil, b, succeeded), write(3, "Change", 0, a, c, succeeded)}},
		{"two inserts", false, []*call{write(9, "Insert", 0, nil, a, succeeded), write(9, "Insert", 0, nil, b, succeeded)}},
		{"a version that decreases", false, []*call{write(1, "Insert", 0, nil, b, succeeded), write(2, "Put", 0, nil, a, succeeded)}},
		{"a version that was raised", true, []*call{write(1, "Insert", 0, nil, a, succeeded), get(2, row("ana", "a", 14)), write(3, "Change", 0, a, b, conflict), get(4, row("ana", "a", 14))}},
		{"a save at a version that was raised", false, []*call{write(1, "Insert", 0, nil, a, succeeded), write(2, "Change", 0, a, b, conflict), write(3, "Change", 0, a, c, succeeded)}},
		{"a row that no call has written", false, []*call{get(1, a)}},
		{"exists without a row", false, []*call{write(1, "Insert", 0, nil, a, exists)}},
		{"unknown and applied", true, []*call{write(never, "Put", 0, nil, a, unknown), get(3, nil), get(4, a)}},
		{"unknown and not applied", true, []*call{write(never, "Put", 0, nil, a, unknown), get(3, nil)}},
		{"unknown and applied twice", false, []*call{write(never, "Put", 0, nil, a, unknown), get(2, a), write(3, "Put", 0, nil, b, succeeded), get(4, a)}},
		{"unknown and applied after a later save", false, []*call{{record: record{Op: "Put", New: *a, Result: unknown}, ended: never, gaveUp: 0}, write(2, "Put", 0, nil, b, succeeded), get(3, b), get(4, a)}},
		{"two owners", false, []*call{write(1, "Insert", 0, nil, a, succeeded), write(2, "Insert", 1, nil, a, succeeded)}},
		{"one owner after the other", true, []*call{write(1, "Insert", 0, nil, a, succeeded), write(9, "Delete", 0, nil, nil, succeeded), write(4, "Insert", 1, nil, a, succeeded)}},
		{"found by the nickname", true, []*call{write(1, "Insert", 0, nil, a, succeeded), by(2, "ana", a)}},
		{"not found by the nickname", false, []*call{write(1, "Insert", 0, nil, a, succeeded), by(2, "ana", nil)}},
		{"not found by the nickname before the save has ended", true, []*call{write(3, "Insert", 0, nil, a, succeeded), by(2, "ana", nil)}},
		{"not found by a nickname that another member has", false, []*call{write(1, "Insert", 1, nil, a, succeeded), by(2, "ana", nil)}},
		{"found by another nickname", false, []*call{write(1, "Insert", 0, nil, a, succeeded), by(2, "eva", a)}},
		{"found by a nickname that was dropped", false, []*call{write(1, "Insert", 0, nil, a, succeeded), write(2, "Update", 0, a, b, succeeded), by(3, "ana", a)}},
		{"a duplicate", true, []*call{write(1, "Insert", 1, nil, a, succeeded), {record: record{Op: "Insert", Owner: 1, New: *a, Result: duplicate}, ended: 3}}},
		{"a duplicate without an owner", false, []*call{write(1, "Insert", 1, nil, b, succeeded), {record: record{Op: "Insert", Owner: 1, New: *a, Result: duplicate}, ended: 3}}},
	} {
		for i, c := range x.calls {
			c.began, c.ended = 10*int64(i), 10*c.ended-1
		}
		setLimits(x.calls)
		err := linearizable(x.calls)
		require.Equal(t, x.ok, err == nil, "%s: %v", x.name, err)
	}
}
