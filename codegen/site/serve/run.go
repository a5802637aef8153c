package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"time"
)

// Config describes the site that Run serves.
type Config struct {
	Addr    string                                           // host:port of this machine; "": 127.0.0.1 and a free port
	Build   func(context.Context) (map[string][]byte, error) // returns the files of the site by their paths, or the faults of the model
	Changes <-chan struct{}                                  // Run builds again after each value
	Ready   func(url string)                                 // is called once, as soon as the site can be opened
	Built   func(err error)                                  // is called after each build
}

// Run builds the site and serves it until ctx ends, which is not an error. If a build fails, each page shows the error, and the last
// site without an error stays below /.aml/last/.
func Run(ctx context.Context, c Config) error {
	l, err := listen(ctx, c.Addr)
	if err != nil {
		return err
	}
	s := newServer()
	if s.build(ctx, c); ctx.Err() != nil {
		return l.Close()
	}
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx }, // ends the streams of events
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	c.Ready("http://" + l.Addr().String() + "/")
	for {
		select {
		case <-ctx.Done():
			return h.Close()
		case err := <-served:
			return fmt.Errorf("serve the site: %w", err)
		case <-c.Changes:
			s.build(ctx, c)
		}
	}
}

// listen opens a port that only this machine can reach.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w: write it as 127.0.0.1:8080", addr, err)
	}
	if !isLoopback(host) {
		return nil, fmt.Errorf("address %q is not a loopback address: everybody who can connect would see the schema and the comments of the model: "+
			"use 127.0.0.1, ::1 or localhost, or publish the files that aml docs -o writes", addr)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("serve the site: %w: use another port, or 0 for a free one", err)
	}
	if a, ok := l.Addr().(*net.TCPAddr); !ok || !a.IP.IsLoopback() { // localhost can have another address in the hosts file
		return nil, errors.Join(fmt.Errorf("address %q is %s, which is not a loopback address: use 127.0.0.1", addr, l.Addr()), l.Close())
	}
	return l, nil
}

// build builds the site. Pages are not reloaded if the site has not changed.
func (s *server) build(ctx context.Context, c Config) {
	files, err := c.Build(ctx)
	if ctx.Err() != nil {
		return
	}
	if c.Built != nil {
		c.Built(err)
	}
	old := s.state.Load()
	next := &state{files: files, err: err, replaced: make(chan struct{})}
	switch {
	case err != nil:
		next.files = old.files
		if old.err != nil && old.err.Error() == err.Error() {
			return
		}
	case old.err == nil && maps.EqualFunc(old.files, files, bytes.Equal):
		return
	}
	next.id = rand.Text()
	s.state.Store(next)
	close(old.replaced)
}
