package folder

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/internal/lex"
)

// Extension is the file name extension of a migration.
const Extension = ".cql"

// maxNumber is the maximum of the int column in the record.
const maxNumber = 1<<31 - 1

// File is a migration of a folder.
type File struct {
	Name       string // 0002_add_email.cql
	Number     int
	Text       string      // has no byte order mark, and \n at the end of each line
	Raw        []byte      // the bytes of the file
	Checksum   string      // the hash of the text, comments included
	Statements []Statement // includes the calls of functions between them
	Directives []Directive
	Misspelt   []Misspelling
	Backfills  []string // tables to fill after all statements are applied
	Shared     []Shared // types of other folders
}

// FileName returns the name of a migration: 2, "add_email" => 0002_add_email.cql.
// A number below 1 or a name that is not lower snake case is a *[NameError].
func FileName(number int, name string) (string, error) {
	full := fmt.Sprintf("%04d_%s%s", number, name, Extension)
	if _, err := Number(full); err != nil {
		return "", err
	}
	return full, nil
}

// Newest returns the greatest number of files; 0 if there are none.
func Newest(files []File) int {
	if len(files) == 0 {
		return 0
	}
	return files[len(files)-1].Number
}

// Number returns the number in the name of a migration.
func Number(name string) (int, error) {
	pattern := regexp.MustCompile(`^([0-9]{4,})_[a-z][a-z0-9]*(?:_[a-z0-9]+)*\.cql$`)
	m := pattern.FindStringSubmatch(name)
	if m == nil {
		return 0, &NameError{File: name, Reason: "is not named NNNN_lower_snake_name.cql"}
	}
	number, err := strconv.Atoi(m[1])
	if err != nil || number < 1 || number > maxNumber {
		return 0, &NameError{File: name, Reason: fmt.Sprintf("its number is not between 1 and %d", maxNumber)}
	}
	if canonical := fmt.Sprintf("%04d", number); canonical != m[1] {
		return 0, &NameError{File: name, Reason: "its number must be written as " + canonical}
	}
	return number, nil
}

// InGo returns a migration that is a Go function, as a file that calls the function.
func InGo(name string) (File, error) {
	number, err := Number(name + Extension)
	if err != nil {
		return File{}, err
	}
	text := "-- aml:func " + name
	call := Statement{Text: text, Number: 1, Func: name, Hash: Hash(text)}
	return File{Name: name, Number: number, Checksum: Hash(name), Statements: []Statement{call}}, nil
}

// normalise removes the differences between checkouts of the same file.
func normalise(text string) string {
	text = strings.TrimPrefix(text, lex.ByteOrderMark)
	return strings.ReplaceAll(text, "\r\n", "\n")
}
