package diagram

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// node is a box of the tree of an aggregate: an entity, a value object, or the circle of a disjunction.
type node struct {
	name   string
	above  []string // lines above the name
	notes  []string // lines below the name
	rows   []Text
	foot   []Text // methods and views, below a line
	thick  bool
	circle bool
	root   bool
	link   string
	object *model.Object // nil for an aggregate and for a circle
	kids   []*kid
	exits  []*exit // lines at its right border, the uppermost first: the first ones lead to the node itself
	level  int

	x, y, w, h float64
	head       float64 // the height of the title
	kidsWidth  float64
	inner      float64 // the width of the node with its labels, or of everything below it
	middle     float64 // its centre in this width, where the lines to its kids begin
	at         float64 // its left border in this width
}

// kid is a node that another one contains, by one composition or by several.
type kid struct {
	*node
	edges []*edge
}

// edge is a composition.
type edge struct {
	label     string // the field and its multiplicity
	mandatory bool
	key       string  // text of a box at the line; "" for none
	dashed    bool    // its value is a copy
	choice    bool    // it leads to the circle of a disjunction
	x         float64 // distance from the left border of the kid
}

// exit is a reference that leaves a node.
type exit struct {
	label     string
	mandatory bool
	target    string // the key of the aggregate that it leads to
	dashed    bool
	derived   bool    // it leads from a derived aggregate or table to its source
	self      bool    // the root refers to itself
	side      side    // the border at which it leaves its group
	text      int     // the index of its label in the texts of its group
	free      bool    // it can leave at both borders: a reference of the root
	lane      float64 // where a free one leads down
	path      []Point // drawn part of the line
}

const (
	gutter     = 28 // distance of two boxes
	padding    = 10 // space at the borders of a box
	headHeight = 26 // the title of a box
	noteHeight = 14 // a line below the title
	siblings   = 24 // distance of two nodes of a level
	bus        = 20 // distance of a node from the horizontal line to its kids
	track      = 8  // distance of two parallel lines
	exitHeight = 16 // height of a reference with its label
	circleSize = 30
	labelGap   = 5  // distance of a line and its label
	labelRise  = 5  // distance of a line and the baseline of its label, whose underline is between them
	beside     = 10 // space after a label
)

// measure sets the size of a node.
func (n *node) measure() {
	if n.circle {
		n.w, n.h = circleSize, circleSize
		if k := len(n.exits); k > 0 {
			n.h = max(n.h, n.exitY(k-1)-n.y+4)
		}
		return
	}
	n.w = title.width(n.name) + 2*padding
	for _, s := range slices.Concat(n.above, n.notes) {
		n.w = max(n.w, note.width(s)+2*padding)
	}
	for _, rows := range [][]Text{n.rows, n.foot} {
		for i := range rows {
			n.w = max(n.w, rows[i].Width()+2*padding)
		}
	}
	n.head = headHeight + float64(len(n.above)+len(n.notes))*noteHeight
	n.h = n.head + part(n.rows) + part(n.foot)
	if k := len(n.exits); k > 0 {
		n.h = max(n.h, n.exitY(k-1)-n.y+6)
	}
	for _, k := range n.kids {
		k.slots()
	}
}

// part returns the height of a part of a box with some rows.
func part(rows []Text) float64 {
	if len(rows) == 0 {
		return 0
	}
	return float64(len(rows))*lineHeight + padding
}

// exitY returns the height at which the reference with an index leaves the node.
func (n *node) exitY(i int) float64 {
	if n.circle {
		return n.y + circleSize/2 + float64(i)*exitHeight
	}
	return n.y + headHeight + 14 + float64(i)*exitHeight
}

// slots places the lines to a kid. A single line ends in the middle; several are beside one another, each with its label.
func (k *kid) slots() {
	if len(k.edges) == 1 {
		k.edges[0].x = k.w / 2
		return
	}
	x := float64(padding)
	for _, e := range k.edges {
		e.x = x + e.half()
		x = e.x + e.right() + beside
	}
	k.w = max(k.w, x)
}

// half returns half of the width of the box at the line.
func (e *edge) half() float64 {
	if e.key == "" {
		return 0
	}
	return small.width(e.key)/2 + 4
}

// right returns the width to the right of the line.
func (e *edge) right() float64 { return e.half() + labelGap + small.width(e.label) }

// exitsWidth returns the width to the right of the node: of the labels of its references, and of the lines of references to itself.
func (n *node) exitsWidth() (wide float64) {
	for _, e := range n.exits {
		wide = max(wide, n.stem()+labelGap+small.width(e.label)+beside)
	}
	return wide + float64(n.selfReferences())*track
}

// stem is the length of the line from which the references of a circle branch.
func (n *node) stem() float64 {
	if n.circle && len(n.exits) > 1 {
		return track
	}
	return 0
}

// selfReferences returns the number of references of the node to itself.
func (n *node) selfReferences() (count int) {
	for _, e := range n.exits {
		if e.self {
			count++
		}
	}
	return count
}

// lanes returns the width of the references that lead down from the node.
func (n *node) lanes() float64 {
	if down := len(n.exits) - n.selfReferences(); down > 0 {
		return float64(down)*track + padding
	}
	return 0
}

// shape sets the widths of the node and of everything below it.
func (n *node) shape() {
	n.kidsWidth = 0
	for i, k := range n.kids {
		k.shape()
		if i > 0 {
			n.kidsWidth += siblings
		}
		n.kidsWidth += k.span()
	}
	n.middle = max(n.w/2, n.anchor())
	n.inner = n.middle + max(n.w/2+n.exitsWidth(), n.kidsWidth-n.anchor())
	n.at = n.middle - n.w/2
}

// anchor returns the middle between the first and the last line to a kid.
func (n *node) anchor() float64 {
	if len(n.kids) == 0 {
		return 0
	}
	first, last := n.kids[0], n.kids[len(n.kids)-1]
	end := n.kidsWidth - last.span() + last.at + last.edges[len(last.edges)-1].x
	return (first.at + first.edges[0].x + end) / 2
}

// span returns the width of the node with everything below it and its references.
func (n *node) span() float64 { return n.inner + n.lanes() }

// span returns the width of a kid with the labels of the lines to it.
func (k *kid) span() float64 {
	last := k.edges[len(k.edges)-1]
	return max(k.node.span(), k.at+last.x+last.right()+beside)
}

// place sets the places of a node and of the nodes below it. ys are the upper borders of the levels.
func (n *node) place(x float64, ys []float64) {
	n.x, n.y = x+n.at, ys[n.level]
	at := x + n.middle - n.anchor()
	for _, k := range n.kids {
		k.place(at, ys)
		at += k.span() + siblings
	}
}

// levels sets the levels of the nodes, and returns the greatest height of the nodes of each level and whether a line to one of them has
// a box.
func (n *node) levels(level int, heights []float64, qualified []bool) ([]float64, []bool) {
	n.level = level
	if level == len(heights) {
		heights, qualified = append(heights, 0), append(qualified, false)
	}
	heights[level] = max(heights[level], n.h)
	for _, k := range n.kids {
		heights, qualified = k.levels(level+1, heights, qualified)
		for _, e := range k.edges {
			qualified[level+1] = qualified[level+1] || e.key != ""
		}
	}
	return heights, qualified
}
