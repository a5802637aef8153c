package alternatives

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cassaml/cassaml/mapper"
)

// Measurement is the cost of one operation of a design.
type Measurement struct {
	Design    string    `json:"design"`
	Operation string    `json:"operation"`
	Elements  int       `json:"elements"`
	Calls     int       `json:"calls"`  // the number in all rounds, one after the other
	P50       float64   `json:"p50_us"` // one call at a time
	P99       float64   `json:"p99_us"`
	CPU       float64   `json:"client_cpu_us"` // the time of one operation in the round with the least time, or the median, with several calls at a time, as the rest
	ServerCPU float64   `json:"server_cpu_us"`
	Rounds    []float64 `json:"rounds_cpu_us"` // the processor time of the client and the servers in each round
	Clients   []float64 `json:"rounds_client_cpu_us"`
	Sent      float64   `json:"sent_bytes"`
	Received  float64   `json:"received_bytes"`
	PerSecond float64   `json:"per_second"`
	Refused   string    `json:"refused,omitempty"` // why the store refuses the operation; there are then no figures
}

// Processor returns the processor time of the client and the servers together.
func (m *Measurement) Processor() float64 { return m.CPU + m.ServerCPU }

// IsMedian reports whether the processor times are medians of the rounds, and not the times of the round with the least. A round of roots with many elements has few
// calls. Other work of the server is then a large part of their time, and the error of its clock can be greater than it.
func (m *Measurement) IsMedian() bool { return m.Elements > warmElements }

// LeastClient returns the least processor time of the client in a round.
func (m *Measurement) LeastClient() float64 { return slices.Min(m.Clients) }

// counter counts the bytes of connections.
type counter struct{ sent, received atomic.Int64 }

// DialContext opens a connection whose bytes are counted.
func (c *counter) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &countedConn{conn, c}, nil
}

type countedConn struct {
	net.Conn
	to *counter
}

func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.to.received.Add(int64(n))
	return n, err
}

func (c *countedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.to.sent.Add(int64(n))
	return n, err
}

// reusable are the operations that can be called again for the same root: few roots are then enough.
var reusable = []string{"read by root", "read by element", "change", "rename"}

// reusedRoots returns the number of roots of the reusable operations of a design: more than calls at a time if roots are small, so that calls that change a
// root do not wait for each other.
func reusedRoots(elements int) int { return min(48, max(6, 480/elements)) }

// operationOrder are the operations, as docs/advice.md lists them.
var operationOrder = []string{"read by root", "read by element", "insert", "add", "change", "move", "rename", "delete"}

// series are the samples of an operation of a design.
type series struct {
	*subject
	operation string
	elements  int
	spent     time.Duration
	cost      float64 // the processor time of a call in the last slice
	record
}

// record has the results of the rounds of a series.
type record struct {
	Took    []time.Duration `json:"took"`
	Samples []sample        `json:"samples"`
	Refused string          `json:"refused,omitempty"`
}

// sample is the time and the network traffic of a call, and the calls in a second, of one slice.
type sample struct {
	Client    float64 `json:"client"`
	Server    float64 `json:"server"`
	Sent      float64 `json:"sent"`
	Received  float64 `json:"received"`
	PerSecond float64 `json:"per_second"`
}

// measure measures all operations of all designs in rounds. In a round the operations follow one another in another order, so that a disturbance
// concerns all designs. The rows of an operation exist before its slice begins.
func measure(subjects []*subject, c Config) ([]Measurement, error) {
	all := newSeries(subjects, c)
	done, err := resume(all, c.State)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(1, uint64(done)))
	if done >= c.Rounds {
		c.Warm, c.Rounds = 0, done // nothing is left to measure
	}
	for round := range c.Warm + c.Rounds - done {
		begun := time.Now()
		for _, i := range random.Perm(len(all)) {
			s := all[i]
			if err := s.round(c, round >= c.Warm); err != nil {
				return nil, fmt.Errorf("%s: %s of %d elements: %w", s.name, s.operation, s.elements, err)
			}
		}
		fmt.Fprintf(os.Stderr, "round %d of %d: %d operations in %.0f s\n", round+1, c.Warm+c.Rounds-done, len(all), time.Since(begun).Seconds())
		if round < c.Warm {
			continue
		}
		if err := save(all, done+round-c.Warm+1, c.State); err != nil {
			return nil, err
		}
	}
	out := make([]Measurement, len(all))
	for i, s := range all {
		out[i] = s.result()
	}
	return out, nil
}

