package skew

import (
	"cmp"
	"slices"
	"time"
)

// Answer is the time of one node, as it came to the client.
type Answer struct {
	Host      string
	Server    time.Time     // the clock of the node
	Client    time.Time     // the clock of the client, when the answer arrived
	RoundTrip time.Duration // from the question to the answer, by a clock that does not jump
}

// offset returns the range in which the client's clock minus the node's was when the node answered.
func (a *Answer) offset() (least, most time.Duration) {
	most = a.Client.Sub(a.Server)
	return most - a.RoundTrip, most
}

// least returns the smallest skew that explains the answer. With the clocks at equal distances from the answer, half the
// round trip is allowed for, on either side.
func (a *Answer) least() time.Duration {
	from, to := a.offset()
	switch {
	case from > 0:
		return from
	case to < 0:
		return to
	}
	return 0
}

// Finding is what the answers of several nodes show.
type Finding struct {
	Nodes  int           // how many answered
	Host   string        // the node whose skew is the median
	Skew   time.Duration // the median: how far the client's clock is ahead; negative: behind
	Spread time.Duration // how far the clocks of the nodes certainly differ from each other
}

// Measure returns the finding of some answers. Of several answers of one node the one with the shortest round trip
// counts. Of an even number of nodes the median is the smaller of the two in the middle.
func Measure(answers []Answer) Finding {
	nodes := onePerNode(answers)
	if len(nodes) == 0 {
		return Finding{}
	}
	slices.SortFunc(nodes, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.least(), b.least()), cmp.Compare(a.Host, b.Host))
	})
	median := nodes[len(nodes)/2]
	if other := nodes[(len(nodes)-1)/2]; other.least().Abs() < median.least().Abs() {
		median = other
	}
	return Finding{Nodes: len(nodes), Host: median.Host, Skew: median.least(), Spread: spread(nodes)}
}

// onePerNode returns the best answer of each node.
func onePerNode(answers []Answer) []Answer {
	best := map[string]Answer{}
	for _, a := range answers {
		if b, ok := best[a.Host]; !ok || a.RoundTrip < b.RoundTrip {
			best[a.Host] = a
		}
	}
	nodes := make([]Answer, 0, len(best))
	for _, a := range best {
		nodes = append(nodes, a)
	}
	return nodes
}

// spread returns how far the two nodes that differ most are apart at least.
func spread(nodes []Answer) time.Duration {
	greatest, smallest := nodes[0].offset()
	for i := range nodes {
		from, to := nodes[i].offset()
		greatest, smallest = max(greatest, from), min(smallest, to)
	}
	return max(0, greatest-smallest)
}

// Verdict is what a finding means.
type Verdict uint8

// The verdicts.
const (
	Right      Verdict = iota // the client's clock is within the limit
	Wrong                     // it is not, and the nodes agree with each other
	Disputed                  // the nodes differ from each other by more than the limit
	Unanswered                // no node answered
)

// String returns the verdict in lower case.
func (v Verdict) String() string {
	return [...]string{"right", "wrong", "disputed", "unanswered"}[v]
}

// Beyond reports whether the median is above the limit, whatever the nodes differ by.
func (f *Finding) Beyond(limit time.Duration) bool { return f.Skew.Abs() > limit }

// Verdict returns what the finding means under a limit.
func (f *Finding) Verdict(limit time.Duration) Verdict {
	switch {
	case f.Nodes == 0:
		return Unanswered
	case f.Spread > limit:
		return Disputed
	case f.Beyond(limit):
		return Wrong
	}
	return Right
}
