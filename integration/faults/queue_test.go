package faults

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
)

var (
	queueTasks = flag.Int("queue.tasks", 0, "tasks of the queue of the example; 0: the test is skipped")
	queueKills = flag.Int("queue.kills", 20, "how many producers and consumers are killed")
	queueSeed  = flag.Int64("queue.seed", 1, "selects which, and when")
)

// queueCall is a call of a producer or a consumer of the example. A call of unknown outcome has no end.
type queueCall struct {
	Worker string `json:"worker"`
	At     int64  `json:"at"`
	Op     string `json:"op"`
	End    bool   `json:"end"`
	From   int64  `json:"from"`
	N      int64  `json:"n"`
	Sum    int64  `json:"sum"`
	Last   int64  `json:"last"`
	Error  string `json:"error"`
}

// queueState is the state of the queue after calls that take effect one after the other.
type queueState struct {
	added, done, sum int64
	sent             [2]int64
}

// queueModel is the queue of the example: what a call returns, and what it changes.
var queueModel = porcupine.Model{
	Init: func() any { return queueState{} },
	Step: func(state, input, output any) (bool, any) {
		s, c, ended := state.(queueState), input.(queueCall), output.(*queueCall)
		var producer int
		fmt.Sscanf(c.Worker, "producer %d", &producer)
		switch {
		case c.Op == "add" && s.sent[producer] == c.From:
			s.added, s.sent[producer] = s.added+c.N, c.From+c.N
		case c.Op == "complete" && s.done == c.From && (ended == nil || ended.Error == ""):
			s.done, s.sum = s.done+c.N, s.sum+c.Sum
			return s.done <= s.added, s
		case c.Op == "complete":
			return ended == nil || ended.Error != "", s
		}
		return ended == nil || ended.Error != "" || ended.Last == s.added, s
	},
	Equal: func(a, b any) bool { return a == b },
}

// readQueue returns the calls of a history.
func readQueue(t *testing.T, file string) (out []porcupine.Operation) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	open := map[string]int{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var c queueCall
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		if !c.End {
			open[c.Worker] = len(out)
			out = append(out, porcupine.Operation{ClientId: len(out), Input: c, Call: c.At, Output: (*queueCall)(nil), Return: math.MaxInt64})
			continue
		}
		o := &out[open[c.Worker]]
		if o.Output = &c; c.Error == "" || c.Error == "another consumer has completed the tasks" {
			o.Return = c.At
		} else {
			o.Output = (*queueCall)(nil)
		}
	}
	return out
}

// The checker accepts and rejects short histories. The calls begin at 0, 1, 2 and so on, and end just before the given time.
func TestQueueModel(t *testing.T) {
	t.Parallel()
	add := func(ended, from, n, last int64) porcupine.Operation {
		return porcupine.Operation{Input: queueCall{Worker: "producer 0", Op: "add", From: from, N: n}, Output: &queueCall{Last: last}, Return: ended}
	}
	complete := func(ended, from, n int64) porcupine.Operation {
		return porcupine.Operation{Input: queueCall{Worker: "consumer 0", Op: "complete", From: from, N: n}, Output: &queueCall{}, Return: ended}
	}
	unknown := func(o porcupine.Operation) porcupine.Operation {
		o.Output, o.Return = (*queueCall)(nil), math.MaxInt64
		return o
	}
	for name, x := range map[string]struct {
		ok    bool
		calls []porcupine.Operation
	}{
		"one after the other":                 {true, []porcupine.Operation{add(1, 0, 2, 2), complete(2, 0, 2), add(3, 2, 1, 3)}},
		"added twice":                         {false, []porcupine.Operation{add(1, 0, 2, 2), add(2, 0, 2, 4)}},
		"added again without an effect":       {true, []porcupine.Operation{add(1, 0, 2, 2), add(2, 0, 2, 2)}},
		"lost":                                {false, []porcupine.Operation{add(1, 0, 2, 2), add(2, 2, 2, 2)}},
		"completed twice":                     {false, []porcupine.Operation{add(1, 0, 4, 4), complete(2, 0, 2), complete(3, 0, 2)}},
		"completed before they were added":    {false, []porcupine.Operation{complete(1, 0, 2), add(2, 0, 2, 2)}},
		"unknown and applied":                 {true, []porcupine.Operation{unknown(add(0, 0, 2, 0)), add(2, 0, 2, 2), add(3, 2, 2, 4)}},
		"unknown and not applied":             {true, []porcupine.Operation{add(1, 0, 4, 4), unknown(complete(0, 0, 2)), complete(3, 0, 2)}},
		"unknown, applied and completed once": {false, []porcupine.Operation{add(1, 0, 4, 4), unknown(complete(0, 0, 2)), complete(3, 2, 2), complete(4, 0, 2)}},
	} {
		for i := range x.calls {
			c := &x.calls[i]
			if c.ClientId, c.Call = i, 10*int64(i); c.Return != math.MaxInt64 {
				c.Return = 10*c.Return - 1
			}
		}
		require.Equal(t, x.ok, porcupine.CheckOperations(queueModel, x.calls), name)
	}
}

// Producers and consumers of the queue are killed, and started again: no task is lost, none is carried out twice, and there is an order of
// the calls that explains what each of them returned.
func TestKilledQueue(t *testing.T) {
	t.Parallel()
	if *queueTasks == 0 {
		return // go run ./integration/long runs it
	}
	server := cassandra.Test(t)
	dir := t.TempDir()
	program, history := filepath.Join(dir, "queue.exe"), filepath.Join(dir, "history")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../examples/queue").CombinedOutput()
	require.NoError(t, err, "%s", out)
	c := exec.CommandContext(t.Context(), program, "-tasks", fmt.Sprint(*queueTasks), "-batch", "10", "-kills", fmt.Sprint(*queueKills),
		"-seed", fmt.Sprint(*queueSeed), "-history", history)
	c.Env = append(os.Environ(), "CASSANDRA_HOSTS="+strings.Join(server.Hosts(), ","))
	out, err = c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	calls := readQueue(t, history)
	require.Greater(t, len(calls), *queueTasks/10)
	require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(queueModel, calls, time.Minute))
	t.Logf("%d calls, linearizable\n%s", len(calls), out)
}
