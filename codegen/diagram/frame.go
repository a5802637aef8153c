package diagram

// frame is the drawing of one aggregate or table, from which references leave at its lower border.
type frame struct {
	*Picture
	exits   []*exit
	entries [2]float64 // where references can end, from the left
	top     float64    // the upper border of the box at which they end
	port    Point      // where a line to the frames derived from it begins, on its right border
	socket  Point      // where a line from its source ends, on its left border
}

const (
	tab   = 22 // the height of the tab with the name of an aggregate
	entry = 20 // space above a root for the references to it
)

// newFrame draws a tree of nodes, in a package with a name unless that is empty. entering is the number of references to it.
func newFrame(root *node, name string, dashed bool, entering int) *frame {
	tabbed := Text{X: padding, Y: tab - 7, S: name, Style: strong, Color: Faint}
	side, top, tabWidth := 0.0, 0.0, 0.0
	if name != "" {
		side, top, tabWidth = padding, tab, tabbed.Width()+2*padding
	}
	selves := float64(root.selfReferences()) * track
	top += entry + max(0, selves-track)
	need := float64(entering)*track + selves
	root.w = max(root.w, need+2*padding)
	root.shape()
	left := side
	if entering > 0 {
		left = max(left, tabWidth+padding+need-root.at-root.w)
	}
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
	bottom := ys[last] + heights[last] + side
	d := &drawing{Picture: &Picture{}, bottom: bottom}
	root.place(left, ys)
	d.node(root)
	f := &frame{Picture: d.Picture, exits: d.exits, top: root.y, entries: [2]float64{max(root.x+padding, tabWidth), root.x + root.w - padding - selves}}
	f.Width, f.Height = max(left+root.span(), tabWidth)+side, bottom
	f.port, f.socket = Point{root.x + root.w, root.y + headHeight/2}, Point{root.x, root.y + headHeight/2}
	if name != "" {
		f.Boxes = append([]Box{
			{W: tabWidth, H: tab, Fill: Head, Stroke: Frame, Link: root.link},
			{Y: tab, W: f.Width, H: bottom - tab, Fill: None, Stroke: Frame, Dashed: dashed, Group: true},
		}, f.Boxes...)
		tabbed.Link = root.link
		f.Texts = append(f.Texts, tabbed)
		f.port, f.socket = Point{f.Width, tab + headHeight/2}, Point{0, tab + headHeight/2}
	}
	return f
}

// moveTo moves the frame, and adds it to a picture.
func (f *frame) moveTo(into *Picture, x, y float64) {
	into.add(f.Picture, x, y)
	for _, e := range f.exits {
		for i := range e.path {
			e.path[i].X += x
			e.path[i].Y += y
		}
	}
	f.entries[0] += x
	f.entries[1] += x
	f.top += y
	for _, p := range []*Point{&f.port, &f.socket} {
		p.X += x
		p.Y += y
	}
}
