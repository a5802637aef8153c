package server

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cqlshrc is the connection that a file of cqlsh describes. Empty values are not in the file.
type cqlshrc struct {
	path           string
	host, port     string
	user, password string
	passwordFile   string // has the password
	keyspace       string
	timeout        time.Duration // limits a connection
	request        time.Duration // limits a request
	tls            bool
	decided        bool // the file has a value for tls
	ca, cert, key  string
	certfiles      map[string]string // the certificates of an authority by host, in lower case
	insecure       bool              // validate = false
}

// contacts returns contact points with the port of the file, except for those that have one.
func (f *cqlshrc) contacts(list string) (string, error) {
	hosts := splitHosts(list)
	for i, contact := range hosts {
		host, port, err := splitContact(contact)
		if err != nil {
			return "", err
		}
		if hosts[i] = host; cmp.Or(port, f.port) != "" {
			hosts[i] = net.JoinHostPort(host, cmp.Or(port, f.port))
		}
	}
	return strings.Join(hosts, ","), nil
}

// splitContact returns the host and the port of a contact point, "" for none. An IPv6 address without a port need not be in brackets.
func splitContact(contact string) (host, port string, err error) {
	if host, port, err = net.SplitHostPort(contact); err == nil {
		if host == "" || !isPort(port) {
			err = fmt.Errorf("contact point %s: write host:port with a port between 1 and 65535, or host", withoutUser(contact))
		}
		return host, port, err
	}
	if host = contact; strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		host = host[1 : len(host)-1]
	}
	if _, err = netip.ParseAddr(host); err != nil && strings.ContainsAny(host, ":[]/;") {
		return "", "", fmt.Errorf("contact point %s: write host or host:port, and an IPv6 address with a port as [address]:port", withoutUser(contact))
	}
	return host, "", nil
}

// withoutUser returns a contact point without the user and the password of a URL, for messages.
func withoutUser(contact string) string { return contact[strings.LastIndexByte(contact, '@')+1:] }

// isPort reports whether a text is the number of a port.
func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

// authority returns the file with the certificates for contact points. A host in [certfiles] has its own file, as in cqlsh.
func (f *cqlshrc) authority(list string) (string, error) {
	files := map[string]bool{}
	for _, contact := range splitHosts(list) {
		host, _, err := splitContact(contact)
		if err != nil {
			return "", err
		}
		files[cmp.Or(f.certfiles[strings.ToLower(host)], f.ca)] = true
	}
	if len(files) > 1 {
		return "", fmt.Errorf("cqlshrc %s: [certfiles] has different files for the contact points %s: give one file with the certificates for all of them (-tls-ca)",
			f.path, list)
	}
	return slices.Collect(maps.Keys(files))[0], nil
}

// describesTLS reports whether the file has something that has an effect only with TLS.
func (f *cqlshrc) describesTLS() bool {
	return cmp.Or(f.ca, f.cert, f.key) != "" || f.certfiles != nil || f.insecure
}

// displaySections are the sections that are not about the connection, beside those of COPY. They are ignored.
var displaySections = []string{"cql", "csv", "history", "preview", "tracing", "ui"}

// plainProvider is the only class of [auth_provider] that has a user and a password.
const plainProvider = "PlainTextAuthProvider"

// readCqlshrc reads the file that cqlsh reads. A key that is not supported is an error, because without it the command would connect
// in another way than cqlsh.
func readCqlshrc(path string) (*cqlshrc, error) {
	keys, err := readINI("cqlshrc", path)
	if err != nil {
		return nil, err
	}
	r := &cqlshrcReader{cqlshrc: cqlshrc{path: path}}
	for _, k := range keys {
		if !slices.Contains(displaySections, k.section) && !strings.HasPrefix(k.section, "copy") {
			r.set(k.section, k.key, k.value)
		}
	}
	r.finish()
	return &r.cqlshrc, errors.Join(r.bad...)
}

// cqlshrcReader collects the keys of a file, and its faults.
type cqlshrcReader struct {
	cqlshrc
	bad []error

	credentials string // the file with the user and the password
	provider    login  // [auth_provider]
}

// login has a user and a password, or one of them.
type login struct{ user, password string }

// unsupported are keys of cqlsh for the connection that have no counterpart, with the replacement.
var unsupported = map[string]string{
	"ssl.version":               "leave it out: TLS 1.2 or later is used",
	"ssl.ssl_version":           "leave it out: TLS 1.2 or later is used",
	"connection.factory":        "use [connection] ssl = true",
	"connection.client_timeout": "use timeout and request_timeout",
	"protocol.version":          "leave it out: version 4 is used",
}

func (r *cqlshrcReader) fault(section, key, text string, args ...any) {
	r.bad = append(r.bad, fmt.Errorf("cqlshrc %s: [%s] %s: %w", r.path, section, key, fmt.Errorf(text, args...)))
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
		if !isPort(value) {
			r.fault(section, key, "%q is not a port: use a number between 1 and 65535", value)
		}
	case "connection.ssl":
		r.tls, r.decided = r.boolean(section, key, value), true
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
		if r.insecure = strings.EqualFold(value, "false"); !r.insecure && !strings.EqualFold(value, "true") {
			r.fault(section, key, "%q is neither true nor false", value) // cqlsh checks certificates unless it is false
		}
	case "authentication.username":
		r.user = value
	case "authentication.password":
		r.password = value
	case "authentication.credentials":
		r.credentials = home(value)
	case "auth_provider.username":
		r.provider.user = value
	case "auth_provider.password":
		r.provider.password = value
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
			instead = "remove it, or use a separate file for aml"
		}
		r.fault(section, key, "is not supported: %s", instead)
	}
}

// finish finds the user and the password, which can be in several places. The order is that of cqlsh.
func (r *cqlshrcReader) finish() {
	var legacy, own login // sections of the file with credentials
	if r.credentials != "" {
		keys, err := readINI("credentials", r.credentials)
		if err != nil {
			r.fault("authentication", "credentials", "%w", err)
			return
		}
		if legacy, own = newLogin(keys, "plain_text_auth"), newLogin(keys, plainProvider); legacy == own && own == (login{}) {
			r.fault("authentication", "credentials", "%s has no user and no password: write username and password into its section [%s]", r.credentials, plainProvider)
		}
	}
	r.user = cmp.Or(legacy.user, r.user, own.user, r.provider.user)
	if r.passwordFile = r.path; legacy.password != "" || r.password == "" && own.password != "" {
		r.passwordFile = r.credentials
	}
	r.password = cmp.Or(legacy.password, r.password, own.password, r.provider.password)
}

// newLogin returns the values of a section.
func newLogin(keys []iniKey, section string) (l login) {
	for _, k := range keys {
		switch {
		case k.section == section && k.key == "username":
			l.user = k.value
		case k.section == section && k.key == "password":
			l.password = k.value
		}
	}
	return l
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
