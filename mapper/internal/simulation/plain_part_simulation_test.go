package simulation

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/part"
	"github.com/cassaml/cassaml/mapper"
)

// TestPlainPartSchedules runs clients of plain roots with parts in the schedules of TestPlainSchedules, with pages of one to
// three rows. A Delete of a root reads its parts page by page, and can fail between any two of its requests. Then the root still
// exists unless everything was deleted, a repeated Delete leaves nothing, nothing of another root has changed, and the copies are
// the projections of the rows that remain.
func TestPlainPartSchedules(t *testing.T) {
	simulate(t, 4, func(w *world) { newPartWorld(w).play() })
}

// partWorld is a world in which clients change roots and their parts. Calls do not overlap.
type partWorld struct {
	*world
	known map[string]partRow // the rows of the roots and of their parts after the last call, by table and key
	last  *partCall          // that has not been checked
}

// partRow is a row of a root or of a part.
type partRow struct {
	id   byte // of the root
	root bool
	text string
}

// partCall is a call with what it changes.
type partCall struct {
	*invocation
	tables []string // of the root and the parts that the call can change
	whole  bool     // it deletes the root with all its parts
	rows   bool     // it deletes rows of parts
	label  string   // a value that the call writes; "" for a deletion
}

const (
	partIDs = 2
	seats   = 7
)

func newPartWorld(w *world) *partWorld {
	p := &partWorld{world: w, known: map[string]partRow{}}
	w.between, w.pages = p.check, true
	p.open(w.observer(), 0)
	return p
}

func (p *partWorld) open(c *client, batchLimit int) *part.Store {
	s, err := part.OpenBackend(p.t.Context(), c, c.config(batchLimit))
	require.NoError(p.t, err)
	return s
}

func (p *partWorld) play() {
	limit := []int{0, 400}[p.rng.IntN(2)] // of 400 bytes, a page is several batches
	for range 3 + p.rng.IntN(4) {
		c := &partClient{client: p.client(), p: p}
		c.store = p.open(c.client, limit)
		p.start(c.client, c.call)
	}
	p.run()
}

// gameID returns the identifier of a root.
func gameID(id byte) gocql.UUID { return gocql.UUID{15: id} }

// partTables are the tables of roots and parts, with the column of the root's identifier.
var partTables = map[string]string{"games": "id", "rounds": "game_id", "guests": "game_id", "results": "game_id", "runs": "id"}

// read returns the rows of the roots and of their parts.
func (p *partWorld) read() map[string]partRow {
	out := map[string]partRow{}
	for name, column := range partTables {
		for _, r := range p.rows(name) {
			if name != "runs" {
				out[name+rowText(r.row[:r.t.Key])] = partRow{r.cell(column)[15], name == "games", rowText(r.row)}
				continue
			}
			if r.cell("state") != nil {
				out["runs"+rowText(r.cells("id"))] = partRow{r.cell(column)[15], true, rowText(r.cells("state", "owner"))}
			}
			if r.cell("number") != nil {
				out["runs"+rowText(r.cells("id", "number"))] = partRow{r.cell(column)[15], false, rowText(r.cells("word", "tokens"))}
			}
		}
	}
	return out
}

// check compares the tables with those before the last call.
func (p *partWorld) check() {
	x := p.last
	if x == nil {
		return
	}
	p.last = nil
	before, after := p.known, p.read()
	p.known = after
	p.checkOthers(x, before, after)
	switch {
	case x.err == nil:
		p.checkDone(x, after)
	case x.label == "":
		p.checkBroken(x, before, after)
	case !mapper.OutcomeUnknown(x.err) && !maps.Equal(before, after):
		p.failf("%s failed (%v) and has written", x.op, x.err)
	}
	p.checkPartCopies()
}

// of reports whether a row belongs to the root of a call and is in one of its tables.
func (x *partCall) of(key string, r partRow) bool {
	table, _, _ := strings.Cut(key, " ")
	return r.id == byte(x.id) && slices.Contains(x.tables, table)
}

// checkOthers requires that a call has changed nothing of another root.
func (p *partWorld) checkOthers(x *partCall, before, after map[string]partRow) {
	others := func(in map[string]partRow) map[string]partRow {
		out := maps.Clone(in)
		maps.DeleteFunc(out, x.of)
		return out
	}
	if b, a := others(before), others(after); !maps.Equal(b, a) {
		p.failf("%s of %d has changed others: %v, before %v", x.op, x.id, a, b)
	}
}

