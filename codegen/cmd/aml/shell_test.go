package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStaleDiagramsHaveTheirCommand pastes the command of a failed -check into a shell, and runs aml with the words that the shell reads.
func TestStaleDiagramsHaveTheirCommand(t *testing.T) {
	shop, err := filepath.Abs("../../../examples/quickstart/shop")
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), `Ana's $HOME docs`)
	require.NoError(t, os.Mkdir(dir, 0o755))
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("READ ME.md", []byte("<!-- aml diagram -->\n<!-- /aml diagram -->\n"), 0o644))
	for _, args := range [][]string{
		{"-update", "READ ME.md", shop},
		{"-update=READ ME.md", "-notation", "mermaid-er", "-roots", "Customer", shop},
		{"-o", "shop.svg", "-dark", "-notation=chebotko", "-roots=Customer", shop},
		{"-output=it's.md", "-notation", "mermaid", "--", shop},
	} {
		check := append([]string{"diagram", "-check"}, args...)
		code, errs := runAml(t, check)
		require.Equal(t, 1, code, args)
		_, command, found := strings.Cut(errs, ": run ")
		require.True(t, found, errs)
		code, errs = runAml(t, wordsInShell(t, command))
		require.Zero(t, code, "%s\n%s", command, errs)
		code, errs = runAml(t, check)
		require.Zero(t, code, "%s\n%s", command, errs)
	}
}

func runAml(t *testing.T, args []string) (code int, stderr string) {
	t.Helper()
	var errs strings.Builder
	code = run(t.Context(), args, &errs, &errs)
	return code, errs.String()
}

// wordsInShell returns the arguments with which a shell calls aml for a command.
func wordsInShell(t *testing.T, command string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "sh", "-c", "aml() { printf '%s\\0' \"$@\"; }\n"+command).Output()
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}
