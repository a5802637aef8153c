package site_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	docs "github.com/cassaml/cassaml/codegen/site"
	"github.com/cassaml/cassaml/internal/models"
)

var runNu = flag.Bool("nu", false, "check a site with the Nu HTML checker, which Maven fetches")

// nuPom names the checker of the W3C, https://validator.github.io/validator. Maven copies it and its dependencies.
const nuPom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.github.cassaml</groupId>
  <artifactId>nu</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>nu.validator</groupId><artifactId>validator</artifactId><version>26.5.2</version></dependency>
  </dependencies>
</project>
`

// The Nu HTML checker finds no errors in the pages, styles and pictures of sites.
func TestNuHTMLChecker(t *testing.T) {
	if !*runNu {
		t.Skip("with -nu, in go run ./integration/long")
	}
	dir := t.TempDir()
	pom, jars := filepath.Join(dir, "pom.xml"), filepath.Join(dir, "jars")
	require.NoError(t, os.WriteFile(pom, []byte(nuPom), 0o600))
	out, err := exec.CommandContext(t.Context(), "mvn", "-B", "-q", "-f", pom, "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies", "-DoutputDirectory="+jars).CombinedOutput()
	require.NoError(t, err, "a JDK 17 with Maven is needed\n%s", out)
	for _, p := range models.Folders(t, "../../examples/quickstart/shop", "../../examples/library/catalogue", "../../examples/game/parts/match") {
		m := modelOf(t, p)
		files, err := docs.Build(docs.Input{Models: []docs.Model{m}})
		require.NoError(t, err)
		for name, data := range files {
			path := filepath.Join(dir, "site", p.Name, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, data, 0o600))
		}
	}
	args := []string{"-cp", filepath.Join(jars, "*"), "nu.validator.client.SimpleCommandLineValidator", "--format", "gnu", "--errors-only",
		"--filterpattern", ".*Unknown pseudo-element.*::details-content.*", // of CSS Pseudo-Elements 4, which the checker does not know
		"--skip-non-html", "--also-check-css", "--also-check-svg", filepath.Join(dir, "site")}
	var found bytes.Buffer
	check := exec.CommandContext(t.Context(), "java", args...)
	check.Stdout, check.Stderr = &found, &found
	err = check.Run()
	require.NoError(t, err, "%s", found.String())
	require.Empty(t, found.String())
}
