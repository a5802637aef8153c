package migratecmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/lint"
)

func lintCommand() *cobra.Command {
	dir, from, asJSON := "migrations", 1, false
	c := &cobra.Command{
		Use:   "lint",
		Short: "Report the effects of the migrations on data and on running programs",
		Long: "Report the effects of the migrations on data, and on programs of an earlier release that are still running. Each\n" +
			"finding has a code; the line -- aml:allow CODE reason directly before a statement, or at the end of its last line,\n" +
			"allows the finding there. The command fails if there are findings.\n\n" +
			"-beside is the folder of another package in the same keyspace: a table or type that both create is an error.\n\n" +
			"-from skips the files before a number, which may be applied already and then cannot be changed.\n\n" +
			"With -json each finding is one line on the standard output: an object with file, line, code, severity, message and\n" +
			"fix.",
		Args: cobra.NoArgs,
	}
	beside := migrationfolder.BesideOption(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return lintFolder(c, dir, from, *beside, asJSON) }
	c.Flags().StringVar(&dir, "dir", dir, "the folder of the migrations")
	c.Flags().IntVar(&from, "from", from, "the number of the first file to check")
	jsonline.Option(c, &asJSON)
	return c
}

func lintFolder(c *cobra.Command, dir string, from int, beside []string, asJSON bool) error {
	if from < 1 {
		return fmt.Errorf("-from %d: files are numbered from 1", from)
	}
	if err := migrationfolder.CheckExists(dir); err != nil {
		return err
	}
	files, err := folder.Read(os.DirFS(dir))
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	found, err := lint.Lint(files)
	if err != nil {
		return migrationfolder.AddFolder(dir, err)
	}
	if err := lintBeside(dir, beside); err != nil {
		return err
	}
	judged := map[string]bool{}
	for _, f := range files {
		judged[f.Name] = f.Number >= from
	}
	n := 0
	for _, f := range found {
		if judged[f.File] {
			n++
			f.File = filepath.Join(dir, f.File)
			if err := writeFinding(c, f, asJSON); err != nil {
				return err
			}
		}
	}
	sum := migrationfolder.CheckSum(dir, files)
	if n > 0 {
		return errors.Join(sum, fmt.Errorf("%d found; fix each, or allow it with -- aml:allow CODE reason before its statement", n))
	}
	return sum
}

// findingJSON is the documented form of a finding. Its severity is the one that makes aml check fail.
type findingJSON struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Fix      string `json:"fix"`
}

func writeFinding(c *cobra.Command, f lint.Finding, asJSON bool) error {
	if asJSON {
		return jsonline.Write(c, findingJSON{filepath.ToSlash(f.File), f.Line, f.Code, "refusal", f.Message, f.Fix})
	}
	_, err := fmt.Fprintln(c.OutOrStdout(), f)
	return err
}

// lintBeside compares a folder with the folders of other packages.
func lintBeside(dir string, beside []string) error {
	others, err := migrationfolder.ReadNeighbours(beside)
	if len(others) == 0 || err != nil {
		return err
	}
	own, err := migrationfolder.ReadNeighbour(dir, "")
	if err != nil {
		return err
	}
	return migrationfolder.CheckSeparate(dir, own.Name, own.Creates, others)
}
