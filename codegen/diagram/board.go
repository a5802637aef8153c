package diagram

// board has the groups of a drawing in rows, with the references between them.
type board struct {
	groups []*group
	rows   [][]*group
	routes []*route
	gaps   [][]int   // number of lines, by row: at the left of each group, and at the right of the last
	used   [][]int   // the same, of the lines that have a place
	tops   []float64 // tops of the rows
}

// route is a reference between two groups: down from its group, through gaps between the groups of the rows that it crosses, and from
// above to its target.
type route struct {
	*exit
	from, to *group
	hops     []hop     // the rows that it crosses
	levels   []float64 // the height of the horizontal line between each two of exit, hops and entry
	entry    float64   // where it ends
	near     bool      // its first horizontal line is directly below its group, not below the row
}

// hop is the crossing of a row.
type hop struct {
	row, gap, lane int
	x              float64
}
