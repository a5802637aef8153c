package network

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// echo returns the address of a server that returns what it receives, and that sends the text of each connection to a
// channel when the connection has ended.
func echo(t *testing.T) (address string, received chan string) {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	received = make(chan string, 1)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			var all []byte
			buffer := make([]byte, 100)
			for n := 0; err == nil; all = append(all, buffer[:n]...) {
				n, err = c.Read(buffer)
				_, _ = c.Write(buffer[:n])
			}
			_ = c.Close()
			received <- string(all)
		}
	}()
	return listener.Addr().String(), received
}

func through(t *testing.T) (p *Proxy, client net.Conn, received chan string) {
	t.Helper()
	target, received := echo(t)
	p, err := NewProxy(t.Context(), target)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	var dialer net.Dialer
	client, err = dialer.DialContext(t.Context(), "tcp", p.Address())
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	requireEcho(t, client, "a")
	return p, client, received
}

func requireEcho(t *testing.T, client net.Conn, text string) {
	t.Helper()
	_, err := io.WriteString(client, text)
	require.NoError(t, err)
	got := make([]byte, len(text))
	_, err = io.ReadFull(client, got)
	require.NoError(t, err)
	require.Equal(t, text, string(got))
}

// What is held arrives after the delay, also from a client that has left.
func TestProxyDelays(t *testing.T) {
	for _, way := range []Direction{Requests, Answers} {
		p, client, received := through(t)
		began := time.Now()
		p.Delay(way, 100*time.Millisecond)
		requireEcho(t, client, "b")
		require.GreaterOrEqual(t, time.Since(began), 100*time.Millisecond)
		p.Delay(way, 100*time.Millisecond)
		_, err := io.WriteString(client, "c")
		require.NoError(t, err)
		require.NoError(t, client.Close())
		require.Equal(t, "abc", <-received)
	}
}

// What is held when a connection is cut is lost, and a new connection works.
func TestProxyCuts(t *testing.T) {
	p, client, received := through(t)
	p.Delay(Requests, time.Hour)
	_, err := io.WriteString(client, "b")
	require.NoError(t, err)
	p.Cut()
	_, err = client.Read(make([]byte, 1))
	require.Error(t, err)
	p.Delay(Requests, 0)
	require.Equal(t, "a", <-received)
	var dialer net.Dialer
	again, err := dialer.DialContext(t.Context(), "tcp", p.Address())
	require.NoError(t, err)
	defer again.Close()
	requireEcho(t, again, "c")
}
