package migratecmd

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/server"
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/folder"
)

func upCommand() *cobra.Command {
	var n server.Connection
	c := &cobra.Command{
		Use:   "up",
		Short: "Apply the pending migrations to a keyspace",
		Long: "Apply the pending migrations to a keyspace, as migrate.Up does at the start of a service. Services can run migrate.Up\n" +
			"at the same time. If a pending migration calls Go functions (-- aml:func), nothing is applied: only the service has\n" +
			"the functions, so start the service. Backfills are also left to the service.",
		Args: cobra.NoArgs,
	}
	n.AddOptions(c)
	n.AddKeyspaceOption(c)
	dir := migrationfolder.Option(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return up(c, &n, *dir) }
	return c
}

func up(c *cobra.Command, n *server.Connection, dir string) error {
	report, err := readStatus(c, n, dir)
	if err != nil {
		return err
	}
	if err := callsNoFunctions(dir, report); err != nil {
		return err
	}
	session, err := n.Open(c.Context(), n.Keyspace)
	if err != nil {
		return err
	}
	defer session.Close()
	steps := newSteps(c, c.OutOrStdout())
	defer steps.bar.Clear()
	config := migrate.Config{NoBackfills: true, Progress: steps.print}
	if err := migrate.Up(c.Context(), gocqldriver.New(session), os.DirFS(dir), config); err != nil {
		return err
	}
	if steps.applied == 0 {
		fmt.Fprintln(c.OutOrStdout(), "nothing is pending")
	}
	if report, err = migrate.Status(c.Context(), gocqldriver.New(session), os.DirFS(dir), migrate.Config{}); err != nil {
		return err
	}
	for _, b := range report.Backfills {
		if !b.Done && b.Skipped == "" {
			fmt.Fprintf(c.OutOrStdout(), "backfill of %s (%s): left to a service that has a function for it\n", b.Table, b.File)
		}
	}
	return nil
}

// steps prints the steps of migrations: a line for each completed step, and while it waits, and a bar for the step that runs if the standard error is a
// terminal.
type steps struct {
	out     io.Writer
	bar     *commandline.Bar
	applied int64
}

func newSteps(c *cobra.Command, out io.Writer) *steps {
	return &steps{out: out, bar: commandline.NewBar(c.ErrOrStderr())}
}

func (s *steps) print(e migrate.Event) {
	switch e.Kind {
	case migrate.EventApplying:
		s.bar.Show(stepText(e)+", applied", -1, s.applied)
	case migrate.EventApplied:
		s.bar.Clear()
		s.applied++
		fmt.Fprintln(s.out, stepText(e))
	case migrate.EventWaiting:
		s.bar.Clear()
		fmt.Fprintf(s.out, "%s: waiting for another run\n", e.File)
	}
}

// stepText describes a step in a line.
func stepText(e migrate.Event) string {
	return fmt.Sprintf("%s: %d of %d: %s", e.File, e.Number, e.Total, headline(e.Statement))
}

// headline returns a statement as one line that fits into a terminal.
func headline(statement string) string {
	const most = 100
	line := []rune(strings.Join(strings.Fields(statement), " "))
	if len(line) == 0 {
		return "recorded"
	}
	if len(line) > most {
		return string(line[:most-1]) + "…"
	}
	return string(line)
}

// callsNoFunctions rejects a folder whose pending migrations call Go functions.
func callsNoFunctions(dir string, r *migrate.Report) error {
	files, err := folder.Read(os.DirFS(dir))
	if err != nil {
		return err
	}
	applied := map[string]int{}
	for _, f := range r.Files {
		applied[f.Name] = f.Applied
	}
	var calls []string
	for _, f := range files {
		for _, s := range f.Statements {
			if s.Func != "" && s.Number > applied[f.Name] {
				calls = append(calls, fmt.Sprintf("%s:%d: -- aml:func %s calls a function of the service: start the service, which applies it", f.Name, s.Line, s.Func))
			}
		}
	}
	if len(calls) > 0 {
		return fmt.Errorf("no migration was applied\n%s", strings.Join(calls, "\n"))
	}
	return nil
}
