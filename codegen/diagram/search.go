package diagram

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/cassaml/cassaml/codegen/diagram/graphviz"
)

// search is a graph, which is a part of a page, with the ways in which it is laid out.
type search struct {
	groups []*group
	part   *group
	candidate
	next  int         // the number of the next attempt
	found []candidate // those that the page has not considered
}

// candidate is a picture of a graph.
type candidate struct {
	*Picture
	crossings int
}

// throughBox is how many crossings a line through a box counts as.
const throughBox = 100

// rounds is how often a graph is laid out again with the ends of references that follow from the places before.
const rounds = 3

// The numbers of attempts to lay out a graph: the best of the first ones is used, and all are made if a page misses a goal.
const (
	firstAttempts = 4
	mostAttempts  = 40
)

// fewCrossings are accepted without further attempts.
const fewCrossings = 3

// good is the score of a picture that is not compared with others: it has no crossings, or very few, and fits on a page.
const good = 2.5

// affordable returns the number of attempts that take about a second: 0 for a graph that is laid out once, with less care.
func affordable(groups []*group) int {
	const effort = 80_000
	size := len(groups)
	for _, g := range groups {
		size += len(g.exits)
	}
	return effort / (size * size)
}

// score returns a number that is lower if a picture is easier to read: a crossing counts as much as a page whose ratio differs by a fifth from the ratio of
// a screen.
func (c candidate) score() float64 {
	return float64(c.crossings) + 5*math.Abs(math.Log(c.Width/c.Height/1.3))
}

// use makes a candidate the part of the page.
func (s *search) use(c candidate) {
	s.candidate = c
	*s.part = *newGroup(&frame{Picture: c.Picture})
}

// first lays out the graph from the top to the bottom and from the left to the right, again in another order if there are many crossings, and uses the
// best picture.
func (s *search) first() error {
	var least float64
	most := min(max(affordable(s.groups), 1), firstAttempts)
	for s.next < most && (s.next < 2 || s.crossings > fewCrossings) {
		err := s.attempt(func(c candidate) bool {
			if score := c.score(); s.Picture == nil || score < least {
				least = score
				s.use(c)
			}
			return least < good
		})
		if err != nil || least < good {
			return err
		}
	}
	return nil
}

// boxCrossings returns the crossings of the graph if its groups are boxes of the same size, whose references begin and end where Graphviz likes.
func (s *search) boxCrossings() (int, error) {
	g := newGraph(s.groups, newAttempt(0))
	layout, err := graphviz.Dot(g.boxes())
	if err != nil {
		return 0, err
	}
	p := &Picture{}
	for _, e := range g.edges {
		l := Line{Curve: true}
		for _, q := range layout.Edges[e.id] {
			l.Points = append(l.Points, Point(q))
		}
		p.Lines = append(p.Lines, l)
	}
	return Crossings(p), nil
}

// further returns the candidates that have not been returned, or, after these, all of a further attempt; nil after the last one.
func (s *search) further() (out []candidate, err error) {
	if s.found == nil && s.next < min(affordable(s.groups), mostAttempts) {
		err = s.attempt(func(candidate) bool { return false })
	}
	out, s.found = s.found, nil
	return out, err
}

// attempt lays out the graph in the next way, until done returns true for a candidate. Graphviz computes the places and the curves. From the places
// follow the borders of the roots at which references end, and the order in which they begin and end; with these, it computes both again.
func (s *search) attempt(done func(candidate) bool) error {
	g := newGraph(s.groups, newAttempt(s.next))
	s.next++
	layout, err := graphviz.Dot(g.text())
	if err == nil && g.folded && g.fold(layout) {
		layout, err = graphviz.Dot(g.text())
	}
	text, most := "", rounds
	if affordable(s.groups) == 0 {
		most = 1
	}
	for range most {
		if err != nil {
			return err
		}
		g.chooseEnds(layout)
		g.order(layout)
		g.distribute(layout)
		before := text
		if text = g.text(); text == before { // further rounds would be the same
			return nil
		}
		if layout, err = graphviz.Dot(text); err != nil {
			return err
		}
		p := g.draw(layout)
		c := candidate{p, Crossings(p) + throughBox*p.pierced()}
		s.found = append(s.found, c)
		if done(c) {
			return nil
		}
	}
	return nil
}

// attempt is a way to lay out a graph.
type attempt struct {
	direction string // TB or LR
	shuffled  int    // the order of the nodes and edges: 0 is as in the model, 1 the reverse one, and others are random
	folded    bool   // a long picture is divided
}

func newAttempt(i int) attempt {
	return attempt{[]string{"TB", "LR"}[i%2], i / 2, i >= firstAttempts && i/2%2 == 1}
}

// permuted returns the numbers below n in the order of the attempt. Graphviz breaks cycles and orders the nodes of a rank in another way then.
func (a attempt) permuted(n int) []int {
	out := rand.New(rand.NewPCG(uint64(a.shuffled), 0)).Perm(n)
	if a.shuffled < 2 {
		slices.Sort(out)
	}
	if a.shuffled == 1 {
		slices.Reverse(out)
	}
	return out
}

// fold divides a long layout into parts whose ranks begin beside one another: references between them do not decide ranks. It reports whether the layout is
// long. Each order has other parts.
func (g *graph) fold(layout *graphviz.Layout) bool {
	at := func(i int) float64 { return layout.Nodes[nodeName(i)].Y / layout.Height }
	ratio := layout.Height / layout.Width
	if g.direction == "LR" {
		at, ratio = func(i int) float64 { return layout.Nodes[nodeName(i)].X / layout.Width }, 1/ratio
	}
	parts := math.Ceil(math.Sqrt(ratio / mostRatio))
	if parts <= 1 {
		// The layout is not divided. Some references decide no ranks, so that it differs from the others.
		shift := float64((g.shuffled/2+1)%5-2) / 5
		for i, over := range g.acrossBorder(1, shift, at) {
			g.edges[i].loose = over
		}
		return false
	}
	cuts := g.cuts(parts, at)
	for i, over := range cuts[g.shuffled/2%min(len(cuts), foldedCuts)] {
		g.edges[i].loose = over
	}
	return true
}

// foldedCuts is the number of the cuts with the fewest references over them that are tried.
const foldedCuts = 5

// cuts returns the ways to divide a long layout into parts: for each edge whether it leads over a cut. Those with the fewest such edges are the first.
func (g *graph) cuts(parts float64, at func(i int) float64) (out [][]bool) {
	loose := func(over []bool) (n int) {
		for _, o := range over {
			if o {
				n++
			}
		}
		return n
	}
	for _, shift := range []float64{0, -0.08, 0.08, -0.16, 0.16, -0.24, 0.24, -0.32, 0.32, -0.4, 0.4} { // the most equal parts first
		over := g.acrossBorder(parts, shift, at)
		if !slices.ContainsFunc(out, func(o []bool) bool { return slices.Equal(o, over) }) {
			out = append(out, over)
		}
	}
	slices.SortStableFunc(out, func(a, b []bool) int { return cmp.Compare(loose(a), loose(b)) })
	return out
}

// acrossBorder returns for each edge whether it leads over the border of two equal parts, which are shifted by a share of a part.
func (g *graph) acrossBorder(parts, shift float64, at func(i int) float64) []bool {
	out := make([]bool, len(g.edges))
	for i, l := range g.edges {
		out[i] = math.Round(at(l.from)*parts-0.5+shift) != math.Round(at(l.to)*parts-0.5+shift)
	}
	return out
}
