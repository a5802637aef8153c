package commandline

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// optionsOfFiles are the options for folders or files, with the directives for the completion of a shell.
var optionsOfFiles = map[string]map[string][]string{
	"dir":    {cobra.BashCompSubdirsInDir: {}},
	"beside": {cobra.BashCompSubdirsInDir: {}},
	"output": {cobra.BashCompFilenameExt: {"go"}},
	"write":  {cobra.BashCompSubdirsInDir: {}},
}

// AddCompletion adds the completion command, which prints to the output that the root has now, and sets the completion of options and
// arguments: folders, Go files, or nothing.
func AddCompletion(root *cobra.Command) {
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.InitDefaultCompletionCmd()
	complete(root)
}

func complete(c *cobra.Command) {
	if strings.HasSuffix(c.Use, "Struct.Field [folder]") {
		c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	} else if strings.HasSuffix(c.Use, "[folder...]") || strings.HasSuffix(c.Use, "[folder]") {
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
			NeedSubcommand(sub)
		}
		complete(sub)
	}
}

// NeedSubcommand makes a command that only has subcommands print its help without arguments, and reject an unknown subcommand.
func NeedSubcommand(c *cobra.Command) {
	c.SuggestionsMinimumDistance = 2 // letters
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return unknownCommand(c, args[0])
	}
}

// unknownCommand rejects an unknown subcommand, for which the library would only print the help.
func unknownCommand(c *cobra.Command, name string) error {
	text := fmt.Sprintf("unknown command %q for %q", name, c.CommandPath())
	if like := c.SuggestionsFor(name); len(like) > 0 {
		text += "; did you mean " + strings.Join(like, ", ") + "?"
	}
	return errors.New(text)
}
