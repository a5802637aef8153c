package alternatives

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cassaml/cassaml/mapper"
)

// MeasureConfig configures a measurement.
type MeasureConfig struct {
	Elements   []int `json:"elements"` // the numbers of elements of a root
	Calls      int   `json:"calls"`    // the number for each operation
	InFlight   int   `json:"in_flight"`
	ServerPIDs []int `json:"server_pids"` // processes of servers on this machine, whose processor time is read from /proc
}

// Measurement is the cost of one operation of a design.
type Measurement struct {
	Design    string  `json:"design"`
	Operation string  `json:"operation"`
	Elements  int     `json:"elements"`
	Calls     int     `json:"calls"`
	P50       float64 `json:"p50_us"`
	P99       float64 `json:"p99_us"`
	CPU       float64 `json:"client_cpu_us"` // the time of one operation
	ServerCPU float64 `json:"server_cpu_us"`
	Sent      float64 `json:"sent_bytes"`
	Received  float64 `json:"received_bytes"`
	PerSecond float64 `json:"per_second"`
	Refused   string  `json:"refused,omitempty"` // why the store refuses the operation; there are then no figures
}

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

// warm is the number of calls of an operation before it is measured: they prepare its statements.
const warm = 3

// reusable are the operations that can be called again for the same root: few roots are then enough.
var reusable = []string{"read by root", "read by element", "change", "rename"}

// reusedRoots is the number of roots of a reusable operation.
const reusedRoots = 3

// measure measures each operation of a design. The roots have their elements before the measurement begins. Calls of operations that change the number of
// elements have roots of their own.
func measure(ctx context.Context, store any, d Design, c MeasureConfig, traffic *counter) (out []Measurement, err error) {
	first := 0
	for _, n := range c.Elements {
		for _, name := range operationOrder {
			if d.Operations[name] == nil {
				continue
			}
			d.Elements = n
			roots := c.Calls + warm
			if slices.Contains(reusable, name) {
				roots = min(roots, reusedRoots)
			}
			var all []*caller
			for range roots {
				all = append(all, &caller{ctx: ctx, store: reflect.ValueOf(store).Elem(), Design: d, operation: name, first: first})
				first += 2
			}
			m, err := measureOperation(all, c, traffic)
			if err != nil {
				return out, fmt.Errorf("%s of %d elements: %w", name, n, err)
			}
			m.Operation, m.Elements = name, n
			out = append(out, m)
		}
	}
	return out, nil
}

// operationOrder are the operations, as docs/advice.md lists them.
var operationOrder = []string{"read by root", "read by element", "insert", "add", "change", "move", "rename", "delete"}

// measureOperation measures calls of an operation for some roots, which it prepares.
func measureOperation(roots []*caller, c MeasureConfig, traffic *counter) (m Measurement, err error) {
	at := func(i int) *caller { return roots[i%len(roots)] }
	err = inParallel(len(roots), 16, func(i int) error { return at(i).prepare() })
	if err == nil {
		err = inParallel(warm, 1, func(i int) error { return at(i).operate() })
	}
	if refused := refusal(err); refused != "" {
		return Measurement{Refused: refused}, nil
	}
	if err != nil {
		return m, err
	}
	took := make([]time.Duration, c.Calls)
	before, err := usage(c.ServerPIDs)
	if err != nil {
		return m, err
	}
	sent, received, begun := traffic.sent.Load(), traffic.received.Load(), time.Now()
	err = inParallel(c.Calls, max(1, c.InFlight), func(i int) error {
		start := time.Now()
		err := at(warm + i).operate()
		took[i] = time.Since(start)
		return err
	})
	seconds := time.Since(begun).Seconds()
	if err != nil {
		return m, err
	}
	after, err := usage(c.ServerPIDs)
	if err != nil {
		return m, err
	}
	slices.Sort(took)
	n := float64(c.Calls)
	return Measurement{
		Calls: c.Calls, P50: micros(took[len(took)/2]), P99: micros(took[len(took)*99/100]),
		CPU: micros(after.client-before.client) / n, ServerCPU: micros(after.server-before.server) / n,
		Sent: float64(traffic.sent.Load()-sent) / n, Received: float64(traffic.received.Load()-received) / n, PerSecond: math.Round(n / seconds),
	}, nil
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

// usage returns the processor time of this process and of servers.
func usage(pids []int) (t times, err error) {
	if t.client, err = processTime(); err != nil {
		return t, err
	}
	for _, pid := range pids {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			return t, err
		}
		_, rest, _ := strings.Cut(string(text), ") ") // the name of the process can contain spaces
		fields := strings.Fields(rest)
		for _, f := range fields[11:13] { // utime and stime, in hundredths of a second (proc(5))
			n, err := strconv.Atoi(f)
			if err != nil {
				return t, err
			}
			t.server += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return t, nil
}

func micros(d time.Duration) float64 { return math.Round(float64(d) / float64(time.Microsecond)) }
