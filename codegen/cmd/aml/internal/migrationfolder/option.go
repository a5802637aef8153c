package migrationfolder

import "github.com/spf13/cobra"

// Option adds the flag for the migration folder.
func Option(c *cobra.Command) *string {
	return c.Flags().String("dir", "migrations", "the folder of the migrations")
}

// NameOption adds the flag for the name of a new folder.
func NameOption(c *cobra.Command) *string {
	return c.Flags().String("name", "", "the name of a new folder, for packages that share a keyspace: each package has its own folder with its own name")
}

// BesideOption adds the flag for the folders of other packages.
func BesideOption(c *cobra.Command) *[]string {
	return c.Flags().StringArray("beside", nil, "the folder of another package that shares the keyspace; can be repeated")
}
