//go:build unix

package cassandra

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"
)

//go:embed conf/pom.xml.tmpl
var pomTemplate string

const (
	manifestName = "jars.sha256"
	fetchPattern = "fetch-*"
	mavenLines   = 30
)

// jarStore is the folder of the server's jars, with a sub-folder for each release. A sub-folder is created complete, with a
// manifest of its jars, and is fetched again if it does not match the manifest.
type jarStore struct {
	dir     string
	release string
}

// userJars is the store that all projects of the user share.
func userJars(release string) (jarStore, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return jarStore{}, err
	}
	return jarStore{filepath.Join(cache, "cassaml"), release}, nil
}

func (s jarStore) folder() string { return filepath.Join(s.dir, "cassandra-"+s.release) }

// available returns nil if the jars seem to exist, or Maven can fetch them.
func (s jarStore) available() error {
	if _, err := os.Stat(filepath.Join(s.folder(), manifestName)); err == nil {
		return nil
	}
	if _, err := exec.LookPath("mvn"); err != nil {
		return errors.New("no mvn in PATH")
	}
	return nil
}

// ensure returns the folder of the jars, and fetches them if necessary. Only one of several processes fetches.
func (s jarStore) ensure(ctx context.Context, cfg Config) (string, error) {
	if verifyJars(s.folder()) == nil {
		return s.folder(), nil
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return "", err
	}
	lock, err := lockFile(ctx, s.folder()+".lock")
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if reason := verifyJars(s.folder()); reason != nil {
		cfg.logf("fetching Cassandra %s through Maven into %s (%v)", s.release, s.folder(), reason)
		if err := s.fetch(ctx); err != nil {
			return "", fmt.Errorf("fetch Cassandra %s: %w", s.release, err)
		}
	}
	return s.folder(), nil
}

// fetch replaces the folder. It works in another folder until that is complete, and removes the folders of fetches that were
// killed. The caller has the store's lock.
func (s jarStore) fetch(ctx context.Context) error {
	if err := removeMatching(filepath.Join(s.dir, fetchPattern)); err != nil {
		return err
	}
	work, err := os.MkdirTemp(s.dir, fetchPattern)
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	jars := filepath.Join(work, "jars")
	if err := os.Mkdir(jars, 0o755); err != nil {
		return err
	}
	if err := runMaven(ctx, s.release, work, jars); err != nil {
		return err
	}
	if err := writeManifest(jars); err != nil {
		return err
	}
	if err := os.RemoveAll(s.folder()); err != nil {
		return err
	}
	return os.Rename(jars, s.folder())
}

func removeMatching(pattern string) error {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

// runMaven copies the server and its dependencies into the folder jars. Its error ends with the last lines of Maven.
func runMaven(ctx context.Context, release, work, jars string) error {
	pom := filepath.Join(work, "pom.xml")
	if err := render(pom, pomTemplate, map[string]string{"Version": release}); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "mvn", "-B", "-q", "-Dstyle.color=never", "-f", pom,
		"dependency:copy-dependencies", "-DoutputDirectory="+jars)
	cmd.Dir = work
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("mvn: %w\n%s", err, lastLines(string(out), mavenLines))
	}
	for _, needed := range []string{"cassandra-all-" + release + ".jar", "jamm-*.jar"} {
		if found, _ := filepath.Glob(filepath.Join(jars, needed)); len(found) == 0 {
			return fmt.Errorf("mvn: no %s in its result\n%s", needed, lastLines(string(out), mavenLines))
		}
	}
	return nil
}

// render writes a template of the package to a file.
func render(path, text string, view any) error {
	tmpl, err := template.New(filepath.Base(path)).Option("missingkey=error").Parse(text)
	if err != nil {
		return err
	}
	var out strings.Builder
	if err := tmpl.Execute(&out, view); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(out.String()), 0o600)
}

// verifyJars returns nil if the folder holds exactly the bytes of its manifest.
func verifyJars(dir string) error {
	want, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, os.ErrNotExist) {
		return errors.New("not fetched yet")
	}
	if err != nil {
		return err
	}
	got, err := manifest(dir)
	if err != nil {
		return err
	}
	if got != string(want) {
		return errors.New("the fetched jars are damaged")
	}
	return nil
}

func writeManifest(dir string) error {
	text, err := manifest(dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, manifestName), []byte(text), 0o644)
}

// manifest lists the jars of a folder by name, each with its hash in the format of sha256sum.
func manifest(dir string) (string, error) {
	jars, err := filepath.Glob(filepath.Join(dir, "*.jar"))
	if err != nil {
		return "", err
	}
	slices.Sort(jars)
	var text strings.Builder
	for _, jar := range jars {
		sum, err := hashFile(jar)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&text, "%s  %s\n", sum, filepath.Base(jar))
	}
	return text.String(), nil
}

func hashFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
