package cassandra

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
)

const nativePort = "9042"

// given is a server that somebody else runs.
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
		return nil, fmt.Errorf("%s=%s: %w", hostsVariable, list, err)
	}
	return &Server{hosts: hosts, origin: given{}}, nil
}

// parseHosts reads comma-separated host[:port]: "a, b:9043" => "a:9042", "b:9043".
func parseHosts(list string) ([]string, error) {
	var hosts []string
	for item := range strings.SplitSeq(list, ",") {
		if item = strings.TrimSpace(item); item != "" {
			hosts = append(hosts, withPort(item))
		}
	}
	if len(hosts) == 0 {
		return nil, errors.New("no host in it")
	}
	return hosts, nil
}

// withPort completes a host with the native port: "::1" => "[::1]:9042".
func withPort(host string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), nativePort)
}
