package migratecmd

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/server"
	"github.com/cassaml/cassaml/migrate"
)

func statusCommand() *cobra.Command {
	var n server.Connection
	c := &cobra.Command{
		Use:   "status",
		Short: "Print which migrations a keyspace has applied",
		Long: "Print the state of each migration of the folder, and of each that the keyspace has recorded: applied, pending, applied\n" +
			"in part, failed, edited since, missing, out of order, or of a newer release; and the backfills that are open, or\n" +
			"skipped because their table does not exist. Nothing is changed. Migrations that are Go functions of a service are\n" +
			"listed after they are applied.\n\n" +
			"With -json each line of the standard output is an object: of kind folder, file or backfill.",
		Args: cobra.NoArgs,
	}
	n.AddOptions(c)
	n.AddKeyspaceOption(c)
	dir, asJSON := migrationfolder.Option(c), false
	jsonline.Option(c, &asJSON)
	c.RunE = func(c *cobra.Command, _ []string) error {
		report, err := readStatus(c, &n, *dir)
		if err != nil {
			return err
		}
		if asJSON {
			return writeStatusJSON(c, report)
		}
		return writeStatus(c.OutOrStdout(), report)
	}
	return c
}

// readStatus compares a folder with the keyspace of the command line.
func readStatus(c *cobra.Command, n *server.Connection, dir string) (*migrate.Report, error) {
	if err := n.CheckKeyspace(); err != nil {
		return nil, err
	}
	if err := migrationfolder.CheckExists(dir); err != nil {
		return nil, err
	}
	session, err := n.Open(c.Context(), n.Keyspace)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	return migrate.Status(c.Context(), gocqldriver.New(session), os.DirFS(dir), migrate.Config{})
}

func writeStatus(out io.Writer, r *migrate.Report) error {
	if r.Folder != "" {
		fmt.Fprintf(out, "folder %s of keyspace %s\n", r.Folder, r.Keyspace)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range r.Files {
		fmt.Fprintf(w, "%s\t%s\t%s\n", f.Name, f.State, details(f))
	}
	for _, b := range r.Backfills {
		more := fromCheckpoint(b)
		if b.Skipped != "" {
			more = ": " + b.Skipped
		}
		fmt.Fprintf(w, "backfill %s\t%s\t%s%s\n", b.Table, backfillState(b), b.File, more)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, b := range r.Backfills {
		if b.Refused != "" {
			fmt.Fprintf(out, "backfill %s: %s\n", b.Table, b.Refused)
		}
	}
	if len(r.Files) == 0 {
		fmt.Fprintln(out, "no migrations, neither in the folder nor in the keyspace")
	}
	if r.Sum != nil {
		fmt.Fprintln(out, r.Sum)
	}
	if r.Refused != nil {
		fmt.Fprintf(out, "Up rejects the folder: %v\n", r.Refused)
	}
	if len(r.Others) > 0 {
		fmt.Fprintln(out, "other folders of the keyspace:", folderNames(r.Others))
	}
	if r.Owner != "" {
		fmt.Fprintf(out, "a run has the lock: %s; if it was killed, the lock expires within %v\n", r.Owner, r.LockExpires)
	}
	if r.Gocqlx > 0 {
		fmt.Fprintf(out, "gocqlx has applied %d migrations to this keyspace, see migrate.Config.ImportGocqlx\n", r.Gocqlx)
	}
	return nil
}

// folderNames lists folders, one of which can have no name.
func folderNames(names []string) string {
	out := slices.Clone(names)
	for i, name := range out {
		out[i] = cmp.Or(name, "one without a name")
	}
	return strings.Join(out, ", ")
}

// details returns how many statements of a migration are applied, and why no more.
func details(f migrate.FileStatus) string {
	text := fmt.Sprintf("%d statements", f.Total)
	if f.Total == 1 {
		text = "1 statement"
	}
	if f.State != migrate.FileApplied && f.State != migrate.FilePending {
		text = fmt.Sprintf("%d of %s", f.Applied, text)
	}
	if !f.At.IsZero() {
		text += ", " + f.At.UTC().Format(time.RFC3339)
	}
	if f.Reason != "" {
		text += ": " + f.Reason
	}
	return text
}

// fromCheckpoint returns the checkpoint of an open backfill as it is printed; "" if there is none.
func fromCheckpoint(b migrate.BackfillStatus) string {
	if b.Done || b.Checkpoint == "" || b.Refused != "" {
		return ""
	}
	return fmt.Sprintf(", from checkpoint %q", b.Checkpoint)
}
