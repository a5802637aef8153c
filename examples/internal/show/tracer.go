package show

import (
	"context"

	"github.com/cassaml/cassaml/mapper"
)

// tracer adds the requests that a store sends to the step that is being played.
type tracer struct{ stage *Stage }

// Start keeps the request and prints it.
func (t tracer) Start(ctx context.Context, r mapper.Request) context.Context {
	if n := len(t.stage.Steps); n > 0 {
		step := &t.stage.Steps[n-1]
		step.Requests = append(step.Requests, r)
	}
	t.stage.request(r)
	return ctx
}

// End has nothing to add.
func (tracer) End(context.Context, mapper.Result) {}
