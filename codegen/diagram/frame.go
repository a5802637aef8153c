package diagram

// frame is the drawing of one aggregate or table, with the references that leave it at its borders.
type frame struct {
	*Picture
	key    string
	exits  []*exit
	selves float64 // the width of the references of the root to itself, at the right of its upper border
	tab    float64 // the width of the tab; references from above end to the right of it
	root   Box     // where references to it end: at its upper, left or right border
}

// side is a border of a frame.
type side int

const (
	lowerSide side = iota
	rightSide
)

const (
	tab   = 22 // the height of the tab with the name of an aggregate
	entry = 20 // space above a root for the references to it
)

// newFrame draws a tree of nodes, in a package with a name unless that is empty.
func newFrame(key string, root *node, name string, dashed bool) *frame {
	tabbed := Text{X: padding, Y: tab - 7, S: name, Style: strong, Color: Faint}
	border, top, tabWidth := 0.0, 0.0, 0.0
	if name != "" {
		border, top, tabWidth = padding, tab, tabbed.Width()+2*padding
	}
	selves := float64(root.selfReferences()) * track
	top += entry + max(0, selves-track)
	root.w = max(root.w, selves+2*padding)
	root.shape()
	heights, qualifiers := root.levels(0, nil, nil)
	ys := []float64{top}
	for i, h := range heights {
		next := ys[i] + h + bus + stub
		if i+1 < len(heights) && qualifiers[i+1] {
			next += qualified - stub
		}
		ys = append(ys, next)
	}
	last := len(heights) - 1
	d := &drawing{Picture: &Picture{}, bottom: ys[last] + heights[last]}
	root.place(max(border, tabWidth+2*padding-root.at-root.w), ys)
	d.node(root)
	f := &frame{Picture: d.Picture, key: key, selves: selves, tab: tabWidth, root: Box{X: root.x, Y: root.y, W: root.w, H: root.h}}
	f.Width, f.Height = max(root.x-root.at+root.span(), tabWidth), d.bottom
	f.inner(d.exits)
	f.Width, f.Height = f.Width+border, f.Height+border
	for _, e := range f.exits {
		if !e.free { // the direction of the picture decides where a free one leaves
			e.leave(f)
		}
	}
	if name != "" {
		f.Boxes = append([]Box{
			{W: tabWidth, H: tab, Fill: Head, Stroke: Frame, Link: root.link},
			{Y: tab, W: f.Width, H: f.Height - tab, Fill: None, Stroke: Frame, Dashed: dashed, Group: true},
		}, f.Boxes...)
		tabbed.Link = root.link
		f.Texts = append(f.Texts, tabbed)
	}
	return f
}

// inner draws the references of members to their own root: below everything, on its right side, and to the right border of the root, as one line.
// The others leave the frame.
func (f *frame) inner(exits []*exit) {
	var own []*exit
	for _, e := range exits {
		if e.target == f.key && !e.free {
			own = append(own, e)
			continue
		}
		f.exits = append(f.exits, e)
	}
	if len(own) == 0 {
		return
	}
	bottom, right, y := f.Height+track, f.Width+track, f.root.Y+headHeight/2+4
	for _, e := range own {
		x := e.path[len(e.path)-1].X
		points := append(e.path[:len(e.path)-1], Point{x, bottom}, Point{right, bottom}, Point{right, y}, Point{f.root.X + f.root.W, y})
		f.Lines = append(f.Lines, Line{Points: points, Stroke: Ink, Dashed: e.dashed, End: Arrow})
	}
	f.Width, f.Height = right, bottom
}

// leave leads a reference to the border of its frame.
func (e *exit) leave(f *frame) {
	last := e.path[len(e.path)-1]
	switch {
	case e.side == rightSide:
		e.path = []Point{e.path[0], {f.Width, last.Y}}
	case e.free:
		e.path = []Point{e.path[0], {e.lane, last.Y}, {e.lane, f.Height}}
	default:
		e.path = append(e.path, Point{last.X, f.Height})
	}
}
