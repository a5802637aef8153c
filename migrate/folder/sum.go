package folder

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
// The name that aml.sum has for the folder stays, see [FolderName]; its line is the second.
//
// A text is hashed without a byte order mark and with \r\n as \n; comments count.
// What [Up] refuses in a folder whatever is applied, a file without a statement
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
// it after a file was edited on purpose: it vouches for what is there. While
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
