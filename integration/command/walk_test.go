package command

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
)

// walkReleases is small by default, because each release compiles and links a service.
var walkReleases = flag.Int("walk.releases", 2, "how many releases of docs/releases.md are executed, with the steps before the next one")

// The steps of the first releases of docs/releases.md, as many as -walk.releases, are executed: the files are written, the
// commands are run, and their output is compared, in a separate repository and keyspace. In place of go tool aml it runs the command
// that is built for all tests; TestUserModule runs it as a tool of the module.
func TestMigrationsWalk(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	server := cassandra.Test(t)
	keyspace := cassandra.Keyspace(t).Session.Query("").Keyspace()
	page, err := os.ReadFile("../../docs/releases.md")
	require.NoError(t, err)
	_, walk, ok := strings.Cut(string(page), "<!-- walk -->")
	require.True(t, ok)
	walk, _, ok = strings.Cut(walk, "<!-- /walk -->")
	require.True(t, ok)

	m := newUserModule(t, t.TempDir())
	m.run("go", "mod", "edit", "-module", "example.com/shop")
	m.requireClone()
	command := program(t, "codegen/cmd/aml")
	m.env = append(m.env, "CASSANDRA_HOSTS="+strings.Join(server.Hosts(), ","))
	fences := regexp.MustCompile("(?ms)^```(\\w+) ?(\\S*)\n(.*?)^```$").FindAllStringSubmatch(walk, -1)
	require.Greater(t, len(fences), 10)
	releases := 0
	for _, f := range fences {
		kind, name, text := f[1], f[2], f[3]
		if kind == "console" {
			for _, step := range regexp.MustCompile(`(?m)^\$ `).Split(text, -1)[1:] {
				if strings.HasPrefix(step, runService) {
					releases++
				}
				if releases > *walkReleases {
					return
				}
				m.runStep(strings.ReplaceAll(step, "go tool aml", command), keyspace)
			}
			continue
		}
		require.NotEmpty(t, name, text)
		file := filepath.Join(m.dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		text = strings.NewReplacer(`"shop"`+"\n\tsession", `"`+keyspace+`"`+"\n\tsession", "go tool aml", command).Replace(text)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
}

// runService is the step of the page that starts the service of a release.
const runService = "go run ./cmd/shop\n"

// runStep runs a command of the page and compares its output, on both streams, with the lines below it, where … matches any
// text.
func (m *userModule) runStep(step, keyspace string) {
	m.t.Helper()
	command, want, _ := strings.Cut(step, "\n")
	c := exec.CommandContext(m.t.Context(), "sh", "-c", strings.ReplaceAll(command, "-keyspace shop", "-keyspace "+keyspace))
	c.Dir, c.Env = m.dir, m.env
	got, err := c.CombinedOutput()
	if err != nil {
		got = append(got, "exit status 1\n"...)
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*")
	require.Regexp(m.t, `(?s)\A`+pattern+`\z`, string(got), "$ %s", command)
}
