package folder

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Sum returns the text of aml.sum for the migrations in fsys: a line with a hash of all other lines, then a line for each file with
// a hash of its name, its text and the previous hash. So a file that is edited, inserted, renamed or removed changes its line and
// all later lines, and two branches that both add a file have a merge conflict.
//
//	h1:rTuJ…
//	0001_init.cql h1:7b9X…
//	0002_add_email.cql h1:Qz0d…
//
// If aml.sum has a name of the folder ([Name]), Sum keeps it, in the second line.
//
// A text is hashed with its comments, without a byte order mark, and with \n instead of \r\n. Sum returns an error for a folder that
// migrate.Up refuses independently of the database, such as one with an empty file.
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
	return formatSum(name, files), nil
}

// WriteSum writes aml.sum for the current migrations in a folder of the file system, for example after a file was edited. It returns
// a *[LockedError] while another command writes to the folder.
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

// SetName writes the name of a folder into its aml.sum, and updates the sums like [WriteSum]. An empty name removes the line. A
// missing folder is created. Call SetName only before a database has applied any of the files: migrate.Up searches for the records
// under the new name, and refuses the files (*migrate.OwnerError).
func SetName(dir, name string) error {
	if name != "" {
		if err := CheckName(name); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("migrate: create folder: %w", err)
	}
	return locked(dir, func() error {
		files, err := readFiles(os.DirFS(dir))
		if err != nil {
			return err
		}
		return replace(filepath.Join(dir, SumFile), formatSum(name, files))
	})
}
