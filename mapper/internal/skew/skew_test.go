package skew_test

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/mapper/internal/skew"
)

var noon = time.UnixMilli(1_700_000_000_000)

// answer returns the answer of a node whose clock is behind the client's, read in the middle of the round trip.
func answer(host string, ahead, roundTrip time.Duration) skew.Answer {
	return skew.Answer{Host: host, Server: noon, Client: noon.Add(ahead + roundTrip/2), RoundTrip: roundTrip}
}

func TestMeasure(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, c := range []struct {
		name    string
		answers []skew.Answer
		want    skew.Finding
		verdict skew.Verdict // with a limit of a second
		beyond  bool
	}{
		{name: "no answer", verdict: skew.Unanswered},
		{"equal", []skew.Answer{answer("a", 0, 10*ms)}, skew.Finding{Nodes: 1, Host: "a"}, skew.Right, false},
		{"at the limit", []skew.Answer{answer("a", s, 0)}, skew.Finding{Nodes: 1, Host: "a", Skew: s}, skew.Right, false},
		{"ahead", []skew.Answer{answer("a", s+1, 0)}, skew.Finding{Nodes: 1, Host: "a", Skew: s + 1}, skew.Wrong, true},
		{"behind", []skew.Answer{answer("a", -s-1, 0)}, skew.Finding{Nodes: 1, Host: "a", Skew: -s - 1}, skew.Wrong, true},
		{"half the round trip is allowed", []skew.Answer{answer("a", 3*s, 4*s)}, skew.Finding{Nodes: 1, Host: "a", Skew: s}, skew.Right, false},
		{"half the round trip, behind", []skew.Answer{answer("a", -3*s, 4*s)}, skew.Finding{Nodes: 1, Host: "a", Skew: -s}, skew.Right, false},
		{"no more than half", []skew.Answer{answer("a", 3*s+1, 4*s)}, skew.Finding{Nodes: 1, Host: "a", Skew: s + 1}, skew.Wrong, true},
		{"the shortest round trip of a node counts", []skew.Answer{answer("a", 5*s, 2*s), answer("a", 5*s, ms), answer("a", 5*s, 4*s)},
			skew.Finding{Nodes: 1, Host: "a", Skew: 5*s - ms/2}, skew.Wrong, true},
		{"one wrong node of three", []skew.Answer{answer("c", 0, 0), answer("a", 3600*s, 0), answer("b", 0, 0)},
			skew.Finding{Nodes: 3, Host: "c", Spread: 3600 * s}, skew.Disputed, false},
		{"two nodes that differ", []skew.Answer{answer("a", 0, 0), answer("b", 9*s, 0)},
			skew.Finding{Nodes: 2, Host: "a", Spread: 9 * s}, skew.Disputed, false},
		{"two nodes that differ, on the other side", []skew.Answer{answer("a", -9*s, 0), answer("b", 0, 0)},
			skew.Finding{Nodes: 2, Host: "b", Spread: 9 * s}, skew.Disputed, false},
		{"the client is beyond nodes that differ", []skew.Answer{answer("a", 5*s, 0), answer("b", 9*s, 0)},
			skew.Finding{Nodes: 2, Host: "a", Skew: 5 * s, Spread: 4 * s}, skew.Disputed, true},
		{"nodes agree within the limit", []skew.Answer{answer("a", 5*s, 0), answer("b", 6*s, 0)},
			skew.Finding{Nodes: 2, Host: "a", Skew: 5 * s, Spread: s}, skew.Wrong, true},
		{"a round trip hides a difference of nodes", []skew.Answer{answer("a", 5*s, 2*s), answer("b", 9*s, 4*s)},
			skew.Finding{Nodes: 2, Host: "a", Skew: 4 * s, Spread: s}, skew.Wrong, true},
		{"the median of four", []skew.Answer{answer("a", 4*s, 0), answer("b", 2*s, 0), answer("c", 3*s, 0), answer("d", 9*s, 0)},
			skew.Finding{Nodes: 4, Host: "c", Skew: 3 * s, Spread: 7 * s}, skew.Disputed, true},
		{"farther than a Duration", []skew.Answer{{Host: "a", Server: time.Unix(0, 0), Client: time.Unix(1<<40, 0)}},
			skew.Finding{Nodes: 1, Host: "a", Skew: math.MaxInt64}, skew.Wrong, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := skew.Measure(c.answers)
			require.Equal(t, c.want, got)
			require.Equal(t, c.verdict, got.Verdict(s))
			require.Equal(t, c.beyond, got.Exceeds(s))
			slices.Reverse(c.answers)
			require.Equal(t, c.want, skew.Measure(c.answers), "the order of the answers does not matter")
		})
	}
}

// A right clock is never found wrong, however long the request and the answer take.
func TestRightClockIsNeverFoundWrong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var answers []skew.Answer
		for i := range rapid.IntRange(1, 9).Draw(t, "nodes") {
			there := time.Duration(rapid.Int64Range(0, int64(2*time.Second)).Draw(t, "there"))
			back := time.Duration(rapid.Int64Range(0, int64(2*time.Second)).Draw(t, "back"))
			answers = append(answers, skew.Answer{Host: fmt.Sprint(i % 3), Server: noon, Client: noon.Add(back), RoundTrip: there + back})
		}
		f := skew.Measure(answers)
		require.Zero(t, f.Skew)
		require.Zero(t, f.Spread)
	})
}

