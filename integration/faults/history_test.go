package faults

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"
)

// record is a line of a history: the begin of a call, or its end, which has a result. A client that is killed leaves a call
// without an end.
type record struct {
	At     int64 // nanoseconds since 1970, by the clock of the machine
	Op     string
	Label  string // of the call; "" in the record that a client writes when it starts
	ID     int32
	New    entry  // the row that the call writes; of a GetBy, only the nickname that it looks for
	Keep   bool   // the call keeps the nickname that it finds
	Read   *entry // the row that the call has read, or was given as the old one
	Result result
	Owner  int32 // of a duplicate value
	Error  string
}

// entry is the row of a member. The note is the label of the call that wrote it.
type entry struct {
	Nick, Team, Note string
	Version          int64
}

// result is how a call ended.
type result string

const (
	succeeded result = "succeeded"
	absent    result = "absent"
	exists    result = "exists"
	conflict  result = "conflict"
	duplicate result = "duplicate"
	failed    result = "failed"  // nothing was written
	unknown   result = "unknown" // the call may take effect at any later time, or never
)

// call is a call of a client, from its begin to its end.
type call struct {
	record
	began, ended int64
	gaveUp       int64 // when the client of a call of unknown outcome sent nothing more
	// limit is the version of a save that began after the client of a call of unknown outcome had given up. The call can take
	// effect only before that save, because the row has had another version since.
	limit int64
}

func (c *call) String() string {
	text := fmt.Sprintf("%d-%d %s %s %d: %s", c.began/1e3%1e10, c.ended/1e3%1e10, c.Label, c.Op, c.ID, c.Result)
	if c.Read != nil {
		text += fmt.Sprintf(", read %v", *c.Read)
	}
	if c.writes() {
		text += fmt.Sprintf(", new %v", c.New)
	}
	if c.Keep {
		text += ", keeps the nickname"
	}
	if c.Result == duplicate {
		text += fmt.Sprintf(", owner %d", c.Owner)
	}
	return text + " " + c.Error
}

// writes reports whether the call leaves a row.
func (c *call) writes() bool {
	return c.Op == "Insert" || c.Op == "Put" || c.Op == "Update" || c.Op == "Change"
}

// readHistory returns the calls of the history of one client.
func readHistory(t *testing.T, file string) (out []*call) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var open *call
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var r record
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r), "%s: %s", file, lines.Text())
		switch {
		case r.Label == "": // the client before was killed
			if open != nil {
				open.gaveUp = r.At
			}
			open = nil
		case r.Result == "":
			open = &call{record: r, began: r.At, ended: math.MaxInt64, gaveUp: math.MaxInt64}
			open.Result = unknown
			out = append(out, open)
		default:
			require.Equal(t, open.Label, r.Label, file)
			open.record, open.ended, open.gaveUp = r, r.At, r.At
			if r.Result == unknown {
				open.ended = math.MaxInt64
			}
			open = nil
		}
	}
	return out
}

// setLimits sets the limits of the calls of unknown outcome.
func setLimits(calls []*call) {
	for _, u := range calls {
		if u.limit = math.MaxInt64; u.Result != unknown {
			continue
		}
		for _, s := range calls {
			if s.ID == u.ID && s.Result == succeeded && s.writes() && s.began > u.gaveUp {
				u.limit = min(u.limit, s.New.Version)
			}
		}
	}
}

// idsOfRound is the number of members that clients write at a time: those of a round. The next round has others, so that
// histories stay short.
const idsOfRound = 4

// club is the state of the members of a round, as the checker follows it.
type club struct {
	members [idsOfRound]memberState
	ended   bool // calls of unknown outcome that have had no effect have none
}

// memberState is the state of one member.
type memberState struct {
	live             bool
	nick, team, note string
	// version is the least possible version: another client can have raised it without another change, to prevent a call that
	// had claimed a unique value from taking effect.
	version int64
}

// is reports whether a client can have read an entry in the state m.
func (m memberState) is(e *entry) bool {
	return m.live && m.nick == e.Nick && m.team == e.Team && m.note == e.Note && m.version <= e.Version
}

