//go:build unix

package cassandra

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// java is an installed Java that can run the server.
type java struct {
	path  string
	major int
	id    string // differs for each build of Java
}

// javas returns the versions of Java on which Apache runs a version of Cassandra, the preferred one first, and then the version on
// which it also starts.
func javas(release string) []int {
	if isBefore(release, "5.0") {
		return []int{11, 17}
	}
	return []int{17, 11}
}

// unsupported reports whether a version of Cassandra starts on the Java although Apache does not support it.
func (j java) unsupported(release string) bool { return j.major == 17 && isBefore(release, "5.0") }

// note returns a line about a Java that Apache does not support for a version of Cassandra; "" for the others.
func (j java) note(release string) string {
	if !j.unsupported(release) {
		return ""
	}
	return fmt.Sprintf("Cassandra %s is supported on Java 8 and 11 only, and runs on Java 17 (%s) here: set JAVA11_HOME to the folder of a Java 11", release, j.path)
}

// findJava returns the Java for a version of Cassandra: the first one of JAVA_HOME and PATH that can run it. Before Cassandra 5.0, a Java 11
// anywhere has precedence.
func findJava(ctx context.Context, release string) (java, error) {
	var faults []error
	var found []java
	for _, path := range javaPaths(release) {
		j, err := javaAt(ctx, path)
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("%s: %w", path, err))
		case slices.Contains(javas(release), j.major):
			found = append(found, j)
		default:
			faults = append(faults, fmt.Errorf("%s is Java %d", path, j.major))
		}
	}
	preferred := func(j java) bool { return j.major == javas(release)[0] }
	switch i := slices.IndexFunc(found, preferred); {
	case i > 0 && isBefore(release, "5.0"):
		return found[i], nil
	case len(found) > 0:
		return found[0], nil
	case len(faults) == 0:
		return java{}, errors.New("no java in PATH")
	}
	return java{}, errors.Join(faults...)
}

// java11Folders are patterns of the folders in which packages of Linux and macOS install Java 11.
var java11Folders = []string{"/usr/lib/jvm/*11*", "/Library/Java/JavaVirtualMachines/*11*/Contents/Home"}

// javaPaths lists the commands to try, without relative ones, because the server runs in another folder.
func javaPaths(release string) []string {
	var homes, paths []string
	if isBefore(release, "5.0") {
		homes = append(homes, os.Getenv("JAVA11_HOME"))
	}
	homes = append(homes, os.Getenv("JAVA_HOME"))
	for _, home := range homes {
		if home != "" {
			paths = append(paths, filepath.Join(home, "bin", "java"))
		}
	}
	if path, err := exec.LookPath("java"); err == nil {
		paths = append(paths, path)
	}
	if isBefore(release, "5.0") {
		for _, pattern := range java11Folders {
			found, _ := filepath.Glob(filepath.Join(pattern, "bin", "java")) // the only error is that of a bad pattern
			paths = append(paths, found...)
		}
	}
	return slices.Compact(paths)
}

func javaAt(ctx context.Context, path string) (java, error) {
	out, err := exec.CommandContext(ctx, path, "-version").CombinedOutput()
	if err != nil {
		return java{}, err
	}
	major, err := parseJavaMajor(string(out))
	hash := sha256.Sum256(out)
	return java{path, major, hex.EncodeToString(hash[:])[:8]}, err
}

// parseJavaMajor parses the output of "java -version": `openjdk version "17.0.15" ...` => 17, `java version "1.8.0_392"` =>
// 8.
func parseJavaMajor(text string) (int, error) {
	found := regexp.MustCompile(`version "(?:1\.)?(\d+)`).FindStringSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("no version in %q", oneLine(text))
	}
	return strconv.Atoi(found[1])
}