// scene is a guard of one second, with a timer and a clock that the test moves.
type scene struct {
	*skew.Guard
	timer, clock time.Time
}

func newScene(limit time.Duration) *scene {
	s := &scene{timer: noon, clock: noon}
	s.Guard = skew.NewGuard(limit, func() time.Time { return s.timer }, func() time.Time { return s.clock })
	return s
}

// pass advances both clocks.
func (s *scene) pass(d time.Duration) { s.timer, s.clock = s.timer.Add(d), s.clock.Add(d) }

var findings = map[skew.Verdict]skew.Finding{
	skew.Right:      {Nodes: 3, Host: "right"},
	skew.Wrong:      {Nodes: 3, Host: "wrong", Skew: time.Hour},
	skew.Disputed:   {Nodes: 3, Host: "disputed", Skew: time.Hour, Spread: time.Hour},
	skew.Unanswered: {},
}

// Every sequence of five verdicts has the result that the documentation of the guard describes.
func TestEverySequenceOfVerdicts(t *testing.T) {
	const length = 5
	for n := range 1 << (2 * length) {
		s, wrong, failing, wait := newScene(time.Second), 0, false, skew.Interval
		for i := range length {
			v := skew.Verdict(n >> (2 * i) & 3)
			s.pass(wait - 1)
			require.False(t, s.Begin(), "%x: step %d is due too early", n, i)
			s.pass(1)
			require.True(t, s.Begin(), "%x: step %d is not due", n, i)
			require.False(t, s.Begin(), "%x: a second check began during the first", n)
			require.Equal(t, v, s.End(findings[v]))
			switch v {
			case skew.Wrong:
				wrong++
				failing = failing || wrong == skew.Findings
			case skew.Right, skew.Disputed:
				wrong, failing = 0, false
			}
			require.Equal(t, failing, s.Failing() != nil, "%x: after step %d", n, i)
			if wait = skew.Interval; wrong > 0 {
				wait = skew.Recheck
			}
		}
	}
}

func TestFailingNamesTheFinding(t *testing.T) {
	s := newScene(time.Second)
	for i := range skew.Findings + 1 {
		s.pass(skew.Interval)
		require.True(t, s.Begin())
		s.End(skew.Finding{Nodes: 1, Host: fmt.Sprint(i), Skew: time.Hour})
	}
	require.Equal(t, "3", s.Failing().Host, "the last finding")
}

// A clock that jumps is checked with the next write, but not more often than once a second.
func TestJumpIsDueAtOnce(t *testing.T) {
	for _, jump := range []time.Duration{time.Second + 1, -time.Second - 1, 1e6 * time.Hour, -1e6 * time.Hour} {
		s := newScene(time.Second)
		s.clock = s.clock.Add(jump)
		require.False(t, s.Begin(), "it has just been checked")
		s.pass(skew.Recheck)
		require.True(t, s.Begin(), jump)
		s.End(findings[skew.Unanswered])
		require.False(t, s.Begin(), "no server has answered, but that is no reason to ask more often")
		s.pass(skew.Recheck)
		require.True(t, s.Begin(), "the jump is not forgotten because no server has answered")
		s.End(findings[skew.Right])
		s.pass(skew.Recheck)
		require.False(t, s.Begin(), "the servers jumped with it")
	}
	s := newScene(time.Second)
	s.clock = s.clock.Add(time.Second)
	s.pass(skew.Recheck)
	require.False(t, s.Begin(), "within the limit")
}

// Without a limit every clock is right. The check is still due every minute, because it checks more than the clock.
func TestNoLimit(t *testing.T) {
	s := newScene(-1)
	for range skew.Findings + 1 {
		s.clock = s.clock.Add(time.Hour)
		s.timer = s.timer.Add(skew.Interval - 1)
		require.False(t, s.Begin())
		s.timer = s.timer.Add(1)
		require.True(t, s.Begin())
		require.Equal(t, skew.Right, s.End(findings[skew.Wrong]))
		require.Nil(t, s.Failing())
	}
}

// One of many concurrent writes makes the check.
func TestOneCheckAtATime(t *testing.T) {
	timer := atomic.Int64{}
	now := func() time.Time { return noon.Add(time.Duration(timer.Load())) }
	g := skew.NewGuard(time.Second, now, now)
	var work sync.WaitGroup
	var running, checks atomic.Int32
	for range 8 {
		work.Go(func() {
			for range 1000 {
				timer.Add(int64(time.Second))
				if g.Begin() {
					checks.Add(1)
					if running.Add(1) > 1 {
						t.Error("two checks at a time")
					}
					running.Add(-1)
					g.End(findings[skew.Wrong])
				}
				_ = g.Failing()
			}
		})
	}
	work.Wait()
	require.Positive(t, checks.Load())
}

func TestVerdictNames(t *testing.T) {
	var names []string
	for v := skew.Right; v <= skew.Unanswered; v++ {
		names = append(names, v.String())
	}
	require.Equal(t, []string{"right", "wrong", "disputed", "unanswered"}, names)
}
