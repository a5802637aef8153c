//go:build unix

package cassandra

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// clusterPorts is the number of attempts to find ports that are free on every address of a cluster.
const clusterPorts = 20

// clusterNode is a node of a cluster: a server that only this process uses, and that can end and be restarted.
type clusterNode struct{ *share }

// awaitTurn waits until no other test binary runs a cluster.
func (l local) awaitTurn(ctx context.Context) (io.Closer, error) {
	dir := filepath.Join(l.commons.dir, "clusters")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return lockFile(ctx, filepath.Join(dir, "turn"))
}

// launchCluster launches the nodes concurrently, in folders in which no process looks for a server to share.
func (l local) launchCluster(ctx context.Context, centres layout) (*Cluster, error) {
	jars, err := l.jars.ensure(ctx, l.cfg)
	if err != nil {
		return nil, err
	}
	archived, err := l.archived(ctx, jars)
	if err != nil {
		return nil, err
	}
	nodes, err := newNodes(clusterSize, centres)
	if err != nil {
		return nil, err
	}
	own := commons{filepath.Join(l.commons.dir, "clusters"), 0}
	if err := own.prepare(ctx); err != nil {
		return nil, err
	}
	c := &Cluster{cfg: l.cfg}
	for i, n := range nodes {
		if l.cfg.Clocks != nil {
			n.ahead = l.cfg.Clocks[i]
		}
		s, err := own.launch(ctx, func(dir string) (plan, error) { return l.prepareMember(n, dir, jars, archived) })
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c.nodes, c.hosts = append(c.nodes, clusterNode{s}), append(c.hosts, n.host())
		l.cfg.logf("launched node %s of %d, Cassandra %s, logs in %s", n.host(), len(nodes), l.release, s.logDir())
	}
	return c, nil
}

// prepare creates the folder of clusters and removes the logs of old ones.
func (c commons) prepare(ctx context.Context) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	lock, err := lockFile(ctx, filepath.Join(c.dir, "lock"))
	if err != nil {
		return err
	}
	defer lock.Close()
	dirs, err := c.servers()
	if err != nil {
		return err
	}
	return c.prune(dirs)
}

func (l local) prepareMember(n node, dir, jars string, archived []string) (plan, error) {
	n.dir, n.release, n.state, n.optimize = nodeIn(dir).dir, l.release, nodeIn(dir).state, l.cfg.Optimize
	command, err := n.configure(jars, l.java, archived...)
	return plan{command: command, hosts: []string{n.host()}, restartable: true}, err
}

// newNodes describes the nodes of a cluster: 127.0.0.1, 127.0.0.2 and so on. Each is a seed and owns an equal part of the
// ring, so that all can start concurrently.
func newNodes(count int, centres layout) ([]node, error) {
	var addresses []string
	for i := range count {
		addresses = append(addresses, fmt.Sprintf("127.0.0.%d", i+1))
	}
	ports, err := sharedPorts(addresses, 2)
	if err != nil {
		return nil, err
	}
	var nodes []node
	var seeds []string
	for i, address := range addresses {
		seeds = append(seeds, net.JoinHostPort(address, strconv.Itoa(ports[0])))
		nodes = append(nodes, node{address: address, storage: ports[0], native: ports[1], token: evenToken(i, count), member: true, durable: true})
	}
	for i := range nodes {
		nodes[i].seeds = strings.Join(seeds, ",")
		if centres != nil {
			nodes[i].dataCentre = centres[i]
		}
	}
	return nodes, nil
}

// evenToken returns the token of a node: 0 of 2 => -2^63, 1 of 2 => 0.
func evenToken(i, count int) string {
	step := uint64(math.MaxUint64) / uint64(count)
	return strconv.FormatInt(int64(uint64(i)*step)+math.MinInt64+1, 10)
}

// sharedPorts finds ports that are free on every address.
func sharedPorts(addresses []string, count int) ([]int, error) {
	var fault error
	for range clusterPorts {
		ports, err := freePorts(addresses[0], count)
		if err != nil {
			return nil, err
		}
		if fault = free(addresses, ports); fault == nil {
			return ports, nil
		}
		if errors.Is(fault, unix.EADDRNOTAVAIL) {
			return nil, fmt.Errorf("%w; a cluster needs %v on this machine (on a Mac: sudo ifconfig lo0 alias 127.0.0.2)", fault, addresses)
		}
	}
	return nil, fault
}

// free returns nil if no process listens on the ports of the addresses.
func free(addresses []string, ports []int) error {
	for _, address := range addresses {
		for _, port := range ports {
			listener, err := net.Listen("tcp", net.JoinHostPort(address, strconv.Itoa(port)))
			if err != nil {
				return err
			}
			if err := listener.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}

// pid returns the process ID of the node, also after it has ended.
func (n clusterNode) pid() (int, error) {
	text, err := os.ReadFile(filepath.Join(n.node().dir, "pid"))
	if err != nil {
		return 0, err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid < 2 {
		return 0, fmt.Errorf("no process in %q", text)
	}
	return pid, nil
}

func (n clusterNode) running() error {
	pid, err := n.pid()
	if err != nil {
		return err
	}
	if err := unix.Kill(pid, 0); err != nil {
		return fmt.Errorf("%w: its process %d: %w", errEnded, pid, err)
	}
	return n.alive()
}

func (n clusterNode) kill(ctx context.Context) error {
	pid, err := n.pid()
	if err != nil {
		return err
	}
	if err := unix.Kill(pid, unix.SIGKILL); err != nil {
		return err
	}
	for unix.Kill(pid, 0) == nil {
		if !pause(ctx, admitEvery) {
			return fmt.Errorf("process %d still runs: %w", pid, ctx.Err())
		}
	}
	return nil
}

// revive lets the supervisor start the node again, and waits until there is a new process.
func (n clusterNode) revive(ctx context.Context) error {
	if n.running() == nil {
		return errors.New("the node runs")
	}
	before, err := n.pid()
	if err != nil {
		return err
	}
	if err := n.order(ctx, "start\n"); err != nil {
		return err
	}
	for {
		if now, err := n.pid(); err == nil && now != before {
			return nil
		}
		if !pause(ctx, admitEvery) {
			return fmt.Errorf("no process was started: %w", ctx.Err())
		}
	}
}

// order writes to the supervisor when it waits for a command, which it does after the node has ended.
func (n clusterNode) order(ctx context.Context, text string) error {
	for {
		fd, err := openWriter(filepath.Join(n.dir, againName))
		if err == nil {
			_, err = unix.Write(fd, []byte(text))
			return errors.Join(err, unix.Close(fd))
		}
		if !errors.Is(err, unix.ENXIO) {
			return err
		}
		if err := n.alive(); err != nil {
			return err
		}
		if !pause(ctx, admitEvery) {
			return fmt.Errorf("no supervisor reads commands: %w", ctx.Err())
		}
	}
}
