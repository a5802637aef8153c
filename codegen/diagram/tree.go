package diagram

import "github.com/cassaml/cassaml/aml/model"

// frame is the drawing of one aggregate.
type frame struct {
	*Picture
	root       *node
	references []exit
	entries    float64 // the width that is needed for the references to the root
	next       float64 // where the next of them ends
}

// exit is the place where a reference leaves the frame, at its lower border.
type exit struct {
	x      float64
	label  string
	target *model.Aggregate
}

const (
	siblings = 24 // between two nodes of a level
	bus      = 22 // from a node to the horizontal line to its kids
	track    = 7  // between two parallel lines
	stub     = 46 // from the horizontal line to a kid, with its label
	tab      = 22 // the height of the tab with the name of an aggregate
	entry    = 30 // above the root, for the labels of references to it
)

// frame draws an aggregate. entering are the labels of the references to it.
func (d *amlDrawing) frame(a *model.Aggregate, entering []string) *frame {
	root, references := d.tree(a)
	f := &frame{Picture: &Picture{}, root: root}
	for _, label := range entering {
		f.entries += small.width(label) + siblings
	}
	root.w = max(root.w, f.entries)
	left := float64(padding)
	name := Text{X: padding, Y: tab - 7, S: plain(a.Struct.Name), Style: strong, Color: Faint}
	width := root.span()
	if at := width/2 - root.w/2; len(entering) > 0 && !d.members {
		left = max(left, name.Width()+3*padding-at) // no arrow crosses the tab
	}
	tracks := tracksOf(root, references)
	top := float64(tab + entry)
	heights := root.levels(nil, 0)
	ys := make([]float64, len(heights)+1)
	ys[0] = top
	for i, h := range heights {
		ys[i+1] = ys[i] + h + bus + stub + float64(tracks[i])*track
	}
	root.place(left, ys, 0)
	bottom := ys[len(heights)-1] + heights[len(heights)-1] + padding + float64(tracks[len(heights)-1])*track
	right := max(left+width, name.Width()+2*padding) + padding
	f.next = root.x + 12
	f.drawNode(d, root)
	f.exits(references, ys, heights, &right, bottom)
	f.Width, f.Height = right, bottom
	if !d.members {
		f.Boxes = append([]Box{{W: name.Width() + 2*padding, H: tab, Fill: Head, Stroke: Frame}, {Y: tab, W: right, H: bottom - tab, Fill: None, Stroke: Frame, Dashed: a.Redundancy != nil, Group: true}}, f.Boxes...)
		f.write(name)
	}
	return f
}

// tracksOf returns the number of references that leave the nodes of each level.
func tracksOf(root *node, references []reference) []int {
	root.number(0)
	tracks := make([]int, 64)
	for _, r := range references {
		tracks[r.from.level]++
	}
	return tracks
}

// number sets the levels of the nodes.
func (n *node) number(level int) {
	n.level = level
	for _, e := range n.kids {
		e.kid.number(level + 1)
	}
}

// span returns the width of a node with everything below it.
func (n *node) span() float64 {
	kids := 0.0
	for i, e := range n.kids {
		if i > 0 {
			kids += siblings
		}
		kids += e.span()
	}
	return max(n.w, kids)
}

// span returns the width of a kid with its label.
func (e *edge) span() float64 {
	return max(e.kid.span(), 2*(max(small.width(e.qualifier)/2+padding, 0)+small.width(e.label)+8))
}

// levels returns the greatest height of the nodes of each level.
func (n *node) levels(heights []float64, level int) []float64 {
	if level == len(heights) {
		heights = append(heights, 0)
	}
	heights[level] = max(heights[level], n.h)
	for _, e := range n.kids {
		heights = e.kid.levels(heights, level+1)
	}
	return heights
}

