package serve_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/site/serve"
)

const home = `<!DOCTYPE html><html lang="en"><head><meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;sha256-x&#39;">` +
	`<title>Shop</title></head><body><h1>Shop</h1></body></html>`

// running is a server of a test, whose builds return what the test sets.
type running struct {
	t       *testing.T
	url     string
	changes chan struct{}
	built   chan error
	files   map[string][]byte
	err     error
	stop    context.CancelFunc
	ended   chan error
}

func start(t *testing.T) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r := &running{t: t, changes: make(chan struct{}), built: make(chan error, 1), stop: stop, ended: make(chan error, 1), files: map[string][]byte{
		"index.html": []byte(home), "tables/customer.html": []byte(home), "style.css": []byte("p {}"), "search.js": []byte("[]"), "shop.svg": []byte("<svg/>"),
	}}
	ready := make(chan string, 1)
	go func() {
		r.ended <- serve.Run(ctx, serve.Config{
			Build:   func(context.Context) (map[string][]byte, error) { return r.files, r.err },
			Changes: r.changes, Ready: func(url string) { ready <- url }, Built: func(err error) { r.built <- err },
		})
	}()
	<-r.built
	r.url = <-ready
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-r.ended)
	})
	return r
}

// rebuild builds with other results.
func (r *running) rebuild(files map[string][]byte, err error) {
	r.files, r.err = files, err
	r.changes <- struct{}{}
	assert.Equal(r.t, err, <-r.built)
	r.changes <- struct{}{} // is received after the state of the first build has been stored
	<-r.built
}

// answer is what the server answers.
type answer struct {
	code   int
	header http.Header
	body   string
}

func (r *running) do(method, path string, change func(*http.Request)) answer {
	r.t.Helper()
	q, err := http.NewRequestWithContext(r.t.Context(), method, strings.TrimSuffix(r.url, "/"), nil)
	require.NoError(r.t, err)
	q.URL.Opaque = path // as it is written, without the client's own cleaning
	if change != nil {
		change(q)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a, err := client.Do(q)
	require.NoError(r.t, err)
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	require.NoError(r.t, err)
	return answer{a.StatusCode, a.Header, string(body)}
}

func (r *running) get(path string) (code int, body string) {
	r.t.Helper()
	a := r.do(http.MethodGet, path, nil)
	return a.code, a.body
}

// events opens the stream of events and returns a function that waits for the next one.
func (r *running) events() (next func() string) {
	r.t.Helper()
	q, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, r.url+".aml/events", nil)
	require.NoError(r.t, err)
	a, err := http.DefaultClient.Do(q)
	require.NoError(r.t, err)
	require.Equal(r.t, "text/event-stream", a.Header.Get("Content-Type"))
	r.t.Cleanup(func() { a.Body.Close() })
	lines := bufio.NewScanner(a.Body)
	return func() string {
		r.t.Helper()
		for lines.Scan() {
			if id, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return id
			}
		}
		require.NoError(r.t, lines.Err(), "the stream has ended")
		return ""
	}
}

func TestPagesHaveTheScriptAndMayRunIt(t *testing.T) {
	r := start(t)
	for _, path := range []string{"/", "/index.html", "/tables/customer.html"} {
		code, body := r.get(path)
		assert.Equal(t, http.StatusOK, code, path)
		assert.Contains(t, body, `<script src="/.aml/reload.js" data-state=`, path)
		assert.Contains(t, body, `content="default-src &#39;none&#39;; script-src &#39;sha256-x&#39; &#39;self&#39;; connect-src &#39;self&#39;"`, path)
	}
	assert.NotContains(t, home, ".aml/")
	for path, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/style.css": "text/css; charset=utf-8", "/search.js": "text/javascript; charset=utf-8", "/shop.svg": "image/svg+xml",
		"/.aml/reload.js": "text/javascript; charset=utf-8",
	} {
		a := r.do(http.MethodGet, path, nil)
		assert.Equal(t, http.StatusOK, a.code, path)
		assert.Equal(t, kind, a.header.Get("Content-Type"), path)
		assert.NotEmpty(t, a.body, path)
		assert.Equal(t, "no-store", a.header.Get("Cache-Control"), path)
		assert.Equal(t, "nosniff", a.header.Get("X-Content-Type-Options"), path)
		assert.Equal(t, "same-origin", a.header.Get("Cross-Origin-Resource-Policy"), path)
		assert.Equal(t, "frame-ancestors 'none'", a.header.Get("Content-Security-Policy"), path)
	}
	a := r.do(http.MethodHead, "/", nil)
	assert.Equal(t, http.StatusOK, a.code)
	assert.Empty(t, a.body)
	a = r.do(http.MethodPost, "/", nil)
	assert.Equal(t, http.StatusMethodNotAllowed, a.code)
}

