package skew

import (
	"cmp"
	"slices"
	"time"
)

// Answer is the time of one node, as received by the client.
type Answer struct {
	Host      string
	Server    time.Time     // the clock of the node
	Client    time.Time     // the clock of the client, when the answer arrived
	RoundTrip time.Duration // the time between the request and the answer, by a monotonic clock
}

// offset returns the range of the difference between the client's clock and the node's when the node answered.
func (a *Answer) offset() (least, most time.Duration) {
	most = a.Client.Sub(a.Server)
	return most - a.RoundTrip, most
}

// least returns the smallest skew that is consistent with the answer: zero if the range of offsets contains zero. It allows
// for half the round trip if the request and the answer take equally long.
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

// Finding is the result of comparing the answers of several nodes.
type Finding struct {
	Nodes  int           // the number of nodes that answered
	Host   string        // the node whose skew is the median
	Skew   time.Duration // the median: how far the client's clock is ahead; negative: behind
	Spread time.Duration // the smallest possible difference between the two clocks of nodes that differ most
}

// Measure returns the finding for answers. If a node has several answers, it uses the one with the shortest round trip. For
// an even number of nodes, the median is the one of the two in the middle with the smaller absolute value.
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

// onePerNode returns the answer of each node with the shortest round trip.
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

// spread returns the smallest possible difference between the two nodes that differ most.
func spread(nodes []Answer) time.Duration {
	greatest, smallest := nodes[0].offset()
	for i := range nodes {
		from, to := nodes[i].offset()
		greatest, smallest = max(greatest, from), min(smallest, to)
	}
	return max(0, greatest-smallest)
}

// Verdict is the interpretation of a finding.
type Verdict uint8

// The verdicts.
const (
	Right      Verdict = iota // the client's clock is within the limit
	Wrong                     // the client's clock is beyond the limit, and the nodes agree with each other
	Disputed                  // the nodes differ from each other by more than the limit
	Unanswered                // no node answered
)

// String returns the verdict in lower case.
func (v Verdict) String() string {
	return [...]string{"right", "wrong", "disputed", "unanswered"}[v]
}

// Exceeds reports whether the absolute value of the median is above the limit, however much the nodes differ.
func (f *Finding) Exceeds(limit time.Duration) bool { return f.Skew.Abs() > limit }

// Verdict returns the verdict on the finding with a limit.
func (f *Finding) Verdict(limit time.Duration) Verdict {
	switch {
	case f.Nodes == 0:
		return Unanswered
	case f.Spread > limit:
		return Disputed
	case f.Exceeds(limit):
		return Wrong
	}
	return Right
}