// newSeries returns the series of all operations, without samples.
func newSeries(subjects []*subject, c Config) (all []*series) {
	for _, s := range subjects {
		for _, n := range c.Elements {
			for _, o := range operationOrder {
				if s.Operations[o] != nil {
					all = append(all, &series{subject: s, operation: o, elements: n})
				}
			}
		}
	}
	return all
}

// warmElements is the greatest number of elements in rounds that do not count.
const warmElements = 10

// round makes calls one after the other, and a slice of calls of which several are made at a time. A series whose earlier rounds have taken long is
// measured once.
func (s *series) round(c Config, counts bool) error {
	if s.Refused != "" || s.elements > warmElements && !counts || s.spent > c.Budget && len(s.Samples) > 0 {
		return nil
	}
	begun := time.Now()
	err := s.measure(c, counts)
	s.spent += time.Since(begun)
	if refused := refusal(err); refused != "" {
		s.Refused = refused
		return nil
	}
	return err
}

// measure measures a round.
func (s *series) measure(c Config, counts bool) error {
	alone, together := c.calls(s.elements), s.sliceCalls(c)
	if c.Single {
		together = 0
	}
	roots, err := s.prepare(c, alone+together)
	if err != nil {
		return err
	}
	begun := time.Now()
	took := make([]time.Duration, alone)
	x, err := c.measureAlone(s.traffic, alone, func(i int) error {
		start := time.Now()
		err := roots[i%len(roots)].operate()
		took[i] = time.Since(start)
		return err
	})
	if _, filled := c.Filled[s.elements]; filled && strings.HasPrefix(s.operation, "read") && errors.Is(err, mapper.ErrNotFound) {
		s.Refused = "the store refuses to insert such a root"
		return nil
	}
	if err != nil {
		return err
	}
	if s.cost <= 0 && slices.Contains(reusable, s.operation) {
		s.cost = micros(time.Since(begun)) / float64(alone)
		together = s.sliceCalls(c)
	}
	if !c.Single {
		c.InFlight = min(c.InFlight, len(roots))
		x, err = slice(c, s.traffic, together, func(i int) error { return roots[(alone+i)%len(roots)].operate() })
	}
	s.cost = x.Client + x.Server
	if err == nil && counts {
		s.Took, s.Samples = append(s.Took, took...), append(s.Samples, x)
	}
	return err
}

// measureAlone makes calls one after the other. It measures them only if they are not followed by others.
func (c Config) measureAlone(traffic *counter, n int, call func(i int) error) (sample, error) {
	if c.Single {
		c.InFlight = 1
		return slice(c, traffic, n, call)
	}
	return sample{}, inParallel(n, 1, call)
}

// The number of calls of a slice in relation to the calls that are made one after the other: a slice of short calls has more, because a server also uses
// processor time for itself. Calls of operations that are not reusable need roots.
const (
	mostReused = 50
	mostOthers = 4
)

// sliceCalls returns the number of calls of a slice, which follows from the processor time of a call in the last one.
func (s *series) sliceCalls(c Config) int {
	n, most := c.calls(s.elements), max(1, mostOthers*10/max(10, s.elements))
	if slices.Contains(reusable, s.operation) {
		most = mostReused
	}
	if s.cost <= 0 {
		return n
	}
	return min(max(n, int(micros(c.Slice)/s.cost)), n*most)
}

// prepare returns callers with their rows: n others in each round, or always the same if the operation is reusable.
func (s *series) prepare(c Config, n int) ([]*caller, error) {
	if first, ok := c.Filled[s.elements]; ok && strings.HasPrefix(s.operation, "read") {
		return s.filled(c.roots(FilledRoots(s.elements)), s.operation, s.elements, first), nil
	}
	if slices.Contains(reusable, s.operation) {
		return s.reused(c.roots(reusedRoots(s.elements)), s.operation, s.elements)
	}
	var all []*caller
	for range n {
		all = append(all, s.caller(s.operation, s.elements))
	}
	return all, prepareAll(all, s.elements)
}

func prepareAll(all []*caller, elements int) error {
	return inParallel(len(all), atATime(16, elements), func(i int) error { return all[i].prepare() })
}

