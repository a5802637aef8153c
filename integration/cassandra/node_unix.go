//go:build unix

package cassandra

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"
)

//go:embed conf
var conf embed.FS

// node is one server process of a cluster, with its folder:
//
//	conf/     the configuration
//	lib       a link to the jars
//	logs/     output.log and system.log
//	pid       of the process
//	state/    its data, removed at its end, unless it is in another folder
type node struct {
	dir      string
	release  string
	state    string
	address  string
	storage  int
	native   int
	token    string
	seeds    string
	member   bool // belongs to a cluster
	durable  bool // acknowledged writes survive kill -9 and a restart
	optimize bool // its code is compiled fully
	roles    bool // it checks passwords and permissions

	ahead time.Duration // how far its clock is ahead

	dataCentre string // the name for GossipingPropertyFileSnitch; empty: the snitch knows one data centre
}

// nodeIn returns the node of a server's folder, with its logs and its state only.
func nodeIn(server string) node {
	dir := filepath.Join(server, "node1")
	return node{dir: dir, state: filepath.Join(dir, "state")}
}

// newNode returns the only node of a new server, on free ports.
func newNode(server string) (node, error) {
	const address = "127.0.0.1"
	ports, err := freePorts(address, 2)
	if err != nil {
		return node{}, err
	}
	n := nodeIn(server)
	n.address, n.storage, n.native = address, ports[0], ports[1]
	n.token, n.seeds = "0", net.JoinHostPort(address, strconv.Itoa(ports[0]))
	return n, nil
}

func (n node) host() string { return net.JoinHostPort(n.address, strconv.Itoa(n.native)) }

