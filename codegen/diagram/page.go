package diagram

import "math"

// page is a picture of parts that are packed: graphs, and stacks of groups without references.
type page struct {
	roots  int
	parts  []*group
	graphs []*search
	full   float64 // the area of the groups
	most   int     // the number of crossings that are accepted
}

// The further goals of a page with more than a few roots. Titles and legends are not part of it: with them, its ratio is at most 2, and at most 80 % of it is white.
const (
	fewRoots  = 10
	mostRatio = 1.92 // the longer side divided by the other one
	mostWhite = 0.75 // the part of the area without groups
)

// layOut adds groups that refer to one another.
func (p *page) layOut(groups []*group) error {
	s := &search{groups: groups, part: &group{}}
	p.parts, p.graphs, p.full = append(p.parts, s.part), append(p.graphs, s), p.full+areas(groups)
	return s.first()
}

func areas(groups []*group) (sum float64) {
	for _, g := range groups {
		sum += g.Width * g.Height
	}
	return sum
}

// picture returns the picture of the parts. If it misses a goal, its graphs are laid out in further ways.
func (p *page) picture() (*Picture, error) {
	if p.most = fewCrossings; p.excess() > 0 {
		if err := p.improve(); err != nil {
			return nil, err
		}
	}
	return pack(p.parts), nil
}

// excess returns by how much the page misses its goals: 1 for each crossing beyond those that are accepted. It is 0 if the page meets them.
func (p *page) excess() float64 {
	crossings := 0
	for _, s := range p.graphs {
		crossings += s.crossings
	}
	out := max(0, float64(crossings-p.most))
	if p.roots > fewRoots {
		_, w, h := bestWidth(p.parts)
		w, h = w+2*margin, h+4*margin+2*heading.Size
		out += 10*max(0, math.Abs(math.Log(w/h))-math.Log(mostRatio)) + 20*max(0, 1-p.full/(w*h)-mostWhite)
	}
	return out
}

// improve lays out the graphs in further ways until the page meets its goals, and keeps those with which it is nearer to them. As many crossings are accepted
// as Graphviz draws of boxes.
func (p *page) improve() error {
	all := 0
	for _, s := range p.graphs {
		n, err := s.boxCrossings()
		if err != nil {
			return err
		}
		all += n
	}
	p.most = max(p.most, all)
	least := p.excess()
	for more := true; more; {
		more = false
		for _, s := range p.graphs {
			if least == 0 {
				return nil
			}
			found, err := s.further()
			if err != nil {
				return err
			}
			more = more || found != nil
			for _, c := range found {
				before := s.candidate
				s.use(c)
				if e := p.excess(); e < least {
					least = e
				} else {
					s.use(before)
				}
			}
		}
	}
	return nil
}
