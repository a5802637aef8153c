package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/report"
)

// publish prints the table, and writes the files of the flags.
func publish(o options, series []measure.Series, stdout io.Writer) error {
	results := make([]measure.Result, len(series))
	for i := range series {
		results[i] = series[i].Result()
	}
	machine := report.ThisMachine()
	if _, err := fmt.Fprintf(stdout, "%s\n\n%s", machine, report.Table(results)); err != nil {
		return err
	}
	if o.out != "" {
		if err := writeFiles(o.out, machine, series, results); err != nil {
			return err
		}
	}
	if o.page != "" {
		return report.Replace(o.page, "codec", section(o, "-codec", report.Table(results)))
	}
	return nil
}

// writeFiles writes the three files of -out.
func writeFiles(dir string, machine report.Machine, series []measure.Series, results []measure.Result) error {
	var lines bytes.Buffer
	if err := report.Go(&lines, machine, series); err != nil {
		return err
	}
	chart, err := report.Chart("Between structs and the driver's bytes", results)
	if err != nil {
		return err
	}
	if err := writeJSON(dir, "codec.json", results); err != nil {
		return err
	}
	if err := write(dir, "codec.txt", lines.Bytes()); err != nil {
		return err
	}
	return write(dir, "codec.svg", chart)
}

func writeJSON(dir, name string, results any) error {
	list, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	return write(dir, name, append(list, '\n'))
}

// write writes a file into a directory, which it creates.
func write(dir, name string, content []byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), content, 0o644)
}

// section returns the text of a page: the origin of the figures, and the table.
func section(o options, what, table string) string {
	flags := []string{what}
	if o.rounds != defaultRounds {
		flags = append(flags, fmt.Sprintf("-rounds %d", o.rounds))
	}
	if o.out != "" {
		flags = append(flags, "-out "+o.out)
	}
	flags = append(flags, "-page "+o.page)
	return fmt.Sprintf("Made by `go run ./integration/bench %s` on: %s.\n\n%s", strings.Join(flags, " "), report.ThisMachine(), table)
}
