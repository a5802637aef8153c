//go:build unix

package cassandra

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// clock returns the jar of the clock of a node whose clock is wrong, after the jars of the server in a class path.
func (n node) clock() string {
	if n.ahead == 0 {
		return ""
	}
	return string(filepath.ListSeparator) + "conf/clock.jar"
}

// writeClock compiles the clock of the node.
func (n node) writeClock(j java) error {
	dir := filepath.Join(n.dir, "conf")
	text, err := conf.ReadFile("conf/ClockAhead.java")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "ClockAhead.java"), text, 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{{"javac", "-cp", "lib/*", "-d", "conf", "conf/ClockAhead.java"}, {"jar", "cf", "conf/clock.jar", "-C", "conf", "ClockAhead.class"}} {
		cmd := exec.Command(jdkCommand(j.path, args[0]), args[1:]...)
		cmd.Dir = n.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

// jdkCommand returns the path of a command of the JDK of a java, or its name if the java has no such neighbour.
func jdkCommand(path, name string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		file := filepath.Join(filepath.Dir(target), name)
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return name
}
