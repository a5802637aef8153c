package mapper

import (
	"context"
	"slices"
)

// Tracers returns a tracer that calls several tracers: Start in the given order, End in the reverse order. Each tracer receives in End
// the context that its own Start returned; the request is sent with the context of the last one. Unwritten is called for those that are
// an [UnwrittenTracer]. Tracers that are nil are left out; if none is left, Tracers returns nil.
func Tracers(all ...Tracer) Tracer {
	all = slices.DeleteFunc(slices.Clone(all), func(t Tracer) bool { return t == nil })
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return &tracers{all}
}

type tracers struct{ all []Tracer }

// started is the key of the contexts that the tracers of one value have returned. Each value has keys of its own, so that Tracers can
// be nested.
type started struct{ by *tracers }

// Start calls Start of all tracers.
func (t *tracers) Start(ctx context.Context, request Request) context.Context {
	contexts := make([]context.Context, len(t.all)+1)
	contexts[0] = ctx
	for i, tracer := range t.all {
		contexts[i+1] = tracer.Start(contexts[i], request) //nolint:fatcontext // each tracer gets the context of the one before it
	}
	return context.WithValue(contexts[len(t.all)], started{t}, contexts[1:])
}

// End calls End of all tracers, in the reverse order.
func (t *tracers) End(ctx context.Context, result RequestResult) {
	contexts, _ := ctx.Value(started{t}).([]context.Context)
	for i, tracer := range slices.Backward(t.all) {
		own := ctx
		if contexts != nil {
			own = contexts[i]
		}
		tracer.End(own, result)
	}
}

// Unwritten calls Unwritten of the tracers that have it.
func (t *tracers) Unwritten(ctx context.Context, rows Unwritten) {
	for _, tracer := range t.all {
		if u, ok := tracer.(UnwrittenTracer); ok {
			u.Unwritten(ctx, rows)
		}
	}
}
