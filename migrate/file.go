package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cassaml/cassaml/migrate/internal/lex"
)

const extension = ".cql"

// maxNumber is what the int column of the record holds.
const maxNumber = 1<<31 - 1

// file is one migration of a folder.
type file struct {
	name       string // 0002_add_email.cql
	number     int
	text       string // without byte order mark, lines ended by \n
	checksum   string // of the text, comments included
	statements []Statement
	directives []Directive
	misspelt   []Misspelling
	hashes     []string // of the statements
	backfills  []string // tables to fill once all statements are applied
	shared     []Shared // types of other folders
	md5        string   // of the bytes, as gocqlx records it
	pieces     int      // statements as gocqlx counts them
}

// FileName returns the name of a migration: 2, "add_email" => 0002_add_email.cql.
// A number below 1 or a name that is not lower snake case is a *[NameError].
func FileName(number int, name string) (string, error) {
	full := fmt.Sprintf("%04d_%s%s", number, name, extension)
	if _, err := parseName(full); err != nil {
		return "", err
	}
	return full, nil
}

// Next returns the number of the migration that comes after all in fsys, 1 for
// the first. Names that [Up] refuses are an error.
func Next(fsys fs.FS) (int, error) {
	files, err := readFiles(fsys)
	if err != nil {
		return 0, err
	}
	return newest(files) + 1, nil
}

// newest is the greatest number of files, 0 without any.
func newest(files []file) int {
	if len(files) == 0 {
		return 0
	}
	return files[len(files)-1].number
}

// parseName returns the number in the name of a migration.
func parseName(name string) (int, error) {
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
		return 0, &NameError{File: name, Reason: "its number is written " + canonical}
	}
	return number, nil
}

// readFiles returns the migrations in the root of fsys in number order, not yet
// split. Folders, hidden files and files that do not end in .cql are ignored;
// every fault in the names is reported.
func readFiles(fsys fs.FS) ([]file, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("migrate: read folder: %w", err)
	}
	var files []file
	var faults []error
	for _, e := range entries {
		if !isMigration(e) {
			continue
		}
		f, err := readFile(fsys, e.Name())
		files, faults = append(files, f), append(faults, err)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b file) int { return a.number - b.number })
	return files, oneNumberEach(files)
}

func isMigration(e fs.DirEntry) bool {
	return !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && strings.EqualFold(path.Ext(e.Name()), extension)
}

func readFile(fsys fs.FS, name string) (file, error) {
	number, err := parseName(name)
	if err != nil {
		return file{}, err
	}
	b, err := fs.ReadFile(fsys, name)
	if err != nil {
		return file{}, fmt.Errorf("migrate: read file: %w", err)
	}
	if !utf8.Valid(b) {
		return file{}, &NameError{File: name, Reason: "is not UTF-8"}
	}
	return file{name: name, number: number, text: normalise(string(b)), md5: gocqlxChecksum(b), pieces: gocqlxPieces(b)}, nil
}

// normalise takes out what differs between checkouts of the same file.
func normalise(text string) string {
	text = strings.TrimPrefix(text, lex.ByteOrderMark)
	return strings.ReplaceAll(text, "\r\n", "\n")
}

func oneNumberEach(files []file) error {
	var faults []error
	for i := 1; i < len(files); i++ {
		if files[i].number == files[i-1].number {
			faults = append(faults, &NameError{File: files[i].name, Reason: "has the number of " + files[i-1].name})
		}
	}
	return errors.Join(faults...)
}

// load returns the migrations of fsys, checked against aml.sum when there is
// one and split, and those in Go, in order.
func load(fsys fs.FS, funcs map[string]Func) ([]file, error) {
	files, err := readFiles(fsys)
	if err != nil {
		return nil, err
	}
	if err := checkSum(fsys, files); err != nil {
		return nil, err
	}
	if err := splitFilled(files); err != nil {
		return nil, err
	}
	if files, err = mergeFuncs(files, funcs); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, noFiles(fsys)
	}
	return files, nil
}

// noFiles returns [ErrNoFiles], and what to do where a folder below the root has migrations.
func noFiles(fsys fs.FS) error {
	for _, pattern := range []string{"*/*" + extension, "*/*/*" + extension} {
		found, err := fs.Glob(fsys, pattern)
		if err != nil {
			return errors.Join(ErrNoFiles, err)
		}
		for _, name := range found {
			if _, err := parseName(path.Base(name)); err == nil {
				return fmt.Errorf("%w, and its folder %s does: give migrate.Up what fs.Sub(f, %q) returns", ErrNoFiles, path.Dir(name), path.Dir(name))
			}
		}
	}
	return ErrNoFiles
}

func splitAll(files []file) error {
	var faults []error
	for i := range files {
		err := files[i].split()
		if e, ok := err.(*SyntaxError); ok {
			e.File = files[i].name
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// split cuts the file into its steps and hashes them.
func (f *file) split() error {
	statements, err := Split(f.text)
	if err != nil {
		return err
	}
	found, misspelt, err := directives(f.text, statements)
	if err != nil {
		return err
	}
	f.misspelt = misspelt
	if f.backfills, err = backfillsOf(f.text, found); err != nil {
		return err
	}
	if f.shared, err = sharedOf(f.text, found); err != nil {
		return err
	}
	f.statements, f.directives = withFuncs(statements, found), found
	f.checksum = hash(f.text)
	f.hashes = make([]string, len(f.statements))
	for i, s := range f.statements {
		f.hashes[i] = hash(s.Text)
	}
	return f.checkStatements()
}
