package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of aml and of Go",
		Long: "Print the version of the module that aml was built from, the revision if it was built in a checkout, and the version\n" +
			"of Go.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(c.OutOrStdout(), version())
			return err
		},
	}
}

// modulePath is the path of the module that aml belongs to.
const modulePath = "github.com/cassaml/cassaml"

// version describes the binary. If aml is a tool of another module, it is one of the dependencies of that module.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "aml (no build information)"
	}
	of, revision := info.Main, ""
	for _, d := range info.Deps {
		if d.Path == modulePath {
			of = *d
		}
	}
	if of.Replace != nil {
		of = *of.Replace
	}
	if of.Version == "" {
		of.Version = "(devel)"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && info.Main.Path == modulePath {
			revision = " " + s.Value
		}
	}
	return fmt.Sprintf("aml %s%s, %s", of.Version, revision, info.GoVersion)
}
