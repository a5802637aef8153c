//go:build unix

package cassandra

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
)

// dump runs sstabledump on a file, in a separate folder.
func (l local) dump(ctx context.Context, dir, file string) ([]byte, error) {
	jars, err := l.jars.ensure(ctx, l.cfg)
	if err != nil {
		return nil, err
	}
	n, err := newNode(dir)
	if err != nil {
		return nil, err
	}
	n.release = l.release
	if _, err := n.configure(jars, l.java); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, l.java.path, "@conf/quick.options", fmt.Sprintf("@conf/jdk%d.options", l.java.major), "-Xmx256m",
		"-Dcassandra.storagedir="+n.state, "-Dcassandra.logdir="+n.logDir(),
		"-cp", "conf:lib/*", "org.apache.cassandra.tools.SSTableExport", file)
	cmd.Dir = n.dir
	var out, faults bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &faults
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, lastLines(faults.String()+out.String(), tailLines))
	}
	return out.Bytes(), nil
}
