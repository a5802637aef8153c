package cassandra

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

const nativePort = "9042"

// given is a server that was not started by this package.
type given struct{}

func (given) logDir() string     { return "" }
func (given) logTail(int) string { return "" }
func (given) keepLogs(bool)      {}
func (given) release() error     { return nil }

func useHosts(ctx context.Context, cfg Config, list string) (*Server, error) {
	hosts, err := parseHosts(list)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", hostsVariable, err)
	}
	cfg.logf("using %s=%s", hostsVariable, list)
	if err := awaitAnswer(ctx, cfg, hosts, nil); err != nil {
		return nil, fmt.Errorf("%s=%s: %w; unset the variable to start a server here", hostsVariable, list, err)
	}
	return &Server{hosts: hosts, durable: true, origin: given{}}, nil
}

// parseHosts splits comma-separated host[:port]: "a, b:9043" => "a:9042", "b:9043".
func parseHosts(list string) ([]string, error) {
	var hosts []string
	for item := range strings.SplitSeq(list, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		host := withPort(item)
		if why := malformed(host); why != "" {
			return nil, fmt.Errorf("%q is not host or host:port: %s", item, why)
		}
		hosts = append(hosts, host)
	}
	if len(hosts) == 0 {
		return nil, errors.New("the list has no host")
	}
	return hosts, nil
}

// malformed returns the fault of a host:port, or "". It does not connect.
func malformed(hostPort string) string {
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return err.Error()
	}
	n, err := strconv.Atoi(port)
	switch {
	case err != nil || n < 1 || n > 65535:
		return "the port must be a number from 1 to 65535"
	case host == "":
		return "the host is missing"
	case strings.ContainsAny(host, " \t/[]") || strings.Contains(host, ":") && !isAddress(host):
		return "the host must be a name or an address"
	}
	return ""
}

// withPort adds the native port to a host without one: "::1" => "[::1]:9042".
func withPort(host string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		host = host[1 : len(host)-1]
	}
	return net.JoinHostPort(host, nativePort)
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}