// slice measures n calls, several at a time.
func slice(c Config, traffic *counter, n int, call func(i int) error) (x sample, err error) {
	before, err := usage(c.ServerPIDs, true)
	if err != nil {
		return x, err
	}
	sent, received, begun := traffic.sent.Load(), traffic.received.Load(), time.Now()
	if err := inParallel(n, max(1, c.InFlight), call); err != nil {
		return x, err
	}
	seconds, of := time.Since(begun).Seconds(), float64(n)
	after, err := usage(c.ServerPIDs, false)
	return sample{
		Client: micros(after.client-before.client) / of, Server: micros(after.server-before.server) / of,
		Sent: float64(traffic.sent.Load()-sent) / of, Received: float64(traffic.received.Load()-received) / of, PerSecond: of / seconds,
	}, err
}

// result returns the results of all rounds.
func (s *series) result() Measurement {
	m := Measurement{Design: s.name, Operation: s.operation, Elements: s.elements, Refused: s.Refused}
	if s.Refused != "" || len(s.Samples) == 0 {
		return m
	}
	m.Calls, m.P50, m.P99 = len(s.Took), percentile(s.Took, 50), percentile(s.Took, 99)
	m.CPU, m.ServerCPU, m.Rounds = processorTimes(s.Samples)
	if m.IsMedian() {
		m.CPU, m.ServerCPU = median(s.Samples, func(x sample) float64 { return x.Client }), median(s.Samples, func(x sample) float64 { return x.Server })
	}
	for _, x := range s.Samples {
		m.Clients = append(m.Clients, tenths(x.Client))
	}
	m.Sent, m.Received = median(s.Samples, func(x sample) float64 { return x.Sent }), median(s.Samples, func(x sample) float64 { return x.Received })
	m.PerSecond = median(s.Samples, func(x sample) float64 { return x.PerSecond })
	return m
}

// processorTimes returns the processor times of the client and the servers in the round in which their sum is least, and all sums. Garbage collection of the
// server and other programs of the machine only add time.
func processorTimes(samples []sample) (client, server float64, rounds []float64) {
	least := samples[0]
	for _, x := range samples {
		if x.Client+x.Server < least.Client+least.Server {
			least = x
		}
		rounds = append(rounds, tenths(x.Client+x.Server))
	}
	return tenths(least.Client), tenths(least.Server), rounds
}

func tenths(x float64) float64 { return math.Round(10*x) / 10 }

// percentile returns a percentile in microseconds.
func percentile(took []time.Duration, p int) float64 {
	return micros(slices.Sorted(slices.Values(took))[len(took)*p/100])
}

// median returns the median of a figure, rounded to tenths.
func median(samples []sample, of func(sample) float64) float64 {
	var all []float64
	for _, x := range samples {
		all = append(all, of(x))
	}
	slices.Sort(all)
	return tenths((all[len(all)/2] + all[(len(all)-1)/2]) / 2)
}

// operate makes all calls of the operation once.
func (x *caller) operate() error {
	for _, c := range x.Operations[x.operation] {
		if err := x.all(c); err != nil {
			return fmt.Errorf("%s.%s: %w", c.Of, c.Method, err)
		}
	}
	return nil
}

// refusal returns why a store refuses an operation because of its size; "" for any other error.
func refusal(err error) string {
	if large, ok := errors.AsType[*mapper.BatchTooLargeError](err); ok {
		return fmt.Sprintf("a batch of %d bytes, more than %d", large.Bytes, large.Limit)
	}
	if constraint, ok := errors.AsType[*mapper.ConstraintError](err); ok && strings.Contains(constraint.Error(), "more than") {
		return constraint.Violations[0].Path + " " + constraint.Violations[0].Problem
	}
	return ""
}

// inParallel calls a function with the numbers below n, some at a time, and returns the first error.
func inParallel(n, atATime int, do func(int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	for range min(atATime, n) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(i); err != nil {
					once.Do(func() { first = err })
					return
				}
			}
		})
	}
	wg.Wait()
	return first
}

// times is the processor time that processes have used.
type times struct{ client, server time.Duration }

// usage returns the processor time of this process and of servers. The time that it takes itself is not between the two times of before and after.
func usage(pids []int, before bool) (t times, err error) {
	if before {
		t.server, err = serverTimes(pids)
	}
	if err == nil {
		t.client, err = processTime()
	}
	if err == nil && !before {
		t.server, err = serverTimes(pids)
	}
	return t, err
}

func serverTimes(pids []int) (sum time.Duration, err error) {
	for _, pid := range pids {
		used, err := serverTime(pid)
		if err != nil {
			return 0, err
		}
		sum += used
	}
	return sum, nil
}

func micros(d time.Duration) float64 { return math.Round(float64(d) / float64(time.Microsecond)) }
