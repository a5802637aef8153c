//go:build unix

package cassandra

import (
	"context"
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
}

// findJava returns the first Java of JAVA_HOME and PATH that Cassandra supports.
func findJava(ctx context.Context) (java, error) {
	var faults []error
	for _, path := range javaPaths() {
		major, err := javaMajor(ctx, path)
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("%s: %w", path, err))
		case major == 17 || major == 11:
			return java{path, major}, nil
		default:
			faults = append(faults, fmt.Errorf("%s is Java %d", path, major))
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

func javaMajor(ctx context.Context, path string) (int, error) {
	out, err := exec.CommandContext(ctx, path, "-version").CombinedOutput()
	if err != nil {
		return 0, err
	}
	return parseJavaMajor(string(out))
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
