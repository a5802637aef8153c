package diagram

import "math"

// group is an aggregate or a table with its place, or a part of a picture.
type group struct {
	*frame
	x, y float64
	in   string // the label of its package
}

func newGroup(f *frame) *group {
	f.Width, f.Height = math.Ceil(f.Width), math.Ceil(f.Height)
	return &group{frame: f}
}