// checkDone checks a call that has returned nil.
func (p *partWorld) checkDone(x *partCall, after map[string]partRow) {
	written := false
	for key, r := range after {
		if x.whole && x.of(key, r) {
			p.failf("%s of %d has left %s%s", x.op, x.id, key, r.text)
		}
		written = written || x.of(key, r) && strings.Contains(r.text, x.label)
	}
	if x.label != "" && !written {
		p.failf("%s of %d has not written %s: %v", x.op, x.id, x.label, after)
	}
}

// checkBroken checks a deletion that has failed in the middle.
func (p *partWorld) checkBroken(x *partCall, before, after map[string]partRow) {
	had, has, left := false, false, 0
	for key, r := range after {
		if x.of(key, r) {
			left++
			has = has || r.root
			if before[key] != r && x.rows {
				p.failf("%s of %d (%v) has written %s%s", x.op, x.id, x.err, key, r.text)
			}
		}
	}
	for key, r := range before {
		had = had || x.of(key, r) && r.root
	}
	if x.whole && had && !has && left > 0 {
		p.failf("%s of %d (%v) has deleted the root before its parts: %v", x.op, x.id, x.err, after)
	}
}

// checkPartCopies compares the copies with the projections of the roots and parts.
func (p *partWorld) checkPartCopies() {
	want := projections{}
	for _, r := range p.rows("games") {
		want.one("games_by_name", r, true, "name", "region", "id")
	}
	for _, r := range p.rows("guests") {
		want.one("guests_by_name", r, true, "name", "region", "game_id", "seat", "tags")
	}
	for _, r := range p.rows("runs") {
		want.one("segments_by_word", r, r.cell("number") != nil, "word", "id", "number")
		want.one("runs_by_owner", r, r.cell("owner") != nil, "owner", "id", "state")
	}
	slices.Sort(want["runs_by_owner"])
	want["runs_by_owner"] = slices.Compact(want["runs_by_owner"]) // each row of the table has the columns of the root
	p.compare(want, "games_by_name", "guests_by_name", "segments_by_word", "runs_by_owner")
}

// partClient makes random calls that change roots and parts.
type partClient struct {
	*client
	p     *partWorld
	store *part.Store
}

func (c *partClient) call(of *invocation) {
	x, ctx, s := &partCall{invocation: of, label: of.label + "."}, context.Background(), c.store
	x.id = int32(c.w.rng.IntN(partIDs))
	c.p.last = x
	id, seat := gameID(byte(x.id)), int32(c.w.rng.IntN(seats))
	switch n := c.w.rng.IntN(20); {
	case n < 2:
		x.op, x.tables = "insert a game", []string{"games"}
		x.err = c.insert(ctx, x, id)
	case n < 3:
		x.op, x.tables = "insert a run", []string{"runs"}
		x.err = s.Runs.Put(ctx, &part.Run{ID: id, State: x.label, Owner: fmt.Sprint("o", seat%2)})
	case n < 8:
		x.op, x.tables = "put a guest", []string{"guests"}
		x.err = s.Guests.Put(ctx, &part.Guest{Region: "n", GameID: id, Seat: seat, Name: fmt.Sprint("g", seat%2), Tags: []string{x.label}})
	case n < 9:
		x.op, x.tables = "put a round", []string{"rounds"}
		x.err = s.Rounds.Put(ctx, &part.Round{Region: "n", GameID: id, Number: seat, Winner: x.label})
	case n < 13:
		x.op, x.tables = "put a segment", []string{"runs"}
		x.err = s.Segment.Put(ctx, &part.Segment{RunID: id, Number: seat, Word: fmt.Sprint("w", seat%2), Tokens: []string{x.label}})
	case n < 14:
		x.op, x.tables, x.label, x.rows = "delete guests", []string{"guests"}, "", true
		x.err = s.Guests.Of("n", id).SeatFrom(seat).Delete(ctx)
	case n < 17:
		x.op, x.tables, x.label, x.whole, x.rows = "delete a game", []string{"games", "rounds", "guests", "results"}, "", true, true
		x.err = s.Games.Delete(ctx, "n", id)
	default:
		x.op, x.tables, x.label, x.whole, x.rows = "delete a run", []string{"runs"}, "", true, true
		x.err = s.Runs.Delete(ctx, id)
	}
}

// insert inserts a game that does not exist; otherwise it changes its name.
func (c *partClient) insert(ctx context.Context, x *partCall, id gocql.UUID) error {
	if _, err := c.store.Games.Get(ctx, "n", id); err == nil {
		_, err := c.store.Games.Update(ctx, "n", id, func(g *part.Game) error { g.Name = x.label; return nil })
		return err
	}
	return c.store.Games.Put(ctx, &part.Game{Region: "n", ID: id, Name: x.label})
}
