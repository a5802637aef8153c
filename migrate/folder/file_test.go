package folder

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// folder returns a file system from alternating names and texts.
func folder(namesAndTexts ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(namesAndTexts); i += 2 {
		fsys[namesAndTexts[i]] = &fstest.MapFile{Data: []byte(namesAndTexts[i+1])}
	}
	return fsys
}

func TestParseName(t *testing.T) {
	for name, want := range map[string]int{
		"0001_init.cql":             1,
		"0042_add_email_2.cql":      42,
		"9999_a.cql":                9999,
		"10000_a.cql":               10000,
		"2147483647_last_one.cql":   2147483647,
		"0100_orders_by_day_v2.cql": 100,
	} {
		number, err := Number(name)
		require.NoError(t, err, name)
		assert.Equal(t, want, number, name)
	}
	for _, name := range []string{
		"", ".cql", "1_init.cql", "001_init.cql", "0000_init.cql", "00001_init.cql", "0001.cql", "0001_.cql",
		"0001_Init.cql", "0001_init_.cql", "0001__init.cql", "0001_1st.cql", "0001-init.cql", "0001_init.CQL",
		"0001_in it.cql", "0001_é.cql", "init.cql", "2147483648_a.cql", "99999999999999999999_a.cql", "x0001_a.cql",
		"0001_a.cql\n",
	} {
		_, err := Number(name)
		assert.IsType(t, &NameError{}, err, name)
	}
}

func TestFileName(t *testing.T) {
	name, err := FileName(2, "add_email")
	require.NoError(t, err)
	assert.Equal(t, "0002_add_email.cql", name)
	for number, name := range map[int]string{0: "a", -1: "a", 1: "A", 2: "", 3: "a b", 4: "../a"} {
		_, err := FileName(number, name)
		assert.IsType(t, &NameError{}, err, "%d %s", number, name)
	}
}

func TestReadFilesOrderAndIgnored(t *testing.T) {
	files, err := readFiles(folder(
		"10000_later.cql", "", "0002_b.cql", "", "0010_c.cql", "", "0001_a.cql", "\ufeffx\r\ny",
		"README.md", "", "aml.sum", "", ".0003_hidden.cql", "", "old/0004_d.cql", "", "dir.cql/x", ""))
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	assert.Equal(t, []string{"0001_a.cql", "0002_b.cql", "0010_c.cql", "10000_later.cql"}, names)
	assert.Equal(t, "x\ny", files[0].Text)
}

func TestReadFilesReportsEveryName(t *testing.T) {
	_, err := readFiles(folder("init.cql", "", "0001_B.cql", "", "0002_a.CQL", "", "0003_ok.cql", ""))
	for _, want := range []string{"init.cql: ", "0001_B.cql: ", "0002_a.CQL: "} {
		assert.ErrorContains(t, err, want)
	}
	_, err = readFiles(folder("0001_a.cql", "", "0001_b.cql", "", "0002_c.cql", "", "0002_d.cql", ""))
	assert.EqualError(t, err, "migrate: 0001_b.cql: has the same number as 0001_a.cql\n"+
		"migrate: 0002_d.cql: has the same number as 0002_c.cql")
}

func TestLoadReportsEveryFault(t *testing.T) {
	_, err := Read(folder("0001_a.cql", "a;\n'", "0002_b.cql", "a", "0003_c.cql", "b;\n  use other;"))
	assert.EqualError(t, err, "0001_a.cql:2:1: string is not closed\n"+
		"0003_c.cql:2:3: USE is not supported in migrations, which run in the keyspace of the session: remove it")
}

func TestNext(t *testing.T) {
	for want, fsys := range map[int]fs.FS{
		1:  folder(),
		2:  folder("0001_a.cql", ""),
		13: folder("0012_a.cql", "", "0003_b.cql", "", "x.txt", ""),
	} {
		got, err := Next(fsys)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := Next(folder("a.cql", ""))
	assert.IsType(t, &NameError{}, unjoin(err))
}

// unjoin returns the only error of a joined error.
func unjoin(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok && len(joined.Unwrap()) == 1 {
		return joined.Unwrap()[0]
	}
	return err
}

// The error of a missing folder of the operating system has its absolute path: a relative path depends on the working directory.
func TestMissingFolderHasItsPath(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, err := filepath.Abs("shop/migrations")
	require.NoError(t, err)
	_, err = Read(os.DirFS("shop/migrations"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "migrate: read folder: open "+dir+": ")
	_, err = Read(missing{})
	require.EqualError(t, err, "migrate: read folder: open .: file does not exist")
}

// missing is a file system whose root does not exist, and whose path is not known.
type missing struct{}

func (missing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
