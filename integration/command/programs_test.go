package command

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
)

func TestMain(m *testing.M) {
	os.Setenv("GOGC", collectLess)
	cassandra.Main(m)
	if programs.dir != "" {
		os.RemoveAll(programs.dir)
	}
}

// programs are the commands of this module that a test has built.
var programs struct {
	sync.Mutex
	dir string
}

// collectLess is a value of GOGC with which a short run of the go command, or of aml, takes a fifth less processor time.
const collectLess = "400"

// withoutSymbols halves the time of the linker.
const withoutSymbols = "-ldflags=-s"

// program builds a command of this module, once for all tests, and returns its path.
func program(t *testing.T, name string) string {
	t.Helper()
	programs.Lock()
	defer programs.Unlock()
	if programs.dir == "" {
		dir, err := os.MkdirTemp("", "cassaml-programs")
		require.NoError(t, err)
		programs.dir = dir
	}
	file := filepath.Join(programs.dir, path.Base(name))
	if _, err := os.Stat(file); err == nil {
		return file
	}
	out, err := exec.Command("go", "build", withoutSymbols, "-o", file, module+name).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return file
}
