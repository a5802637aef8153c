package commandline

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
)

// LongOptions allows options of more than one letter with one dash, as in the go command.
func LongOptions(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if a == "--" {
			copy(out[i:], args[i:])
			return out
		}
		if len(a) > 2 && a[0] == '-' && unicode.IsLetter(rune(a[1])) && !strings.HasPrefix(a, "-h=") {
			a = "-" + a
		}
		out[i] = a
	}
	if last := len(args) - 1; completesOneDash(args) {
		out[last] = "-" + args[last]
	}
	return out
}

// completesOneDash reports whether a shell completes an option that begins with one dash.
func completesOneDash(args []string) bool {
	asked := []string{cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	if len(args) == 0 || !slices.Contains(asked, args[0]) {
		return false
	}
	word := args[len(args)-1]
	return strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--")
}

// oneDash writes options with one dash. Each write consists of complete lines.
type oneDash struct{ to io.Writer }

func (w oneDash) Write(p []byte) (int, error) {
	lines := bytes.SplitAfter(p, []byte("\n"))
	for i, l := range lines {
		if bytes.HasPrefix(l, []byte("--")) {
			lines[i] = l[1:]
		}
	}
	if _, err := w.to.Write(bytes.Join(lines, nil)); err != nil {
		return 0, err
	}
	return len(p), nil
}