// freePorts finds ports that no process listens on. It holds all of them until it has found all, so they differ.
func freePorts(address string, count int) ([]int, error) {
	var ports []int
	for range count {
		listener, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// configure writes the node's folder and returns the command that runs the server in it, with additional options of Java. The paths
// of the jars are relative to the folder, because a class path does not support all characters.
func (n node) configure(jars string, j java, options ...string) ([]string, error) {
	for _, dir := range []string{filepath.Join(n.dir, "conf", "triggers"), n.logDir(), n.temporary()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	jamm, err := filepath.Glob(filepath.Join(jars, "jamm-*.jar"))
	if err != nil || len(jamm) == 0 {
		return nil, fmt.Errorf("no jamm in %s", jars)
	}
	if err := os.Symlink(jars, filepath.Join(n.dir, "lib")); err != nil {
		return nil, err
	}
	if err := n.writeConf(); err != nil {
		return nil, err
	}
	if n.ahead != 0 {
		if err := n.writeClock(j); err != nil {
			return nil, err
		}
	}
	if n.optimize || j.unsupported(n.release) { // without an agent, the objects of lambdas cannot be measured on Java 17
		options = append(slices.Clone(options), "-javaagent:lib/"+filepath.Base(jamm[0]))
	}
	return n.command(j, options), nil
}

func (n node) writeConf() error {
	for _, name := range []string{"logback.xml", "jvm.options", "quick.options", "durable.options", "member.options", "jdk11.options", "jdk17.options", "jdk17-before5.options"} {
		text, err := conf.ReadFile("conf/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(n.dir, "conf", name), text, 0o600); err != nil {
			return err
		}
	}
	if n.roles {
		if err := writeCertificates(filepath.Join(n.dir, "conf"), n.address); err != nil {
			return err
		}
	}
	if n.dataCentre != "" {
		if err := os.WriteFile(filepath.Join(n.dir, "conf", rackFile), []byte("dc="+n.dataCentre+"\nrack=rack1\n"), 0o600); err != nil {
			return err
		}
	}
	yaml, err := conf.ReadFile("conf/cassandra.yaml.tmpl")
	if err != nil {
		return err
	}
	return render(filepath.Join(n.dir, "conf", "cassandra.yaml"), string(yaml), map[string]any{
		"Seeds":       n.seeds,
		"Token":       n.token,
		"Address":     n.address,
		"StoragePort": n.storage,
		"NativePort":  n.native,
		"Durable":     n.durable,
		"Optimize":    n.optimize,
		"DataCentre":  n.dataCentre,
		"Roles":       n.roles,
		"Conf":        filepath.Join(n.dir, "conf"),
		"From5":       !isBefore(n.release, "5.0"),
	})
}

// rackFile is the file of a node in which GossipingPropertyFileSnitch finds its data centre.
const rackFile = "cassandra-rackdc.properties"

// fileURL returns the URL of a file of the configuration. Java archives no classes if the class path has a folder, so options name the files.
func (n node) fileURL(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.Join(n.dir, "conf", name)}).String()
}

func (n node) command(j java, options []string) []string {
	command := []string{j.path, "@conf/jvm.options"}
	if !n.optimize {
		command = append(command, "@conf/quick.options")
	}
	if n.durable {
		command = append(command, "@conf/durable.options")
	}
	if n.member {
		command = append(command, "@conf/member.options")
	}
	if !n.optimize && (n.member || !n.durable) {
		// Written data survives kill -9 of the process. Only kept data, and no test, must survive the end of the machine.
		command = append(command, "-Dcassandra.skip_sync=true")
	}
	if n.dataCentre != "" {
		command = append(command, "-Dcassandra-rackdc.properties="+n.fileURL(rackFile))
	}
	if n.ahead != 0 {
		command = append(command, "-Dcassandra.clock=ClockAhead", fmt.Sprintf("-Dclock.ahead=%d", n.ahead.Milliseconds()))
	}
	command = append(append(command, options...),
		fmt.Sprintf("@conf/jdk%d.options", j.major))
	if j.unsupported(n.release) {
		command = append(command, "@conf/jdk17-before5.options")
	}
	command = append(command,
		"-Djava.io.tmpdir="+n.temporary(),
		"-Djna.tmpdir="+n.temporary(),
		"-Dcassandra.storagedir="+n.state,
		"-Dcassandra.logdir="+n.logDir(),
		"-Dcassandra.config="+n.fileURL("cassandra.yaml"),
		"-Dcassandra.triggers_dir=conf/triggers",
		"-Dlogback.configurationFile=conf/logback.xml",
		"-cp", "lib/*"+n.clock(),
	)
	return append(command, "org.apache.cassandra.service.CassandraDaemon")
}

func (n node) temporary() string { return filepath.Join(n.state, "tmp") }

func (n node) logDir() string { return filepath.Join(n.dir, "logs") }

// tail returns the end of the node's output and of its log.
func (n node) tail(lines int) string {
	var text string
	for _, name := range []string{"output.log", "system.log"} {
		if end := fileTail(filepath.Join(n.logDir(), name), lines); end != "" {
			text += name + ":\n" + end + "\n"
		}
	}
	return text
}

// collectionTrace is the stack trace that a server without MBeans prints after each garbage collection.
var collectionTrace = regexp.MustCompile(`(?m)^java\.lang\.NullPointerException.*\n\tat org\.apache\.cassandra\.service\.GCInspector\..*\n?(?:\tat .*\n?)*`)

// fileTail returns the last lines of a file, of at most its last 64 KiB.
func fileTail(path string, lines int) string {
	const most = 64 << 10
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	text := make([]byte, min(info.Size(), most))
	read, _ := file.ReadAt(text, info.Size()-int64(len(text)))
	return lastLines(string(collectionTrace.ReplaceAll(text[:read], nil)), lines)
}

// confHash distinguishes configurations, so that only processes with the same configuration share a server.
func confHash() (string, error) {
	hash := sha256.New()
	err := fs.WalkDir(conf, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := conf.ReadFile(path)
		hash.Write(text)
		return err
	})
	return hex.EncodeToString(hash.Sum(nil))[:8], err
}
