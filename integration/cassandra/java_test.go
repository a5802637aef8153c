//go:build unix

package cassandra

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseJavaMajor(t *testing.T) {
	for text, want := range map[string]int{
		"openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime Environment": 17,
		"java version \"1.8.0_392\"":                                          8,
		"openjdk version \"11\" 2018-09-25":                                   11,
		"openjdk version \"21-ea\" 2023-09-19":                                21,
		"Picked up JAVA_TOOL_OPTIONS: -Xmx1G\nopenjdk version \"25.0.1\"":     25,
	} {
		major, err := parseJavaMajor(text)
		require.NoError(t, err)
		require.Equal(t, want, major, text)
	}
	_, err := parseJavaMajor("no such\ncommand")
	require.EqualError(t, err, `no version in "no such command"`)
}

func TestFindJavaReturnsTheFirstSupported(t *testing.T) {
	home, path := t.TempDir(), t.TempDir()
	t.Setenv("JAVA_HOME", home)
	t.Setenv("PATH", path)
	_, err := findJava(t.Context(), defaultRelease)
	require.ErrorContains(t, err, filepath.Join(home, "bin", "java"))

	writeCommand(t, filepath.Join(home, "bin", "java"), `echo 'openjdk version "25.0.1"' >&2`)
	_, err = findJava(t.Context(), defaultRelease)
	require.ErrorContains(t, err, "is Java 25")

	fits := filepath.Join(path, "java")
	writeCommand(t, fits, `echo 'openjdk version "11.0.2"' >&2`)
	found, err := findJava(t.Context(), defaultRelease)
	require.NoError(t, err)
	require.Equal(t, fits, found.path)
	require.Equal(t, 11, found.major)

	t.Setenv("JAVA_HOME", "")
	t.Setenv("PATH", t.TempDir())
	_, err = findJava(t.Context(), defaultRelease)
	require.EqualError(t, err, "no java in PATH")
}

// writeCommand writes an executable shell script.
func writeCommand(t *testing.T, path, script string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}
