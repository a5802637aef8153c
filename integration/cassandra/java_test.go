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

// Before Cassandra 5.0, a Java 11 is preferred, and a Java 17 is used with a note.
func TestFindJavaBeforeCassandra5(t *testing.T) {
	home, old, path := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("JAVA_HOME", home)
	t.Setenv("JAVA11_HOME", "")
	t.Setenv("PATH", path)
	was := java11Folders
	t.Cleanup(func() { java11Folders = was })
	java11Folders = []string{filepath.Join(old, "*11*")}
	writeCommand(t, filepath.Join(home, "bin", "java"), `echo 'openjdk version "17.0.15"' >&2`)
	found, err := findJava(t.Context(), "4.1.10")
	require.NoError(t, err)
	require.Equal(t, 17, found.major)
	require.Contains(t, found.note("4.1.10"), "Cassandra 4.1.10 is supported on Java 8 and 11 only, and runs on Java 17")
	require.Empty(t, found.note("5.0.8"))

	writeCommand(t, filepath.Join(old, "java-11-openjdk", "bin", "java"), `echo 'openjdk version "11.0.2"' >&2`)
	found, err = findJava(t.Context(), "4.1.10")
	require.NoError(t, err)
	require.Equal(t, 11, found.major)
	require.Empty(t, found.note("4.1.10"))
	found, err = findJava(t.Context(), "5.0.8")
	require.NoError(t, err)
	require.Equal(t, 17, found.major, "only JAVA_HOME and PATH")

	named := t.TempDir()
	writeCommand(t, filepath.Join(named, "bin", "java"), `echo 'openjdk version "11.0.9"' >&2`)
	t.Setenv("JAVA11_HOME", named)
	found, err = findJava(t.Context(), "4.1.10")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(named, "bin", "java"), found.path)
}

func TestBefore(t *testing.T) {
	for version, want := range map[string]bool{"4.0.1": true, "4.1.10": true, "5.0": false, "5.0-rc1": false, "5.0.8": false, "6.0-alpha2": false, "10.1.2": false} {
		require.Equal(t, want, isBefore(version, "5.0"), version)
	}
	require.True(t, isBefore("4.0.1", "4.1"))
	require.False(t, isBefore("4.1.10", "4.1"))
}

// writeCommand writes an executable shell script.
func writeCommand(t *testing.T, path, script string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}
