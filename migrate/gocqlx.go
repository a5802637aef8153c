package migrate

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/migrate/folder"
)

// gocqlxRecord is a row of gocqlx_migrate.
type gocqlxRecord struct {
	name     string
	checksum string
	done     int // statements
}

// importGocqlx compares the migrations of gocqlx with the files, in order, and returns their records. The names may differ, because files of
// gocqlx have no numbers; the texts must be equal.
func importGocqlx(files []folder.File, applied []gocqlxRecord, now time.Time) ([]record, error) {
	slices.SortFunc(applied, func(a, b gocqlxRecord) int { return strings.Compare(a.name, b.name) })
	refuse := func(file, reason string) error {
		return fmt.Errorf("migrate: the %d migrations of gocqlx are not taken over: %s: %s", len(applied), file, reason)
	}
	var records []record
	for i, a := range applied {
		switch {
		case i >= len(files):
			return nil, refuse(a.name, "was applied and is not among the files")
		case gocqlxChecksum(files[i].Raw) != a.checksum:
			return nil, refuse(files[i].Name, "differs from the text that gocqlx applied as "+a.name+
				"; rename the files to NNNN_name.cql in the order of their old names, and do not edit them")
		case gocqlxPieces(files[i].Raw) != a.done:
			return nil, refuse(files[i].Name, fmt.Sprintf("gocqlx has applied %d of its %d statements; let gocqlx finish it first", a.done, gocqlxPieces(files[i].Raw)))
		}
		records = append(records, newRecord(&files[i], len(files[i].Statements), now))
	}
	return records, nil
}

// gocqlxChecksum returns the checksum of a file as gocqlx records it.
func gocqlxChecksum(text []byte) string {
	sum := md5.Sum(text)
	return hex.EncodeToString(sum[:])
}

// gocqlxPieces counts statements as gocqlx does: it splits at every semicolon, and ignores a blank part only at the end.
func gocqlxPieces(text []byte) int {
	pieces := bytes.Count(text, []byte(";"))
	if rest := text[bytes.LastIndexByte(text, ';')+1:]; len(bytes.TrimSpace(rest)) > 0 {
		pieces++
	}
	return pieces
}
