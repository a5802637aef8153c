package cassandra

import (
	"fmt"
	"strings"
)

// NoServerError reports that no way to a server is available on this machine. Its text is one line with the ways.
type NoServerError struct {
	// Docker is the reason why no container could be started.
	Docker error
	// Local is the reason why the server could not be run as a process.
	Local error
}

// Error describes the three ways, and why the last two are not available.
func (e *NoServerError) Error() string {
	return oneLine(fmt.Sprintf("no server: set %s=host[:port],... or start a Docker engine (%v) or install Java 17 or 11 and Maven (%v)",
		hostsVariable, e.Docker, e.Local))
}

// Unwrap returns both reasons.
func (e *NoServerError) Unwrap() []error { return []error{e.Docker, e.Local} }

// NoClusterError reports that this machine cannot run a node as a process. Its text is one line that names the missing requirements.
type NoClusterError struct {
	// Local is the reason why a node could not be run as a process.
	Local error
}

// Error describes the requirements of such a node, and which one is missing.
func (e *NoClusterError) Error() string {
	return oneLine(fmt.Sprintf("no cluster: nodes that a test kills, or whose roles it changes, run as processes, not in Docker and not by %s: install Java 17 or 11 and Maven (%v)",
		hostsVariable, e.Local))
}

// Unwrap returns the reason.
func (e *NoClusterError) Unwrap() error { return e.Local }

// StartError reports that a server was started and did not answer.
type StartError struct {
	// Err is the cause.
	Err error
	// LogDir is the folder of the server's logs, if they are on this machine's disk.
	LogDir string
	// Tail is the last lines of the server's output and log.
	Tail string
}

// Error returns the cause, the folder of the logs and their last lines.
func (e *StartError) Error() string {
	text := "start server: " + e.Err.Error()
	if e.LogDir != "" {
		text += "\nthe logs are in " + e.LogDir
	}
	if e.Tail != "" {
		text += "\n" + e.Tail
	}
	return text
}

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

func oneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}

// lastLines returns the end of a text: at most n lines, each cut to a readable length.
func lastLines(text string, n int) string {
	const width = 300
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	lines = lines[max(0, len(lines)-n):]
	for i, line := range lines {
		if len(line) > width {
			lines[i] = line[:width] + "..."
		}
	}
	return strings.Join(lines, "\n")
}
