package codegen_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	require.NoError(t, codegen.Write([]codegen.File{{Path: a, Data: []byte("1")}, {Path: b, Data: []byte("2")}}))
	requireFiles(t, dir, map[string]string{"a": "1", "b": "2"})

	before, err := os.Stat(a)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o644), before.Mode())
	require.NoError(t, codegen.Write([]codegen.File{{Path: a, Data: []byte("1")}, {Path: b, Data: []byte("3")}}))
	requireFiles(t, dir, map[string]string{"a": "1", "b": "3"})
	after, err := os.Stat(a)
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after), "a file that has its content is not replaced")

	require.NoError(t, os.Chmod(b, 0o600))
	require.NoError(t, codegen.Write([]codegen.File{{Path: b, Data: []byte("4")}}))
	after, err = os.Stat(b)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), after.Mode(), "a file that is replaced keeps its permissions")
}

// If one of the files cannot be written, the others are unchanged and no temporary file remains.
func TestWriteAllOrNothing(t *testing.T) {
	for _, bad := range []string{"folder", filepath.Join("nowhere", "b"), filepath.Join("a", "b")} {
		for _, first := range []bool{true, false} {
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("old"), 0o644))
			files := []codegen.File{
				{Path: filepath.Join(dir, "a"), Data: []byte("new")},
				{Path: filepath.Join(dir, "c"), Data: []byte("new")},
				{Path: filepath.Join(dir, bad), Data: []byte("new")},
			}
			if first {
				files[0], files[2] = files[2], files[0]
			}
			err := codegen.Write(files)
			require.ErrorContains(t, err, "codegen: write "+filepath.Join(dir, bad)+": ")
			requireFiles(t, dir, map[string]string{"a": "old", "folder": ""})
		}
	}
}

// A pipe or a device is refused without reading it: it may have no end.
func TestWriteReadsRegularFilesOnly(t *testing.T) {
	endless := "/dev/zero"
	if _, err := os.Stat(endless); err != nil {
		t.Skip("there is no " + endless)
	}
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(endless, link))
	require.ErrorContains(t, codegen.Write([]codegen.File{{Path: link, Data: []byte("new")}}), "it exists and is not a regular file")
}

func requireFiles(t *testing.T, dir string, want map[string]string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	got := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			got[e.Name()] = ""
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		got[e.Name()] = string(data)
	}
	require.Equal(t, want, got)
}
