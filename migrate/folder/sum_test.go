package folder

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files")

func abc() fstest.MapFS {
	return folder("0001_a.cql", "a;\n", "0002_b.cql", "b;\n", "0003_c.cql", "c;\n")
}

// TestSum fixes the format, because existing sums must remain valid.
func TestSum(t *testing.T) {
	sum, err := Sum(abc())
	require.NoError(t, err)
	golden := filepath.Join("testdata", "abc.sum")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(sum), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), sum)
}

func TestSumIgnoresLineEnds(t *testing.T) {
	unix, err := Sum(folder("0001_a.cql", "a;\n-- b\n"))
	require.NoError(t, err)
	windows, err := Sum(folder("0001_a.cql", "\ufeffa;\r\n-- b\r\n", "README", ""))
	require.NoError(t, err)
	assert.Equal(t, unix, windows)
}

// fix is the end of each error.
const fix = "; restore it, or, if the change is intended, update aml.sum with aml migrate sum"

func TestCheckSum(t *testing.T) {
	sum, err := Sum(abc())
	require.NoError(t, err)
	for name, c := range map[string]struct {
		change func(fstest.MapFS)
		want   string
	}{
		"nothing":         {func(fstest.MapFS) {}, ""},
		"edit":            {func(f fstest.MapFS) { f["0002_b.cql"].Data = []byte("B;\n") }, "0002_b.cql: was changed: it does not match aml.sum"},
		"comment":         {func(f fstest.MapFS) { f["0003_c.cql"].Data = []byte("c; -- d\n") }, "0003_c.cql: was changed: it does not match aml.sum"},
		"remove":          {func(f fstest.MapFS) { delete(f, "0002_b.cql") }, "0002_b.cql: is in aml.sum, but not in the folder"},
		"remove the last": {func(f fstest.MapFS) { delete(f, "0003_c.cql") }, "0003_c.cql: is in aml.sum, but not in the folder"},
		"remove all":      {func(f fstest.MapFS) { maps.DeleteFunc(f, isCQL) }, "0001_a.cql: is in aml.sum, but not in the folder"},
		"add":             {func(f fstest.MapFS) { f["0004_d.cql"] = f["0001_a.cql"] }, "0004_d.cql: is in the folder, but not at its position in aml.sum"},
		"put between":     {func(f fstest.MapFS) { rename(f, "0003_c.cql", "0004_c.cql"); f["0003_x.cql"] = f["0001_a.cql"] }, "0003_c.cql: is in aml.sum, but not in the folder"},
		"put before":      {func(f fstest.MapFS) { rename(f, "0003_c.cql", "0001_a.cql", "0004_d.cql") }, "0001_a.cql: was changed: it does not match aml.sum"},
		"rename":          {func(f fstest.MapFS) { rename(f, "0002_b.cql", "0002_z.cql") }, "0002_b.cql: is in aml.sum, but not in the folder"},
		"empty sum":       {func(f fstest.MapFS) { f[SumFile].Data = nil }, "0001_a.cql: is in the folder, but not at its position in aml.sum"},
		"line twice":      {func(f fstest.MapFS) { f[SumFile].Data = append(f[SumFile].Data, f[SumFile].Data[48:]...) }, "0001_a.cql: is in aml.sum twice"},
		"first line":      {func(f fstest.MapFS) { f[SumFile].Data[5] ^= 1 }, "aml.sum: its first line does not match the others"},
		"windows":         {func(f fstest.MapFS) { f[SumFile].Data = crlf(f[SumFile].Data) }, ""},
		"no sum":          {func(f fstest.MapFS) { delete(f, SumFile) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := abc()
			fsys[SumFile] = &fstest.MapFile{Data: []byte(sum)}
			c.change(fsys)
			files, err := readFiles(fsys)
			require.NoError(t, err)
			err = checkSum(fsys, files)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, "migrate: "+c.want+fix)
			assert.IsType(t, &SumError{}, err)
		})
	}
}

func TestCheckSumReportsInsertedFiles(t *testing.T) {
	sum, err := Sum(folder("0001_a.cql", "a;\n", "0003_c.cql", "c;\n"))
	require.NoError(t, err)
	fsys := abc()
	fsys[SumFile] = &fstest.MapFile{Data: []byte(sum)}
	_, err = Read(fsys)
	require.EqualError(t, err, "migrate: 0002_b.cql: is in the folder, but not at its position in aml.sum"+fix)
}

func isCQL(name string, _ *fstest.MapFile) bool { return filepath.Ext(name) == ".cql" }

// rename renames files, given as alternating old and new names.
func rename(fsys fstest.MapFS, names ...string) {
	files := fstest.MapFS{}
	for i, n := range names[:len(names)-1] {
		if f, ok := fsys[n]; ok {
			files[names[i+1]] = f
			delete(fsys, n)
		}
	}
	maps.Copy(fsys, files)
}

func crlf(b []byte) []byte {
	var out []byte
	for _, c := range b {
		if c == '\n' {
			out = append(out, '\r')
		}
		out = append(out, c)
	}
	return out
}

func TestWriteSum(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(dir, "0001_a.cql", []string{"a"}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "0001_a.cql"), []byte("edited;"), 0o644))
	_, err := Read(os.DirFS(dir))
	require.IsType(t, &SumError{}, err)
	require.NoError(t, WriteSum(dir))
	_, err = Read(os.DirFS(dir))
	require.NoError(t, err)
}