func TestNoPathLeavesTheSite(t *testing.T) {
	r := start(t)
	for _, path := range []string{
		"/../go.mod", "/serve.go", "/tables/../../serve_test.go", "/%2e%2e/serve_test.go", "/..%2fserve_test.go", "/..%5cserve_test.go", "/tables//etc/passwd", "/%2fetc/passwd",
		"/tables/../index.html", "/tables", "/.aml/", "/.aml/last//example.com", "/.aml/last/../../etc/passwd", "/index.html/", "/index.html%00",
	} {
		code, body := r.get(path)
		assert.Equal(t, http.StatusNotFound, code, path)
		assert.Contains(t, body, "No such page", path)
	}
	_, body := r.get("/%3Cscript%3Ealert(1)%3C/script%3E")
	assert.Contains(t, body, "&lt;script&gt;alert(1)")
}

// A web page whose host name resolves to this machine (DNS rebinding) must not read the site.
func TestOtherHostsAreRefused(t *testing.T) {
	r := start(t)
	for host, code := range map[string]int{
		"127.0.0.1": http.StatusOK, "127.0.0.1:80": http.StatusOK, "localhost:8080": http.StatusOK, "LOCALHOST": http.StatusOK, "[::1]:8080": http.StatusOK, "[::1]": http.StatusOK,
		"example.com": http.StatusMisdirectedRequest, "localhost.example.com:80": http.StatusMisdirectedRequest, "127.0.0.1.example.com": http.StatusMisdirectedRequest,
		"192.168.0.1:80": http.StatusMisdirectedRequest, "0.0.0.0": http.StatusMisdirectedRequest,
	} {
		a := r.do(http.MethodGet, "/", func(q *http.Request) { q.Host = host })
		assert.Equal(t, code, a.code, host)
		assert.Equal(t, code == http.StatusOK, strings.Contains(a.body, "<h1>Shop</h1>"), host)
	}
}

func TestAddressesOfOtherMachinesAreRefused(t *testing.T) {
	for addr, want := range map[string]string{
		":8080":            `address ":8080" is not a loopback address: everybody who can connect would see the schema and the comments of the model: use 127.0.0.1, ::1 or localhost, or publish the files that aml docs -o writes`,
		"0.0.0.0:0":        "is not a loopback address",
		"[::]:0":           "is not a loopback address",
		"192.168.0.1:8080": "is not a loopback address",
		"example.com:80":   "is not a loopback address",
		"127.0.0.1":        `address "127.0.0.1": address 127.0.0.1: missing port in address: write it as 127.0.0.1:8080`,
	} {
		err := serve.Run(t.Context(), serve.Config{Addr: addr})
		require.ErrorContains(t, err, want, addr)
	}
}

func TestLocalhostIsServed(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	err := serve.Run(ctx, serve.Config{
		Addr: "localhost:0", Build: func(context.Context) (map[string][]byte, error) { return nil, nil }, //nolint:nilnil // no files
		Ready: func(string) { stop() },
	})
	require.NoError(t, err)
}

