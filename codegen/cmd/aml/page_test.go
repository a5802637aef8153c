package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migratecmd"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/reconcilecmd"
	"github.com/cassaml/cassaml/internal/pagetest"
)

func commandPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/command.md")
	require.NoError(t, err)
	return string(text)
}

// docs/command.md has one section for each command, with its options, and the documentation of the package has one line for it.
func TestPageHasAllCommands(t *testing.T) {
	page := commandPage(t)
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	sections := map[string]string{}
	for _, s := range strings.Split(page, "\n### ")[1:] {
		title, text, _ := strings.Cut(s, "\n")
		sections[title], _, _ = strings.Cut(text, "\n## ")
	}
	_, common, _ := strings.Cut(page, "\n## Common options\n")
	common, _, _ = strings.Cut(common, "\n## ")
	for title := range sections {
		if strings.HasSuffix(title, " -json") {
			delete(sections, title)
		}
	}
	leaves(command(io.Discard), func(c *cobra.Command) {
		text, ok := sections[c.CommandPath()]
		require.True(t, ok, "no section %q", c.CommandPath())
		delete(sections, c.CommandPath())
		pagetest.Matches(t, "doc.go", string(doc), `^//\t`+c.CommandPath()+` `)
		for _, f := range regexp.MustCompile(`(?m)^ .*?--(\S+)`).FindAllStringSubmatch(c.Flags().FlagUsages(), -1) {
			pagetest.Matches(t, "docs/command.md: "+c.CommandPath(), text+common, "`-"+f[1]+"[` ]")
		}
	})
	require.Empty(t, sections)
}

// The commands that connect to a server have -keyspace, except those that the page names.
func TestPageHasTheCommandsWithKeyspace(t *testing.T) {
	_, row, _ := strings.Cut(commandPage(t), "\n| `-keyspace` |")
	row, _, _ = strings.Cut(row, "\n")
	leaves(command(io.Discard), func(c *cobra.Command) {
		if c.Flags().Lookup("hosts") != nil {
			except := strings.Contains(row, "`"+c.CommandPath()+"`")
			require.Equal(t, except, c.Flags().Lookup("keyspace") == nil, c.CommandPath())
		}
	})
}

// leaves visits the commands without subcommands; completion is one of them.
func leaves(c *cobra.Command, do func(*cobra.Command)) {
	if !c.HasSubCommands() || c.Name() == "completion" {
		do(c)
		return
	}
	for _, sub := range c.Commands() {
		leaves(sub, do)
	}
}

// The examples of JSON in docs/command.md are lines that the commands print for the packages in testdata/page. Those that need
// a server have all names of their kind.
func TestPageHasRealJSON(t *testing.T) {
	page := commandPage(t)
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/page")))
	require.NoError(t, module(dir, root))
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	var out, errs bytes.Buffer
	run(t.Context(), []string{"check", "-json", "shop", "orders"}, &out, &errs)
	run(t.Context(), []string{"check", "-json", "-queries", "queries.cql", "shop"}, &out, &errs)
	run(t.Context(), []string{"explain", "-json", "shop"}, &out, &errs)
	run(t.Context(), []string{"migrate", "lint", "-json", "-dir", "shop/migrations"}, &out, &errs)
	require.Contains(t, errs.String(), "1 found")
	printed := "\n" + strings.ReplaceAll(out.String(), "shop/migrations/", "migrations/")

	examples := 0
	for _, block := range strings.Split(page, "```json\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		for in := json.NewDecoder(strings.NewReader(block)); ; examples++ {
			var value json.RawMessage
			err := in.Decode(&value)
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			var line bytes.Buffer
			require.NoError(t, json.Compact(&line, value))
			if of := statusKind(line.String()); of != nil {
				require.Equal(t, line.String(), again(t, line.Bytes(), of))
				continue
			}
			pagetest.Contains(t, "the output of the commands", printed, "\n"+line.String()+"\n")
		}
	}
	require.Equal(t, 12, examples)
}

// statusKind returns a value for a line of aml migrate status; nil for any other line.
func statusKind(line string) any {
	switch {
	case strings.HasPrefix(line, `{"kind":"folder",`):
		return &migratecmd.FolderJSON{}
	case strings.HasPrefix(line, `{"kind":"file",`):
		return &migratecmd.FileJSON{}
	case strings.HasPrefix(line, `{"kind":"backfill",`):
		return &migratecmd.BackfillJSON{}
	case strings.HasPrefix(line, `{"kind":"finding",`):
		return &reconcilecmd.FindingJSON{}
	case strings.HasPrefix(line, `{"kind":"report",`):
		return &reconcilecmd.ReportJSON{}
	case strings.HasPrefix(line, `{"kind":"refill",`):
		return &reconcilecmd.RefillJSON{}
	}
	return nil
}

// again decodes a line into a value and encodes it again.
func again(t *testing.T, line []byte, to any) string {
	t.Helper()
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	require.NoError(t, in.Decode(to))
	var out bytes.Buffer
	c := &cobra.Command{}
	c.SetOut(&out)
	require.NoError(t, jsonline.Write(c, to))
	return strings.TrimSuffix(out.String(), "\n")
}
