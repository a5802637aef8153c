package diagram

// drawing draws the nodes of one aggregate.
type drawing struct {
	*Picture
	bottom float64 // where the references leave the aggregate
	exits  []*exit
}

const (
	stub      = 30 // length of a labelled line from the horizontal line to a kid
	qualified = 50 // the same with a box at the line
	boxHeight = 16 // height of a box at a line
	boxGap    = 14 // distance of such a box and the kid, with the head of the arrow
)

// node draws a node, and everything below it.
func (d *drawing) node(n *node) {
	if n.circle {
		d.circle(n)
	} else {
		d.box(n)
	}
	for i, e := range n.exits {
		d.exit(n, i, e)
	}
	for _, k := range n.kids {
		for _, e := range k.edges {
			d.composition(n, k, e)
		}
		d.node(k.node)
	}
}

func (d *drawing) circle(n *node) {
	const word = "XOR"
	d.Boxes = append(d.Boxes, Box{X: n.x, Y: n.y, W: circleSize, H: circleSize, Fill: Panel, Stroke: Ink, Round: true})
	d.Texts = append(d.Texts, Text{X: n.x + circleSize/2 - tiny.width(word)/2, Y: n.y + circleSize/2 + 3.5, S: word, Style: tiny, Color: Ink})
}

// box draws a node as a box with its title, its rows and its foot.
func (d *drawing) box(n *node) {
	d.Boxes = append(d.Boxes, Box{X: n.x, Y: n.y, W: n.w, H: n.h, Fill: Panel, Stroke: Ink, Thick: n.thick, Link: n.link, Name: n.name},
		Box{X: n.x, Y: n.y, W: n.w, H: n.head, Fill: Head, Stroke: Ink, Thick: n.thick, Link: n.link})
	for i, s := range n.above {
		d.centered(n, s, n.y+float64(i+1)*noteHeight, small, Faint)
	}
	head := n.y + headHeight + float64(len(n.above))*noteHeight
	d.centered(n, n.name, head-8, title, Ink)
	for i, s := range n.notes {
		d.centered(n, s, head+float64(i+1)*noteHeight-6, note, Faint)
	}
	y := n.y + n.head
	d.rows(n, n.rows, y)
	if len(n.foot) > 0 {
		y += part(n.rows)
		d.Boxes = append(d.Boxes, Box{X: n.x, Y: y, W: n.w, H: n.y + n.h - y, Fill: None, Stroke: Ink})
		d.rows(n, n.foot, y)
	}
}

func (d *drawing) rows(n *node, rows []Text, y float64) {
	for i, row := range rows {
		row.X, row.Y, row.Link = n.x+padding, y+float64(i+1)*lineHeight, n.link
		d.Texts = append(d.Texts, row)
	}
}

func (d *drawing) centered(n *node, s string, y float64, style Style, color Color) {
	d.Texts = append(d.Texts, Text{X: n.x + n.w/2 - style.width(s)/2, Y: y, S: s, Style: style, Color: color, Link: n.link})
}

// composition draws a line to a kid, with an arrow at its end. The lines from one node share their diamond and their horizontal part. The
// line to the circle of a disjunction has neither, because compositions and associations begin there.
func (d *drawing) composition(n *node, k *kid, e *edge) {
	x, top, middle := k.x+e.x, k.y, n.x+n.w/2
	below, long := top, float64(stub)
	label := Text{X: x + labelGap, Y: top - 13, S: e.label, Style: small, Color: Faint, Underline: e.mandatory}
	ends := [2]Marker{Arrow, Diamond}
	if e.choice {
		ends = [2]Marker{}
	}
	if d.qualified(n) {
		long = qualified
	}
	if e.key != "" {
		w := 2 * e.half()
		d.Boxes = append(d.Boxes, Box{X: x - w/2, Y: top - boxGap - boxHeight, W: w, H: boxHeight, Fill: Panel, Stroke: Ink})
		d.Texts = append(d.Texts, Text{X: x - w/2 + 4, Y: top - boxGap - 4, S: e.key, Style: small, Color: Ink})
		d.Lines = append(d.Lines, Line{Points: []Point{{x, top - boxGap}, {x, top}}, Stroke: Ink, Dashed: e.dashed, End: ends[0]})
		ends[0] = Plain
		below, label.X, label.Y = top-boxGap-boxHeight, x+w/2+labelGap, top-boxGap-4
	}
	points := []Point{{x, below}, {x, top - long}, {middle, top - long}, {middle, n.bottom()}}
	d.Lines = append(d.Lines, Line{Points: points, Stroke: Ink, Dashed: e.dashed, Start: ends[0], End: ends[1]})
	d.Texts = append(d.Texts, label)
}

// qualified reports whether a line to a kid of a node has a box.
func (d *drawing) qualified(n *node) bool {
	for _, k := range n.kids {
		for _, e := range k.edges {
			if e.key != "" {
				return true
			}
		}
	}
	return false
}

// bottom returns the lower border of the drawn part of a node.
func (n *node) bottom() float64 {
	if n.circle {
		return n.y + circleSize
	}
	return n.y + n.h
}

// exit draws the label of a reference. It leads to the right of everything below its node, and down to the lower border of the aggregate: the upper
// ones are on the outside, so they do not cross the lower ones. A reference of the root can lead to the right border instead.
func (d *drawing) exit(n *node, i int, e *exit) {
	y, right, selves := n.exitY(i), n.x+n.w, n.selfReferences()
	if e.label != "" {
		e.text = len(d.Texts)
		d.Texts = append(d.Texts, Text{X: right + n.stem() + labelGap, Y: y - labelRise, S: e.label, Style: small, Color: Faint, Underline: e.mandatory})
	}
	e.path = []Point{{right, y}}
	if n.circle && i > 0 {
		e.path = []Point{{right, n.exitY(0)}, {right + n.stem(), n.exitY(0)}, {right + n.stem(), y}}
	}
	if e.self {
		x, top, end := right+n.exitsWidth()-float64(selves-i)*track, n.y-12-float64(i)*track, right-padding-float64(i)*track
		e.path = append(e.path, Point{x, y}, Point{x, top}, Point{end, top}, Point{end, n.y})
		d.Lines = append(d.Lines, Line{Points: e.path, Stroke: Ink, End: Arrow})
		return
	}
	d.exits = append(d.exits, e)
	x := n.x - n.at + n.inner + float64(len(n.exits)-i)*track
	if n.root {
		e.free, e.lane = true, x
		return
	}
	e.path = append(e.path, Point{x, y}, Point{x, d.bottom})
}
