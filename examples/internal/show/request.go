package show

import (
	"context"
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/mapper"
)

// request prints the statements of a request.
func (s *Stage) request(r mapper.Request) {
	s.Printf("sent: %s", How(r))
	for _, q := range r.Statements {
		s.Printf("   %s", q.CQL)
	}
}

// How returns how the statements of a request are sent.
func How(r mapper.Request) string {
	switch {
	case r.Batch == mapper.NoBatch && conditional(r.Statements[0]):
		return "one conditional statement"
	case r.Batch == mapper.NoBatch:
		return "one statement"
	case r.Batchlog:
		return fmt.Sprintf("one logged batch of %d statements, through the batchlog", len(r.Statements))
	}
	return fmt.Sprintf("one logged batch of %d statements, one partition: no batchlog", len(r.Statements))
}

// conditional reports whether a statement takes effect only under a condition. No other statement contains IF, because values are
// bound.
func conditional(q mapper.Statement) bool { return strings.Contains(q.CQL, " IF ") }

// Effect returns the effect of a request on its tables: "write clientes, delete veiculos". A conditional write is "compare and set".
func Effect(r mapper.Request) string {
	verbs := map[string]string{"INSERT": "write", "UPDATE": "write", "DELETE": "delete", "SELECT": "read"}
	var out []string
	for _, q := range r.Statements {
		verb, _, _ := strings.Cut(q.CQL, " ")
		effect := verbs[verb]
		if conditional(q) {
			effect = "compare and set"
		}
		out = append(out, effect+" "+q.Table)
	}
	return strings.Join(out, ", ")
}

// tracer adds the requests that a store sends to the step that runs.
type tracer struct{ stage *Stage }

// Start records the request and prints it.
func (t tracer) Start(ctx context.Context, r mapper.Request) context.Context {
	t.stage.tracing.Lock()
	defer t.stage.tracing.Unlock()
	if n := len(t.stage.Steps); n > 0 {
		step := &t.stage.Steps[n-1]
		step.Requests = append(step.Requests, r)
	}
	t.stage.request(r)
	return ctx
}

// End does nothing.
func (tracer) End(context.Context, mapper.RequestResult) {}
