package main

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// optionsOfFiles are the options for folders or files, with the directives for the completion of a shell.
var optionsOfFiles = map[string]map[string][]string{
	"dir":    {cobra.BashCompSubdirsInDir: {}},
	"beside": {cobra.BashCompSubdirsInDir: {}},
	"output": {cobra.BashCompFilenameExt: {"go"}},
}

// completing sets the completion of options and arguments: folders, Go files, or nothing.
func completing(c *cobra.Command) {
	if strings.HasSuffix(c.Use, "[folder...]") || strings.HasSuffix(c.Use, "[folder]") {
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	}
	for name, is := range optionsOfFiles {
		if f := c.Flags().Lookup(name); f != nil && f.Annotations == nil {
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
