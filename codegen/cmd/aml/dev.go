package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/integration/cassandra"
)

func devCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "dev",
		Short: "Run a Cassandra on this machine until Ctrl-C",
		Long: "Run a Cassandra on this machine until Ctrl-C and print its contact points. Docker runs it, or a JDK 17 with\n" +
			"Maven; where CASSANDRA_HOSTS names a server, that one is used. Its data is gone at the end.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return dev(c) },
	}
}

func dev(c *cobra.Command) error {
	server, err := cassandra.Start(c.Context(), cassandra.Config{Log: c.ErrOrStderr()})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "CASSANDRA_HOSTS=%s\n", strings.Join(server.Hosts(), ","))
	<-c.Context().Done()
	return server.Close()
}
