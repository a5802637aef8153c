package ownfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A link, or a folder, that has replaced a page of the last run is not removed with the old pages.
func TestOldPagesThatWereReplacedStay(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(page, []byte(ownMarks[0]), 0o600))
	require.NoError(t, os.Symlink("page.html", filepath.Join(dir, "link.html")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.html"), 0o700))
	last := []string{"link.html", "folder.html", "missing.html"}
	require.NoError(t, removeOld(dir, last, nil))
	require.FileExists(t, filepath.Join(dir, "link.html"))
	require.DirExists(t, filepath.Join(dir, "folder.html"))

	require.NoError(t, removeOld(dir, append(last, "page.html"), nil))
	require.NoFileExists(t, page)
}
