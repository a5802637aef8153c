package folder

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// SumFile is the name of the file that [Sum] is kept in.
const SumFile = "aml.sum"

// Sum returns the text of aml.sum for the migrations in fsys: a line that
// covers all others, then a line for each file with a hash over its name, its
// text and the line before. So whoever edits, inserts, renames or removes a
// file changes its line and all after it, and two branches that both add a file
// meet in a merge conflict.
//
//	h1:rTuJ…
//	0001_init.cql h1:7b9X…
//	0002_add_email.cql h1:Qz0d…
//
// The name that aml.sum has for the folder stays, see [Name]; its line is the second.
//
// A text is hashed without a byte order mark and with \r\n as \n; comments count.
// What migrate.Up refuses in a folder whatever is applied, a file without a statement
// included, is an error.
func Sum(fsys fs.FS) (string, error) {
	files, err := readFiles(fsys)
	if err != nil {
		return "", err
	}
	if err := splitFilled(files); err != nil {
		return "", err
	}
	name, err := Name(fsys)
	if err != nil {
		return "", err
	}
	return sumOf(name, files), nil
}

// sumOf renders aml.sum for a folder of a name, "" for none.
func sumOf(name string, files []File) string {
	var lines strings.Builder
	last := ""
	if name != "" {
		lines.WriteString(nameLine + name + "\n")
	}
	for _, f := range files {
		last = Hash(last, f.Name, f.Text)
		fmt.Fprintf(&lines, "%s %s\n", f.Name, last)
	}
	return Hash(lines.String()) + "\n" + lines.String()
}

// Hash is a SHA-256 over parts, each preceded by its length.
func Hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return "h1:" + base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// WriteSum writes aml.sum for the migrations in a folder of the file system. Use
// it after a file was edited on purpose: it records the files as they are. While
// another command writes to the folder it is refused with a *[LockedError].
func WriteSum(dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("migrate: read folder: %w", err)
	}
	return locked(dir, func() error {
		text, err := Sum(os.DirFS(dir))
		if err != nil {
			return err
		}
		return replace(filepath.Join(dir, SumFile), text)
	})
}

// checkSum compares files with the aml.sum in fsys, if there is one.
func checkSum(fsys fs.FS, files []File) error {
	_, err := fs.Stat(fsys, SumFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	have, err := sumText(fsys)
	if err != nil {
		return err
	}
	name, err := nameIn(have)
	if err != nil {
		return err
	}
	if want := sumOf(name, files); have != want {
		return sumDifference(have, want)
	}
	return nil
}

// sumDifference names the first file whose line in aml.sum (have) is not the
// one that follows from the files (want).
func sumDifference(have, want string) *SumError {
	had, wants := sumLines(have), sumLines(want)
	for i := range max(len(had), len(wants)) {
		h, w := lineAt(had, i), lineAt(wants, i)
		if h != w {
			return explain(h, w, wants)
		}
	}
	return &SumError{File: SumFile, Reason: "its first line does not cover the others"}
}

// explain returns what happened where aml.sum has the line h instead of w.
func explain(h, w string, wants []string) *SumError {
	had, _, _ := strings.Cut(h, " ")
	file, _, _ := strings.Cut(w, " ")
	switch {
	case had == strings.TrimSpace(nameLine), file == strings.TrimSpace(nameLine):
		return &SumError{File: SumFile, Reason: "has the name of the folder in another line than the second"}
	case had == file:
		return &SumError{File: file, Reason: "was changed: it does not match aml.sum"}
	case had != "" && !names(wants, had):
		return &SumError{File: had, Reason: "is in aml.sum and not in the folder"}
	case file != "":
		return &SumError{File: file, Reason: "is in the folder and not in its place in aml.sum"}
	}
	return &SumError{File: had, Reason: "is in aml.sum twice"}
}

// sumLines returns the lines of files, without the first one of the sum.
func sumLines(text string) []string {
	_, rest, _ := strings.Cut(text, "\n")
	if rest == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(rest, "\n"), "\n")
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// names reports whether one of the lines is of the file.
func names(lines []string, file string) bool {
	for _, l := range lines {
		if strings.HasPrefix(l, file+" ") {
			return true
		}
	}
	return false
}

// nameLine begins the line of aml.sum that names a folder.
const nameLine = "name "

// Unnamed is what the folder without a name is recorded under.
const Unnamed = "migrations"

// maxFolderName is how many bytes the name of a folder has at most.
const maxFolderName = 48

// Name returns the name of a folder of migrations: that of the line
//
//	name billing
//
// of its aml.sum. Several packages that share a keyspace have a folder each, and the records of a folder are found by its name.
// A folder without the line has no name, "". A keyspace has at most one of those.
func Name(fsys fs.FS) (string, error) {
	text, err := sumText(fsys)
	if err != nil {
		return "", err
	}
	return nameIn(text)
}

// CheckName returns an error for a text that cannot name a folder: it is lower snake case of at most 48 bytes.
// "migrations" is taken: the records of the folder without a name are under it.
func CheckName(name string) error {
	pattern := regexp.MustCompile(`^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$`)
	switch {
	case !pattern.MatchString(name) || len(name) > maxFolderName:
		return fmt.Errorf("migrate: %q cannot name a folder: write lower_snake_case of at most %d bytes", name, maxFolderName)
	case name == Unnamed:
		return fmt.Errorf("migrate: a folder cannot be named %q, which is where the folder without a name is recorded: take the name of the package", name)
	}
	return nil
}

// SetName writes the name of a folder into its aml.sum, which then covers the files that are there, as [WriteSum] does. An
// empty name removes the line. The folder is made when it is not there. Do it before a database has applied any of the files:
// it looks for their records under the new name, and migrate.Up refuses the files (*migrate.OwnerError).
func SetName(dir, name string) error {
	if name != "" {
		if err := CheckName(name); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("migrate: make folder: %w", err)
	}
	return locked(dir, func() error {
		files, err := readFiles(os.DirFS(dir))
		if err != nil {
			return err
		}
		return replace(filepath.Join(dir, SumFile), sumOf(name, files))
	})
}

// sumText reads aml.sum, "" where there is none.
func sumText(fsys fs.FS) (string, error) {
	b, err := fs.ReadFile(fsys, SumFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("migrate: read sum: %w", err)
	}
	return normalise(string(b)), nil
}

// nameIn finds the name of a folder in the text of its aml.sum, wherever a merge has put the line.
func nameIn(text string) (string, error) {
	name := ""
	for line := range strings.Lines(text) {
		found, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), nameLine)
		switch {
		case !ok:
			continue
		case name != "" && name != found:
			return "", &SumError{File: SumFile, Reason: fmt.Sprintf("names the folder %s and %s", name, found)}
		}
		if err := CheckName(found); err != nil {
			return "", fmt.Errorf("%w (in %s; aml migrate sum -name NAME writes another)", err, SumFile)
		}
		name = found
	}
	return name, nil
}
