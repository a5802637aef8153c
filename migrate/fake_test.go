package migrate

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	errLost    = errors.New("no answer")
	errRefused = &serverError{code: 0x2200, text: "no such thing"}
)

// serverError is an error that the server answered with.
type serverError struct {
	code int
	text string
}

func (e *serverError) Code() int       { return e.code }
func (e *serverError) Message() string { return e.text }
func (e *serverError) Error() string   { return e.text }

// fault is what happens to one request.
type fault int

const (
	fine   fault = iota
	before       // lost on the way there
	behind       // lost on the way back
	refuse       // answered with an error
)

// fake is a database in memory whose claims lapse and whose requests can get
// lost.
type fake struct {
	mu       sync.Mutex
	missing  bool // the table of records
	rows     map[int]record
	claims   map[int]time.Time // when they lapse
	sent     []string          // statements that took effect, in order
	requests []string
	latency  time.Duration                   // of every request
	slow     time.Duration                   // of statements, on top
	fault    func(request string) fault      // nil: fine
	agreed   func(ctx context.Context) error // nil: at once
}

func newFake() *fake {
	return &fake{rows: map[int]record{}, claims: map[int]time.Time{}}
}

// send lets a request and its effect happen, or not, as the fault has it.
func (f *fake) send(ctx context.Context, request string, effect func()) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f.latency > 0 {
		time.Sleep(f.latency)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, request)
	what := fine
	if f.fault != nil {
		what = f.fault(request)
	}
	switch what {
	case before:
		return errLost
	case refuse:
		return errRefused
	}
	effect()
	if what == behind {
		return errLost
	}
	return nil
}

func (f *fake) create(ctx context.Context) error {
	return f.send(ctx, "create", func() { f.missing = false })
}

func (f *fake) read(ctx context.Context, serial bool) (records []record, err error) {
	request := "read"
	if serial {
		request = "serial read"
	}
	missing := false
	err = f.send(ctx, request, func() {
		missing = f.missing
		for number := range f.rows {
			records = append(records, f.row(number))
		}
	})
	if missing {
		return nil, errNoTable
	}
	return records, err
}

// row is a record as it reads now: without a runner whose claim has lapsed.
func (f *fake) row(number int) record {
	r := f.rows[number]
	r.number = number
	if !time.Now().Before(f.claims[number]) {
		r.runner = ""
	}
	return r
}

func (f *fake) claim(ctx context.Context, before record, runner string, lease time.Duration) (ok bool, err error) {
	err = f.send(ctx, "claim", func() {
		r := f.row(before.number)
		ok = r.runner == "" && sameCount(r, before)
		if ok {
			r.runner = runner
			f.rows[before.number] = r
			f.claims[before.number] = time.Now().Add(lease)
		}
	})
	return ok && err == nil, err
}

func sameCount(a, b record) bool {
	return a.started() == b.started() && a.count() == b.count()
}

func (f *fake) finish(ctx context.Context, before, now record, runner string) (ok bool, err error) {
	err = f.send(ctx, "finish", func() {
		r := f.row(now.number)
		ok = r.runner == runner && sameCount(r, before)
		if ok {
			f.rows[now.number] = now
		}
	})
	return ok && err == nil, err
}

func (f *fake) fail(ctx context.Context, now record, runner string, release bool) error {
	return f.send(ctx, "fail", func() {
		r := f.row(now.number)
		if r.runner != runner {
			return
		}
		r.name, r.failure = now.name, now.failure
		if release {
			r.runner = ""
		}
		f.rows[now.number] = r
	})
}

func (f *fake) exec(ctx context.Context, statement string) error {
	if f.slow > 0 && !sleep(ctx, f.slow) {
		return ctx.Err()
	}
	return f.send(ctx, "exec "+statement, func() { f.sent = append(f.sent, statement) })
}

func (f *fake) agree(ctx context.Context) error {
	f.mu.Lock()
	f.requests = append(f.requests, "agree")
	f.mu.Unlock()
	if f.agreed != nil {
		return f.agreed(ctx)
	}
	return ctx.Err()
}

// up runs the migrations of fsys on the fake.
func (f *fake) up(t testing.TB, ctx context.Context, fsys fs.FS, config Config) error {
	t.Helper()
	files, err := load(fsys)
	require.NoError(t, err)
	return newRun(f, files, config).up(ctx)
}

// took returns the requests so far and forgets them.
func (f *fake) took() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	requests := slices.Clone(f.requests)
	f.requests = nil
	return requests
}