// step returns the state after a call, or reports that the call cannot have had its result in the state c.
func (c club) step(x *call) (club, bool) {
	if x.Op == "end" {
		c.ended = true
		return c, true
	}
	id := x.ID % idsOfRound
	m := c.members[id]
	switch x.Result {
	case unknown:
		if c.ended {
			return c, true
		}
		if m.version >= x.limit {
			return c, false
		}
		return c.save(id, x)
	case absent:
		if x.Op == "GetBy" {
			return c, !slices.ContainsFunc(c.members[:], func(m memberState) bool { return m.live && m.nick == x.New.Nick })
		}
		return c, !m.live
	case exists:
		return c, m.live
	case duplicate:
		owner := c.members[x.Owner%idsOfRound]
		return c, owner.live && owner.nick == x.New.Nick
	case conflict:
		if m.live && m.version <= x.Read.Version {
			c.members[id].version = x.Read.Version + 1
		}
		return c, true
	}
	switch {
	case x.Op == "Get", x.Op == "GetBy" && x.Read.Nick == x.New.Nick:
		c.members[id].version = x.Read.Version
		return c, m.is(x.Read)
	case x.Op == "GetBy":
		return c, false
	case x.Op == "Delete" && !m.live:
		return c, true
	}
	return c.save(id, x)
}

// save returns the state after a write has taken effect.
func (c club) save(id int32, x *call) (club, bool) {
	m := c.members[id]
	if x.Op == "Insert" && m.live || x.Op != "Insert" && x.Op != "Put" && !m.live || x.Read != nil && !m.is(x.Read) {
		return c, false
	}
	if x.Read != nil {
		m.version = x.Read.Version
	}
	if !x.writes() {
		c.members[id] = memberState{version: m.version + 2}
		return c, true
	}
	next := memberState{live: true, nick: x.New.Nick, team: x.New.Team, note: x.New.Note, version: m.version + 2}
	if x.Keep {
		next.nick = m.nick
	}
	if x.Result == succeeded {
		if x.New.Version < next.version {
			return c, false
		}
		next.version = x.New.Version
	}
	for i, other := range c.members {
		if i != int(id) && next.nick != "" && other.live && other.nick == next.nick {
			return c, false
		}
	}
	c.members[id] = next
	return c, true
}

var clubModel = porcupine.Model{
	Init: func() any { return club{} },
	Step: func(state, input, _ any) (bool, any) {
		next, ok := state.(club).step(input.(*call))
		return ok, next
	},
}

// checkPatience only limits a check that does not end.
const checkPatience = 5 * time.Minute

// linearizable checks whether there is an order of the calls that has their results, and that agrees with the times at which
// they began and ended. The error has the calls.
func linearizable(calls []*call) error {
	var history []porcupine.Operation
	last := int64(0)
	for _, c := range calls {
		if c.ended < math.MaxInt64 {
			last = max(last, c.ended)
		}
		last = max(last, c.began)
		history = append(history, porcupine.Operation{Input: c, Call: c.began, Return: c.ended})
	}
	history = append(history, porcupine.Operation{Input: &call{record: record{Op: "end"}}, Call: last + 1, Return: last + 2})
	verdict := porcupine.CheckOperationsTimeout(clubModel, history, checkPatience)
	if verdict == porcupine.Ok {
		return nil
	}
	_, info := porcupine.CheckOperationsVerbose(clubModel, history, checkPatience)
	slices.SortFunc(calls, func(a, b *call) int { return cmp.Compare(a.began, b.began) })
	var text strings.Builder
	longest := 0
	for _, partition := range info.PartialLinearizations() {
		for _, l := range partition {
			longest = max(longest, len(l))
		}
	}
	fmt.Fprintf(&text, "%d of %d calls have an order\n", longest, len(history))
	for _, c := range calls {
		fmt.Fprintln(&text, c)
	}
	return fmt.Errorf("the history is not linearizable (%s): %s", verdict, &text)
}

// requireLinearizable checks the history of each member, and then the history of each round, in which no two members have
// the same nickname at a time.
func requireLinearizable(t *testing.T, calls []*call) {
	t.Helper()
	members, rounds := map[int32][]*call{}, map[int32][]*call{}
	for _, c := range calls {
		if c.Result == failed || c.Result == conflict && c.Read == nil || c.Result == unknown && strings.HasPrefix(c.Op, "Get") || c.Op == "Reconcile" {
			continue // nothing was written, and nothing is known of the row
		}
		id := c.ID
		if c.Result == duplicate {
			id = c.Owner // is the member whose state the result depends on
		}
		if c.Op != "GetBy" || c.Result != absent { // that depends on all members
			members[id] = append(members[id], c)
		}
		rounds[id/idsOfRound] = append(rounds[id/idsOfRound], c)
	}
	for id, of := range members {
		setLimits(of)
		require.NoError(t, linearizable(of), "member %d", id)
	}
	for round, of := range rounds {
		require.NoError(t, linearizable(of), "round %d: a value has two owners, or calls of different members have no common order", round)
	}
}
