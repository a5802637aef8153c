package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each metric and each log line of the alarms in docs/production.md is in the code of the mapper or of migrate.
func TestAlarmsExist(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/production.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n## Alarms\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	var code strings.Builder
	for _, dir := range []string{"mapper", "migrate"} {
		out, err := exec.Command("go", "list", "-f", `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`, module+dir+"/...").Output()
		require.NoError(t, err)
		for _, file := range strings.Fields(string(out)) {
			text, err := os.ReadFile(filepath.Clean(file))
			require.NoError(t, err)
			code.Write(text)
		}
	}
	alarms := regexp.MustCompile("`(cassaml\\.[a-z_.]+|(?:mapper|migrations): [^`]+)`").FindAllStringSubmatch(section, -1)
	require.Greater(t, len(alarms), 12)
	for _, a := range alarms {
		if !strings.Contains(code.String(), a[1]) {
			t.Errorf("nothing logs or measures %s", a[1])
		}
	}
}
