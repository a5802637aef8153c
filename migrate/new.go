package migrate

import (
	"fmt"
	"os"
)

// toFillIn is the text of a migration that is to be filled in.
const toFillIn = "-- Statements of CQL, each ended by a semicolon; then aml migrate sum.\n"

// NewFile adds a migration without statements, for somebody to write them into it: the next number and a name in lower
// snake case. The folder is made when it is not there, and aml.sum brought up to date. It returns the name of the file.
// Once the statements are written, [WriteSum] vouches for them.
//
// Nothing is written unless all of it can be; the errors are those of [WriteFile].
func NewFile(dir, name string) (added string, err error) {
	if _, err := FileName(1, name); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("migrate: make folder: %w", err)
	}
	err = inFolder(osDisk{}, dir, func(l *folderLock) error {
		number, err := Next(os.DirFS(dir))
		if err != nil {
			return err
		}
		if added, err = FileName(number, name); err != nil {
			return err
		}
		return l.add(file{name: added, number: number, text: toFillIn}, nil)
	})
	if err != nil {
		return "", err
	}
	return added, nil
}
