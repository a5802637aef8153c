package alternatives

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Attempts has the number of calls of an operation that have succeeded.
type Attempts struct {
	Design    string `json:"design"`
	Operation string `json:"operation"`
	Down      int    `json:"down"` // the nodes that do not run
	Calls     int    `json:"calls"`
	Succeeded int    `json:"succeeded"`
	Error     string `json:"error,omitempty"` // the first
}

// attempts prepares roots for Rounds rounds, and makes one round of calls for each line of the standard input. It prints the []Attempts of a round as a line.
func attempts(subjects []*subject, c Config) error {
	rounds := make([][]*attempt, c.Rounds)
	for i := range rounds {
		for _, s := range subjects {
			for _, o := range operationOrder {
				if s.Operations[o] == nil {
					continue
				}
				a, err := newAttempt(s, o, c, i)
				if err != nil {
					return err
				}
				rounds[i] = append(rounds[i], a)
			}
		}
	}
	in, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	fmt.Fprintln(os.Stdout, `"ready"`)
	for _, round := range rounds {
		if _, err := in.ReadString('\n'); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := out.Encode(attemptAll(round, c.InFlight)); err != nil {
			return err
		}
	}
	return nil
}

// attempt is an operation of a design with roots that no other has.
type attempt struct {
	callers []*caller
	Attempts
}

func newAttempt(s *subject, operation string, c Config, down int) (*attempt, error) {
	a := &attempt{Attempts: Attempts{Design: s.name, Operation: operation, Down: down, Calls: c.Calls}}
	for range c.Calls {
		a.callers = append(a.callers, s.caller(operation, c.Elements[0]))
	}
	if err := inParallel(c.Calls, c.InFlight, func(i int) error { return a.callers[i].prepare() }); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", s.name, operation, err)
	}
	return a, nil
}

// attemptAll makes the calls of a round.
func attemptAll(round []*attempt, atATime int) []Attempts {
	out := make([]Attempts, len(round))
	_ = inParallel(len(round), atATime, func(i int) error { // the function returns nil
		for _, x := range round[i].callers {
			if err := x.operate(); err == nil {
				round[i].Succeeded++
			} else if round[i].Error == "" {
				round[i].Error = err.Error()
			}
		}
		out[i] = round[i].Attempts
		return nil
	})
	return out
}
