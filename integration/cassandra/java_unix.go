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

// findJava returns the first Java of JAVA_HOME and PATH that Cassandra supports.
func findJava(ctx context.Context) (java, error) {
	var faults []error
	for _, path := range javaPaths() {
		found, err := javaAt(ctx, path)
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("%s: %w", path, err))
		case found.major == 17 || found.major == 11:
			return found, nil
		default:
			faults = append(faults, fmt.Errorf("%s is Java %d", path, found.major))
		}
	}
	if len(faults) == 0 {
		return java{}, errors.New("no java in PATH")
	}
	return java{}, errors.Join(faults...)
}

// javaPaths lists the commands to try, without relative ones, because the server runs in another folder.
func javaPaths() []string {
	var paths []string
	if home := os.Getenv("JAVA_HOME"); home != "" {
		paths = append(paths, filepath.Join(home, "bin", "java"))
	}
	if path, err := exec.LookPath("java"); err == nil {
		paths = append(paths, path)
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
