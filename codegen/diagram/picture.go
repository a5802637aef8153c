package diagram

// Picture is a drawing. Lengths are pixels of CSS, from the left and from the top. Shapes are drawn in their order.
type Picture struct {
	Title  string // kind of the drawing and names of the packages
	About  string // description for readers who cannot see it
	Width  float64
	Height float64
	Boxes  []Box
	Lines  []Line
	Texts  []Text
}

// Color is the purpose of a colour. A palette has the colours.
type Color int

// The colours.
const (
	None        Color = iota // transparent
	Paper                    // the background
	Panel                    // the background of a box
	Head                     // the background of its title
	Frame                    // the border of a group
	Ink                      // text and borders
	Faint                    // less important parts
	Key                      // columns of a primary key
	Copy                     // derived parts
	Added                    // parts that a change adds
	AddedBack                // the background of it
	Removed                  // parts that a change removes
	RemovedBack              // the background of it
	Changed                  // parts that a change alters
	ChangedBack              // the background of it
)

// Box is a rectangle.
type Box struct {
	X, Y, W, H   float64
	Fill, Stroke Color
	Thick        bool
	Dashed       bool
	Group        bool   // it contains other boxes
	Round        bool   // a circle
	Link         string // the address that it links to; "" for none
	Name         string // the label of the link
}

// Point is a position.
type Point struct{ X, Y float64 }

// Line is a polyline.
type Line struct {
	Points []Point
	Stroke Color
	Dashed bool
	Curve  bool   // the points are control points of cubic curves: between each two points on the line are two control points
	Start  Marker // the marker at the first point
	End    Marker // the marker at the last point
}

// Marker is the end of a line.
type Marker int

// The markers.
const (
	Plain   Marker = iota
	Arrow          // open
	Diamond        // filled
)

// Text is a text on one line. X is its left edge and Y its baseline.
type Text struct {
	X, Y      float64
	S         string
	Style     Style
	Color     Color
	Underline bool
	Link      string // link of its box
}

// Style is the style of a text.
type Style struct {
	Size   float64
	Bold   bool
	Italic bool
	Mono   bool // all characters have the same width
}

// The styles of the notations.
var (
	heading = Style{Size: 15, Bold: true}
	title   = Style{Size: 12, Bold: true}
	body    = Style{Size: 12}
	strong  = Style{Size: 12, Bold: true}
	small   = Style{Size: 11}
	note    = Style{Size: 11, Italic: true}
	tiny    = Style{Size: 9, Bold: true}
)

const lineHeight = 17 // height of a row of text

// move moves all shapes.
func (p *Picture) move(dx, dy float64) {
	for i := range p.Boxes {
		p.Boxes[i].X += dx
		p.Boxes[i].Y += dy
	}
	for i := range p.Lines {
		for j := range p.Lines[i].Points {
			p.Lines[i].Points[j].X += dx
			p.Lines[i].Points[j].Y += dy
		}
	}
	for i := range p.Texts {
		p.Texts[i].X += dx
		p.Texts[i].Y += dy
	}
}

// add adds a picture at a position, and enlarges p if necessary.
func (p *Picture) add(q *Picture, x, y float64) {
	q.move(x, y)
	p.Boxes = append(p.Boxes, q.Boxes...)
	p.Lines = append(p.Lines, q.Lines...)
	p.Texts = append(p.Texts, q.Texts...)
	p.Width, p.Height = max(p.Width, x+q.Width), max(p.Height, y+q.Height)
}

// write adds a text, and enlarges p if necessary.
func (p *Picture) write(t Text) {
	p.Texts = append(p.Texts, t)
	p.Width, p.Height = max(p.Width, t.X+t.Width()), max(p.Height, t.Y+t.Style.Size/4)
}