// place sets the places of a node and of the nodes below it, in the columns from x on.
func (n *node) place(x float64, ys []float64, level int) {
	span := n.span()
	n.x, n.y = x+span/2-n.w/2, ys[level]
	kids := 0.0
	for i, e := range n.kids {
		if i > 0 {
			kids += siblings
		}
		kids += e.span()
	}
	at := x + span/2 - kids/2
	for _, e := range n.kids {
		e.kid.place(at+(e.span()-e.kid.span())/2, ys, level+1)
		at += e.span() + siblings
	}
}

// middle returns the horizontal centre of a node.
func (n *node) middle() float64 { return n.x + n.w/2 }

// drawNode draws a node, and the compositions below it.
func (f *frame) drawNode(d *amlDrawing, n *node) {
	if n.circle {
		f.Boxes = append(f.Boxes, Box{X: n.x, Y: n.y, W: n.w, H: n.h, Fill: Panel, Stroke: Ink, Round: true})
		f.Texts = append(f.Texts, Text{X: n.middle() - small.width("×")/2, Y: n.y + n.h - 3, S: "×", Style: small, Color: Ink})
	} else {
		f.Boxes = append(f.Boxes, Box{X: n.x, Y: n.y, W: n.w, H: n.h, Fill: Panel, Stroke: Ink, Thick: n.thick},
			Box{X: n.x, Y: n.y, W: n.w, H: headHeight, Fill: Head, Stroke: Ink, Thick: n.thick})
		f.Texts = append(f.Texts, Text{X: n.middle() - title.width(n.name)/2, Y: n.y + headHeight - 8, S: n.name, Style: title, Color: Ink})
		for i, row := range n.rows {
			row.X, row.Y = n.x+padding, n.y+headHeight+float64(i+1)*lineHeight
			f.Texts = append(f.Texts, row)
		}
	}
	for _, e := range n.kids {
		f.composition(n, e)
		f.drawNode(d, e.kid)
	}
}

// composition draws the line to a kid. The lines from one node share their diamond and their horizontal part.
func (f *frame) composition(n *node, e *edge) {
	x, top, below := e.kid.middle(), e.kid.y, e.kid.y
	label := Text{X: x + 5, Y: top - 14, S: e.label, Style: small, Color: Faint}
	if e.qualifier != "" {
		const high, under = 16, 10 // of its box
		w := small.width(e.qualifier) + 8
		f.Boxes = append(f.Boxes, Box{X: x - w/2, Y: top - under - high, W: w, H: high, Fill: Panel, Stroke: Ink})
		f.Texts = append(f.Texts, Text{X: x - w/2 + 4, Y: top - 14, S: e.qualifier, Style: small, Color: Ink})
		f.Lines = append(f.Lines, Line{Points: []Point{{x, top}, {x, top - under}}, Stroke: Ink, Dashed: e.dashed})
		label.X, below = x+w/2+5, top-under-high
	}
	end := Diamond
	if n.circle {
		end = Plain
	}
	f.Lines = append(f.Lines, Line{Points: []Point{{x, below}, {x, top - stub}, {n.middle(), top - stub}, {n.middle(), n.y + n.h}}, Stroke: Ink, Dashed: e.dashed, End: end})
	f.Texts = append(f.Texts, label)
}

// exits leads each reference below the level of its node to the right, and down to the lower border.
func (f *frame) exits(references []reference, ys, heights []float64, right *float64, bottom float64) {
	used := make([]int, len(heights))
	for i, r := range references {
		level := r.from.level
		n := used[level]
		used[level]++
		x := r.from.x + r.from.w - 8 - float64(n%4)*track
		if r.from.circle {
			x = r.from.middle()
		}
		y := ys[level] + heights[level] + 8 + float64(n)*track
		lane := *right + float64(i)*track
		f.Lines = append(f.Lines, Line{Points: []Point{{x, r.from.y + r.from.h}, {x, y}, {lane, y}, {lane, bottom}}, Stroke: Ink})
		f.references = append(f.references, exit{lane, r.label, r.target})
	}
	if len(references) > 0 {
		*right += float64(len(references)) * track
	}
}
