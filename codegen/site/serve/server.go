package serve

import (
	_ "embed"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"path"
	"strings"
	"sync/atomic"
)

//go:embed reload.js
var reloadScript []byte

type server struct{ state atomic.Pointer[state] }

func newServer() *server {
	s := &server{}
	s.state.Store(&state{replaced: make(chan struct{})})
	return s
}

// ServeHTTP answers from the files in memory: no path leads to the file system.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "frame-ancestors 'none'")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin") // a page of another site cannot load the search index as a script
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	switch {
	case !isLoopback(requestHost(r)): // a name of another site that resolves to this machine (DNS rebinding)
		http.Error(w, "This server answers requests to 127.0.0.1, ::1 and localhost only.", http.StatusMisdirectedRequest)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "This server answers only GET and HEAD requests.", http.StatusMethodNotAllowed)
	default:
		s.get(w, r, strings.TrimPrefix(r.URL.Path, "/"))
	}
}

// requestHost returns the host of a request without its port.
func requestHost(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.Host); err == nil {
		return host
	}
	return strings.Trim(r.Host, "[]")
}

func (s *server) get(w http.ResponseWriter, r *http.Request, name string) {
	now := s.state.Load()
	last, isLast := strings.CutPrefix(name, lastPath)
	switch {
	case name == eventsPath:
		s.events(w, r)
	case name == scriptPath:
		answer(w, http.StatusOK, name, reloadScript)
	case isLast && now.err == nil && now.files[last] != nil:
		http.Redirect(w, r, "/"+last, http.StatusFound) //nolint:gosec // the name of a file of the site
	case isLast:
		now.file(w, last)
	case now.err != nil && isPage(name):
		answer(w, http.StatusServiceUnavailable, "index.html", now.faultPage(name))
	default:
		now.file(w, name)
	}
}

// isPage reports whether a path belongs to a page: a folder or an HTML file.
func isPage(name string) bool {
	return name == "" || strings.HasSuffix(name, "/") || path.Ext(name) == ".html"
}

// file answers with a file of the site.
func (st *state) file(w http.ResponseWriter, name string) {
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	data, ok := st.files[name]
	if !ok {
		answer(w, http.StatusNotFound, "index.html", st.missingPage(name))
		return
	}
	if path.Ext(name) == ".html" {
		data = live(data, st.id)
	}
	answer(w, http.StatusOK, name, data)
}

// contentTypes are the types of the files of a site, by extension. The types of the operating system can be different.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
	".png":  "image/png",
}

func answer(w http.ResponseWriter, code int, name string, data []byte) {
	kind, ok := contentTypes[path.Ext(name)]
	if !ok {
		kind = "text/plain; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", fmt.Sprint(len(data)))
	w.WriteHeader(code)
	w.Write(data) //nolint:errcheck,gosec // the browser has closed the connection; the pages are escaped
}

// events sends the identity of the state, and of each state that replaces it, until the browser closes the connection.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	c := http.NewResponseController(w)
	for {
		now := s.state.Load()
		if _, err := fmt.Fprintf(w, "data: %s\n\n", now.id); err != nil || c.Flush() != nil {
			return
		}
		select {
		case <-now.replaced:
		case <-r.Context().Done():
			return
		}
	}
}

// isLoopback reports whether a host is a loopback address or localhost. Other names are not resolved, because the owner of a name can
// change its address at any time.
func isLoopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}
