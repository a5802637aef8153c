package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/integration/cassandra"
)

func devCommand() *cobra.Command {
	var keyspaces []string
	var keep bool
	c := &cobra.Command{
		Use:   "dev",
		Short: "Run a Cassandra on this machine until Ctrl-C",
		Long: "Run a Cassandra on this machine until Ctrl-C and print its contact points. Docker runs it, or a JDK 17 with Maven. Its\n" +
			"data is deleted at the end; with -keep it is kept for the next run with -keep.\n\n" +
			"If CASSANDRA_HOSTS is set, no server is started: -keyspace creates the keyspace on the server of CASSANDRA_HOSTS, and\n" +
			"the keyspace and its data are kept at the end.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return dev(c, keyspaces, keep) },
	}
	c.Flags().StringSliceVar(&keyspaces, "keyspace", nil, "create this keyspace, with one replica; several are separated by commas")
	c.Flags().BoolVar(&keep, "keep", false, "keep the data between runs: in the user's cache folder, or in a Docker volume")
	return c
}

func dev(c *cobra.Command, keyspaces []string, keep bool) error {
	var bad []error
	for _, k := range keyspaces {
		if err := cassandra.CheckKeyspace(k); err != nil {
			bad = append(bad, fmt.Errorf("-keyspace: %w", err))
		}
	}
	if len(bad) > 0 {
		return errors.Join(bad...) // no server is started yet
	}
	server, err := cassandra.Start(c.Context(), cassandra.Config{Log: c.ErrOrStderr(), Keep: keep})
	if err != nil {
		return err
	}
	for _, k := range keyspaces {
		session, err := server.Keyspace(c.Context(), k)
		if err != nil {
			return errors.Join(err, server.Close())
		}
		session.Close()
	}
	fmt.Fprintf(c.OutOrStdout(), "export CASSANDRA_HOSTS=%s\n", strings.Join(server.Hosts(), ","))
	<-c.Context().Done()
	return server.Close()
}
