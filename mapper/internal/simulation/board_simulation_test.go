package simulation

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/trace"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// TestRepeatedLargeWrites runs calls on a large root, one after the other. A client repeats a call whose outcome is unknown if
// the error reports that this is safe. If the repeated call returns nil, the copies are the projections of the roots, unless rows of an
// unlogged copy were reported as lost.
func TestRepeatedLargeWrites(t *testing.T) {
	simulate(t, 3, func(w *world) {
		m := &boardWorld{world: w, clean: true}
		w.between = m.check
		for range 1 + w.rng.IntN(2) {
			c := &boardClient{client: w.client(), m: m}
			config := c.config([]int{60, 150, 600}[w.rng.IntN(3)])
			config.Tracer = lostRows{m}
			s, err := trace.OpenBackend(t.Context(), c, config)
			require.NoError(t, err)
			c.store = s
			w.start(c.client, c.call)
		}
		w.run()
	})
}

// boardWorld is a world in which clients change boards.
type boardWorld struct {
	*world
	clean bool // no row can be wrong
	last  *invocation
}

// lostRows is a tracer that marks a world if rows of unlogged copies may not be written.
type lostRows struct{ m *boardWorld }

func (l lostRows) Start(ctx context.Context, _ mapper.Request) context.Context { return ctx }
func (l lostRows) End(context.Context, mapper.RequestResult)                   {}
func (l lostRows) Unwritten(context.Context, mapper.Unwritten)                 { l.m.clean = false }

// check compares the tables after a call.
func (m *boardWorld) check() {
	if x := m.last; x != nil && (mapper.OutcomeUnknown(x.err) || errors.Is(x.err, errDead)) {
		m.clean = false
	}
	if !m.clean {
		return
	}
	want := projections{}
	for _, r := range m.rows("boards") {
		want.one("boards_by_owner", r, true, "owner", "id", "links")
		walk, count := cell.Elements(r.cell("panels"), 2)
		for range count {
			name := walk.Next()
			walk.Next()
			want["boards_by_panel"] = append(want["boards_by_panel"], rowText(append(cell.Row{name}, r.cell("id"))))
		}
	}
	m.compare(want, "boards_by_owner", "boards_by_panel")
}

// boardClient makes random calls that change boards.
type boardClient struct {
	*client
	m     *boardWorld
	store *trace.Store
}

const boardIDs = 2

func (c *boardClient) call(x *invocation) {
	table, ctx, r := c.store.Boards, context.Background(), c.w.rng
	id := int64(r.IntN(boardIDs))
	x.id, c.m.last = int32(id), x
	v, name := c.board(id), panelNames[r.IntN(len(panelNames))]
	var do func() error
	switch r.IntN(8) {
	case 0, 1, 2:
		x.op, do = "Put", func() error { return table.Put(ctx, v) }
	case 3:
		x.op, do = "PutPanels", func() error { return table.PutPanels(ctx, id, name, name) }
	case 4:
		x.op, do = "RemovePanels", func() error { return table.RemovePanels(ctx, id, name) }
	case 5:
		x.op, do = "PutLinks", func() error { return table.PutLinks(ctx, id, name, name) }
	case 6:
		x.op, do = "RemoveLinks", func() error { return table.RemoveLinks(ctx, id, name) }
	default:
		x.op, do = "Delete", func() error { return table.Delete(ctx, id) }
	}
	if _, err := table.Get(ctx, id); err != nil && x.op != "Put" && x.op != "Delete" {
		return // without a board, its owner is missing
	}
	for x.err = do(); !c.dead && mapper.OutcomeUnknown(x.err) && mapper.SafeToRepeat(x.err); {
		c.w.logf("%s repeats %s %d: %v", x.label, x.op, id, x.err)
		if err := do(); err == nil || mapper.OutcomeUnknown(err) {
			x.err = err
		}
	}
	if c.dead {
		x.err = errors.Join(x.err, errDead)
	}
}

// panelNames are the names of panels and links, most of them long.
var panelNames = []string{"a", strings.Repeat("b", 90), strings.Repeat("c", 90), strings.Repeat("d", 200)}

// board returns a board with some of the panels.
func (c *boardClient) board(id int64) *trace.Board {
	v := &trace.Board{ID: id, Owner: fmt.Sprintf("o%d", c.w.rng.IntN(4)/3), Panels: map[string]string{}, Links: map[string]string{}}
	for _, name := range panelNames {
		if c.w.chance(30) {
			v.Panels[name] = name[:1]
		}
		if c.w.chance(50) {
			v.Links[name] = name[:1]
		}
	}
	return v
}
