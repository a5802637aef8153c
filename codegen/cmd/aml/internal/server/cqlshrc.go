package server

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/ini.v1"
)

// cqlshrc is the connection that a file of cqlsh describes. Empty values are not in the file.
type cqlshrc struct {
	hosts          string // hostname and port
	user, password string
	keyspace       string
	timeout        time.Duration // limits a connection
	request        time.Duration // limits a request
	tls            bool
	ca, cert, key  string
	insecure       bool // validate = false
}

// displaySections are the sections that are not about the connection, beside those of COPY. They are ignored.
var displaySections = []string{"cql", "csv", "history", "preview", "tracing", "ui"}

// plainProvider is the only class of [auth_provider] that has a user and a password.
const plainProvider = "PlainTextAuthProvider"

// readCqlshrc reads the file that cqlsh reads, in the form of Python's configparser: sections, keys without regard to case, and lines that
// begin with # or ; as comments. A key that is not supported is an error, because without it the connection would be another one than that
// of cqlsh.
func readCqlshrc(path string) (*cqlshrc, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cqlshrc: %w", err)
	}
	if at := quotedValue.FindIndex(text); at != nil {
		return nil, fmt.Errorf("cqlshrc %s:%d: a value that begins with ` or \"\"\" is not supported: if it is the password, set CASSANDRA_PASSWORD",
			path, 1+bytes.Count(text[:at[0]], []byte("\n")))
	}
	f, err := ini.LoadSources(ini.LoadOptions{Insensitive: true, IgnoreInlineComment: true, IgnoreContinuation: true, PreserveSurroundedQuote: true}, text)
	if err != nil {
		return nil, fmt.Errorf("cqlshrc %s: %w", path, withoutValue(err))
	}
	r := &cqlshrcReader{path: path}
	for _, s := range f.Sections() {
		if slices.Contains(displaySections, s.Name()) || strings.HasPrefix(s.Name(), "copy") {
			continue
		}
		for _, k := range s.Keys() {
			r.set(s.Name(), k.Name(), strings.TrimSpace(k.Value()))
		}
	}
	r.finish()
	return &r.cqlshrc, errors.Join(r.bad...)
}

// quotedValue finds a value that the library, and not cqlsh, reads without its quotes.
var quotedValue = regexp.MustCompile("(?m)^[^\\[#;=:\n]*[=:][ \t]*(`|\"\"\")")

// withoutValue returns a parse error without the line of the file, which can have a password.
func withoutValue(err error) error {
	if ini.IsErrDelimiterNotFound(err) {
		return errors.New("a line has neither a key with = nor a section: write key = value")
	}
	return errors.New("it is not a file with sections and keys: write [section] lines and key = value lines")
}

// cqlshrcReader collects the keys of a file, and its faults.
type cqlshrcReader struct {
	cqlshrc
	path string
	bad  []error

	host, port string
	certfiles  map[string]string // the keys are hosts
}

// unsupported are keys of cqlsh for the connection that have no counterpart, with the replacement.
var unsupported = map[string]string{
	"authentication.credentials": "put the password in the variable CASSANDRA_PASSWORD",
	"ssl.version":                "leave it out: TLS 1.2 or later is used",
	"ssl.ssl_version":            "leave it out: TLS 1.2 or later is used",
	"connection.factory":         "use [connection] ssl = true",
	"connection.client_timeout":  "use timeout and request_timeout",
	"protocol.version":           "leave it out: version 4 is used",
}

func (r *cqlshrcReader) fault(section, key, text string, args ...any) {
	r.bad = append(r.bad, fmt.Errorf("cqlshrc %s: [%s] %s: %s", r.path, section, key, fmt.Sprintf(text, args...)))
}

func (r *cqlshrcReader) set(section, key, value string) {
	if section == "certfiles" {
		if r.certfiles == nil {
			r.certfiles = map[string]string{}
		}
		r.certfiles[key] = home(value)
		return
	}
	switch name := section + "." + key; name {
	case "connection.hostname":
		r.host = value
	case "connection.port":
		r.port = value
		if n, err := strconv.ParseUint(value, 10, 16); err != nil || n == 0 {
			r.fault(section, key, "%q is not a port: use a number between 1 and 65535", value)
		}
	case "connection.ssl":
		r.tls = r.boolean(section, key, value)
	case "connection.timeout", "connection.connect_timeout":
		r.timeout = r.seconds(section, key, value)
	case "connection.request_timeout":
		r.request = r.seconds(section, key, value)
	case "ssl.certfile":
		r.ca = home(value)
	case "ssl.usercert":
		r.cert = home(value)
	case "ssl.userkey":
		r.key = home(value)
	case "ssl.validate":
		r.insecure = !r.boolean(section, key, value)
	case "authentication.username", "auth_provider.username":
		r.user = value
	case "authentication.password", "auth_provider.password":
		r.password = value
	case "authentication.keyspace":
		r.keyspace = unquote(value)
	case "auth_provider.module":
		if value != "cassandra.auth" {
			r.fault(section, key, "only cassandra.auth with %s is supported: log in with a user and a password", plainProvider)
		}
	case "auth_provider.classname":
		if value != plainProvider {
			r.fault(section, key, "only %s is supported: log in with a user and a password", plainProvider)
		}
	default:
		instead := unsupported[name]
		if instead == "" {
			instead = "remove it, or use a file of its own for aml"
		}
		r.fault(section, key, "is not supported: %s", instead)
	}
}

// finish combines keys that belong together. The name of a host in [certfiles] replaces certfile, as in cqlsh.
func (r *cqlshrcReader) finish() {
	if r.host != "" {
		r.hosts = r.host
		if r.port != "" {
			r.hosts = net.JoinHostPort(r.host, r.port)
		}
	}
	if of := r.certfiles[strings.ToLower(r.host)]; of != "" {
		r.ca = of
	}
}

func (r *cqlshrcReader) boolean(section, key, value string) bool {
	switch strings.ToLower(value) {
	case "1", "yes", "true", "on":
		return true
	case "0", "no", "false", "off":
		return false
	}
	r.fault(section, key, "%q is neither true nor false", value)
	return false
}

func (r *cqlshrcReader) seconds(section, key, value string) time.Duration {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || !(n > 0) || n > 1e6 {
		r.fault(section, key, "%q is not a number of seconds above 0", value)
		return 0
	}
	return time.Duration(n * float64(time.Second))
}

// home replaces a ~ at the beginning of a path.
func home(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if dir, err := os.UserHomeDir(); err == nil {
			return filepath.Join(dir, rest)
		}
	}
	return path
}

// unquote returns the name of a keyspace, which cqlsh writes into a statement: in quotes with its case, otherwise in lower case.
func unquote(name string) string {
	if n := len(name); n > 1 && name[0] == '"' && name[n-1] == '"' {
		return strings.ReplaceAll(name[1:n-1], `""`, `"`)
	}
	return strings.ToLower(name)
}
