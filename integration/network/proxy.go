package network

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// Proxy forwards connections to a server, and can delay and cut them. Data that a client has sent reaches the server even if the
// client has closed its connection since.
type Proxy struct {
	target   string
	listener net.Listener

	mu     sync.Mutex
	held   [2]time.Time // end of the time without forwarding, by direction
	links  map[*link]struct{}
	closed bool
	done   sync.WaitGroup
}

// Direction is the direction in which a proxy forwards.
type Direction int

// The directions.
const (
	Requests Direction = iota
	Answers
)

// link is a connection of a client and the one to the server.
type link struct{ client, server net.Conn }

func (l *link) close() { _, _ = l.client.Close(), l.server.Close() }

// NewProxy returns a proxy of the server at an address. It listens on a free port of this machine, and connects until the
// context ends.
func NewProxy(ctx context.Context, target string) (*Proxy, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{target: target, listener: listener, links: map[*link]struct{}{}}
	p.done.Go(func() { p.accept(ctx) })
	return p, nil
}

// Address returns the address at which the proxy listens.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Delay holds everything that is sent in a direction until the time d from now, and forwards it then, in order.
func (p *Proxy) Delay(way Direction, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held[way] = time.Now().Add(d)
}

// Cut closes all connections. Data that is not yet delivered is lost.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.close()
	}
}

// Close closes the proxy and all connections, and waits until nothing is forwarded.
func (p *Proxy) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	err := p.listener.Close()
	p.Cut()
	p.done.Wait()
	return err
}

func (p *Proxy) accept(ctx context.Context) {
	var dialer net.Dialer
	for {
		client, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		server, err := dialer.DialContext(ctx, "tcp", p.target)
		if err != nil {
			_ = client.Close() // a server would refuse it, too
			continue
		}
		p.join(&link{client, server})
	}
}

// join forwards in both directions until both have ended. When the server closes its connection, the connection of the
// client is closed.
func (p *Proxy) join(l *link) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		l.close()
		return
	}
	p.links[l] = struct{}{}
	p.done.Go(func() {
		var requests sync.WaitGroup
		requests.Go(func() {
			p.forward(Requests, l.server, l.client)
			_ = l.server.(*net.TCPConn).CloseWrite()
		})
		p.forward(Answers, l.client, l.server)
		_ = l.client.Close()
		requests.Wait()
		_ = l.server.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.links, l)
	})
}

// forward copies until one of the two ends.
func (p *Proxy) forward(way Direction, to io.Writer, from io.Reader) {
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		p.await(way)
		_, lost := to.Write(buffer[:n])
		if err != nil || lost != nil && way == Requests { // answers to a client that has left are read and lost
			return
		}
	}
}

// await waits until a direction is not held.
func (p *Proxy) await(way Direction) {
	for {
		p.mu.Lock()
		left := time.Until(p.held[way])
		closed := p.closed
		p.mu.Unlock()
		if left <= 0 || closed {
			return
		}
		time.Sleep(min(left, 50*time.Millisecond))
	}
}
