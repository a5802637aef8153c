package server

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
)

// unclear are parts of the driver's errors for a connection that a server has ended. With TLS 1.3 a server refuses a client certificate after
// the handshake. The driver has sent its first request then, and often does not see the reason.
var unclear = []string{"no response to connection startup", "EOF", "reset by peer", "broken pipe", "closed"}

// refusal returns the reason why a server ends connections with TLS, or nil. It connects without a request, and waits for the server to
// end the connection, if an error of the driver does not show the reason.
func refusal(ctx context.Context, d *program.Connection, err error) error {
	if !d.TLS || !slices.ContainsFunc(unclear, func(part string) bool { return strings.Contains(err.Error(), part) }) {
		return nil
	}
	config, err := d.TLSConfig()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, d.Timeout)
	defer cancel()
	for _, host := range d.Hosts {
		if _, _, err := net.SplitHostPort(host); err != nil {
			host = net.JoinHostPort(host, "9042")
		}
		if err := shake(ctx, host, config); err != nil {
			return err
		}
	}
	return nil
}

// shake returns the error with which a server ends a connection, or nil if the server waits for a request.
func shake(ctx context.Context, host string, config *tls.Config) error {
	c, err := (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", host)
	if err != nil {
		return err
	}
	defer c.Close()
	if at, ok := ctx.Deadline(); ok {
		if err := c.SetReadDeadline(at); err != nil {
			return err
		}
	}
	var timeout net.Error
	if _, err = c.Read(make([]byte, 1)); errors.As(err, &timeout) && timeout.Timeout() {
		return nil
	}
	return err
}
