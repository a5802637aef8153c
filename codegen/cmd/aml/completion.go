package main

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// optionsOfFiles are the options that name folders or files, with what a shell looks for.
var optionsOfFiles = map[string]map[string][]string{
	"dir":    {cobra.BashCompSubdirsInDir: {}},
	"beside": {cobra.BashCompSubdirsInDir: {}},
	"output": {cobra.BashCompFilenameExt: {"go"}},
}

// completing tells the shells what options and arguments are: folders, files of Go, or nothing that a shell knows.
func completing(c *cobra.Command) {
	if strings.HasSuffix(c.Use, "[folder...]") {
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	}
	for name, is := range optionsOfFiles {
		if f := c.Flags().Lookup(name); f != nil {
			f.Annotations = is
		}
	}
	for _, sub := range c.Commands() {
		if sub.Name() == "completion" {
			needsCommand(sub)
		}
		completing(sub)
	}
}

// completesOneDash reports whether a shell asks how an option goes on that begins with one dash.
func completesOneDash(args []string) bool {
	asked := []string{cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	if len(args) == 0 || !slices.Contains(asked, args[0]) {
		return false
	}
	word := args[len(args)-1]
	return strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--")
}

// oneDash writes options with one dash. What is written begins with a line and ends with one.
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
