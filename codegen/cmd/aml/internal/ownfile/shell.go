package ownfile

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Command returns the command line without -check, to paste into a shell: it writes the files that -check compares.
func Command(c *cobra.Command, args []string) string {
	words := []string{c.CommandPath()}
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "check" {
			words = append(words, optionWords(f)...)
		}
	})
	if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") }) {
		words = append(words, "--")
	}
	for _, a := range args {
		words = append(words, Quote(a))
	}
	return strings.Join(words, " ")
}

// optionWords returns an option as it is written in a shell. A value that begins with a hyphen follows its option after an equals sign.
func optionWords(f *pflag.Flag) []string {
	value := f.Value.String()
	if list, ok := f.Value.(pflag.SliceValue); ok {
		value = strings.Join(list.GetSlice(), ",")
	}
	switch {
	case f.Value.Type() == "bool" && value == "true":
		return []string{"-" + f.Name}
	case f.Value.Type() == "bool" || strings.HasPrefix(value, "-"):
		return []string{"-" + f.Name + "=" + Quote(value)}
	}
	return []string{"-" + f.Name, Quote(value)}
}

// plainWord is a word in which a shell finds nothing to replace.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_%+,./:@-]+$`)

// Quote quotes a word for a POSIX shell.
func Quote(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
