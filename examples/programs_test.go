package examples

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every program uses the model in its own folder.
func TestProgramsUseTheirOwnModel(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=Name,ImportPath,Imports", "./...").Output()
	require.NoError(t, err)
	programs := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p struct {
			Name, ImportPath string
			Imports          []string
		}
		require.NoError(t, d.Decode(&p))
		if p.Name != "main" {
			continue
		}
		programs++
		own := func(name string) bool { return strings.HasPrefix(name, p.ImportPath+"/") }
		foreign := func(name string) bool {
			return strings.Contains(name, "/examples/") && !strings.Contains(name, "/examples/internal/") && !own(name)
		}
		require.True(t, slices.ContainsFunc(p.Imports, own), "%s imports no package below it: %v", p.ImportPath, p.Imports)
		require.False(t, slices.ContainsFunc(p.Imports, foreign), "%s imports the model of another: %v", p.ImportPath, p.Imports)
	}
	require.Equal(t, 12, programs)
}
