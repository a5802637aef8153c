package folder

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// SumFile is the name of the file with the [Sum].
const SumFile = "aml.sum"

// formatSum returns the text of aml.sum for a folder with a name, or "" without one.
func formatSum(name string, files []File) string {
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

// Hash returns the SHA-256 of parts, each preceded by its length.
func Hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return "h1:" + base64.StdEncoding.EncodeToString(h.Sum(nil))
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
	if want := formatSum(name, files); have != want {
		return sumDifference(have, want)
	}
	return nil
}

// sumDifference returns the error for the first difference between the actual aml.sum (have) and the aml.sum of the files (want).
func sumDifference(have, want string) *SumError {
	had, wants := sumLines(have), sumLines(want)
	for i := range max(len(had), len(wants)) {
		h, w := lineAt(had, i), lineAt(wants, i)
		if h != w {
			return explain(h, w, wants)
		}
	}
	return &SumError{File: SumFile, Reason: "its first line does not match the others"}
}

// explain returns the error for a line h of aml.sum instead of w.
func explain(h, w string, wants []string) *SumError {
	had, _, _ := strings.Cut(h, " ")
	file, _, _ := strings.Cut(w, " ")
	switch {
	case had == strings.TrimSpace(nameLine), file == strings.TrimSpace(nameLine):
		return &SumError{File: SumFile, Reason: "the name of the folder is not in its second line"}
	case had == file:
		return &SumError{File: file, Reason: "was changed: it does not match aml.sum"}
	case had != "" && !names(wants, had):
		return &SumError{File: had, Reason: "is in aml.sum, but not in the folder"}
	case file != "":
		return &SumError{File: file, Reason: "is in the folder, but not at its position in aml.sum"}
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

// names reports whether one of the lines has the file.
func names(lines []string, file string) bool {
	for _, l := range lines {
		if strings.HasPrefix(l, file+" ") {
			return true
		}
	}
	return false
}

// nameLine begins the line of aml.sum with the name of the folder.
const nameLine = "name "

// Unnamed is the name under which the folder without a name is recorded.
const Unnamed = "migrations"

// maxFolderName is the maximum length of the name of a folder, in bytes.
const maxFolderName = 48

// Name returns the name of a folder of migrations, which is in the line
//
//	name billing
//
// of its aml.sum. Packages that share a keyspace have one folder each, and each folder is recorded under its name. Without the
// line, the name is "". A keyspace can have only one folder without a name.
func Name(fsys fs.FS) (string, error) {
	text, err := sumText(fsys)
	if err != nil {
		return "", err
	}
	return nameIn(text)
}

// CheckName returns an error for an invalid name of a folder. A name is lower snake case with at most 48 bytes. "migrations" is
// reserved for the folder without a name.
func CheckName(name string) error {
	pattern := regexp.MustCompile(`^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$`)
	switch {
	case !pattern.MatchString(name) || len(name) > maxFolderName:
		return fmt.Errorf("migrate: %q is not a valid name of a folder: use lower_snake_case with at most %d bytes", name, maxFolderName)
	case name == Unnamed:
		return fmt.Errorf("migrate: the name %q is reserved for the folder without a name: use the name of the package", name)
	}
	return nil
}

// sumText returns the text of aml.sum; "" if it does not exist.
func sumText(fsys fs.FS) (string, error) {
	b, err := fs.ReadFile(fsys, SumFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("migrate: read sum: %w", err)
	}
	return normalise(string(b)), nil
}

// nameIn returns the name of a folder in the text of its aml.sum. A merge may have moved its line.
func nameIn(text string) (string, error) {
	name := ""
	for line := range strings.Lines(text) {
		found, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), nameLine)
		switch {
		case !ok:
			continue
		case name != "" && name != found:
			return "", &SumError{File: SumFile, Reason: fmt.Sprintf("it has two names of the folder, %s and %s", name, found)}
		}
		if err := CheckName(found); err != nil {
			return "", fmt.Errorf("%w (in %s; change it with aml migrate sum -name NAME)", err, SumFile)
		}
		name = found
	}
	return name, nil
}