// An address in use is an error and not an endless wait.
func TestAddressInUse(t *testing.T) {
	r := start(t)
	err := serve.Run(t.Context(), serve.Config{Addr: strings.TrimSuffix(strings.TrimPrefix(r.url, "http://"), "/")})
	require.ErrorContains(t, err, "address already in use")
}

func TestChangesReloadThePages(t *testing.T) {
	r := start(t)
	next := r.events()
	first := next()
	_, body := r.get("/")
	assert.Contains(t, body, `data-state="`+first+`"`)

	r.rebuild(r.files, nil) // without a difference: no event
	other := map[string][]byte{"index.html": []byte(strings.ReplaceAll(home, "Shop", "Market"))}
	r.rebuild(other, nil)
	second := next()
	assert.NotEqual(t, first, second)
	_, body = r.get("/")
	assert.Contains(t, body, `data-state="`+second+`"`)
	assert.Contains(t, body, "Market")
	code, _ := r.get("/tables/customer.html")
	assert.Equal(t, http.StatusNotFound, code, "a page that the site no longer has")
}

func TestFaultsAreShownUntilTheyAreGone(t *testing.T) {
	r := start(t)
	next := r.events()
	next()
	good := r.files

	r.rebuild(nil, errors.New("model.go:3:2: field <b>Name</b> has no type [AML001]\nmodel.go:4:2: again"))
	faulty := next()
	for _, path := range []string{"/", "/tables/customer.html"} {
		code, body := r.get(path)
		assert.Equal(t, http.StatusServiceUnavailable, code)
		assert.Contains(t, body, "<li>model.go:3:2: field &lt;b&gt;Name&lt;/b&gt; has no type [AML001]</li>\n<li>model.go:4:2: again</li>")
		assert.Contains(t, body, `data-state="`+faulty+`"`)
		assert.Contains(t, body, `href="/.aml/last`+path+`"`)
		code, body = r.get("/.aml/last" + path)
		assert.Equal(t, http.StatusOK, code)
		assert.Contains(t, body, "<h1>Shop</h1>")
		assert.Contains(t, body, `data-state="`+faulty+`"`)
	}
	code, _ := r.get("/style.css")
	assert.Equal(t, http.StatusOK, code)

	r.rebuild(nil, errors.New("model.go:4:2: again")) // fewer faults
	assert.NotEqual(t, faulty, next())
	_, body := r.get("/")
	assert.NotContains(t, body, "model.go:3:2")

	r.rebuild(good, nil) // the same site as before
	fixed := next()
	code, body = r.get("/")
	assert.Equal(t, http.StatusOK, code)
	assert.Contains(t, body, `data-state="`+fixed+`"`)
	a := r.do(http.MethodGet, "/.aml/last/tables/customer.html", nil)
	assert.Equal(t, http.StatusFound, a.code)
	assert.Equal(t, "/tables/customer.html", a.header.Get("Location"))
}

// If a model has faults from the start, the pages show them, and reload when they have been fixed.
func TestFaultsAtTheStart(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- serve.Run(ctx, serve.Config{
			Build: func(context.Context) (map[string][]byte, error) { return nil, errors.New("no model") },
			Ready: func(url string) { ready <- url },
		})
	}()
	r := &running{t: t, url: <-ready}
	code, body := r.get("/")
	assert.Equal(t, http.StatusServiceUnavailable, code)
	assert.Contains(t, body, "<li>no model</li>")
	assert.NotContains(t, body, "/.aml/last/", "there is no site to lead to")
	stop()
	require.NoError(t, <-ended)
}

// The end of the context ends the server although a browser waits for events.
func TestEndWithAnOpenPage(t *testing.T) {
	r := start(t)
	next := r.events()
	next()
	r.stop()
	require.NoError(t, <-r.ended)
	r.ended <- nil
}

func TestPortInUse(t *testing.T) {
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	err = serve.Run(t.Context(), serve.Config{Addr: l.Addr().String()})
	require.ErrorContains(t, err, l.Addr().String())
	require.ErrorContains(t, err, ": use another port, or 0 for a free one")
}
